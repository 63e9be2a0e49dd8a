"""JSONL and CSV files: lines and rows go, and no byte of the others changes."""

import csv
import gzip
import io
import tempfile
from pathlib import Path

import fsspec
import pyarrow as pa
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.read.archives import saved
from tests.write.keeping import keep, opened, places_of, selections
from webecho.errors import InputError
from webecho.read.columns import ColumnNames
from webecho.read.tables import table_source
from webecho.write.kept import write_kept

LINES = [
    b'{"text": "one",  "url": "http://a/"}\r\n',
    b"\n",
    b'{"url": "http://b/", "text": null}\n',
    b"not JSON at all\n",
    '{"text": "zwö\u2028lf"}\n'.encode(),
    b'{"text": "\xff\xfe"}\n',
    b'{"text": "the last"}',
]


def test_removed_lines_go_and_the_rest_keeps_its_bytes(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.jsonl", b"".join(LINES)))
    written = keep(source, tmp_path / "out" / "a.jsonl", lambda page: page in (0, 2))
    assert written.file.read_bytes() == b"".join(LINES[i] for i in (1, 2, 3, 5, 6))
    assert written.bytes == written.file.stat().st_size
    assert written.lost == ()


def test_without_the_last_line_the_file_ends_with_the_one_before(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.jsonl", b"".join(LINES)))
    written = keep(source, tmp_path / "out.jsonl", lambda page: page == 4)
    assert written.file.read_bytes() == b"".join(LINES[:-1])


def test_nothing_removed_is_the_same_file(tmp_path: Path) -> None:
    for name, data in {
        "a.jsonl": b"".join(LINES),
        "b.jsonl.gz": gzip.compress(b"".join(LINES)) + b"\0\0",
        "c.jsonl.gz": gzip.compress(b"".join(LINES))[:-9],
        "d.csv": b"text,url\r\none,http://a/\r\n",
    }.items():
        written = keep(opened(saved(tmp_path, name, data)), tmp_path / "out" / name)
        assert written.file.read_bytes() == data
        assert written.left_out == 0


def test_everything_removed_leaves_what_is_no_page(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.jsonl", b"".join(LINES)))
    written = keep(source, tmp_path / "out.jsonl", lambda _: True)
    assert written.file.read_bytes() == LINES[1] + LINES[3]


def test_a_byte_order_mark_stays_when_the_first_line_goes(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.jsonl", b"\xef\xbb\xbf" + b"".join(LINES)))
    written = keep(source, tmp_path / "out.jsonl", lambda page: page == 0)
    assert written.file.read_bytes() == b"\xef\xbb\xbf" + b"".join(LINES[1:])


def test_lines_longer_than_a_block(tmp_path: Path) -> None:
    lines = [b'{"text": "%b"}\n' % (letter * 2_500_000) for letter in (b"a", b"b", b"c")]
    for name, going, left in (("x", 0, lines[1:]), ("y", 1, lines[::2]), ("z", 2, lines[:2])):
        source = opened(saved(tmp_path, f"{name}.jsonl", b"".join(lines)))
        written = keep(source, tmp_path / f"{name}.out", lambda page, going=going: page == going)
        assert written.file.read_bytes() == b"".join(left)


def test_compressed_lines_are_compressed_again(tmp_path: Path) -> None:
    whole, rest = b"".join(LINES), b"".join(LINES[1:])
    halves = gzip.compress(whole[:50]) + gzip.compress(whole[50:])
    source = opened(saved(tmp_path, "a.jsonl.gz", halves))
    written = keep(source, tmp_path / "out.jsonl.gz", lambda page: page == 0)
    assert gzip.decompress(written.file.read_bytes()) == rest
    assert written.file.read_bytes()[4:8] == b"\0\0\0\0"
    packed = zstandard.ZstdCompressor().compress(b"".join(LINES))
    source = opened(saved(tmp_path, "a.jsonl.zst", packed))
    written = keep(source, tmp_path / "out.jsonl.zst", lambda page: page == 0)
    assert zstandard.ZstdDecompressor().decompress(written.file.read_bytes()) == rest


def test_what_follows_a_damage_is_told(tmp_path: Path) -> None:
    long = b"".join(b'{"text": "page %d"}\n' % (number * 7919) for number in range(20_000))
    packed = gzip.compress(long)
    source = opened(saved(tmp_path, "a.jsonl.gz", packed[: len(packed) // 2]))
    written = keep(source, tmp_path / "out.jsonl.gz", lambda page: page == 1)
    there = gzip.decompress(written.file.read_bytes())
    first, second = long.split(b"\n")[:2]
    assert long.replace(second + b"\n", b"").startswith(there)
    assert there.startswith(first) and len(there) > len(long) // 3
    assert written.lost == (
        f"{source.name}: gzip data end early; what comes after could not be passed on",
    )


ROWS = [
    b"\xef\xbb\xbfurl,text\r\n",
    b'http://a/,"a text\r\nof two lines, ""quoted"""\r\n',
    b"\r\n",
    b"http://b/,plain\r\n",
    b"too,many,fields\r\n",
    b'http://c/,"\n\n\n"\n',
    b'http://d/,say "it" so\n',
    b"http://e/,",
]


def test_rows_of_many_lines_go_as_a_whole(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.csv", b"".join(ROWS)))
    pages, places = places_of(source)
    assert (pages, places) == ([0, 2, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6])
    for gone in ([0], [2, 4], [4], [6], [0, 6], pages):
        written = write_kept(source, selections(places, gone), tmp_path / "out.csv")
        left = [row for number, row in enumerate(ROWS) if number - 1 not in gone]
        assert written.file.read_bytes() == b"".join(left)
        assert (written.kept, written.left_out) == (7 - len(gone), len(gone))


def test_a_file_that_has_become_shorter(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.csv", b"".join(ROWS)))
    with pytest.raises(InputError, match=r"a\.csv: has no row 7 any more"):
        write_kept(source, selections(list(range(8)), [7]), tmp_path / "out.csv")


def test_blank_lines_before_the_header_and_an_unclosed_quote(tmp_path: Path) -> None:
    data = b'\n\ntext\turl\none\thttp://a/\ntwo\thttp://b/\n"three\thttp://c/\nfour\t'
    source = opened(saved(tmp_path, "a.tsv.gz", gzip.compress(data)))
    written = keep(source, tmp_path / "out.tsv.gz", lambda page: page == 1)
    left = data.replace(b"two\thttp://b/\n", b"")
    assert gzip.decompress(written.file.read_bytes()) == left


@given(
    st.lists(st.tuples(st.binary(max_size=30), st.booleans()), max_size=40),
    st.sampled_from([b"\n", b"\r\n"]),
    st.booleans(),
)
def test_any_lines_left_out_of_jsonl(
    lines: list[tuple[bytes, bool]], end: bytes, ended: bool
) -> None:
    whole = [(line.replace(b"\n", b" ") + end, gone) for line, gone in lines]
    whole = [(b'{"text": "t"}' + end, False), *whole, (b"x" + end * ended, False)]
    gone = [number for number, (_, goes) in enumerate(whole) if goes]
    with tempfile.TemporaryDirectory() as folder:
        source = opened(saved(Path(folder), "a.jsonl", b"".join(line for line, _ in whole)))
        places = places_of(source)[1]
        assert len(places) == len(whole)
        written = write_kept(source, selections(places, gone, 7), Path(folder) / "out.jsonl")
        left = b"".join(line for line, goes in whole if not goes)
        assert written.file.read_bytes() == left


cells = st.text(st.sampled_from('ab,;"\n\r\tä '), max_size=12)


@given(st.lists(st.tuples(cells, cells, st.booleans()), min_size=1, max_size=30))
def test_any_rows_left_out_of_csv(rows: list[tuple[str, str, bool]]) -> None:
    """Written by Python's csv one row at a time, so the bytes of each row are known."""
    made = [_csv("text", "url"), *(_csv(f"x{text}", url) for text, url, _ in rows)]
    gone = [number for number, row in enumerate(rows) if row[2]]
    with tempfile.TemporaryDirectory() as folder:
        source = opened(saved(Path(folder), "a.csv", b"".join(made)))
        places = places_of(source)[1]
        assert len(places) == len(rows)
        written = write_kept(source, selections(places, gone, 4), Path(folder) / "out.csv")
        left = [row for number, row in enumerate(made) if number - 1 not in gone]
        assert written.file.read_bytes() == b"".join(left)


def _csv(*fields: str) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerow(fields)
    return text.getvalue().encode()


def test_a_remote_file(tmp_path: Path) -> None:
    with fsspec.open("memory://kept/a.jsonl", "wb") as file:
        file.write(b"".join(LINES))
    written = keep(opened("memory://kept/a.jsonl"), tmp_path / "a.jsonl", lambda page: page == 0)
    assert written.file.read_bytes() == b"".join(LINES[1:])


def test_tables_in_memory_are_refused() -> None:
    source = table_source("table 1", pa.table({"text": ["a"]}), ColumnNames())
    with pytest.raises(InputError, match="table 1"):
        write_kept(source, [], Path(tempfile.gettempdir()) / "never")
