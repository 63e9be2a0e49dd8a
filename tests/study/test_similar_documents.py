"""Which documents share paragraphs, held against counting by hand."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.study.reuse_made import collection, page, sentences
from webecho.api.runs import as_run
from webecho.engine.protocol import Database
from webecho.sketches.page_tables import require_tables
from webecho.study.similar_documents import (
    TABLE,
    add_documents,
    add_similar,
    new_similar,
    shared_paragraphs,
)
from webecho.workspace.workspace import Workspace

A, B, FOOT = sentences("river", 1, 30), sentences("hill", 1, 30), sentences("footer", 1, 6)
OLD = {
    "http://a.example/1": page(A, FOOT),
    "http://a.example/2": page(B, FOOT),
    "http://a.example/3": page(A[:10], B[:10], FOOT),
    # At most 450 characters, and more, but of two sentences.
    "http://a.example/4": page(A[:3]),
    "http://a.example/5": "word. " + ". " * 500,
}
NEW = {
    "http://n.example/1": page(A[:12], FOOT),
    # Each paragraph counts once.
    "http://n.example/2": page(B[:5], B[:5], B[:5], sentences("own", 1, 9)),
    "http://n.example/3": page(sentences("alone", 1, 20)),
}


def opened(folder: Path, database: Database, side: str, pages: dict[str, str]) -> int:
    path = collection(folder, side, pages, "2004-01-15")
    run = as_run()
    require_tables(path, [TABLE], run)
    return add_documents(database, Workspace.open(path), side, run)


@pytest.fixture
def compared(tmp_path: Path) -> Any:
    with as_run().database() as database:
        counts = [opened(tmp_path, database, *each) for each in (("old", OLD), ("new", NEW))]
        assert counts == [3, 3]
        database.add("total", pa.table({"page": [0, 1, 2]}))
        database.add("log_answers", pa.table({"log": [0, 0, 1], "page": [0, 2, 1]}))
        yield database


def similar(database: Database) -> dict[tuple[int, int], int]:
    rows = database.table("SELECT new, old, shared FROM similar_pairs").to_pylist()
    return {(row["new"], row["old"]): row["shared"] for row in rows}


def test_different_paragraphs_are_counted(compared: Database) -> None:
    left_out = add_similar(compared, 1)
    assert (left_out.paragraphs, left_out.places) == (0, 0)
    # Twelve sentences are ten paragraphs, six of the footer four.
    assert similar(compared) == {
        (0, 0): 10 + 4,
        (0, 1): 4,
        (0, 2): 8 + 4,
        (1, 1): 3,
        (1, 2): 3,
    }
    rows = pa.Table.from_batches([*shared_paragraphs(compared)]).to_pylist()
    pages = [(row["new"], row["old"]) for row in rows]
    assert pages == sorted(pages)
    assert {pair: pages.count(pair) for pair in pages} == similar(compared)


def test_only_so_many_are_similar(compared: Database) -> None:
    add_similar(compared, 5)
    assert similar(compared) == {(0, 0): 14, (0, 2): 12}


def test_what_stands_on_very_many_is_left_out_and_counted(compared: Database) -> None:
    left_out = add_similar(compared, 1, most=2)
    # The footer, on three pages; what two have is still looked up.
    assert (left_out.paragraphs, left_out.places) == (4, 12)
    assert similar(compared) == {(0, 0): 10, (0, 2): 8, (1, 1): 3, (1, 2): 3}


def test_new_similar_documents_of_a_log(compared: Database) -> None:
    assert [new_similar(compared, log) for log in (0, 1, 2)] == [2, 2, 0]
