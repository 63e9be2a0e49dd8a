"""*Lost rows*: those that a table says it has and that cannot be read. Each is a record that
failed, so that the counts add up."""

from collections.abc import Iterator

from webecho.formats.skipped import Skipped
from webecho.read.batching import NO_PAGES
from webecho.read.pages import BATCH_PAGES, Batch

# How many rows a damaged file is believed to have: what it says costs it nothing, and listing them
# takes time. Texts take more than a bit each.
_ROWS_A_BYTE = 8
_BELIEVED = 1 << 20


def lost_rows(rows: range, after: int, reason: str, detail: str, size: int) -> Iterator[Batch]:
    """These rows of a file of so many bytes, as far as they come after a place, as failed for a
    reason; of more than it can have the rest counts as one."""
    most = max(_BELIEVED, _ROWS_A_BYTE * size)
    listed = rows[: most + 1]
    wanted = range(max(listed.start, after + 1), listed.stop)
    for start in range(wanted.start, wanted.stop, BATCH_PAGES):
        some = range(start, min(start + BATCH_PAGES, wanted.stop))
        yield Batch(NO_PAGES, tuple(Skipped(row, reason, detail, failed=True) for row in some))
