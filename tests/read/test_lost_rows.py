"""Rows that cannot be read: each counts, as far as the file can have had them."""

from webecho.formats.skipped import Skipped
from webecho.read.lost_rows import lost_rows
from webecho.read.pages import BATCH_PAGES


def told(rows: range, after: int, size: int) -> list[Skipped]:
    return [
        skip for batch in lost_rows(rows, after, "broken", "how", size) for skip in batch.skipped
    ]


def test_each_row_after_the_place_is_told_with_the_reason() -> None:
    assert told(range(3, 7), 4, 100) == [
        Skipped(5, "broken", "how", failed=True),
        Skipped(6, "broken", "how", failed=True),
    ]
    assert told(range(3, 7), 6, 100) == []


def test_they_come_some_at_a_time() -> None:
    sizes = [len(batch.skipped) for batch in lost_rows(range(20_000), -1, "broken", "how", 9)]
    assert sizes == [BATCH_PAGES, BATCH_PAGES, 20_000 - 2 * BATCH_PAGES]


def test_a_file_is_not_believed_that_says_to_have_more_rows_than_bits() -> None:
    # A mebi of rows are always believed; the one after them stands for the rest.
    assert len(told(range(1 << 62), -1, 100)) == (1 << 20) + 1
    assert len(told(range(1 << 62), (1 << 20) - 1, 100)) == 1
