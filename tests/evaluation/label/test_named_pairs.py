"""Which pages rows name, and what becomes of rows that name none."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.evaluation.made_pairs import sketched
from webecho.engine.local.engine import local_run
from webecho.errors import InputError
from webecho.evaluation.label.named_pairs import NamedPairs, named_pairs, rows_of
from webecho.workspace.workspace import Workspace

A, B, C = (f"http://{name}.example/" for name in "abc")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Pages 0 to 3: a, b, a copy of a at c, and another fetch of b."""
    bodies = [b"<p>one two", b"<p>three", b"<p>one two", b"<p>four"]
    return sketched(tmp_path, [*zip((A, B, C, B), bodies, strict=True)])


def found_in(workspace: Workspace, file: Path) -> NamedPairs:
    return named_pairs(workspace, rows_of(file), local_run())


def pairs_of(found: NamedPairs) -> list[tuple[int, ...]]:
    return [(*row.values(),) for row in found.pairs.to_pylist()]


def test_urls_ids_and_numbers(workspace: Workspace, tmp_path: Path) -> None:
    """A copy is itself here, and a page may be beside itself."""
    rows: list[dict[str, Any]] = [
        {"left_url": C, "right_url": A, "score": 0.5},
        {"left_id": "doc-3", "right": "doc-1"},
        {"left": "#2", "right": 2},
        {"left_url": A, "right_url": B, "right": "#3"},
        {"left_url": A, "right_url": B, "right_id": "doc-1"},
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = found_in(workspace, file)
    assert found.problems == ()
    assert pairs_of(found) == [(1, 2, 0), (2, 3, 1), (3, 2, 2), (4, 0, 3), (5, 0, 1)]


def test_two_columns_need_no_names(workspace: Workspace, tmp_path: Path) -> None:
    bare, named = tmp_path / "bare.csv", tmp_path / "named.CSV"
    bare.write_text(f"doc-1,{C}\n#0,doc-3\n")
    assert pairs_of(found_in(workspace, bare)) == [(1, 1, 2), (2, 0, 3)]
    named.write_text(f"right,left\ndoc-1,{C}\n")
    assert pairs_of(found_in(workspace, named)) == [(1, 2, 1)]
    lists = tmp_path / "lists.ndjson"
    lists.write_text(f'["doc-1", "{C}"]\n{{"one": 0, "other": 3}}\n')
    assert pairs_of(found_in(workspace, lists)) == [(1, 1, 2), (2, 0, 3)]
    table = tmp_path / "pairs.parquet"
    pq.write_table(pa.table({"a": ["doc-1", "#0"], "b": [C, "doc-3"]}), table)
    assert pairs_of(found_in(workspace, table)) == [(1, 1, 2), (2, 0, 3)]
    # What else a table with names has is not read.
    rows = {"right_id": ["doc-1"], "text": ["…" * 1000], "left_url": [C]}
    pq.write_table(pa.table(rows), table)
    assert [*rows_of(table, 200)] == [
        (f"{table}, row 1", {"right_id": "doc-1", "left_url": C}),
    ]
    assert pairs_of(found_in(workspace, table)) == [(1, 2, 1)]
    with pytest.raises(InputError, match="more than the memory allows; give it in parts"):
        [*rows_of(table, 10)]


def test_rows_that_name_no_pair_are_told_in_their_order(
    workspace: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(f"left,right,note\n{A},{B},\nx,{A},\n#0,#9,\n,{A},\n#0,#1,\n")
    found = found_in(workspace, file)
    assert (found.rows, pairs_of(found)) == (5, [(5, 0, 1)])
    assert found.problems == (
        f"{file}, line 2: 2 pages are called {B}; name it by id, or by number: #1",
        f"{file}, line 3: no page is called x",
        f"{file}, line 4: no page is called #9",
        f"{file}, line 5: it does not name the left page; give left_url or left_id",
    )
    odd = tmp_path / "odd.jsonl"
    odd.write_text('no json\n[1]\n{"a": 1, "b": 2, "c": 3}\n')
    told = found_in(workspace, odd).problems
    assert "neither a JSON object nor a list of two" in told[0]
    assert all("it does not name two pages; give left and right" in each for each in told[1:])


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pairs are read from .csv, .jsonl, .ndjson, .parquet fi"):
        [*rows_of(tmp_path / "pairs.xlsx")]
    (tmp_path / "long.csv").write_text("#0,#1\n" * 30)
    with pytest.raises(InputError, match="more than the memory allows"):
        [*rows_of(tmp_path / "long.csv", 100)]
