"""Files of no bytes: an interrupted download, a crawler's placeholder. They are counted and said,
and stop nobody who gave others with them."""

from collections.abc import Iterator, Sequence
from typing import Self

import pyarrow as pa

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.looks import Look
from webecho.formats.skipped import Skipped
from webecho.read.batching import NO_PAGES
from webecho.read.pages import Batch, Choice

REASON = "empty file"


class EmptySource:
    """A file of no bytes."""

    format = "empty"
    rereadable = True
    in_memory = False
    table = None
    # Columns that are named need not be in it.
    has_columns = True
    sure_breaks = True
    id_type = None
    path_prefix = None
    numeric_ids = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.look = Look.at([name])

    def choice(self) -> Choice | None:
        return Choice("is empty")

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.name)

    def span(self) -> int | None:
        return None

    def passed(self, _: int) -> float | None:
        return None

    def breaks(self, _: int) -> Sequence[int]:
        return ()

    def narrowed(self, _: int, __: int | None) -> Self:
        return self

    def batches(self, after: int = -1, _: int | None = None) -> Iterator[Batch]:
        if after < 0:
            yield Batch(NO_PAGES, (Skipped(0, REASON),))

    def read(self, _: Sequence[int]) -> pa.RecordBatch:
        raise InputError(f"{self.name}: is empty, and has no page")

    def close(self) -> None:
        """Holds nothing."""


def is_empty(name: str) -> bool:
    """Whether this is a file of no bytes."""
    return files.size(name) == 0
