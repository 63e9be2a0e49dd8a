"""Small WARC and ARC files for the tests, made by hand so that every byte is known."""

import gzip
from pathlib import Path

from tests.read.reading import everything
from webecho.read.pages import Source
from webecho.read.warc import WarcSource

DATE = "2020-01-31T23:59:58Z"


def record(
    kind: str, block: bytes, *, length: int | None = None, eol: str = "\r\n", **more: str
) -> bytes:
    """A WARC record; `target_uri="…"` becomes the field `WARC-Target-URI`."""
    fields = {"WARC-Type": kind, "WARC-Date": DATE}
    fields |= {_name(name): value for name, value in more.items()}
    fields["Content-Length"] = str(len(block) if length is None else length)
    lines = ["WARC/1.0", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return eol.join(lines).encode() + block + (eol * 2).encode()


def _name(name: str) -> str:
    title = "-".join(part.title() for part in name.split("_"))
    return title if title == "Content-Type" else f"WARC-{title}"


def http(body: bytes, status: str = "200 OK", kind: str | None = "text/html", **more: str) -> bytes:
    """An HTTP response; `content_encoding="br"` becomes the header `Content-Encoding`."""
    fields = {} if kind is None else {"Content-Type": kind}
    fields |= {"-".join(part.title() for part in name.split("_")): more[name] for name in more}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def response(url: str, body: bytes, status: str = "200 OK", **more: str) -> bytes:
    """A WARC response record with an HTML page."""
    return record("response", http(body, status, **more), target_uri=url)


def gzipped(*records: bytes) -> bytes:
    """The records, each in a gzip member of its own."""
    return b"".join(gzip.compress(one, mtime=0) for one in records)


def saved(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


INFO = record("warcinfo", b"software: hand\r\n", content_type="application/warc-fields")
REQUEST = record("request", b"GET / HTTP/1.1\r\n\r\n", target_uri="http://a.example/")
ONE = response("http://a.example/1", b"<p>one</p>")
TWO = response("http://a.example/2", b"<p>two</p>" * 100)
THREE = response("http://a.example/3", b"<p>three</p>")
ALL = (INFO, REQUEST, ONE, TWO, THREE)
PLACES = [sum(map(len, ALL[:number])) for number in range(len(ALL))]


def archives(data: Path) -> list[Path]:
    """The archive files that others' tests are made of."""
    return sorted(path for path in (data / "warcs").rglob("*") if path.is_file())


def bodies(source: Source) -> list[bytes]:
    return [page["body"] for page in everything(source)[0]]


def check_readers_agree(name: str) -> None:
    """The careful reader alone finds what both find together."""
    assert everything(WarcSource(name)) == everything(WarcSource(name, swift=False))
