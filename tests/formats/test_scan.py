"""The careful reader: damage costs what it touches, and nothing goes uncounted."""

import gzip
import random
import re
import zlib
from collections import Counter
from pathlib import Path

import pytest
import zstandard
from fastwarc.warc import ArchiveIterator as FastIterator
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator as WarcioIterator
from warcio.exceptions import ArchiveLoadFailed

from tests.read.archives import (
    ONE,
    REQUEST,
    THREE,
    TWO,
    archives,
    bodies,
    check_readers_agree,
    gzipped,
    http,
    record,
    response,
    saved,
)
from tests.read.reading import check_again, everything
from webecho.formats.skipped import Skipped
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.warc import WarcSource

# A frame of zstd, the second one that holds nothing to read.
ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
SKIPPABLE = b"\x2a\x4d\x18"
BLANK = b"\r\n\0 \t"


def test_lines_that_end_without_a_carriage_return(tmp_path: Path) -> None:
    data = b"".join(
        record("response", http(b"<p>%d" % n), target_uri=f"http://a.example/{n}", eol="\n")
        for n in range(3)
    )
    assert bodies(WarcSource(saved(tmp_path, "a.warc", data))) == [b"<p>0", b"<p>1", b"<p>2"]


def test_versions_in_small_letters(tmp_path: Path) -> None:
    small = [one.replace(b"WARC/1.0", b"warc/1.0") for one in (ONE, TWO, THREE)]
    for name, data in {
        "a.warc": b"".join(small),
        "mixed.warc": ONE + small[1] + THREE,
        "a.warc.gz": gzipped(*small),
        "broken.warc": small[0] + b"stray\n" + small[1] + b"warc/1.0\r\nX: y" + b"\n" + small[2],
        "unnamed": b"".join(small),
    }.items():
        source = open_collection([saved(tmp_path, name, data)], ReadOptions()).sources[0]
        assert bodies(source) == [b"<p>one</p>", b"<p>two</p>" * 100, b"<p>three</p>"]
        check_again(source)


def test_header_lines_that_end_in_two_carriage_returns(tmp_path: Path) -> None:
    block = http(b"<p>same</p>").replace(b"\r\n", b"\r\r\n")
    doubled = record("response", block, target_uri="http://a.example/d", eol="\r\r\n")
    for name, data in {
        "a.warc": ONE + doubled + doubled + THREE,
        "a.warc.gz": gzipped(ONE, doubled, doubled, THREE),
    }.items():
        source = WarcSource(saved(tmp_path, name, data))
        pages, skipped = everything(source)
        assert [page["body"] for page in pages[1:3]] == [b"<p>same</p>"] * 2
        assert (len(pages), skipped) == (4, [])
        assert pages[1]["url"] == "http://a.example/d"
        check_again(source)


def test_an_arc_whose_description_has_no_ip(tmp_path: Path) -> None:
    about = b"1 0 Hand\nURL IP-address Archive-date Content-type Archive-length\n"
    page = http(b"<p>old</p>")
    data = b"filedesc://a.arc 0 20040131120000 text/plain %d\n%b\n" % (len(about), about)
    data += b"http://a.example/ 0 20040131120001 text/html %d\n%b\n" % (len(page), page)
    source = WarcSource(saved(tmp_path, "a.arc", data))
    pages, skipped = everything(source)
    assert [(one["url"], one["ip"], one["body"]) for one in pages] == [
        ("http://a.example/", None, b"<p>old</p>")
    ]
    assert [(one.reason, one.failed) for one in skipped] == [("filedesc", False)]


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


def holds_nothing(data: bytes) -> bool:
    """Whether the bytes hold nothing to read but padding, as other libraries unpack them."""
    if data.lstrip(b"\0").startswith(b"\x1f\x8b"):
        try:
            return not gzip.decompress(data.lstrip(b"\0")).strip(BLANK)
        except (OSError, EOFError, zlib.error):
            return False
    if not ZSTD.match(data):
        return not data.strip(BLANK)
    while data := data.lstrip(b"\0"):
        if data[1:4] == SKIPPABLE:
            end = 8 + int.from_bytes(data[4:8], "little")
            if not ZSTD.match(data) or len(data) < max(end, 8):
                return False
            data = data[end:]
            continue
        frame = zstandard.ZstdDecompressor().decompressobj()
        try:
            content = frame.decompress(data)
        except zstandard.ZstdError:
            return False
        if content.strip(BLANK) or not frame.eof:
            return False
        data = frame.unused_data
    return True


@given(
    st.binary(max_size=400),
    st.sampled_from([b"", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"WARC/1.0\r\n"]),
)
@example(b"\r\n\0 \t", b"")
@example(b"x", b"")
@example(b"\x50\x2a\x4d\x18\3\0\0\0abc", b"")
@example(b"\x50\x2a\x4d\x18\4\0\0\0abc", b"")
@example(b"\x50\x2a\x4d\x18\3\0\0\0abc and more", b"")
@example(b"\x50\x2a\x4d\x18\3\0\0\0abc", b"WARC/1.0\r\n")
@example(b"\x20\0\1\0\0", b"\x28\xb5\x2f\xfd")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_accounted_for(tmp_path: Path, data: bytes, start: bytes) -> None:
    """Whatever is no padding is a page, or counted as skipped or failed."""
    for name, content in {"a.warc": start + data, "a.warc.gz": gzip.compress(start + data)}.items():
        source = WarcSource(saved(tmp_path, name, content))
        pages, skipped = everything(source)
        assert bool(pages or skipped) is not holds_nothing(content)
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
    check_readers_agree(source.name)


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
