"""*Shared passages*: runs of chunks that two pages have in common, as they stand on both."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from webecho.sketches.passages import Numbers, Passages

# So many comparisons are spent on where a run stands best if its chunks stand in several places;
# pages that say one thing a million times would take forever.
TRIED = 10_000_000
# Chunks that are compared together at first.
BLOCK = 64
# Of the sums by which runs are found: odd, so that it has an inverse.
BASE = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class Run:
    """So many chunks from these places on, which are the same on both pages."""

    left: int
    right: int
    count: int


@dataclass(frozen=True, eq=False)
class SharedPassage:
    """A run of chunks that stands on both pages: on which lines of each, and its text on each,
    which is cut out of the page when it is asked for."""

    run: Run
    left: Passages = field(repr=False)
    right: Passages = field(repr=False)

    @property
    def chunks(self) -> int:
        return self.run.count

    @property
    def left_lines(self) -> tuple[int, int]:
        return self.left.lines(self.run.left, self.run.count)

    @property
    def right_lines(self) -> tuple[int, int]:
        return self.right.lines(self.run.right, self.run.count)

    @property
    def left_text(self) -> str:
        return self.left.cut(self.run.left, self.run.count)

    @property
    def right_text(self) -> str:
        return self.right.cut(self.run.right, self.run.count)

    def as_dict(self) -> dict[str, Any]:
        names = ("chunks", "left_lines", "right_lines", "left_text", "right_text")
        return {name: getattr(self, name) for name in names}


def shared_passages(left: Passages, right: Passages, bits: int = 64) -> list[SharedPassage]:
    """The runs of chunks on the left page that stand on the right one too, in the order of the left
    page."""
    runs = shared_runs(left.chunks, right.chunks, bits)
    return [SharedPassage(run, left, right) for run in runs]


def shared_runs(left: Numbers, right: Numbers, bits: int = 64) -> Iterator[Run]:
    """The same as places of chunks on both: from each chunk that is shared and in no run before,
    the longest run that begins with it, where it stands first."""
    ours, theirs = shortened(left, bits), shortened(right, bits)
    order = np.argsort(theirs, kind="stable")
    ends = [np.searchsorted(theirs[order], ours, side) for side in ("left", "right")]
    shared = np.flatnonzero(ends[1] > ends[0])
    at, tries = 0, TRIED
    for place in shared.tolist():
        if place < at:
            continue
        places = order[ends[0][place] : ends[1][place]]
        count = 1
        while len(places) > 1 and place + count < len(ours) and tries > 0:
            tries -= len(places)
            inside = places[places + count < len(theirs)]
            longer = inside[theirs[inside + count] == ours[place + count]]
            if not len(longer):
                break
            places, count = longer, count + 1
        there = int(places[0])
        count += equal_from(ours[place + count :], theirs[there + count :])
        at = place + count
        yield Run(place, there, count)


def longest_run(left: Numbers, right: Numbers, bits: int = 64) -> Run | None:
    """The longest run of chunks on both, the first of several; none if they share nothing.

    Where there is a run of n chunks there is one of n - 1: so its length is found by halving.
    """
    ours, theirs = shortened(left, bits), shortened(right, bits)
    low, high = 0, min(len(ours), len(theirs))
    best = None
    sums = [prefix_sums(each) for each in (ours, theirs)]
    while low < high:
        count = (low + high + 1) // 2
        run = run_of(ours, theirs, sums, count)
        if run is None:
            high = count - 1
        else:
            best, low = run, count
    return best


def run_of(
    ours: Numbers, theirs: Numbers, sums: list[tuple[Numbers, Numbers]], count: int
) -> Run | None:
    """The first run of so many chunks that is on both, by the sums of all such."""
    one, other = ((total[count:] - total[:-count]) * back[:-count] for total, back in sums)
    there, first = np.unique(other, return_index=True)
    at = np.searchsorted(there, one)
    at[at == len(there)] = 0
    for place in np.flatnonzero(there[at] == one).tolist():
        begin = int(first[at[place]])
        # Sums may be the same by accident.
        if np.array_equal(ours[place : place + count], theirs[begin : begin + count]):
            return Run(place, begin, count)
    return None


def prefix_sums(values: Numbers) -> tuple[Numbers, Numbers]:
    """The sums of all values up to each, every one times a higher power of the base, and what takes
    the power off that the first of some has: so that sums of the same values are the same."""
    powers = np.full(len(values) + 1, BASE, np.uint64)
    back = np.full(len(values) + 1, pow(BASE, -1, 1 << 64), np.uint64)
    powers[0] = back[0] = 1
    np.cumprod(powers, out=powers)
    np.cumprod(back, out=back)
    sums = np.zeros(len(values) + 1, np.uint64)
    np.cumsum(values.view(np.uint64) * powers[:-1], out=sums[1:])
    return sums, back  # type: ignore[return-value]


def shortened(chunks: Numbers, bits: int) -> Numbers:
    """The bits of fingerprints that are compared."""
    short: Numbers = np.ascontiguousarray(chunks)
    return short if bits == 64 else short & ((1 << bits) - 1)


def equal_from(one: Numbers, other: Numbers) -> int:
    """How many values the two begin with that are the same."""
    done, size = 0, BLOCK
    while True:
        ours, theirs = one[done : done + size], other[done : done + size]
        size = min(len(ours), len(theirs))
        differ = np.flatnonzero(ours[:size] != theirs[:size])
        if len(differ):
            return done + int(differ[0])
        done += size
        if done >= min(len(one), len(other)):
            return done
        size = 2 * max(size, BLOCK)
