"""Revisit records in place of exact copies, from which these can be made again.

A *revisit* says that a page was fetched and had the body of another record, and holds only the
HTTP header. Ours are standard ones (WARC 1.1, section 6.7). At the end of the header they have
more lines, which others pass over: `Webecho-Was` with each line that had to change, as it was, and
`Webecho-Body` with a digest of the body, so that the record can be made again byte for byte.

Only records in good order are replaced: lines that end in CRLF, each field that must change once
and in one line, a block as long as it says and two line ends after it.
"""

import base64
import hashlib
import re
from dataclasses import dataclass
from urllib.parse import quote

from webecho.formats.entries import by_bytes
from webecho.formats.http import unchunked

_END = b"\r\n\r\n"
_VERSION = re.compile(rb"WARC/(\d+\.\d+)\Z")
_PROFILE = b"http://netpreserve.org/warc/%b/revisit/identical-payload-digest"
_CHANGED = (b"warc-type", b"content-length", b"warc-block-digest")
_REVISIT = re.compile(rb"^warc-type[ \t]*:[ \t]*revisit\s*$", re.IGNORECASE | re.MULTILINE)
_NOT_MODIFIED = re.compile(rb"HTTP/\S+ +304\b")
_WAS = b"Webecho-Was: "
_BODY = b"Webecho-Body: sha256:"


@dataclass(frozen=True)
class Response:
    """A `response` record in its parts: the lines of its header, the HTTP header, the body.

    Of a revisit the body is empty, and the HTTP header may be.
    """

    lines: tuple[bytes, ...]
    http: bytes
    body: bytes

    def value(self, name: bytes) -> bytes | None:
        """The value of a field that is there once."""
        found = _numbers(self.lines, name)
        return self.lines[found[0]].partition(b":")[2].strip() if len(found) == 1 else None


@dataclass(frozen=True)
class Standing:
    """What a revisit says of the record that it refers to."""

    id: bytes
    url: bytes
    date: bytes
    body: str
    http: str


def parsed(data: bytes, kind: bytes = b"response") -> Response | None:
    """The record of this kind that the bytes are, if it is in good order."""
    header, end, rest = data.partition(_END)
    lines = tuple(header.split(b"\r\n"))
    if not end or any(b"\n" in line or b"\r" in line for line in lines):
        return None
    if not _VERSION.match(lines[0]) or not all(b":" in line for line in lines[1:]):
        return None
    if any(line[:1] in (b" ", b"\t") for line in lines):
        return None
    found = Response(lines, b"", b"")
    length = found.value(b"content-length")
    if (found.value(b"warc-type") or b"").lower() != kind or not (length or b"").isdigit():
        return None
    if len(_numbers(lines, b"warc-block-digest")) > 1:
        return None
    size = int(length or 0)
    block, after = rest[:size], rest[size:]
    if kind == b"revisit" and not size and _END.startswith(after):
        # One that others wrote may hold nothing, and have fewer line ends after that.
        return Response(lines, b"", b"")
    http, end, body = block.partition(_END)
    if after != _END or not end or not http.startswith(b"HTTP/"):
        return None
    if http.count(b"\n") != http.count(b"\r\n"):
        return None
    return Response(lines, http + end, body)


def standing(original: Response) -> Standing | None:
    """What can be said of a record that others shall refer to, if it tells enough."""
    names = (b"warc-record-id", b"warc-target-uri", b"warc-date")
    id, url, date = (original.value(name) for name in names)
    if not (id and url and date):
        return None
    return Standing(id, url, date, _sha256(original.body), _sha256(original.http))


def is_same(copy: Response, original: Standing) -> bool:
    """Whether the copy is the very record that it is a copy of."""
    return standing(copy) == original


def revisit(copy: Response, original: Standing, container: str | None = None) -> bytes | None:
    """The revisit record for a copy; None where the bodies differ or the record is no plain one.

    `container` is the name of the file that the original is in, if it is not among those that the
    revisit is written with.
    """
    if _sha256(copy.body) != original.body or copy.value(b"warc-record-id") == original.id:
        return None
    names = [_name(line) for line in copy.lines[1:]]
    if any(
        name.startswith((b"warc-refers-to", b"webecho-"))
        or name in (b"warc-profile", b"warc-segment-number")
        for name in names
    ):
        return None
    new = {
        b"warc-type": b"WARC-Type: revisit",
        b"content-length": b"Content-Length: %d" % len(copy.http),
        b"warc-block-digest": b"WARC-Block-Digest: " + _sha1(copy.http),
    }
    version = b"1.1" if copy.lines[0] == b"WARC/1.1" else b"1.0"
    lines = [copy.lines[0]]
    lines += [new.get(name, line) for name, line in zip(names, copy.lines[1:], strict=True)]
    lines += [
        b"WARC-Profile: " + _PROFILE % version,
        *_refers(original, container),
    ]
    if b"warc-payload-digest" not in names:
        lines.append(b"WARC-Payload-Digest: " + _sha1(copy.body))
    was = [line for name, line in zip(names, copy.lines[1:], strict=True) if name in _CHANGED]
    lines += [_WAS + line for line in was]
    lines.append(_BODY + original.body.encode())
    return b"\r\n".join(lines) + _END + copy.http + _END


def _refers(original: Standing, container: str | None) -> list[bytes]:
    """The lines that say where the body is."""
    lines = [
        b"WARC-Refers-To: " + original.id,
        # Some programs write addresses in brackets, which belong to ids alone.
        b"WARC-Refers-To-Target-URI: " + original.url.removeprefix(b"<").removesuffix(b">"),
        b"WARC-Refers-To-Date: " + original.date,
    ]
    if container is not None:
        lines.append(b"WARC-Refers-To-Container: file://" + quote(by_bytes(container)).encode())
    return lines


def repointed(revisit: Response, original: Standing, container: str | None = None) -> bytes:
    """The revisit, which was of a record with the same body, as one of this original."""
    lines: list[bytes] = []
    was: list[bytes] = []
    at: int | None = None
    for line in revisit.lines:
        if _name(line).startswith(b"warc-refers-to"):
            at = len(lines) if at is None else at
            was.append(_WAS + line)
        else:
            lines.append(line)
    at = len(lines) if at is None else at
    lines[at:at] = _refers(original, container)
    if not is_ours(revisit):
        # What others wrote is not made again from what it was, but can be looked up.
        lines += was
    return b"\r\n".join(lines) + _END + revisit.http + _END


def is_revisit(data: bytes) -> bool:
    """Whether the record is a revisit, ours or not."""
    return _REVISIT.search(data.partition(_END)[0]) is not None


def is_ours(revisit: Response) -> bool:
    """Whether the revisit can be undone."""
    return any(line.startswith(_BODY) for line in revisit.lines)


def fits(revisit: Response, body: bytes) -> bool:
    """Whether this is the body that was left out."""
    return _BODY + _sha256(body).encode() in revisit.lines


def agrees(revisit: Response, original: Response) -> bool:
    """Whether the body of the original may be what another tool left out: the digests that both
    tell are the same, or the body has the one that the revisit tells."""
    said = revisit.value(b"warc-payload-digest")
    if not said or said == original.value(b"warc-payload-digest"):
        return True
    name, _, value = said.partition(b":")
    algorithm = name.decode("ascii", "replace").lower().replace("-", "")
    if algorithm not in ("md5", "sha1", "sha256", "sha512"):
        return False
    for body in (original.body, unchunked(original.body)):
        digest = hashlib.new(algorithm, body, usedforsecurity=False).digest()
        if value.lower() in (digest.hex().encode(), base64.b32encode(digest).lower()):
            return True
    return False


def filled(revisit: Response, original: Response) -> bytes:
    """The response that another tool's revisit stands for, with the body of the original.

    It has the HTTP header of the revisit, unless that says that the page had not changed, or is of
    a body that is encoded in another way.
    """
    http = revisit.http
    if not http or _NOT_MODIFIED.match(http) or _codings(http) != _codings(original.http):
        http = original.http
    block = http + original.body
    new = {
        b"warc-type": b"WARC-Type: response",
        b"content-type": b"Content-Type: application/http; msgtype=response",
        b"content-length": b"Content-Length: %d" % len(block),
        b"warc-block-digest": b"WARC-Block-Digest: " + _sha1(block),
    }
    lines = [
        new.get(_name(line), line)
        for line in revisit.lines
        if not _name(line).startswith((b"warc-refers-to", b"webecho-"))
        and _name(line) not in (b"warc-profile", b"warc-truncated")
    ]
    return b"\r\n".join(lines) + _END + block + _END


def _codings(http: bytes) -> list[bytes]:
    """How the body is encoded, by an HTTP header."""
    names = (b"transfer-encoding", b"content-encoding")
    return sorted(line.lower() for line in http.split(b"\r\n") if _name(line) in names)


def undone(revisit: Response, body: bytes) -> bytes | None:
    """The record that the revisit stands for; None if it is not as it was written."""
    names = [_name(line) for line in revisit.lines]
    if b"warc-profile" not in names:
        return None
    lines = list(revisit.lines[: names.index(b"warc-profile")])
    for line in revisit.lines:
        if line.startswith(_WAS):
            was = line.removeprefix(_WAS)
            if _name(was) not in names[: len(lines)]:
                return None
            lines[names.index(_name(was))] = was
    return b"\r\n".join(lines) + _END + revisit.http + body + _END


def _name(line: bytes) -> bytes:
    return line.partition(b":")[0].strip().lower()


def _numbers(lines: tuple[bytes, ...], name: bytes) -> list[int]:
    return [number for number, line in enumerate(lines) if number and _name(line) == name]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _sha1(data: bytes) -> bytes:
    return b"sha1:" + base64.b32encode(hashlib.sha1(data).digest())
