"""WARC, WET, ARC and WACZ files as inputs of cases: whole ones, compressed ones and broken ones.

What is compressed is so at level 0, so that offsets in files hang on no version of a library.
"""

import gzip
import hashlib
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import zstandard

from tests.collections_made import Page, as_warc, markup, prose
from tests.read.archives import http, record, response

DAY = (2004, 1, 31, 12, 0, 0)
ARC_INFO = b"1 0 Nobody\nURL IP-address Archive-date Content-type Archive-length\n"


def make_archives(folder: Path, pages: Sequence[Page]) -> None:
    """All archives, in the folder."""
    as_warc(folder / "small.warc", pages, requests=True)
    records = [response(page.url, page.html.encode()) for page in pages]
    (folder / "small.warc.gz").write_bytes(packed(*records))
    (folder / "small.warc.zst").write_bytes(zstd_frames(*records))
    (folder / "whole.warc.gz").write_bytes(packed(b"".join(records)))
    (folder / "cut.warc.gz").write_bytes(packed(*records)[:-100])
    (folder / "broken.warc").write_bytes(b"".join(broken(pages)))
    (folder / "only_images.warc").write_bytes(b"".join(images()))
    (folder / "small.warc.wet").write_bytes(b"".join(wet(pages)))
    (folder / "small.arc").write_bytes(b"".join(arc(pages)))
    (folder / "small.arc.gz").write_bytes(packed(*arc(pages)))
    (folder / "small.wacz").write_bytes(b"")
    wacz(folder / "small.wacz", pages)
    (folder / "copies").mkdir()
    for name, numbers in (("a", range(4)), ("b", range(2, 7))):
        (folder / "copies" / f"{name}.warc.gz").write_bytes(packed(*copies(name, numbers)))
    (folder / "copies" / "notes.md").write_text("No archive.\n")
    (folder / "revisits.warc").write_bytes(b"".join(revisits()))


def packed(*records: bytes) -> bytes:
    return b"".join(gzip.compress(each, 0, mtime=0) for each in records)


def zstd_frames(*records: bytes) -> bytes:
    return b"".join(zstandard.ZstdCompressor(1).compress(each) for each in records)


def broken(pages: Sequence[Page]) -> list[bytes]:
    """Records of which some cannot be read: other statuses and types, a wrong length, noise."""
    body = pages[0].html.encode()
    chunked = b"%x\r\n%b\r\nzz\r\n" % (len(body), body)
    return [
        record("warcinfo", b"software: none\r\n"),
        response("http://a.example.org/0.html", body),
        response("http://a.example.org/gone.html", b"gone", "404 Not Found"),
        response("http://a.example.org/moved", b"", "301 Moved", location="http://b.example.org/"),
        response("http://a.example.org/x.png", b"\x89PNG", kind="image/png"),
        response("http://a.example.org/x.pdf", b"%PDF words of a file", kind="application/pdf"),
        response("http://a.example.org/bad.gz", b"no gzip", content_encoding="gzip"),
        response("http://a.example.org/chunks", chunked, transfer_encoding="chunked"),
        response("http://a.example.org/latin", "<p>Grüße und Öl".encode("latin-1")),
        b"noise between records\r\n\r\n",
        response("http://a.example.org/1.html", pages[1].html.encode()),
        response("http://a.example.org/2.html", body),
        record("response", http(body), length=100_000, target_uri="http://a.example.org/long"),
    ]


def images() -> list[bytes]:
    return [
        response("http://a.example.org/x.png", b"\x89PNG", kind="image/png"),
        response("http://a.example.org/gone.html", b"gone", "404 Not Found"),
    ]


def wet(pages: Sequence[Page]) -> list[bytes]:
    texts = [" ".join(prose(seed, 60)) for seed in (1, 2, 1)]
    head = record("warcinfo", b"software: none\r\n")
    return [
        head,
        *(
            record("conversion", text.encode(), target_uri=page.url, content_type="text/plain")
            for page, text in zip(pages, texts, strict=False)
        ),
    ]


def arc(pages: Sequence[Page]) -> list[bytes]:
    def one(url: str, block: bytes, kind: str = "text/html") -> bytes:
        return f"{url} 10.1.2.3 20080430204825 {kind} {len(block)}\n".encode() + block + b"\n"

    return [
        b"filedesc://a.arc 0.0.0.0 20080430204820 text/plain %d\n" % len(ARC_INFO)
        + ARC_INFO
        + b"\n",
        *(one(page.url, http(page.html.encode())) for page in pages[:6]),
        one("dns:a", b"20080430204825\na 60 IN A 10.1.2.3\n", "text/dns"),
        one("http://a.example.org/bare", b"<html>with no HTTP header at all"),
    ]


def wacz(file: Path, pages: Sequence[Page]) -> None:
    """Two archives, their index, the list of pages, and the package that names all of it."""
    archives = {"a.warc.gz": pages[:8], "b.warc.gz": pages[8:]}
    content: dict[str, bytes] = {}
    lines = []
    for name, own in archives.items():
        members = [packed(response(page.url, page.html.encode())) for page in own]
        at = 0
        for page, member in zip(own, members, strict=True):
            fields = {"url": page.url, "filename": name, "offset": at, "length": len(member)}
            host, _, path = page.url.removeprefix("http://").partition("/")
            lines.append(f"{host})/{path} 20200131235958 {json.dumps(fields)}\n")
            at += len(member)
        content[f"archive/{name}"] = b"".join(members)
    content["indexes/index.cdx"] = "".join(sorted(lines)).encode()
    listed = [{"url": page.url, "ts": "2020-01-31T23:59:58Z"} for page in pages]
    head = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}
    content["pages/pages.jsonl"] = "".join(
        f"{json.dumps(row)}\n" for row in [head, *listed]
    ).encode()
    resources = [
        {
            "name": name.rpartition("/")[2],
            "path": name,
            "hash": f"sha256:{hashlib.sha256(data).hexdigest()}",
            "bytes": len(data),
        }
        for name, data in content.items()
    ]
    package = {"profile": "data-package", "resources": resources}
    content["datapackage.json"] = json.dumps(package).encode()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in content.items():
            archive.writestr(zipfile.ZipInfo(name, DAY), data)


def copies(name: str, numbers: Sequence[int]) -> list[bytes]:
    """Pages under many addresses, each with its request, of which every second is the same."""
    found = [record("warcinfo", b"software: none\r\n", record_id=f"<urn:uuid:info-{name}>")]
    for number in numbers:
        own = f"<urn:uuid:{name}-{number}>"
        asked = f"<urn:uuid:{name}-{number}-request>"
        block = http(markup(prose(40 + number % 2, 150)).encode())
        get = b"GET / HTTP/1.1\r\n\r\n"
        found.append(record("request", get, record_id=asked, concurrent_to=own))
        found.append(record("response", block, record_id=own, target_uri=f"http://{name}/{number}"))
    return found


def revisits() -> list[bytes]:
    """A page, a revisit of it, and one of a record that is not there."""
    block = http(markup(prose(1, 150)).encode())
    page = "http://a.example.org/"
    return [
        record("response", block, record_id="<urn:uuid:one>", target_uri=page),
        *(
            record(
                "revisit",
                b"",
                record_id=f"<urn:uuid:{name}>",
                target_uri=f"{page}{name}",
                profile="http://netpreserve.org/warc/1.0/revisit/identical-payload-digest",
                refers_to=refers,
            )
            for name, refers in (("again", "<urn:uuid:one>"), ("lost", "<urn:uuid:nowhere>"))
        ),
    ]
