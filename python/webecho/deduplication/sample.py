"""*Sample*: the part of a collection that a dry run reads.

A collection is cut into *stretches*: whole files, or what can be read by itself of one (row groups
of Parquet files, frames of archives, the archives in a WACZ, files of a folder, rows of a table).
Some are drawn. Where that would be few, all or many are, and of each only the beginning is read.
A file that is one compressed stream, or lines whose number is not known, can be entered nowhere but
at its beginning, and is one stretch.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from webecho.read.batching import cut
from webecho.read.collection import Collection
from webecho.read.pages import Batch, Choice, Source
from webecho.read.splits import Split, splits_of, up_to

if TYPE_CHECKING:
    from webecho.formats.looks import Look

# A collection is cut into at most about so many stretches (to find one in an archive is to read
# there), of no fewer bytes.
STRETCHES = 4000
LEAST_BYTES = 64 << 10
# Whole stretches are read if so many are drawn; else more are drawn, and begun.
ENOUGH = 40
# The same inputs have the same sample.
SEED = 2006


@dataclass(frozen=True)
class Stretch:
    """A part of a source, and which share of it is read, from its beginning on."""

    split: Split
    share: float = 1.0


@dataclass
class SampledSource:
    """Some stretches of a source. Of each `reached` tells where in the source it begins and how far
    it was read, as shares of the whole."""

    whole: Source
    stretches: Sequence[Stretch]
    of: int
    reached: list[tuple[float, float]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.whole.name

    @property
    def format(self) -> str:
        return self.whole.format

    @property
    def rereadable(self) -> bool:
        return self.whole.rereadable

    @property
    def in_memory(self) -> bool:
        return self.whole.in_memory

    @property
    def table(self) -> pa.Table | None:
        return self.whole.table

    @property
    def has_columns(self) -> bool:
        return self.whole.has_columns

    @property
    def id_type(self) -> pa.DataType | None:
        # Nobody sees the sample's ids and addresses.
        return pa.string()

    @property
    def numeric_ids(self) -> bool:
        return False

    @property
    def path_prefix(self) -> str | None:
        return None

    @property
    def look(self) -> "Look":
        return self.whole.look

    def choice(self) -> Choice | None:
        return self.whole.choice()

    def stamp(self) -> dict[str, int | str]:
        return self.whole.stamp()

    def span(self) -> int | None:
        return self.whole.span()

    def passed(self, place: int) -> float | None:
        return self.whole.passed(place)

    @property
    def sure_breaks(self) -> bool:
        return True

    def breaks(self, _: int) -> Sequence[int]:
        return ()

    def narrowed(self, _: int, __: int | None) -> Source:
        return self

    def batches(self, after: int = -1, _: int | None = None) -> Iterator[Batch]:
        # A stretch may be a page, and each batch takes its time.
        return cut(self._stretches(after))

    def _stretches(self, after: int) -> Iterator[Batch]:
        self.reached = []
        for stretch in self.stretches:
            split = stretch.split
            if split.last is None or split.last > after:
                begun = Split(max(split.after, after), split.last)
                yield from self._batches(replace(stretch, split=begun))

    def _batches(self, stretch: Stretch) -> Iterator[Batch]:
        split = stretch.split
        start = share_before(self.whole, split.after)
        if stretch.share >= 1:
            yield from self.whole.batches(split.after, split.last)
            self.reached.append((start, share_at(self.whole, split.last)))
            return
        goal = start + stretch.share * (share_at(self.whole, split.last) - start)
        span = self.whole.span()
        if span is not None:
            # Places go evenly up to it, so that it is known beforehand where that is.
            last = max(round(goal * span) - numbers_records(self.whole), split.after + 1)
            if numbers_records(self.whole):
                yield from self.whole.batches(split.after, last)
                self.reached.append((start, max(start, share_at(self.whole, last))))
            else:
                yield from self._beyond(split, last, start)
            return
        for batch in self.whole.batches(split.after, split.last):
            places = [*batch.pages["place"].to_pylist(), *(each.place for each in batch.skipped)]
            places.sort()
            # How far it is to a place is known once it has been read.
            end = bisect_left(places, goal, key=lambda place: share_at(self.whole, place))
            if end + 1 < len(places):
                # The place of a record in an archive is where it begins, so that it is not read.
                yield from up_to([batch], places[end] - (not numbers_records(self.whole)))
                self.reached.append((start, share_at(self.whole, places[end])))
                return
            yield batch
        self.reached.append((start, share_at(self.whole, split.last)))

    def _beyond(self, split: Split, goal: int, start: float) -> Iterator[Batch]:
        """The records of a stretch of an archive up to the first that begins beyond the goal.

        A record that stands across the goal is likely a long one: were it left out, the others
        would pass for more in as many bytes than there are. Where the stretch begins after a
        record, the bytes of that stand for those of the last one.
        """
        end = split.after
        for batch in self.whole.batches(split.after, goal):
            end = max(end, batch.end)
            yield batch
        upcoming = self._next(end, split.last)
        if upcoming is not None and split.after >= 0:
            yield from self.whole.batches(end, upcoming)
        self.reached.append((start, share_at(self.whole, upcoming or split.last)))

    def _next(self, place: int, last: int | None) -> int | None:
        """Where the next record begins, if there is one up to the last place."""
        ahead, span = LEAST_BYTES, self.whole.span() or 0
        most = span if last is None else last
        while True:
            to = min(place + ahead, most)
            for batch in self.whole.batches(place, to):
                places = [each.place for each in batch.skipped[:1]]
                places += batch.pages["place"][:1].to_pylist()
                if places:
                    return min(places)
            if to == most:
                return None
            ahead *= 16

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        return self.whole.read(places)

    def close(self) -> None:
        self.whole.close()


def share_at(source: Source, place: int | None) -> float:
    """About how much of a source is read when this place is: all of it at its end."""
    if place is None:
        return 1.0
    records = records_in(source)
    passed = source.passed(place) if records is None else min(1.0, (place + 1) / max(records, 1))
    return 1.0 if passed is None else passed


def share_before(source: Source, after: int) -> float:
    """About how much of a source lies before what comes after this place."""
    return 0.0 if after < 0 else share_at(source, after)


def numbers_records(source: Source) -> bool:
    """Whether its places are numbers of rows or files, and not offsets."""
    return source.has_columns or source.path_prefix is not None


def records_in(source: Source) -> int | None:
    """How many records a source has, where that is known."""
    return source.span() if numbers_records(source) else None


def extent(source: Source) -> int:
    """How much there is of a source: records where their number is known, else bytes."""
    records = records_in(source)
    return int(source.stamp().get("size", 0)) if records is None else records


def sampled(collection: Collection, share: float) -> tuple[Collection, list[SampledSource]]:
    """The collection with about this share of its pages, and its sources, which tell what they
    read."""
    sources = collection.sources
    total = sum(int(source.stamp().get("size", 0)) for source in sources)
    cuts = [stretches_of(source, max(LEAST_BYTES, total // STRETCHES)) for source in sources]
    drawn: list[list[Stretch]] = [[] for _ in sources]
    # What is counted in records and what in bytes is drawn apart, so that either can be told.
    for counted in (True, False):
        own = [at for at, each in enumerate(sources) if (records_in(each) is None) != counted]
        splits = [(at, split) for at in own for split in cuts[at]]
        for number, part in draw(len(splits), share):
            at, split = splits[number]
            drawn[at].append(Stretch(split, part))
    made = [
        SampledSource(source, some, len(all_))
        for source, some, all_ in zip(sources, drawn, cuts, strict=True)
    ]
    rest = iter(made)
    inputs = tuple(
        replace(each, sources=tuple(next(rest) for _ in each.sources)) for each in collection.inputs
    )
    return replace(collection, inputs=inputs), made


def stretches_of(source: Source, size: int) -> list[Split]:
    """What of a source can be read by itself, in order."""
    if source.table is None:
        return splits_of(source, size)
    rows = len(source.table)
    ends = [*range(max(1, rows // STRETCHES) - 1, rows - 1, max(1, rows // STRETCHES))]
    return [Split(after, last) for after, last in zip([-1, *ends], [*ends, None], strict=True)]


def draw(count: int, share: float) -> list[tuple[int, float]]:
    """Which of so many stretches are read, in order, and which share of each."""
    if not count:
        return []
    wanted = min(count, max(round(count * share), min(count, ENOUGH)))
    part = min(1.0, share * count / wanted)
    numbers = np.random.default_rng(SEED).permutation(count)[:wanted]
    return [(number, part) for number in sorted(numbers.tolist())]


def in_words(sources: Sequence[SampledSource]) -> str:
    """What of the inputs is read, and how it was chosen."""
    alone = [each for each in sources if each.of == 1]
    others = [each for each in sources if each.of > 1]
    return "; ".join(told for told in (_files(alone), _stretches(others)) if told)


def _files(sources: Sequence[SampledSource]) -> str:
    """Of files that are one stretch each."""
    read = [each for each in sources if each.stretches]
    if not read:
        return ""
    share = min(each.stretches[0].share for each in read)
    what = _some(len(read), len(sources), "files") if len(sources) > 1 else read[0].name
    if share == 1:
        return f"all of {what}"
    if len(read) == 1:
        return f"the first {percent(share)} of {what}, which can be read only from its beginning"
    part = percent(share)
    return f"the first {part} of each of {what}, which can be read only from their beginnings"


def _stretches(sources: Sequence[SampledSource]) -> str:
    shares = [stretch.share for each in sources for stretch in each.stretches]
    if not shares:
        return ""
    what = _some(len(shares), sum(each.of for each in sources), "stretches of the inputs")
    if min(shares) == 1:
        return f"all of {what}"
    return f"the first {percent(min(shares))} of each of {what}"


def percent(share: float) -> str:
    """A share with no more digits than tell something."""
    return f"{100 * share:.3g}%"


def _some(read: int, of: int, what: str) -> str:
    many = f"{of:,} {what}"
    return many if read == of else f"{read:,} of {many}, drawn at random"
