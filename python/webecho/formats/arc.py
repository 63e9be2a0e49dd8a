"""Records of ARC files, and the same as WARC records.

An HTTP response becomes a `response`, any other document a `resource`, the description of the file
its `warcinfo`. Ids are made from address, date and place, and are the same each time. Bytes
that are no record in order: see unreadable.py.
"""

import re
import uuid
from contextlib import suppress
from datetime import datetime

from webecho.formats.headers import LENGTH, Fields

# Address, ip, date, type, what version 2 has in between, length. That the line ends with a length
# is seen first, and that its end is near before what stands in between is tried: a line made of
# many almost fields would take quadratic time.
ARC_LINE = (
    rb"([A-Za-z][A-Za-z0-9+.\-]{1,20}:(?=[^\r\n]{0,6000} -?\w{1,20}\r?\n)[^\s][^\r\n]{0,4096}?) "
    rb"(\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,40}+|-|0) (\d{8,18}|null|-) "
    rb"([^ \r\n]{1,256}+)(?=[^\r\n]{0,1050}+\r?\n)(?: [^\r\n]{0,1024})? (-?\w{1,20})\r?\n"
)
_LINE = re.compile(rb"[\r\n]*" + ARC_LINE)
# What writers put where there is no ip.
_NO_IP = (b"-", b"0", b"0.0.0.0")
# What is read as HTTP, and as a media type (rust/src/archives/warc/http.rs): else a page of an ARC
# file would be none when it is read from the WARC file.
_HTTP = re.compile(rb"(?i:ICY|HTTP/\d(?:\.\d)?)[ \t]+\d{3}(?!\d)")
_STATUS_LINE = 32
_TYPE = re.compile(rb"[\w!#$%&'*+.^`|~-]+/[\w!#$%&'*+.^`|~-]+", re.ASCII)


def arc_fields(line: re.Match[bytes]) -> Fields:
    """The fields that a WARC header would have for a record with this line."""
    url, ip, date, kind, length = line.groups()
    fields = {
        b"warc-type": b"filedesc" if url.startswith(b"filedesc:") else b"response",
        b"warc-target-uri": url,
        b"content-type": kind,
        b"content-length": length,
    }
    if ip not in _NO_IP:
        fields[b"warc-ip-address"] = ip
    if len(date) >= 14:
        year, rest = date[:4], [date[i : i + 2] for i in range(4, 14, 2)]
        fields[b"warc-date"] = b"%b-%b-%bT%b:%b:%bZ" % (year, *rest)
    return fields


def warc_header(
    head: bytes, place: int, size: int, otherwise: bytes, right: int | None = None
) -> tuple[bytes, int, int] | None:
    """The WARC header for the ARC record of `size` bytes that begins so, how many of them to leave
    out, and the length of its block: the `right` one, where what it says is known to be wrong.
    `otherwise` is the date for one that has none. None if it does not begin as a record."""
    line = _LINE.match(head)
    if line is None or not LENGTH.match(line[5]):
        return None
    url, ip, written, content, said = line.groups()
    skipped, whole = line.end(), int(said) if right is None else right
    length = min(whole, size - skipped)
    date = _date(written) or otherwise
    kind = b"resource"
    if url.startswith(b"filedesc:"):
        kind = b"warcinfo"
    elif _HTTP.match(head, skipped, skipped + min(_STATUS_LINE, length)):
        kind, content = b"response", b"application/http; msgtype=response"
    name = f"{url.decode('utf-8', 'replace')} {date.decode()} {place}"
    lines = [
        b"WARC/1.0",
        b"WARC-Type: " + kind,
        b"WARC-Record-ID: <urn:uuid:%b>" % str(uuid.uuid5(uuid.NAMESPACE_URL, name)).encode(),
        b"WARC-Date: " + date,
    ]
    if kind == b"warcinfo":
        lines.append(b"WARC-Filename: " + url.removeprefix(b"filedesc:").lstrip(b"/"))
    else:
        lines.append(b"WARC-Target-URI: " + url)
        if ip not in _NO_IP:
            lines.append(b"WARC-IP-Address: " + ip)
    if length < whole:
        lines.append(b"WARC-Truncated: unspecified")
    if _TYPE.match(content):
        lines.append(b"Content-Type: " + content)
    lines += [b"Content-Length: %d" % length, b"", b""]
    return b"\r\n".join(lines), skipped, length


def _date(digits: bytes) -> bytes | None:
    """The date of an ARC line in the way of WARC, if it is one."""
    padded = (digits + b"0101000000"[max(len(digits) - 4, 0) :])[:14].decode()
    with suppress(ValueError):
        return datetime.strptime(padded, "%Y%m%d%H%M%S").strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    return None
