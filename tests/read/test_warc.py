import gzip
import io
import random
import sys
import zlib
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import brotli
import fsspec
import pytest
import zstandard
from fastwarc.stream_io import Lz4Writer
from fastwarc.warc import ArchiveIterator as FastIterator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator as WarcioIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.read.archives import gzipped, http, record, response, saved
from tests.read.reading import check_again, everything
from webecho.errors import InputError
from webecho.formats.skipped import Skipped
from webecho.read.warc import WarcOptions, WarcSource

INFO = record("warcinfo", b"software: hand\r\n", content_type="application/warc-fields")
REQUEST = record("request", b"GET / HTTP/1.1\r\n\r\n", target_uri="http://a.example/")
ONE = response("http://a.example/1", b"<p>one</p>")
TWO = response("http://a.example/2", b"<p>two</p>" * 100)
THREE = response("http://a.example/3", b"<p>three</p>")
ALL = (INFO, REQUEST, ONE, TWO, THREE)
# The last three bytes of the magic of a zstd frame that holds nothing to read.
SKIPPABLE = b"\x2a\x4d\x18"
PLACES = [sum(map(len, ALL[:number])) for number in range(len(ALL))]


def bodies(source: WarcSource) -> list[bytes]:
    return [page["body"] for page in everything(source)[0]]


def reasons(source: WarcSource) -> list[tuple[int, str]]:
    return [(one.place, one.reason) for one in everything(source)[1]]


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
        "by": None,
        "value": None,
    }
    assert (source.format, source.rereadable) == ("warc", True)


@pytest.mark.parametrize(
    ("name", "data", "places"),
    [
        ("plain.warc", b"".join(ALL), PLACES),
        ("members.warc.gz", gzipped(*ALL), [len(gzipped(*ALL[:n])) for n in range(5)]),
        ("whole.warc.gz", gzip.compress(b"".join(ALL)), PLACES),
        (
            "split.warc.gz",
            gzipped(*[b"".join(ALL)[n : n + 100] for n in range(0, 3000, 100)]),
            PLACES,
        ),
        ("frames.warc.zst", b"".join(map(zstandard.compress, ALL)), None),
        ("whole.warc.zst", zstandard.compress(b"".join(ALL)), PLACES),
        # The second member holds two records.
        (
            "mixed.warc.gz",
            gzipped(INFO, REQUEST + ONE, TWO, THREE),
            [
                0,
                len(gzipped(INFO)),
                len(gzipped(INFO)) + 1,
                len(gzipped(INFO, REQUEST + ONE)),
                len(gzipped(INFO, REQUEST + ONE, TWO)),
            ],
        ),
        ("padded.warc.gz", gzipped(*ALL) + b"\0" * 512, None),
        ("blank.warc", b"\r\n\r\n\r\n".join(ALL), None),
    ],
)
def test_layouts(tmp_path: Path, name: str, data: bytes, places: list[int] | None) -> None:
    source = WarcSource(saved(tmp_path, name, data))
    pages, skipped = everything(source)
    assert [page["url"] for page in pages] == [f"http://a.example/{n}" for n in (1, 2, 3)]
    assert [page["body"] for page in pages] == [b"<p>one</p>", b"<p>two</p>" * 100, b"<p>three</p>"]
    assert [one.reason for one in skipped] == ["warcinfo", "request"]
    if places is not None:
        assert [one.place for one in skipped] + [page["place"] for page in pages] == places
    check_again(source)


def test_lz4(tmp_path: Path) -> None:
    path = str(tmp_path / "a.warc.lz4")
    with Lz4Writer(path) as writer:
        writer.write(b"".join(ALL))
    source = WarcSource(path)
    assert bodies(source) == [b"<p>one</p>", b"<p>two</p>" * 100, b"<p>three</p>"]
    check_again(source)


@pytest.mark.parametrize("packed", [False, True])
def test_zstd_with_a_dictionary(tmp_path: Path, packed: bool) -> None:
    samples = [response(f"http://a.example/{n}", b"<p>%d words" % n * 9) for n in range(500)]
    dictionary = zstandard.train_dictionary(4096, samples)
    content = dictionary.as_bytes()
    if packed:
        content = zstandard.compress(content)
    head = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    compress = zstandard.ZstdCompressor(dict_data=dictionary).compress
    source = WarcSource(saved(tmp_path, "a.warc.zst", head + b"".join(map(compress, ALL))))
    pages, skipped = everything(source)
    assert [page["url"] for page in pages] == [f"http://a.example/{n}" for n in (1, 2, 3)]
    assert [one.failed for one in skipped] == [False, False]
    check_again(source)


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


def test_lines_that_end_without_a_carriage_return(tmp_path: Path) -> None:
    data = b"".join(
        record("response", http(b"<p>%d" % n), target_uri=f"http://a.example/{n}", eol="\n")
        for n in range(3)
    )
    assert bodies(WarcSource(saved(tmp_path, "a.warc", data))) == [b"<p>0", b"<p>1", b"<p>2"]


@pytest.mark.parametrize("off", [-3, 1, 3, 9, 150, 10_000])
@pytest.mark.parametrize("packed", [False, True])
def test_a_wrong_length_costs_one_record(tmp_path: Path, off: int, packed: bool) -> None:
    wrong = record("resource", b"<p>wrong</p>", length=12 + off, content_type="text/html")
    parts = (ONE, wrong, THREE)
    data = gzipped(*parts) if packed else b"".join(parts)
    source = WarcSource(saved(tmp_path, "a.warc", data))
    pages, skipped = everything(source)
    assert {page["url"] for page in pages} >= {"http://a.example/1", "http://a.example/3"}
    if off in (1, 3):
        # No more than the line ends after the block: nothing shows that it is wrong.
        assert skipped == []
    else:
        assert [one.failed for one in skipped] == [True]
    check_again(source)


def test_the_length_of_the_http_header_saves_a_page(tmp_path: Path) -> None:
    block = http(b"<p>whole</p>", content_length="12")
    data = record("response", block, length=len(block) + 50)
    assert bodies(WarcSource(saved(tmp_path, "a.warc", data + ONE))) == [
        b"<p>whole</p>",
        b"<p>one</p>",
    ]
    assert bodies(WarcSource(saved(tmp_path, "b.warc", ONE + data))) == [
        b"<p>one</p>",
        b"<p>whole</p>",
    ]


def test_truncated_files(tmp_path: Path) -> None:
    plain = WarcSource(saved(tmp_path, "a.warc", (ONE + TWO)[:-500]))
    (page,), (failed,) = everything(plain)
    assert page["body"] == b"<p>one</p>"
    assert (failed.place, failed.reason, failed.url) == (
        len(ONE),
        "truncated",
        "http://a.example/2",
    )
    packed = WarcSource(saved(tmp_path, "a.warc.gz", gzipped(ONE, TWO)[:-20]))
    (page,), (failed,) = everything(packed)
    assert (failed.place, failed.reason, failed.failed) == (
        len(gzipped(ONE)),
        "truncated gzip",
        True,
    )


def test_a_damaged_member_costs_one_record(tmp_path: Path) -> None:
    before, bad, after = gzipped(ONE), bytearray(gzipped(TWO)), gzipped(THREE)
    bad[len(bad) // 2] ^= 255
    source = WarcSource(saved(tmp_path, "a.warc.gz", before + bad + after))
    pages, (failed,) = everything(source)
    assert [page["url"] for page in pages] == ["http://a.example/1", "http://a.example/3"]
    assert (failed.place, failed.reason) == (len(before), "corrupt gzip")
    check_again(source)


def test_a_member_cut_short_costs_one_record(tmp_path: Path) -> None:
    data = gzipped(ONE) + gzipped(TWO)[:60] + gzipped(THREE, REQUEST)
    source = WarcSource(saved(tmp_path, "a.warc.gz", data))
    pages, skipped = everything(source)
    assert [page["url"] for page in pages] == ["http://a.example/1", "http://a.example/3"]
    assert [one.reason for one in skipped if not one.failed] == ["request"]
    assert [one.place for one in skipped if one.failed] == [len(gzipped(ONE))]


def test_records_before_the_damage_of_a_file_compressed_as_a_whole(tmp_path: Path) -> None:
    long = response("http://a.example/long", random.Random(1).randbytes(300_000))
    whole = ONE + TWO + long + THREE
    for name, data in {
        "a.warc.gz": gzip.compress(whole)[:-1000],
        "b.warc.gz": gzip.compress(whole)[:200_000] + b"\xff" * 1000,
        "a.warc.zst": zstandard.compress(whole)[:-1000],
    }.items():
        source = WarcSource(saved(tmp_path, name, data))
        pages, (failed,) = everything(source)
        assert [page["url"] for page in pages] == ["http://a.example/1", "http://a.example/2"]
        assert (failed.place, failed.failed) == (len(ONE + TWO), True)


def test_a_compressed_file_whose_first_bytes_are_damaged(tmp_path: Path) -> None:
    source = WarcSource(saved(tmp_path, "a.warc.gz", b"frog" + gzipped(ONE, TWO)))
    pages, skipped = everything(source)
    assert [page["url"] for page in pages] == ["http://a.example/1", "http://a.example/2"]
    assert skipped == [Skipped(0, "corrupt gzip", "4 bytes unread", failed=True)]


def test_stray_bytes_and_the_unread_rest(tmp_path: Path) -> None:
    data = ONE + b"frogs\nfrogs\n" + TWO + b"WARC/1.0 frogs"
    source = WarcSource(saved(tmp_path, "a.warc", data))
    pages, skipped = everything(source)
    assert [page["url"] for page in pages] == ["http://a.example/1", "http://a.example/2"]
    rest = len(data) - len(b"WARC/1.0 frogs")
    assert skipped == [
        Skipped(len(ONE), "stray bytes", "12 bytes", failed=True),
        Skipped(rest, "unread rest", "14 bytes", failed=True),
    ]


def test_no_archive_at_all(tmp_path: Path) -> None:
    source = WarcSource(saved(tmp_path, "a.warc", b"frogs " * 100_000))
    assert everything(source) == ([], [Skipped(0, "unread rest", "600000 bytes", failed=True)])
    assert everything(WarcSource(saved(tmp_path, "b.warc", b""))) == ([], [])


def test_a_header_without_end_or_length(tmp_path: Path) -> None:
    endless = b"WARC/1.0\r\n" + b"X: y\r\n" * 400_000
    nameless = b"WARC/1.0\r\nWARC-Type: response\r\n\r\n"
    pages, skipped = everything(
        WarcSource(saved(tmp_path, "a.warc", nameless + endless + b"\n" + ONE))
    )
    assert [page["url"] for page in pages] == ["http://a.example/1"]
    assert [one.reason for one in skipped] == ["bad length", "bad header"]


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


def check_readers_agree(source: WarcSource) -> None:
    """The careful reader alone finds what both find together."""
    with patch("webecho.read.warc.swift_reader", return_value=None):
        alone = everything(source)
    assert everything(source) == alone


@given(st.lists(st.sampled_from([*ALL, record("revisit", b""), b"\r\n"]), min_size=1, max_size=8))
def test_both_readers_find_the_same(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("both")
    for name, data in {"a.warc": b"".join(parts), "a.warc.gz": gzipped(*parts)}.items():
        check_readers_agree(WarcSource(saved(folder, name, data)))


@pytest.mark.parametrize(
    "header",
    [
        b"WARC/1.0\r\nwarc-type:response\r\nCONTENT-LENGTH:  %d \r\nContent-Length: 3\r\n",
        b"WARC/1.0\r\nWARC-Type: response\nContent-Length: %d\r\n",
        b"WARC/1.0\nWARC-Type: response\nContent-Length: %d\n",
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: +%d\r\n",
        b"WARC/1.0\r\nWARC-Type : response\r\nContent-Length: %d\r\n",
        b"WARC/1.0\r\nWARC-Type: \r\n response\r\nContent-Length: %d\r\n",
        b"WARC/x\r\nWARC-Type: response\r\nContent-Length: %d\r\n",
        b"WARC/1.0\r\nWARC-Type: response\r\nnonsense\r\nContent-Length: %d\r\n",
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 1%d\r\n",
        b"WARC/1.0\r\nWARC-Type: response\r\n",
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_odd_headers_are_left_to_the_careful_reader(
    tmp_path: Path, header: bytes, packed: bool
) -> None:
    block = http(b"<p>odd</p>" * 10)
    size = b"%d" % len(block)
    odd = header.replace(b"%d", size) + header[-2:].lstrip(b"%d") + block + b"\r\n\r\n"
    parts = [ONE, odd, TWO, THREE]
    data = gzipped(*parts) if packed else b"".join(parts)
    source = WarcSource(saved(tmp_path, "a.warc", data))
    check_readers_agree(source)
    check_again(source)


@pytest.mark.parametrize("packed", [False, True])
def test_long_records_that_are_no_pages(tmp_path: Path, packed: bool) -> None:
    data = random.Random(1).randbytes(3 << 20)
    image = record("response", http(data, kind="image/png"), target_uri="http://a.example/i")
    short = record("resource", data, length=len(data) - 5, content_type="image/png")
    parts = [ONE, image, TWO, record("metadata", data), THREE, short, ONE]
    stored = gzipped(*parts) if packed else b"".join(parts)
    source = WarcSource(saved(tmp_path, "a.warc", stored))
    assert [skip.reason for skip in everything(source)[1][:2]] == ["type", "metadata"]
    check_readers_agree(source)
    check_again(source)


def test_gzip_headers_with_names_and_more(tmp_path: Path) -> None:
    name, extra, checked = io.BytesIO(), gzip.compress(TWO), bytearray(gzip.compress(THREE))
    with gzip.GzipFile("a name", "wb", fileobj=name) as file:
        file.write(ONE)
    more = extra[:3] + b"\x14" + extra[4:10] + b"\3\0abc" + b"a comment\0" + extra[10:]
    checked[3] |= 2
    checked[10:10] = (zlib.crc32(checked[:10]) & 0xFFFF).to_bytes(2, "little")
    data = name.getvalue() + more + bytes(checked) + gzipped(ONE)
    source = WarcSource(saved(tmp_path, "a.warc.gz", data))
    assert len(everything(source)[0]) == 4
    check_readers_agree(source)


@given(
    st.binary(max_size=400),
    st.sampled_from([b"", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"WARC/1.0\r\n"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_accounted_for(tmp_path: Path, data: bytes, start: bytes) -> None:
    for name, content in {"a.warc": start + data, "a.warc.gz": gzip.compress(start + data)}.items():
        source = WarcSource(saved(tmp_path, name, content))
        pages, skipped = everything(source)
        empty = not (start + data).strip(b"\r\n\0 \t") or data[1:4] == SKIPPABLE
        assert pages or skipped or empty
        check_again(source)


@st.composite
def damages(draw: st.DrawFn, size: int) -> tuple[int, int, bytes]:
    """Where something is damaged, how many bytes go, what comes instead."""
    # The first four bytes tell how a file is compressed.
    at = draw(st.integers(4, size - 1))
    cut = draw(st.one_of(st.just(size - at), st.integers(0, 30)))
    return at, cut, draw(st.binary(max_size=30))


@pytest.mark.parametrize("packed", [False, True])
@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damage_costs_only_what_it_touches(
    tmp_path: Path, packed: bool, data: st.DataObject
) -> None:
    parts = [response(f"http://a.example/{n}", b"<p>%d</p>" % n * 20 * n) for n in range(6)]
    stored = [gzipped(part) if packed else part for part in parts]
    whole = b"".join(stored)
    at, cut, instead = data.draw(damages(len(whole)))
    damaged = whole[:at] + instead + whole[at + cut :]
    source = WarcSource(saved(tmp_path, "a.warc", damaged))
    found = {(page["url"], page["body"]) for page in everything(source)[0]}
    end = 0
    for number, part in enumerate(stored):
        start, end = end, end + len(part)
        untouched = end <= at or start >= at + cut
        # What was put in may end in half a header that takes the next record for its own.
        if untouched and start != at + cut:
            assert (f"http://a.example/{number}", b"<p>%d</p>" % number * 20 * number) in found
    check_again(source)
    check_readers_agree(source)


def archives(data: Path) -> list[Path]:
    return sorted(path for path in (data / "warcs").rglob("*") if path.is_file())


def counted_by_others(path: Path) -> int:
    """The more of the numbers of records that fastwarc and warcio find, until they fail."""
    counts: Counter[str] = Counter()
    for quirks in (False, True):
        with path.open("rb") as file:
            try:
                for one in FastIterator(file, parse_http=False, quirks_mode=quirks):
                    one.reader.read()
                    counts[f"fastwarc {quirks}"] += 1
            except OSError:
                pass
    with path.open("rb") as file:
        try:
            for one in WarcioIterator(file, no_record_parse=True):
                one.raw_stream.read()
                counts["warcio"] += 1
        except ArchiveLoadFailed:
            pass
    return max(counts.values(), default=0)


@pytest.mark.data
def test_no_fewer_records_than_fastwarc_or_warcio(data: Path) -> None:
    assert len(archives(data)) > 80
    for path in archives(data):
        pages, skipped = everything(WarcSource(str(path)))
        assert len(pages) + len(skipped) >= counted_by_others(path), path.name
        assert len(pages) + len(skipped) > 0, path.name


@pytest.mark.data
def test_real_files_read_the_same_again(data: Path) -> None:
    for path in archives(data):
        source = WarcSource(str(path))
        check_again(source)
        check_readers_agree(source)


def test_a_file_compressed_as_a_whole_is_read_on_not_from_the_front(tmp_path: Path) -> None:
    """Many calls for ascending places go through the file once."""
    content = b"".join(response(f"http://a.example/{n}", b"<p>page %d</p>" % n) for n in range(200))
    file = tmp_path / "whole.warc.gz"
    file.write_bytes(gzip.compress(content))
    source = WarcSource(str(file))
    found = [row for batch in source.batches() for row in batch.pages.to_pylist()]
    assert len(found) == 200
    again = [source.read([row["place"]]).to_pylist()[0] for row in found]
    assert again == found
    assert source.read([found[3]["place"], found[7]["place"]]).to_pylist() == [found[3], found[7]]
