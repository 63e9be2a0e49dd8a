"""What the tests of revisits and of restoring share: files whose copies became revisits."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from tests.read.archives import gzipped, http, record, saved
from tests.write.keeping import opened, places_of, selections
from webecho.write.kept import write_kept
from webecho.write.selection import Original, Written

BODY = "<p>".join(hashlib.sha256(b"%d" % n).hexdigest() for n in range(40)).encode()


CHUNKED = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)


def page(number: int, block: bytes, **more: str) -> bytes:
    more = {"record_id": f"<urn:uuid:{number:08}>", "ip_address": f"10.0.0.{number}"} | more
    return record("response", block, target_uri=f"http://a/{number}", **more)


def odd(number: int, block: bytes) -> bytes:
    """A record whose header is spaced and ordered in its own way."""
    lines = [
        b"WARC/1.1",
        b"content-length:%d  " % len(block),
        b"WARC-Record-ID:<urn:uuid:%08d>" % number,
        b"X-Odd :\tyes: and no ",
        b"WARC-TYPE:   Response",
        b"WARC-Target-URI: <http://a/%d>" % number,
        b"warc-block-digest: md5:0123",
        b"WARC-Date: 2020-01-31T23:59:58.123456Z",
        b"WARC-Payload-Digest: sha1:ABC",
        b"Content-Type: application/http; msgtype=response",
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + block + b"\r\n\r\n"


def replaced(
    folder: Path, files: dict[str, list[bytes]], pack: Callable[..., bytes] = gzipped
) -> dict[str, Written]:
    """Writes the files with all pages but the very first as copies of that."""
    for name, records in files.items():
        saved(folder, name, pack(*records))
    sources = {name: opened(folder / name) for name in files}
    found = [(source, place) for source in sources.values() for place in places_of(source)[0]]
    original = Original(found[0][0].name, found[0][1])
    out: dict[str, Written] = {}
    for name, source in sources.items():
        gone = [place for each, place in found[1:] if each is source]
        listed = selections(places_of(source)[1], gone)
        target = folder / "kept" / name
        out[name] = write_kept(source, listed, target, originals=lambda _: original)
        assert out[name].left_out + len(out[name].in_full) == len(gone)
    return out


FILES = {
    "a.warc.gz": [
        record("warcinfo", b"software: none\r\n"),
        page(1, http(BODY)),
        page(2, http(BODY, server="another")),
        record("request", b"GET / HTTP/1.0\r\n\r\n", target_uri="http://a/3"),
        page(3, http(BODY)),
    ],
    "b.warc.gz": [odd(4, http(BODY)), page(5, http(BODY), block_digest="sha1:XYZ")],
}
