"""The columns of a workspace's tables, and that files have them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done
from webecho.workspace.schemas import BESIDE, LIST, PAGE_TABLE_SCHEMAS, sketch_schema

FIRST = ["page", "id", "url", "host", "site"]
LAST = ["payload_digest", "markup_digest", "text_digest", "digest"]


def test_larger_columns_come_last_in_the_order_given() -> None:
    assert sketch_schema([], "none").names[:5] == FIRST
    assert sketch_schema([], "none").names[-4:] == LAST
    schema = sketch_schema(["projection", "features"], "none")
    assert schema.names[-6:] == [*LAST, "projection", "features"]
    assert schema.field("features").type == schema.field("projection").type == LIST


@pytest.mark.parametrize(
    ("id_type", "expected"),
    [("int64", pa.int64()), ("string", pa.string()), ("none", pa.string())],
)
def test_ids_are_what_they_were(id_type: str, expected: pa.DataType) -> None:
    assert sketch_schema([], id_type).field("id").type == expected


def test_every_table_beside_the_sketches_tells_its_page_or_place() -> None:
    assert {name for name, schema in BESIDE.items() if "page" not in schema.names} == {"skipped"}
    assert "place" in BESIDE["skipped"].names
    assert PAGE_TABLE_SCHEMAS.keys() < BESIDE.keys()


def test_files_have_these_columns(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", small_web(), broken={3: "no page"})
    out = tmp_path / "web.echo"
    options = ("--keep-shingles", "--paragraphs", "--links", "--columns", "supershingles")
    done("sketch", source, "-o", out, *options)
    tables = BESIDE | {"sketches": sketch_schema(["supershingles"], "string")}
    written = {file.parent.name: file for file in out.glob("*/part-*.parquet")}
    assert {"sketches", "skipped", "shingles", "paragraphs", "links"} <= written.keys()
    for name, file in written.items():
        assert pq.read_schema(file).equals(tables[name]), name
