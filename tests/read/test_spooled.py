"""Spooled tables are tables to whoever asks, and lie in files that many can read."""

import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho import sketch
from webecho.errors import InputError
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.spooled import SpooledTable


def spooled(folder: Path, *texts: list[str]) -> SpooledTable:
    files = []
    for number, some in enumerate(texts):
        pq.write_table(pa.table({"text": some}), folder / f"{number}.parquet")
        files.append(str(folder / f"{number}.parquet"))
    return SpooledTable(tuple(files))


def test_its_rows_are_those_of_its_files(tmp_path: Path) -> None:
    table = spooled(tmp_path, ["one", "two"], ["three"])
    sources = open_collection([table], ReadOptions()).sources
    assert [source.name for source in sources] == ["table 1, 1", "table 1, 2"]
    assert [source.format for source in sources] == ["table", "table"]
    assert all(source.in_memory and source.rereadable for source in sources)
    there = pickle.loads(pickle.dumps(sources[1]))
    assert there.read([0])["body"].to_pylist() == ["three"]
    found = sketch(table)["digest"]
    assert found.equals(sketch(pa.table({"text": ["one", "two", "three"]}))["digest"])


def test_the_same_table_twice_is_refused(tmp_path: Path) -> None:
    table = spooled(tmp_path, ["one"])
    [source] = open_collection([table], ReadOptions()).sources
    assert source.name == "table 1"
    with pytest.raises(InputError, match="table 2: was given before"):
        open_collection([table, table], ReadOptions())
