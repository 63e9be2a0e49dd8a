"""*Selection*: which records of a source stay, and what was written for them.

A selection says of some records, by their places, whether each stays. What none lists stays.
Selections come in ascending order and are never held all at once; a *stretch* is records that stand
one after the other and share their fate.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc


@dataclass(frozen=True)
class Selection:
    """Some records of one source in order of place, and whether each stays."""

    places: pa.Int64Array
    stays: pa.BooleanArray


@dataclass(frozen=True)
class Original:
    """Where the page stands that stays for a copy: the archive file, if it is in one, and the place
    in it. `container` is what others know the file by, where it is not one of those written.

    A copy that is a revisit already `stands` for what stays.
    """

    file: str | None
    place: int
    container: str | None = None
    stands: bool = False


@dataclass(frozen=True)
class Written:
    """What was written for one source.

    `kept` and `left_out` count records, rows or files; `revisits` of those left out have a revisit
    record in their place, `repeated` ones were the very record that stays; `in_full` has the places
    of copies that are kept, since no revisit could stand for them; `lost` tells in words what could
    not be passed on.
    """

    file: Path
    bytes: int
    kept: int
    left_out: int
    revisits: int = 0
    repeated: int = 0
    in_full: tuple[int, ...] = ()
    lost: tuple[str, ...] = ()


class Tally:
    """Selections on their way, counted."""

    def __init__(self, selections: Iterable[Selection]) -> None:
        self._rest = iter(selections)
        self.kept = 0
        self.left_out = 0

    def __iter__(self) -> Iterator[Selection]:
        for some in self._rest:
            stay = some.stays.true_count
            self.kept += stay
            self.left_out += len(some.stays) - stay
            yield some

    def finish(self) -> None:
        """Counts those that nobody has asked for."""
        for _ in self:
            pass


def from_first_gone(selections: Iterable[Selection]) -> Iterator[Selection] | None:
    """The selections from shortly before the first record that goes; None if all stay."""
    rest = iter(selections)
    before: tuple[Selection, ...] = ()
    for some in rest:
        if some.stays.false_count:
            return chain(before, (some,), rest)
        before = (some,)
    return None


Originals = Callable[[int], Original | None]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Records one after the other that share their fate.

    A record is `alone` in its stretch where another may take its place.
    """

    first: int
    last: int
    count: int
    stays: bool
    alone: bool = False
    original: Original | None = None


def stretches(
    selections: Iterable[Selection], originals: Originals | None = None
) -> Iterator[Stretch]:
    """The selections as stretches, as long as they can be."""
    held: Stretch | None = None
    for stretch in _stretches(selections, originals):
        if held is None:
            held = stretch
        elif held.stays == stretch.stays and not (held.alone or stretch.alone):
            held = Stretch(held.first, stretch.last, held.count + stretch.count, stretch.stays)
        else:
            yield held
            held = stretch
    if held is not None:
        yield held


def _stretches(selections: Iterable[Selection], originals: Originals | None) -> Iterator[Stretch]:
    for some in selections:
        places, stays, count = some.places, some.stays, len(some.places)
        for start, end in _ranges(pc.not_equal(stays.slice(1), stays.slice(0, count - 1)), count):
            if stays[start].as_py() or originals is None:
                first, last = places[start].as_py(), places[end - 1].as_py()
                yield Stretch(first, last, end - start, stays[start].as_py())
                continue
            for place in places.slice(start, end - start).to_pylist():
                original = originals(place)
                yield Stretch(place, place, 1, False, original is not None, original)


def gone_rows(selections: Iterable[Selection]) -> Iterator[range]:
    """The rows that go, by their numbers, in ranges."""
    held = range(0)
    for some in selections:
        places = some.places.filter(pc.invert(some.stays))
        count = len(places)
        apart = pc.not_equal(pc.subtract(places.slice(1), places.slice(0, max(count - 1, 0))), 1)
        for start, end in _ranges(apart, count):
            found = range(places[start].as_py(), places[end - 1].as_py() + 1)
            if held and held.stop == found.start:
                held = range(held.start, found.stop)
                continue
            if held:
                yield held
            held = found
    if held:
        yield held


class GoneRows:
    """Rows that go, in ranges, and what stays between them; asked for in ascending order."""

    def __init__(self, ranges: Iterator[range]) -> None:
        self._ranges = ranges
        self._going: range | None = next(ranges, None)

    def staying(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Of the rows from `first` up to `end` those that stay, by the first and the end of each
        stretch of them."""
        row = first
        while row < end:
            while self._going is not None and self._going.stop <= row:
                self._going = next(self._ranges, None)
            going = self._going
            if going is not None and going.start <= row:
                row = going.stop
                continue
            stop = end if going is None else min(end, going.start)
            yield row, stop
            row = stop


def _ranges(breaks: pa.BooleanArray, count: int) -> Iterator[tuple[int, int]]:
    """Start and end of the stretches of `count` things, given after which a new one begins."""
    if count:
        inner = [index + 1 for index in pc.indices_nonzero(breaks).to_pylist()]
        yield from pairwise([0, *inner, count])
