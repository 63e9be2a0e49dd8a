"""What is noticed of clusters, pairs and studies whose checksums are right."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.verification.damage import flipped
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


@pytest.mark.parametrize(
    ("order", "change", "problem"),
    [
        # What was found is six pairs, then four copies.
        ([1, 0], {}, "out of their order, or twice"),
        ([0, 0], {}, "out of their order, or twice"),
        ([0, 6, 1], {}, "out of their order, or twice"),
        ([0, 7, 6], {}, "out of their order, or twice"),
        ([0], {"right": [0]}, "whose left page is not the lower one"),
        ([0], {"right": [21]}, "pages that are not there"),
    ],
)
def test_what_overlaps_is_sorted_and_of_pages(
    crawl: Path, order: list[int], change: dict[str, list[int]], problem: str
) -> None:
    name = "overlap/words-3-sliding-9.parquet"
    rows = pq.read_table(crawl / name)
    assert rows["copy"].to_pylist() == [False] * 6 + [True] * 4
    rows = rows.take(order)
    for column, values in change.items():
        at = rows.column_names.index(column)
        rows = rows.set_column(at, column, pa.array(values, pa.int64()))
    rewrite(crawl, name, rows)
    [found] = webecho.verify(crawl).problems
    assert name in found and problem in found


def test_copies_are_sorted_by_the_pages_that_stand_for_them(crawl: Path) -> None:
    name = "overlap/words-3-sliding-9.parquet"
    rows = pq.read_table(crawl / name).slice(6, 2)
    for column, values in {"left": [1, 2], "right": [9, 5]}.items():
        at = rows.column_names.index(column)
        rows = rows.set_column(at, column, pa.array(values, pa.int64()))
    rewrite(crawl, name, rows)
    assert not webecho.verify(crawl).problems


def test_pages_that_carry_an_overlap_are_there(crawl: Path) -> None:
    name = "overlap/words-3-sliding-9-host-pages.parquet"
    rows = pq.read_table(crawl / name)
    assert len(rows)
    at = rows.column_names.index("page")
    pages = [*rows["page"].to_pylist()[1:], 21]
    rewrite(crawl, name, rows.set_column(at, "page", pa.array(pages, pa.int64())))
    assert webecho.verify(crawl).problems == (f"{crawl / name} has pages that are not there",)


def test_damaged_overlap_is_found(crawl: Path) -> None:
    file = crawl / "overlap" / "words-3-sliding-9-host.parquet"
    file.write_bytes(flipped(file.read_bytes(), 300))
    [found] = webecho.verify(crawl).problems
    assert str(file) in found and "find the overlap again, or remove it" in found


def test_a_study_has_what_its_list_says(crawl: Path) -> None:
    folder = crawl / "studies" / "duplicates"
    (folder / "study.json").unlink()
    (folder / "more.txt").write_text("a note")
    found = webecho.verify(crawl).problems
    # Notes that somebody put beside it are no study's.
    listed = folder / "checksums.json"
    assert found == (f"{folder / 'study.json'} is missing, which {listed} has",)
