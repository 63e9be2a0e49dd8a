"""Tables by their names, with their columns also where they are empty."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.errors import InputError, WebechoError, WorkspaceError
from webecho.workspace.schemas import BESIDE
from webecho.workspace.stored import Stored, read_file, read_schema
from webecho.workspace.workspace import Workspace


@pytest.fixture
def nothing(tmp_path: Path) -> Workspace:
    """A workspace without pages."""
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "none.parquet")
    done("sketch", tmp_path / "none.parquet", "-o", tmp_path / "none.echo")
    return Workspace.open(tmp_path / "none.echo")


@pytest.mark.parametrize("table", ["sketches", *BESIDE])
def test_every_table_has_its_columns_when_it_is_empty(nothing: Workspace, table: str) -> None:
    stored = nothing.stored(table)
    assert stored.files == ()
    assert nothing.table(table).schema.equals(stored.schema)
    with local_run().database() as database:
        database.add("rows", stored)
        assert database.columns("rows") == stored.schema.names


def test_tables_of_the_parts_have_the_columns_that_they_are_said_to_have(crawl: Path) -> None:
    workspace = Workspace.open(crawl)
    source = crawl.parent / "pages.jsonl"
    done("sketch", source, "-o", crawl, "--part-pages", 5, "--links", "--paragraphs")
    workspace = Workspace.open(crawl)
    for table in ("sketches", "links", "paragraphs"):
        stored = workspace.stored(table)
        assert len(stored.files) == 4
        for file in stored.files:
            assert pq.read_schema(file).equals(stored.schema)


def test_clusters_and_pairs_are_named_with_their_rule(crawl: Path) -> None:
    done("clusters", crawl, "--rule", "tokens")
    done("pairs", crawl, "--rule", "tokens")
    workspace = Workspace.open(crawl)
    clusters, pairs = workspace.stored("clusters", "tokens"), workspace.stored("pairs", "tokens")
    assert clusters.files == (crawl / "clusters" / "tokens.parquet",)
    assert pq.read_schema(clusters.files[0]).equals(clusters.schema)
    # What rules measure differs.
    assert pairs.schema.names == [
        *("left", "right", "same_tokens", "left_url", "right_url", "left_id", "right_id"),
    ]
    with local_run().database() as database:
        database.add("pairs", pairs)
        assert database.row('SELECT min("left") AS l, max("right") AS r FROM pairs') == {
            "l": 0,
            "r": pq.read_table(pairs.files[0])["right"].to_pylist()[-1],
        }


def test_what_was_not_found_yet_is_named_with_the_fix(crawl: Path) -> None:
    workspace = Workspace.open(crawl)
    for table in ("pairs", "clusters"):
        message = rf"{table}/b-2\.parquet cannot be read .*; find the {table} again"
        with pytest.raises(WorkspaceError, match=message):
            workspace.stored(table, "b-2")
    workspace.files.pairs("b-2").parent.mkdir()
    workspace.files.pairs("b-2").write_bytes(b"dirt")
    with pytest.raises(WorkspaceError, match=r"; find the pairs again, or remove it$"):
        workspace.stored("pairs", "b-2")


def test_a_file_is_read_whole_or_by_columns(tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    rows = pa.table({"page": [0, 1], "size": [2, 2]})
    pq.write_table(rows, file)
    assert read_file(file) == rows
    assert read_file(file, columns=["size"]) == rows.select(["size"])
    assert read_schema(file, "make it").names == ["page", "size"]
    assert Stored((file, file), rows.schema).read() == pa.concat_tables([rows, rows])
    assert Stored((), rows.schema).read() == rows.slice(0, 0)


@pytest.mark.parametrize("kind", [WorkspaceError, InputError])
def test_a_file_that_cannot_be_read_is_named_with_what_to_do(
    tmp_path: Path, kind: type[WebechoError]
) -> None:
    file = tmp_path / "rows.parquet"
    readers = [
        lambda: read_file(file, "find it", kind=kind),
        lambda: read_schema(file, "find it", kind),
    ]
    for read in readers:
        with pytest.raises(kind, match=rf"^{file} is missing; find it$"):
            read()
    file.write_bytes(b"dirt")
    for read in readers:
        with pytest.raises(kind, match=rf"^{file} cannot be read \(.*\); find it$"):
            read()
    pq.write_table(pa.table({"page": [0]}), file)
    with pytest.raises(kind, match=r"cannot be read \(it has no column size\); find it"):
        read_file(file, "find it", ["page", "size"], kind)
