"""Parquet files appear whole, and are the same bytes however their rows came."""

import fcntl
import hashlib
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho import _core
from webecho.workspace.checksums import Checksum
from webecho.workspace.stored import read_file
from webecho.workspace.table_files import (
    ROWS,
    VALUES,
    TableWriter,
    aside,
    mapped_batches,
    own,
    write_aside,
    write_table,
)


def numbers(first: int, count: int) -> pa.Table:
    return pa.table({"page": pa.array(range(first, first + count), pa.int64())})


def test_a_file_has_its_name_when_it_is_finished(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "rows.parquet"
    writer = TableWriter(file)
    writer.write(numbers(0, 3))
    assert not file.exists() and aside(file).exists()
    digest = writer.finish()
    assert not aside(file).exists()
    assert digest is not None
    assert digest.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert digest.xxh3 == _core.checksum_of(file.read_bytes())
    assert read_file(file)["page"].to_pylist() == [0, 1, 2]


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> Checksum:
    file = tmp_path_factory.mktemp("whole") / "rows.parquet"
    found = write_table(file, [numbers(0, 2 * ROWS + 10)])
    assert found is not None
    return found


@given(cuts=st.lists(st.integers(0, 2 * ROWS + 10), max_size=6))
def test_how_rows_are_cut_changes_no_byte(
    at_once: Checksum, tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    bounds = [0, *sorted(cuts), 2 * ROWS + 10]
    tables = [numbers(low, high - low) for low, high in pairwise(bounds)]
    file = tmp_path_factory.mktemp("cut") / "rows.parquet"
    assert write_table(file, tables) == at_once
    metadata = pq.read_metadata(file)
    groups = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    assert groups == [ROWS, ROWS, 10]


def test_long_lists_make_row_groups_smaller(tmp_path: Path) -> None:
    half = pa.array([list(range(VALUES // 2))] * 3, pa.list_(pa.int64()))
    write_table(tmp_path / "rows.parquet", [pa.table({"page": [0, 1, 2], "shingles": half})])
    metadata = pq.read_metadata(tmp_path / "rows.parquet")
    groups = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    assert groups == [2, 1]


def test_columns_are_needed_even_of_no_rows(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing was written, not even columns"):
        TableWriter(tmp_path / "rows.parquet").finish()
    write_table(tmp_path / "rows.parquet", [numbers(0, 0)])
    assert read_file(tmp_path / "rows.parquet").column_names == ["page"]


def test_one_that_need_not_last_has_no_checksum(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path / "rows.parquet", durable=False)
    writer.write(numbers(0, 1))
    assert writer.finish() is None


def test_mapped_files_give_rows_back_as_they_came(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path / "lists.arrow", durable=False)
    for first, count in ((0, 2), (2, 3)):
        writer.write(numbers(first, count).append_column("other", pa.array(["x"] * count)))
    writer.finish()
    found = [batch.to_pydict() for batch in mapped_batches(tmp_path / "lists.arrow", ["page"])]
    assert found == [{"page": [0, 1]}, {"page": [2, 3, 4]}]


def test_content_is_put_under_a_name_at_once(tmp_path: Path) -> None:
    write_aside(tmp_path / "deep" / "file", b"one")
    write_aside(tmp_path / "deep" / "file", b"two")
    assert [file.name for file in (tmp_path / "deep").iterdir()] == ["file"]
    assert (tmp_path / "deep" / "file").read_bytes() == b"two"


def ended_process() -> int:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    return gone.pid


def test_what_killed_processes_left_of_a_file_goes_with_the_next_of_its_name(
    tmp_path: Path,
) -> None:
    left = tmp_path / f".a.csv.{ended_process()}"
    other = tmp_path / f".b.csv.{ended_process()}"
    for file in (left, other):
        file.write_bytes(b"half")
    write_aside(tmp_path / "a.csv", b"whole")
    assert sorted(file.name for file in tmp_path.iterdir()) == [other.name, "a.csv"]


def test_what_somebody_holds_stays_whoever_that_is(tmp_path: Path) -> None:
    # As a process has it that another container runs, whose number is nobody's here.
    held = tmp_path / f".a.csv.{ended_process()}"
    with held.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_aside(tmp_path / "a.csv", b"whole")
        assert held.exists()


def test_two_processes_may_write_one_file_at_once(tmp_path: Path) -> None:
    with own(tmp_path / "a.csv") as beside:
        # Another process, in the middle of this one's writing.
        write = f"write_aside(Path({str(tmp_path / 'a.csv')!r}), b'theirs')"
        load = "from pathlib import Path; from webecho.workspace.table_files import write_aside"
        subprocess.run([sys.executable, "-c", f"{load}; {write}"], check=True)
        assert (tmp_path / "a.csv").read_bytes() == b"theirs"
        beside.write_bytes(b"ours")
        beside.replace(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == b"ours"
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


def test_nothing_is_left_where_writing_fails(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing was written"):
        write_table(tmp_path / "a.parquet", [])
    assert not list(tmp_path.iterdir())
