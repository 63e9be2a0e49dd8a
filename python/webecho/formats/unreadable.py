"""Bytes of an archive that are no record in order, as a record that is.

They become a `resource` under an address of our own, so that nothing is missing, nobody takes them
for a page, and what stands beside them can go. Ids are made from place and content, and are the
same each time.
"""

import hashlib
import re
import uuid

UNKNOWN_DATE = b"1970-01-01T00:00:00Z"
_LENGTH = re.compile(rb"^(content-length[ \t]*:[ \t]*)\+?\d+", re.IGNORECASE | re.MULTILINE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")


def header(place: int, length: int, name: str) -> bytes:
    """The header of a record for so many bytes, which stood at a place; the name makes its id."""
    lines = [
        b"WARC/1.0",
        b"WARC-Type: resource",
        b"WARC-Record-ID: <urn:uuid:%b>" % str(uuid.uuid5(uuid.NAMESPACE_URL, name)).encode(),
        b"WARC-Date: " + UNKNOWN_DATE,
        b"WARC-Target-URI: urn:webecho:unreadable:%d" % place,
        b"Content-Type: application/octet-stream",
        b"Content-Length: %d" % length,
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def wrapped(data: bytes, place: int) -> bytes:
    """The record that holds these bytes, which stood at a place."""
    name = f"{place} {hashlib.sha256(data).hexdigest()}"
    return header(place, len(data), name) + data + b"\r\n\r\n"


def lengthened(data: bytes, length: int) -> bytes | None:
    """The record with this as the length of its block; None if its header does not say one."""
    end = _HEADER_END.search(data)
    if end is None:
        return None
    header, count = _LENGTH.subn(rb"\g<1>%d" % length, data[: end.end()], count=1)
    block = data[end.end() : end.end() + length]
    return header + block + b"\r\n\r\n" if count and len(block) == length else None
