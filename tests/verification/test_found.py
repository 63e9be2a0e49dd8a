"""What is noticed of clusters, pairs and studies whose checksums are right."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from webecho.workspace.workspace import Workspace


def rewrite(crawl: Path, name: str, rows: pa.Table) -> None:
    Workspace.open(crawl).write(crawl / name, [rows.replace_schema_metadata(None)])


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        ("page", "pages out of their order"),
        ("cluster", "clusters of another size or name"),
        ("size", "clusters of another size or name"),
    ],
)
def test_clusters_must_hold_together(crawl: Path, column: str, problem: str) -> None:
    rows = pq.read_table(crawl / "clusters" / "tokens.parquet")
    values = rows[column].to_pylist()
    values[7] += 1
    at = rows.column_names.index(column)
    rewrite(crawl, "clusters/tokens.parquet", rows.set_column(at, column, pa.array(values)))
    [found] = webecho.verify(crawl).problems
    assert "tokens.parquet" in found and problem in found


def test_clusters_have_all_pages(crawl: Path) -> None:
    rows = pq.read_table(crawl / "clusters" / "tokens.parquet")
    rewrite(crawl, "clusters/tokens.parquet", rows.slice(0, 20))
    assert "has 20 pages, and the workspace has 21" in "\n".join(webecho.verify(crawl).problems)


@pytest.mark.parametrize(
    ("order", "change", "problem"),
    [
        ([1, 0], {}, "out of their order, or twice"),
        ([0, 0], {}, "out of their order, or twice"),
        ([0], {"right": [0]}, "whose left page is not the lower one"),
        ([0], {"right": [21]}, "pages that are not there"),
    ],
)
def test_pairs_are_sorted_and_of_pages(
    crawl: Path, order: list[int], change: dict[str, list[int]], problem: str
) -> None:
    rows = pq.read_table(crawl / "pairs" / "tokens.parquet").take(order)
    for name, values in change.items():
        rows = rows.set_column(rows.column_names.index(name), name, pa.array(values, pa.int64()))
    rewrite(crawl, "pairs/tokens.parquet", rows)
    [found] = webecho.verify(crawl).problems
    assert "pairs/tokens.parquet" in found and problem in found


def test_a_study_has_what_its_list_says(crawl: Path) -> None:
    folder = crawl / "studies" / "duplicates"
    (folder / "study.json").unlink()
    (folder / "more.txt").write_text("a note")
    found = webecho.verify(crawl).problems
    # Notes that somebody put beside it are no study's.
    listed = folder / "checksums.json"
    assert found == (f"{folder / 'study.json'} is missing, which {listed} has",)
