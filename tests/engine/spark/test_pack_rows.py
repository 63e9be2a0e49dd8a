"""What executors read of the pages of packs."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import small_web
from tests.engine.spark.grouped import workspace_of
from webecho.engine.spark.compared_content import SHINGLES, WORDS, ComparedContent
from webecho.engine.spark.pack_rows import ContentRows, PackRows, without_nulls
from webecho.engine.spark.page_parts import PagePart
from webecho.workspace.schemas import LIST


def part(folder: Path, **known: pa.Array) -> PagePart:
    return PagePart(workspace_of(folder, small_web()), 0, 0, 0, known)


PACKS = pa.array([page % 2 for page in range(16)], pa.uint32())


def test_pages_of_packs_that_have_a_sketch(tmp_path: Path) -> None:
    ranks = pa.array(range(16, 0, -1), pa.uint32())
    rows = PackRows(("features", "site"), ("rank",))
    [batch] = rows(iter([part(tmp_path, pack=PACKS, rank=ranks)]))
    assert rows.schema == "pack long, page long, rank long, features array<long>, site string"
    # Pages 7 and 9 have no tokens.
    assert batch["page"].to_pylist() == [1, 3, 5, 11, 13, 15]
    assert batch["rank"].to_pylist() == [15, 13, 11, 5, 3, 1]
    assert {len(each) for each in batch["features"].to_pylist()} == {84}


@pytest.mark.parametrize("kind", [SHINGLES, WORDS], ids=lambda kind: kind.column)
def test_content_comes_beside_and_for_each_pack_that_has_a_revisit(
    kind: ComparedContent, tmp_path: Path
) -> None:
    lists = pa.array([[3, 4] if page == 0 else [] for page in range(16)], pa.list_(pa.uint32()))
    rows = ContentRows(PackRows(("features", "revisit_of")), kind)
    table = pa.Table.from_batches([*rows(iter([part(tmp_path, pack=PACKS, content=lists)]))])
    members = table.filter(table["features"].is_valid())
    assert members["page"].to_pylist() == [1, 3, 5, 11, 13, 15]
    assert members[kind.column].null_count == len(members)
    beside = table.filter(table["features"].is_null())
    told = [*zip(beside["pack"].to_pylist(), beside["page"].to_pylist(), strict=True)]
    assert sorted(told) == [(1, 1), (1, 3), (1, 5), (1, 11), (1, 13), (1, 15), (3, 0), (4, 0)]
    assert all(len(each) for each in beside[kind.column].to_pylist())
    assert beside["problem"].null_count == len(beside)


def test_of_pages_that_are_gone_there_is_the_reason(tmp_path: Path) -> None:
    made = part(tmp_path, pack=PACKS)
    (tmp_path / "web.jsonl").unlink()
    rows = ContentRows(PackRows(("features", "revisit_of")), SHINGLES)
    table = pa.Table.from_batches([*rows(iter([made]))])
    beside = table.filter(table["problem"].is_valid())
    assert len(beside) == 6
    assert "web.jsonl: no such file" in beside["problem"][0].as_py()


def test_no_list_is_the_empty_one() -> None:
    lists = pa.array([[1, 2], None, [], [3]], LIST).slice(1)
    assert without_nulls(lists).to_pylist() == [[], [], [3]]
