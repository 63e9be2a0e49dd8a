"""How files hold their records, where those stand, and that both readers find the same."""

import gzip
import io
import random
import zlib
from pathlib import Path

import pytest
import zstandard
from fastwarc.stream_io import Lz4Writer
from hypothesis import given
from hypothesis import strategies as st

from tests.read.archives import (
    ALL,
    INFO,
    ONE,
    PLACES,
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
from webecho.formats.records import frames_near
from webecho.read.warc import WarcSource


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


@given(st.lists(st.sampled_from([*ALL, record("revisit", b""), b"\r\n"]), min_size=1, max_size=8))
def test_both_readers_find_the_same(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("both")
    for name, data in {"a.warc": b"".join(parts), "a.warc.gz": gzipped(*parts)}.items():
        check_readers_agree(saved(folder, name, data))


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
    check_readers_agree(source.name)
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
    check_readers_agree(source.name)
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
    check_readers_agree(source.name)


@pytest.mark.data
def test_real_files_read_the_same_again(data: Path) -> None:
    for path in archives(data):
        source = WarcSource(str(path))
        check_again(source)
        check_readers_agree(source.name)


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


def test_frames_near_places_that_are_far_enough_apart() -> None:
    """Where each record has a frame, and not where one can only read up to a place."""
    parts = [gzip.compress(one, mtime=0) for one in (INFO, ONE, TWO, THREE, ONE, TWO)]
    starts = [sum(map(len, parts[:number])) for number in range(len(parts))]
    content = b"".join(parts)
    for size in (1, starts[1], starts[2] + 1, starts[3] - 1, len(content)):
        beyond = range(size, len(content), size)
        expected = {next((each for each in starts if each >= at), None) for at in beyond} - {None}
        assert {*frames_near(io.BytesIO(content), size, len(content))} == expected
    assert frames_near(io.BytesIO(content), 1, len(content)) == starts[1:]
    whole = gzip.compress(INFO + ONE + TWO, mtime=0)
    assert frames_near(io.BytesIO(whole), 1, len(whole)) == []
    plain = INFO + ONE + TWO
    assert frames_near(io.BytesIO(plain), 1, len(plain)) == []
