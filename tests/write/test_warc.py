"""WARC files: records go, and the bytes of the others are the same, damaged ones included."""

import gzip
import io
import re
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import fsspec
import pytest
import zstandard
from fastwarc.stream_io import Lz4Writer
from fastwarc.warc import ArchiveIterator as FastIterator
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from tests.read.archives import gzipped, record, response, saved
from tests.write.keeping import keep, members, opened, places_of, selections, unpacked
from webecho.formats.records import layout_of
from webecho.read.warc import WarcSource
from webecho.write.kept import write_kept

RECORDS = [
    record("warcinfo", b"software: none\r\n"),
    response("http://a/1", b"<p>one"),
    record("request", b"GET / HTTP/1.0\r\n\r\n", target_uri="http://a/1"),
    response("http://a/2", b"<p>two\r\n\r\n"),
    response("http://a/3", b"\x89PNG", kind="image/png"),
    response("http://a/4", b"<p>gone", status="404 Not Found"),
    response("http://a/5", b""),
    record("metadata", b"that is all\r\n"),
]
PAGES = (1, 3, 6)


def zstd(*records: bytes, dictionary: bytes = b"") -> bytes:
    known = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
    packer = zstandard.ZstdCompressor(dict_data=known)
    head = b"\x5d\x2a\x4d\x18" + len(dictionary).to_bytes(4, "little") + dictionary
    return (head if dictionary else b"") + b"".join(map(packer.compress, records))


def dictionary() -> bytes:
    samples = [f"WARC/1.0\r\nsample {n}: {n * 7919}\r\n".encode() * 3 for n in range(500)]
    return zstandard.train_dictionary(2000, samples).as_bytes()


def left(*gone: int) -> list[bytes]:
    return [one for number, one in enumerate(RECORDS) if number not in gone]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst", "a.warc.wet.gz"])
def test_what_stays_has_its_bytes(tmp_path: Path, name: str) -> None:
    make: Callable[..., bytes] = {"z": gzipped, "t": zstd}.get(name[-1], lambda *all: b"".join(all))
    source = opened(saved(tmp_path, name, make(*RECORDS)))
    for gone in ([], [1], [1, 3], [3, 6], list(PAGES)):
        written = keep(source, tmp_path / "out", lambda page, gone=gone: PAGES[page] in gone)
        assert written.file.read_bytes() == make(*left(*gone))
        assert written.bytes == len(make(*left(*gone)))
        assert written.lost == ()


def test_a_zstd_dictionary_stays_at_the_head(tmp_path: Path) -> None:
    known = dictionary()
    source = opened(saved(tmp_path, "a.warc.zst", zstd(*RECORDS[1:], dictionary=known)))
    written = keep(source, tmp_path / "out.warc.zst", lambda page: page < 2)
    assert written.file.read_bytes() == zstd(*left(0, 1, 3), dictionary=known)
    assert len(places_of(opened(written.file))[0]) == 1


def test_a_file_that_is_compressed_as_a_whole_gets_members(tmp_path: Path) -> None:
    whole = b"\r\n" + b"".join(RECORDS)
    source = opened(saved(tmp_path, "a.warc.gz", gzip.compress(whole)))
    written = keep(source, tmp_path / "out.warc.gz", lambda page: page == 1)
    assert unpacked(written.file.read_bytes()) == [b"\r\n", *left(3)]
    assert (
        written.file.read_bytes()
        == keep(source, tmp_path / "again.warc.gz", lambda page: page == 1).file.read_bytes()
    )
    source = opened(saved(tmp_path, "a.warc.zst", zstd(whole)))
    written = keep(source, tmp_path / "out.warc.zst", lambda page: page == 1)
    assert written.file.read_bytes().count(b"\x28\xb5\x2f\xfd") == 1 + len(left(3))
    made = zstandard.ZstdDecompressor().stream_reader(
        io.BytesIO(written.file.read_bytes()), read_across_frames=True
    )
    assert made.read() == b"\r\n" + b"".join(left(3))


def test_lz4(tmp_path: Path) -> None:
    packed = io.BytesIO()
    writer = Lz4Writer(packed)
    writer.write(b"".join(RECORDS))
    writer.close()
    source = opened(saved(tmp_path, "a.warc.lz4", packed.getvalue()))
    written = keep(source, tmp_path / "out.warc.lz4", lambda page: page == 1)
    with written.file.open("rb") as file:
        found = [one.headers["WARC-Type"] for one in FastIterator(file, parse_http=False)]
    assert len(found) == len(left(3))
    assert keep(opened(written.file), tmp_path / "o").left_out == 0


def test_nothing_removed_is_the_same_file(tmp_path: Path) -> None:
    files = {
        "a.warc": b"\r\n".join(RECORDS),
        "b.warc.gz": gzipped(*RECORDS) + b"\0" * 512,
        "c.warc.gz": gzip.compress(b"".join(RECORDS), mtime=7)[:-3],
        "d.warc.gz": gzipped(*RECORDS)[:-30] + b"stray",
        "e.warc.zst": zstd(*RECORDS, dictionary=dictionary()),
    }
    for name, data in files.items():
        written = keep(opened(saved(tmp_path, name, data)), tmp_path / "out" / name)
        assert written.file.read_bytes() == data
        assert written.lost == ()


def test_a_frame_of_several_records_is_taken_apart_only_if_it_must_be(tmp_path: Path) -> None:
    frames = [RECORDS[0], b"".join(RECORDS[1:4]), b"".join(RECORDS[4:6]), RECORDS[6], RECORDS[7]]
    source = opened(saved(tmp_path, "a.warc.gz", gzipped(*frames)))
    pages, places = places_of(source)
    assert places[2] == places[1] + 1
    written = keep(source, tmp_path / "out.warc.gz", lambda page: page == 1)
    assert unpacked(written.file.read_bytes()) == [*RECORDS[:3], *frames[2:]]
    assert written.file.read_bytes().startswith(gzipped(RECORDS[0]))
    assert written.file.read_bytes().endswith(gzipped(*frames[2:]))
    written = keep(source, tmp_path / "out.warc.gz", lambda page: page == 2)
    assert written.file.read_bytes() == gzipped(*frames[:3], frames[4])
    # Without the first and the third record of a frame, and what is in frames of their own.
    written = keep(source, tmp_path / "out.warc.gz", lambda _: True)
    assert unpacked(written.file.read_bytes()) == [RECORDS[0], RECORDS[2], frames[2], RECORDS[7]]
    assert len(pages) == 3


def test_frames_that_begin_with_line_ends_are_copied_as_they_are(tmp_path: Path) -> None:
    frames = [RECORDS[0], RECORDS[1] + RECORDS[3], b"\r\n" + RECORDS[4], b"\r\n" + RECORDS[6]]
    best = [gzip.compress(frame, 9, mtime=0) for frame in frames]
    source = opened(saved(tmp_path, "a.warc.gz", b"".join(best)))
    written = keep(source, tmp_path / "out.warc.gz", lambda page: page == 0)
    made = written.file.read_bytes()
    assert made.startswith(best[0])
    assert made.endswith(best[2] + best[3])
    assert unpacked(made)[1:2] == [RECORDS[3]]


def test_a_record_in_two_frames(tmp_path: Path) -> None:
    """The second frame ends one record and holds the next, which has the frame's offset."""
    page, other = RECORDS[1], RECORDS[3]
    frames = [RECORDS[0], page[:-40], page[-40:] + other, RECORDS[6]]
    source = opened(saved(tmp_path, "a.warc.gz", gzipped(*frames)))
    for gone, stays in ((0, [RECORDS[0], other, RECORDS[6]]), (1, [RECORDS[0], page, RECORDS[6]])):
        written = keep(source, tmp_path / "out.warc.gz", lambda number, gone=gone: number == gone)
        assert unpacked(written.file.read_bytes()) == stays
    written = keep(source, tmp_path / "out.warc.gz", lambda number: number < 2)
    assert written.file.read_bytes() == gzipped(RECORDS[0], RECORDS[6])


def test_more_records_in_a_frame_than_it_has_bytes(tmp_path: Path) -> None:
    """Then the places run on beyond the offset of the next frame."""
    many = [response("http://a/", b"<p>the same")] * 1200
    rest = [response(f"http://a/{n}", b"<p>%d" % n) for n in range(30)]
    data = gzipped(RECORDS[0], b"".join(many), *rest)
    source = opened(saved(tmp_path, "a.warc.gz", data))
    places = places_of(source)[1]
    offsets, at = [], 0
    for member in members(data):
        offsets.append(at)
        at += len(member)
    # Such a place of one record is the offset of the frame of another.
    twofold = [number for number, place in enumerate(places[1:1201]) if place in offsets[2:]]
    assert twofold
    for gone in ({twofold[0]}, {5}, {1199}, {1200}, {1201, 1205}, {1229}, set(range(100, 1220))):
        written = keep(source, tmp_path / "out.warc.gz", lambda page, gone=gone: page in gone)
        stays = [one for number, one in enumerate(many + rest) if number not in gone]
        assert gzip.decompress(written.file.read_bytes()) == RECORDS[0] + b"".join(stays)


def test_damage_between_records_stays_where_it_is(tmp_path: Path) -> None:
    one, two, three, four = (gzipped(RECORDS[number]) for number in (0, 1, 3, 6))
    broken = two[:40] + b"\xff" * 9 + two[49:]
    source = opened(saved(tmp_path, "a.warc.gz", one + two + b"stray" * 9 + broken + three + four))
    written = keep(source, tmp_path / "out.warc.gz", lambda page: page in (0, 1))
    assert written.file.read_bytes() == one + b"stray" * 9 + broken + four
    assert written.lost == ()


def test_what_a_damaged_frame_of_several_cannot_give_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(RECORDS[1:7]) + bytes(range(256)) * 20, mtime=0)
    data = gzipped(RECORDS[0]) + whole[:-40] + gzipped(RECORDS[6])
    source = opened(saved(tmp_path, "a.warc.gz", data))
    written = keep(source, tmp_path / "out.warc.gz", lambda page: page == 0)
    assert gzip.decompress(written.file.read_bytes()).startswith(RECORDS[0] + RECORDS[2])
    (lost,) = written.lost
    assert lost.startswith(f"{source.name}: at {len(gzipped(RECORDS[0]))}: ")


def test_others_read_it(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.warc.gz", gzip.compress(b"".join(RECORDS))))
    written = keep(source, tmp_path / "out.warc.gz", lambda page: page == 1)
    with written.file.open("rb") as file:
        assert len(list(ArchiveIterator(file))) == len(RECORDS) - 1


def test_a_remote_file(tmp_path: Path) -> None:
    with fsspec.open("memory://kept/a.warc.gz", "wb") as file:
        file.write(gzipped(*RECORDS))
    source = opened("memory://kept/a.warc.gz")
    written = keep(source, tmp_path / "out" / "a.warc.gz", lambda page: page == 1)
    assert written.file.read_bytes() == gzipped(*left(3))
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["a.warc.gz"]


kinds = st.sampled_from(["page", "page", "image", "stray", "blank"])


def made(kind: str, number: int) -> bytes:
    match kind:
        case "page":
            return response(f"http://a/{number}", b"<p>%d" % number)
        case "image":
            return response(f"http://a/{number}", b"x" * number, kind="image/png")
        case "stray":
            return b"these are no records\n" * (number % 3 + 1)
    return b"\r\n" * (number % 4 + 1)


@given(
    st.lists(st.tuples(kinds, st.integers(0, 4), st.booleans()), min_size=1, max_size=25),
    st.sampled_from(["plain", "gzip", "zstd", "one gzip"]),
)
def test_any_records_left_out(parts: list[tuple[str, int, bool]], packing: str) -> None:
    """Frames of one to four records, with other things between them."""
    records = [RECORDS[0], *(made(kind, number) for number, (kind, _, _) in enumerate(parts))]
    frames, frame = [RECORDS[0]], b""
    if packing == "one gzip" or parts[0][0] == "blank":
        frames, frame = [], RECORDS[0]
    kinds_after = [kind for kind, _, _ in parts[1:]] + ["none"]
    for data, (_, more, _), upcoming in zip(records[1:], parts, kinds_after, strict=True):
        frame += data
        # Blank lines that begin a frame are not told apart from the record that follows.
        if not more and upcoming != "blank" and packing != "one gzip":
            frames.append(frame)
            frame = b""
    frames.append(frame)
    pack = {"plain": lambda *all: b"".join(all), "zstd": zstd}.get(packing, gzipped)
    name = {"plain": "a.warc", "zstd": "a.warc.zst"}.get(packing, "a.warc.gz")
    with tempfile.TemporaryDirectory() as folder:
        source = opened(saved(Path(folder), name, pack(*frames)))
        pages, places = places_of(source)
        goes = [part[2] for part in parts if part[0] == "page"]
        assert len(pages) == len(goes)
        gone = {place for place, one in zip(pages, goes, strict=True) if one}
        written = write_kept(source, selections(places, gone), Path(folder) / "out")
        data = written.file.read_bytes()
        if "gzip" in packing:
            data = b"".join(unpacked(data))
        elif packing == "zstd":
            reader = zstandard.ZstdDecompressor().stream_reader(
                io.BytesIO(data), read_across_frames=True
            )
            data = reader.read()
        # What is no record belongs to the record before it, and goes with it if that is only blank.
        kept, stays = RECORDS[0], True
        for one, (kind, _, goes_away) in zip(records[1:], parts, strict=True):
            stays = stays if kind == "blank" else not (kind == "page" and goes_away)
            kept += one if stays else b""
        assert unwrapped(data) == kept
        again = opened(written.file, format="warc")
        assert len(places_of(again)[0]) == len(pages) - len(gone)
        # Strays are as they were, but beside what went.
        assert (b"unreadable" in data) <= bool(gone and b"no records" in kept)


WRAPPED = re.compile(
    rb"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: [^\r]+\r\nWARC-Date: [^\r]+\r\n"
    rb"WARC-Target-URI: urn:webecho:unreadable:\d+\r\nContent-Type: [^\r]+\r\n"
    rb"Content-Length: (\d+)\r\n\r\n"
)


def unwrapped(data: bytes, left: bytes | None = None) -> bytes:
    """The bytes, with what was put into a record of its own taken out of it; and where the bytes
    that are `left` go on otherwise, the end that the record before it was given."""
    while found := WRAPPED.search(data):
        end = found.end() + int(found[1])
        assert data[end : end + 4] == b"\r\n\r\n"
        before = data[: found.start()]
        if left is not None and not left.startswith(before):
            before = before.removesuffix(b"\r\n\r\n")
        data = before + data[found.end() : end] + data[end + 4 :]
    return data


def ranges_left(data: bytes, places: list[int], gone: list[int]) -> bytes:
    """The file without the bytes from each place that is gone to the next place."""
    ends = [*places[1:], len(data)]
    cut = [(place, end) for place, end in zip(places, ends, strict=True) if place in gone]
    left, at = b"", 0
    for start, end in cut:
        left += data[at:start]
        at = end
    return left + data[at:]


@pytest.mark.data
def test_broken_files_of_other_projects(data: Path, tmp_path: Path) -> None:
    """Without every second page, all bytes that are not theirs are there, in order."""
    compared = 0
    for file in sorted((data / "warcs").rglob("*")):
        if not file.is_file() or ".arc" in file.name:
            continue
        source = WarcSource(str(file))
        whole = file.read_bytes()
        assert keep(source, tmp_path / "same").file.read_bytes() == whole, file
        written = keep(source, tmp_path / "out", lambda page: page % 2 == 0)
        pages, places = places_of(source)
        after = WarcSource(str(written.file))
        assert bodies(after) == bodies(source)[1::2], file
        assert len(places_of(after)[1]) == len(places) - len(pages[::2]), file
        with file.open("rb") as opened_file:
            in_frames = layout_of(opened_file).numbering != "stream"
        if in_frames and all(one + 1 < other for one, other in pairwise(places)):
            left = ranges_left(whole, places, pages[::2])
            assert unwrapped(written.file.read_bytes(), left) == left, file
            compared += bool(pages)
    assert compared > 40


def bodies(source: WarcSource) -> list[bytes | None]:
    return [body for batch in source.batches() for body in batch.pages["body"].to_pylist()]
