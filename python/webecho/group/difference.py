"""*Difference* of two pages: the words that both have, those removed and those added, in order.

Words are tokens as the text spells them; two are equal if their tokens are, so that with a recipe
that folds case `Fox` equals `fox`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from webecho import _core

Kind = Literal["equal", "removed", "added"]


@dataclass(frozen=True)
class Stretch:
    """Words that follow each other on both pages, or on the left or the right one alone."""

    kind: Kind
    left: tuple[str, ...]
    right: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """As the left page spells them where it has them."""
        return self.left or self.right


def difference(left: pa.RecordBatch, right: pa.RecordBatch) -> tuple[Stretch, ...]:
    """All words of both pages in stretches; `left` and `right` are rows of `Sketcher.words`."""
    left_tokens, right_tokens = (row["tokens"][0].values for row in (left, right))
    left_words, right_words = (tuple(row["words"][0].as_py()) for row in (left, right))
    runs = _core.difference(left_tokens, right_tokens)
    return tuple(stretches(runs, left_words, right_words))


def stretches(
    runs: pa.RecordBatch, left: tuple[str, ...], right: tuple[str, ...]
) -> Iterator[Stretch]:
    """What is removed, what is added, what is equal, and so on; none of them empty."""
    starts = [*zip(*(column.to_pylist() for column in runs.columns), strict=True)]
    left_at = right_at = 0
    for left_start, right_start, length in [*starts, (len(left), len(right), 0)]:
        left_end, right_end = left_start + length, right_start + length
        if left_at < left_start:
            yield Stretch("removed", left[left_at:left_start], ())
        if right_at < right_start:
            yield Stretch("added", (), right[right_at:right_start])
        if length:
            yield Stretch("equal", left[left_start:left_end], right[right_start:right_end])
        left_at, right_at = left_end, right_end
