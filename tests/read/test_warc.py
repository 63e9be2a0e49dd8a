import gzip
import io
import sys
from datetime import UTC, datetime
from pathlib import Path

import brotli
import fsspec
import lz4.frame
import pytest
import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.read.archives import (
    ALL,
    INFO,
    ONE,
    REQUEST,
    bodies,
    gzipped,
    http,
    record,
    response,
    saved,
)
from tests.read.reading import check_again, everything
from webecho.errors import InputError
from webecho.formats.skipped import Skipped
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.warc import WarcOptions, WarcSource


def test_a_page_of_a_warc_writer(tmp_path: Path) -> None:
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=True)
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], "HTTP/1.1")
    made = writer.create_warc_record(
        "http://a.example/",
        "response",
        payload=io.BytesIO("<p>grün".encode()),
        http_headers=headers,
        warc_headers_dict={
            "WARC-Date": "2020-01-31T23:59:58Z",
            "WARC-IP-Address": "192.0.2.1",
            "WARC-Record-ID": "<urn:uuid:1>",
        },
    )
    writer.write_record(made)
    source = WarcSource(saved(tmp_path, "a.warc.gz", file.getvalue()))
    (page,), skipped = everything(source)
    assert skipped == []
    # Of its id, of its address and date, of its payload.
    assert len(set(page.pop("keys"))) == 3
    assert page == {
        "id": "<urn:uuid:1>",
        "url": "http://a.example/",
        "ip": "192.0.2.1",
        "fetched": datetime(2020, 1, 31, 23, 59, 58, tzinfo=UTC),
        "place": 0,
        "markup": True,
        "charset": "utf-8",
        "body": "<p>grün".encode(),
        "refers": None,
        "beside": None,
        "stored_digest": None,
        "by": None,
        "values": None,
        "ranked": None,
    }
    assert (source.format, source.rereadable) == ("warc", True)


def test_remote_files() -> None:
    fsspec.filesystem("memory").pipe("/frogs/a.warc.gz", gzipped(*ALL))
    source = WarcSource("memory://frogs/a.warc.gz")
    assert bodies(source) == [b"<p>one</p>", b"<p>two</p>" * 100, b"<p>three</p>"]
    assert source.stamp()["size"] == len(gzipped(*ALL))
    check_again(source)


def test_many_pages_come_in_many_batches(tmp_path: Path) -> None:
    parts = [response(f"http://a.example/{n}", b"%d " % n * 100_000) for n in range(100)]
    source = WarcSource(saved(tmp_path, "a.warc.gz", gzipped(*parts, *[REQUEST] * 10_000)))
    # 29 MB of pages, and more skipped records than one batch may have.
    assert len(list(source.batches())) == 3
    pages, skipped = everything(source)
    assert [page["body"] for page in pages] == [b"%d " % n * 100_000 for n in range(100)]
    assert len(skipped) == 10_000


def test_encoded_bodies(tmp_path: Path) -> None:
    body = b"<p>frogs</p>" * 30
    packed = gzip.compress(body)
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(packed), packed)
    data = gzipped(
        response(
            "http://a.example/1", chunked, transfer_encoding="chunked", content_encoding="gzip"
        ),
        response("http://a.example/2", brotli.compress(body), content_encoding="br"),
        response("http://a.example/3", zstandard.compress(body), content_encoding="zstd"),
        response("http://a.example/4", body, content_encoding="gzip"),
    )
    assert bodies(WarcSource(saved(tmp_path, "a.warc.gz", data))) == [body] * 4


@pytest.mark.parametrize(
    ("kind", "block", "fields", "expected"),
    [
        ("response", http(b"x", "404 Not Found"), {}, ("status", "404")),
        ("response", http(b"x", "304 Not Modified"), {}, ("status", "304")),
        ("response", http(b"x", kind="image/png"), {}, ("type", "image/png")),
        ("response", http(b"\x89PNG\0", kind=None), {}, ("type", "application/octet-stream")),
        ("response", b"a record", {"target_uri": "dns:a.example"}, ("dns", None)),
        ("resource", b"x", {"content_type": "image/png"}, ("type", "image/png")),
        (
            "resource",
            b"wget -r",
            {"target_uri": "metadata://x", "content_type": "text/plain"},
            ("metadata", None),
        ),
        ("warcinfo", b"", {}, ("warcinfo", None)),
        ("request", b"GET / HTTP/1.1\r\n\r\n", {}, ("request", None)),
        ("metadata", b"a: b", {}, ("metadata", None)),
        ("continuation", b"rest", {}, ("continuation", None)),
        ("frog", b"", {}, ("unknown kind", "frog")),
        ("revisit", http(b"", "404 Not Found"), {}, ("status", "404")),
        ("revisit", http(b"", kind="image/png"), {}, ("type", "image/png")),
    ],
)
def test_what_is_skipped(
    tmp_path: Path,
    kind: str,
    block: bytes,
    fields: dict[str, str],
    expected: tuple[str, str | None],
) -> None:
    source = WarcSource(saved(tmp_path, "a.warc", record(kind, block, **fields) + ONE))
    (page,), (skipped,) = everything(source)
    assert (skipped.reason, skipped.detail, skipped.failed) == (*expected, False)
    assert page["body"] == b"<p>one</p>"


@pytest.mark.parametrize("kind", ["response", "revisit"])
def test_a_redirect_keeps_its_location(tmp_path: Path, kind: str) -> None:
    block = http(b"", "301 Moved", location="/new")
    data = record(kind, block, target_uri="http://a.example/old") + ONE
    _, (skipped,) = everything(WarcSource(saved(tmp_path, "a.warc", data)))
    assert skipped == Skipped(0, "redirect", "301", "http://a.example/old", "/new")


@pytest.mark.parametrize(
    ("kind", "block", "fields", "markup", "charset"),
    [
        ("response", http(b"<p>x", kind="application/xhtml+xml"), {}, True, None),
        ("response", http(b"<p>x", kind="text/plain; charset=gbk"), {}, False, "gbk"),
        ("response", http(b"<p>x", kind=None), {}, True, None),
        ("resource", b"<p>x", {"content_type": "text/html; charset=x"}, True, "x"),
        ("resource", b"<p>x", {}, True, None),
        ("conversion", b"<p>x", {"content_type": "text/plain"}, False, None),
    ],
)
def test_what_is_a_page(
    tmp_path: Path,
    kind: str,
    block: bytes,
    fields: dict[str, str],
    markup: bool,
    charset: str | None,
) -> None:
    data = record(kind, block, target_uri="<http://a.example/>", truncated="length", **fields)
    (page,), skipped = everything(WarcSource(saved(tmp_path, "a.warc", data)))
    assert skipped == []
    assert (page["url"], page["body"]) == ("http://a.example/", b"<p>x")
    assert (page["markup"], page["charset"]) == (markup, charset)


def test_statuses_and_types_are_options(tmp_path: Path) -> None:
    data = response("http://a.example/", b"no", "404 Not Found") + record(
        "resource", b"a { }", content_type="text/css"
    )
    name = saved(tmp_path, "a.warc", data)
    assert bodies(WarcSource(name)) == []
    options = WarcOptions(statuses=(200, 404), types=("text/*",))
    assert bodies(WarcSource(name, options)) == [b"no", b"a { }"]


def test_a_revisit_refers_to_its_page_by_the_same_fingerprints(tmp_path: Path) -> None:
    first = record(
        "response",
        http(b"<p>one"),
        record_id="<urn:uuid:1>",
        target_uri="http://a.example/",
        payload_digest="sha1:ABC",
    )
    second = record(
        "revisit",
        http(b"", etag="x"),
        record_id="<urn:uuid:2>",
        target_uri="http://a.example/again",
        refers_to="<urn:uuid:1>",
        refers_to_target_uri="http://a.example/",
        refers_to_date="2020-01-31T23:59:58Z",
        payload_digest="sha1:ABC",
    )
    third = record(
        "revisit",
        b"",
        refers_to="urn:uuid:2",
        refers_to_target_uri="<http://a.example/again>",
        refers_to_date="2020-01-31T23:59:58Z",
    )
    unchanged = record(
        "revisit", http(b"", "304 Not Modified", kind=None), payload_digest="sha1:ABC"
    )
    bare = record("revisit", b"")
    records = first, second, third, unchanged, bare
    source = WarcSource(saved(tmp_path, "a.warc.gz", gzipped(*records)))
    pages, skipped = everything(source)
    assert skipped == []
    assert len(set(pages[0]["keys"])) == 3
    assert pages[0]["refers"] is None
    assert pages[1]["refers"] == pages[0]["keys"]
    assert (pages[1]["body"], pages[1]["url"]) == (None, "http://a.example/again")
    # A revisit can itself be referred to, but not by the payload, which it does not hold.
    assert len(pages[1]["keys"]) == 2
    assert pages[2]["refers"] == pages[1]["keys"]
    assert pages[3]["refers"] == pages[0]["keys"][2:]
    assert pages[4]["refers"] == []
    check_again(source)


def test_wet(tmp_path: Path) -> None:
    text = "Wörter, nichts als Wörter".encode()
    data = gzipped(
        INFO,
        record("conversion", text, target_uri="http://a.example/", content_type="text/plain"),
    )
    source = WarcSource(saved(tmp_path, "a.warc.wet.gz", data))
    (page,), _ = everything(source)
    assert (source.format, page["body"], page["markup"]) == ("wet", text, False)


def arc(url: str, block: bytes, more: str = "") -> bytes:
    return f"{url} 192.0.2.1 20200131235958 text/html {more}{len(block)}\n".encode() + block + b"\n"


@pytest.mark.parametrize("more", ["", "200 checksum - 123 a.arc.gz "])
@pytest.mark.parametrize("packed", [False, True])
def test_arc_version_1_and_2(tmp_path: Path, more: str, packed: bool) -> None:
    head = b"2 0 Frogs\nURL IP-address Archive-date Content-type Archive-length\n"
    parts = [
        arc("filedesc://a.arc", head),
        arc("dns:a.example", b"20200131235958\n", more),
        arc("http://a.example/with a space", http(b"<p>one"), more),
        arc("http://a.example/gone", http(b"", "404 Not Found"), more),
        arc("ftp://a.example/two", b"<p>two", more),
    ]
    data = gzipped(*parts) if packed else b"".join(parts)
    source = WarcSource(saved(tmp_path, "a.arc.gz", data))
    pages, skipped = everything(source)
    assert [(page["url"], page["body"]) for page in pages] == [
        ("http://a.example/with a space", b"<p>one"),
        ("ftp://a.example/two", b"<p>two"),
    ]
    assert pages[0]["ip"] == "192.0.2.1"
    assert pages[0]["fetched"] == datetime(2020, 1, 31, 23, 59, 58, tzinfo=UTC)
    assert pages[0]["place"] == len(gzipped(*parts[:2]) if packed else b"".join(parts[:2]))
    assert [one.reason for one in skipped] == ["filedesc", "dns", "status"]
    assert source.format == "arc"
    check_again(source)


def test_pages_that_are_too_long(tmp_path: Path) -> None:
    bomb = gzip.compress(b"\0" * (300 << 20), 1)
    long = b"<p>" + b" " * (256 << 20)
    data = gzipped(
        response("http://a.example/bomb", bomb, content_encoding="gzip"),
        response("http://a.example/long", long),
        response("http://a.example/film", long, kind="video/mp4"),
        ONE,
    )
    pages, skipped = everything(WarcSource(saved(tmp_path, "a.warc.gz", data)))
    assert [page["url"] for page in pages] == ["http://a.example/1"]
    assert [(one.url, one.reason, one.failed) for one in skipped] == [
        ("http://a.example/bomb", "too long", True),
        ("http://a.example/long", "too long", True),
        ("http://a.example/film", "type", False),
    ]


def test_converters(tmp_path: Path) -> None:
    upper = f"{sys.executable} -c 'import sys; sys.stdout.write(sys.stdin.read().upper())'"
    fails = f"{sys.executable} -c 'import sys; sys.exit(\"no frogs here\")'"
    data = response("http://a.example/1", b"%PDF-frogs", kind="application/pdf") + response(
        "http://a.example/2", b"%!PS", kind="application/postscript"
    )
    options = WarcOptions(convert={"application/pdf": upper, "application/postscript": fails})
    (page,), (failed,) = everything(WarcSource(saved(tmp_path, "a.warc", data), options))
    assert (page["body"], page["markup"], page["charset"]) == (b"%PDF-FROGS", False, "utf-8")
    assert (failed.reason, failed.failed) == ("conversion", True)
    assert "no frogs here" in (failed.detail or "")
    options = WarcOptions(convert={"application/pdf": "no-such-program -"})
    _, skipped = everything(WarcSource(saved(tmp_path, "a.warc", data), options))
    assert [one.reason for one in skipped] == ["conversion", "type"]
    assert "install it" in (skipped[0].detail or "")


def test_a_place_where_no_page_is_any_more(tmp_path: Path) -> None:
    name = saved(tmp_path, "a.warc", ONE + REQUEST)
    for place in (len(ONE), 7):
        with pytest.raises(InputError, match=f"no page at {place}"):
            WarcSource(name).read([0, place] if place > 0 else [place])


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2014", datetime(2014, 1, 1, tzinfo=UTC)),
        ("2014-03", datetime(2014, 3, 1, tzinfo=UTC)),
        ("2014-02-10T00:00:01.000002003Z", datetime(2014, 2, 10, 0, 0, 1, 2, tzinfo=UTC)),
        ("2008-10-294T05:21:46-0700", None),
    ],
)
def test_dates(tmp_path: Path, date: str, expected: datetime | None) -> None:
    data = ONE.replace(b"2020-01-31T23:59:58Z", date.encode())
    (page,), _ = everything(WarcSource(saved(tmp_path, "a.warc", data)))
    assert page["fetched"] == expected


@pytest.mark.parametrize("whole", [False, True])
def test_archives_packed_with_lz4(tmp_path: Path, whole: bool) -> None:
    data = b"".join(map(lz4.frame.compress, [b"".join(ALL)] if whole else ALL))
    name = saved(tmp_path, "a.warc.lz4", data)
    source = open_collection([name], ReadOptions()).sources[0]
    pages, skipped = everything(source)
    assert [page["body"] for page in pages] == [b"<p>one</p>", b"<p>two</p>" * 100, b"<p>three</p>"]
    assert [one.failed for one in skipped] == [False, False]
    check_again(source)
    if not whole:
        starts = [sum(len(lz4.frame.compress(one)) for one in ALL[:at]) for at in range(len(ALL))]
        assert sorted([page["place"] for page in pages] + [one.place for one in skipped]) == starts


def test_a_damaged_lz4_frame_costs_its_record(tmp_path: Path) -> None:
    frames = [lz4.frame.compress(one, content_checksum=True) for one in ALL]
    frames[3] = frames[3][:60] + b"\xff\xff\xff" + frames[3][63:]
    source = WarcSource(saved(tmp_path, "a.warc.lz4", b"".join(frames)))
    pages, skipped = everything(source)
    assert [page["body"] for page in pages] == [b"<p>one</p>", b"<p>three</p>"]
    assert [one.reason for one in skipped if one.failed] == ["corrupt lz4"]
