"""What the splits of a source give one after the other is what it gives at once."""

import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.collections_made import as_folder, as_parquet, many_pages, small_web
from tests.engine.spark.workspaces import broken_parquet, every_kind
from webecho.formats.skipped import Skipped
from webecho.read.batching import NO_PAGES
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.pages import Batch, Source
from webecho.read.splits import Split, breaks_at, splits_of, up_to


def given(source: Source, split: Split) -> list[Any]:
    """Places, contents and skipped records, as somebody else reads them."""
    there: Source = pickle.loads(pickle.dumps(source.narrowed(split.after, split.last)))
    found: list[Any] = []
    for batch in there.batches(split.after, split.last):
        columns = batch.pages.select(["place", "url", "id", "body"])
        found += columns.cast(
            pa.schema([*map(columns.schema.field, range(3)), ("body", pa.large_binary())])
        ).to_pylist()
        found += batch.skipped
    return sorted(
        found, key=lambda each: each.place if isinstance(each, Skipped) else each["place"]
    )


def test_all_formats_split_give_what_they_give_whole(tmp_path: Path) -> None:
    sources = open_collection(every_kind(tmp_path), ReadOptions()).sources
    # Of an archive within an archive a break may be none; see what Spark's engine does then.
    for source in [each for each in sources if "nested" not in each.name]:
        whole = given(source, Split())
        places = [each.place if isinstance(each, Skipped) else each["place"] for each in whole]
        for size in (1, 2000):
            splits = splits_of(source, size)
            assert [each for split in splits for each in given(source, split)] == whole
        # From anywhere on, too.
        middle = places[len(places) // 2]
        rest = [each for split in splits_of(source, 1, middle) for each in given(source, split)]
        assert rest == whole[len(places) // 2 + 1 :]
        for last in (places[0], middle, places[-1]):
            assert given(source, Split(-1, last)) == whole[: places.index(last) + 1]


@pytest.mark.parametrize("size", [1, 700, 10**9])
def test_row_groups_and_files_are_what_can_be_read_by_itself(tmp_path: Path, size: int) -> None:
    files = [
        str(as_parquet(tmp_path / "a.parquet", many_pages(40), rows=10)),
        str(broken_parquet(tmp_path / "b.parquet")),
        str(as_folder(tmp_path / "folder", small_web())),
    ]
    rows, broken, folder = open_collection(files, ReadOptions()).sources
    if size == 1:
        assert rows.breaks(size) == broken.breaks(size) == [9, 19, 29]
        assert folder.breaks(size) == [*range(len(small_web()) - 1)]
    if size == 10**9:
        assert not rows.breaks(size)
        assert not folder.breaks(size)
    assert splits_of(rows, 1, 15) == [Split(15, 19), Split(19, 29), Split(29, None)]


def test_a_folder_sends_along_only_the_files_of_a_split(tmp_path: Path) -> None:
    folder = str(as_folder(tmp_path / "folder", small_web()))
    [source] = open_collection([folder], ReadOptions()).sources
    narrow = source.narrowed(4, 6)
    assert len(narrow.look.seen) == 2
    assert len(pickle.dumps(narrow)) < len(pickle.dumps(source))
    assert narrow.path_prefix == source.path_prefix
    assert [each["place"] for each in given(narrow, Split(4, 6))] == [5, 6]
    assert given(narrow.narrowed(5, 6), Split(5, 6)) == given(source, Split(5, 6))


def test_breaks_are_where_enough_has_come_and_more_comes() -> None:
    assert breaks_at([9, 19, 29], [5, 5, 5], 5) == [9, 19]
    assert breaks_at([9, 19, 29], [5, 5, 5], 6) == [19]
    assert breaks_at([9, 19, 29], [5, 5, 5], 99) == []
    assert breaks_at([], [], 1) == []
    # What a broken file says of itself.
    assert breaks_at([9, 4, 29], [5, 5, 5], 1) == [9]


def test_no_more_batches_are_read_than_needed() -> None:
    def batches() -> Any:
        yield Batch(NO_PAGES)
        yield Batch(NO_PAGES, (Skipped(0, "one"), Skipped(3, "two")))
        raise AssertionError

    assert [batch.skipped for batch in up_to(batches(), 0)] == [(), (Skipped(0, "one"),)]
