"""Edge lists in the forms that people have them in."""

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.read.test_streams import fifo
from webecho.errors import InputError
from webecho.read.edges import EdgeCounts, _as_utf8, edges

PAIRS = [("http://a.org/", "http://b.org/?x=1,2"), ("http://b.org/?x=1,2", "http://a.org/é")]


def read(file: Path) -> tuple[list[tuple[str, str]], EdgeCounts]:
    counts = EdgeCounts()
    rows = [row for table in edges(str(file), counts) for row in table.to_pylist()]
    return [(row["source"], row["target"]) for row in rows], counts


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("e.tsv", "{0[0]}\t{0[1]}\n{1[0]}\t{1[1]}\n"),
        ("e.tsv", "source\ttarget\n{0[0]}\t{0[1]}\n{1[0]}\t{1[1]}"),
        ("e.csv", '{0[0]},"{0[1]}"\r\n"{1[0]}",{1[1]}\r\n'),
        ("e.csv", 'weight,To,FROM\n3,"{0[1]}",{0[0]}\n,"{1[1]}","{1[0]}"\n'),
        ("e.txt", "{0[0]} {0[1]}\n\n{1[0]} {1[1]}\n"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_text(tmp_path: Path, name: str, text: str, packed: bool) -> None:
    content = text.format(*PAIRS).encode()
    # The first line decides what parts columns: a comma in an address must not.
    file = tmp_path / (f"{name}.gz" if packed else name)
    file.write_bytes(gzip.compress(content) if packed else content)
    assert read(file)[0] == PAIRS


@pytest.mark.parametrize("names", [("source", "target"), ("from", "to"), ("left", "right")])
def test_parquet(tmp_path: Path, names: tuple[str, str]) -> None:
    columns = {name: [pair[at] for pair in PAIRS] for at, name in enumerate(names)}
    pq.write_table(pa.table(columns | {"more": [1, 2]}), tmp_path / "e.parquet")
    assert read(tmp_path / "e.parquet")[0] == PAIRS


def test_rows_that_are_no_edges_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "e.tsv"
    file.write_bytes(b"a\tb\nonly one\nc\td\te\n\tf\ng\th\n\xff\ti\n")
    found, counts = read(file)
    assert found == [("a", "b"), ("g", "h"), ("\ufffd", "i")]
    assert (counts.rows, counts.bad) == (6, 3)


def test_a_row_that_is_no_edge_may_be_no_text(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "e.csv"
    file.write_bytes(b"source,target\na,b\n\xff\xe5,b,c\nonly \xe9\nc,d\xe9\n")
    found, counts = read(file)
    assert found == [("a", "b"), ("c", "d\ufffd")]
    assert (counts.rows, counts.bad) == (4, 2)
    assert capfd.readouterr().err == ""


def test_letters_that_two_blocks_have_are_one() -> None:
    assert b"".join(_as_utf8([b"a\xc3", b"\xa9b", b"c", b"\xe4\xb8"])) == "aébc\ufffd".encode()


def test_a_first_line_may_be_anything(tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    file.write_bytes(b'"' + b"x" * 200_000 + b'",b\n')
    with pytest.raises(InputError, match="cannot be read as an edge list"):
        read(file)
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(b"source,target\na,b\n")[:-12])
    with pytest.raises(InputError, match="cannot be read as an edge list"):
        read(tmp_path / "cut.csv.gz")


def test_many_rows_in_blocks(tmp_path: Path) -> None:
    file = tmp_path / "e.tsv.gz"
    pairs = [(f"http://a.org/{n}", f"http://b.org/{n * 7}") for n in range(200_000)]
    file.write_bytes(gzip.compress("".join(f"{a}\t{b}\n" for a, b in pairs).encode(), 1))
    found, counts = read(file)
    assert found == pairs
    assert counts == EdgeCounts(200_000, 0)


def test_what_is_no_edge_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nothing.tsv")
    file = tmp_path / "one.csv"
    file.write_text("just-one-column\n")
    with pytest.raises(InputError, match="one column"):
        read(file)
    pq.write_table(pa.table({"source": ["a"]}), tmp_path / "one.parquet")
    with pytest.raises(InputError, match="one column"):
        read(tmp_path / "one.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(InputError, match="cannot be read as an edge list"):
        read(tmp_path / "bad.parquet")


def test_edges_that_come_once(tmp_path: Path) -> None:
    pipe = fifo(tmp_path / "pipe", b"source\ttarget\nhttp://a/\thttp://b/\n")
    found = [row for table in edges(pipe, EdgeCounts()) for row in table.to_pylist()]
    assert found == [{"source": "http://a/", "target": "http://b/"}]
