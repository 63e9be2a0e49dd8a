"""*Splits*: stretches of a source, each of which can be read by itself, by whoever has time.

What the splits of a source give one after the other is what the source gives at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow.compute as pc

from webecho.read.pages import Batch, Source


@dataclass(frozen=True)
class Split:
    """The pages and skipped records of a source whose places are greater than `after`, and at most
    `last` if that is said."""

    after: int = -1
    last: int | None = None


def splits_of(source: Source, size: int, after: int = -1) -> list[Split]:
    """The splits of what a source has beyond a place, of about so many bytes each."""
    breaks = [place for place in source.breaks(size) if place > after]
    ends: list[int | None] = [*breaks, None]
    return [Split(start, end) for start, end in zip([after, *breaks], ends, strict=True)]


def up_to(batches: Iterable[Batch], last: int | None) -> Iterator[Batch]:
    """The batches up to a place, and no more of them than needed."""
    for batch in batches:
        if last is None or batch.end < last or not (len(batch.pages) or batch.skipped):
            yield batch
            continue
        count = pc.sum(pc.less_equal(batch.pages["place"], last)).as_py() or 0
        skipped = tuple(each for each in batch.skipped if each.place <= last)
        yield Batch(batch.pages.slice(0, count), skipped)
        return


def breaks_at(ends: Sequence[int], sizes: Iterable[int], size: int) -> list[int]:
    """After which of the places at which pieces of these sizes end the next split begins."""
    found: list[int] = []
    held = 0
    for end, count in zip(ends, sizes, strict=True):
        held += count
        if held >= size and end < ends[-1] and (not found or end > found[-1]):
            found.append(end)
            held = 0
    return found
