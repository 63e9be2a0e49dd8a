"""*Planted clusters*: supershingles whose very-similar clusters are known beforehand.

As many clusters of as many pages as Fetterly 2004 reports for its first week, scaled, their sizes
by a power law. Every page has a *slot*: clusters take the first slots, the largest cluster first,
and pages that are alone the rest; which page has which slot is drawn by chance.

Within a cluster pages agree with its first page in all six supershingles, or in exactly two, three,
four or five; or the cluster is a *chain*, in which each page agrees with the next in exactly two
and with none beyond. Pages of different clusters agree in one supershingle at most, and many do: by
a *rumour* that a few pages share, another one with each; or by a value that one page in 150 has.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint64]
Pages = npt.NDArray[np.uint32]
# Whether pages have a value in common with others, and which.
Shared = tuple[npt.NDArray[np.bool_], Numbers]

# Fetterly 2004, section 3 and table 1: the first week, and its largest clusters.
PAGES, CLUSTERED, CLUSTERS = 150_836_209, 57_305_947, 13_283_856
LARGEST = np.array(
    [
        [921_374, 315_788, 201_869, 118_530, 100_428, 92_629, 91_207, 84_421, 75_766, 70_081],
        [69_589, 64_297, 63_714, 63_298, 61_318, 60_923, 59_848, 59_358, 57_870, 53_555],
    ]
).ravel()
# 33.5 of the 44.0 million duplicates were virtually identical: three in four.
IDENTICAL = 3 / 4
# One cluster in so many is a chain, among them the fourth in size.
CHAINS = 20
# Of the pages so many have rumours, and so many a value that very many share.
RUMOURS, HOT = 1 / 5, 1 / 150
# Where rumours are heard, and how many pages could share one: of them so many hear any.
HERE, THERE = 1, 4
FEW = 15

# Which of the six supershingles agree with the first page's, where not all do.
SOME = np.array([mask for mask in range(64) if 2 <= mask.bit_count() <= 5], np.uint8)


@dataclass(frozen=True)
class Planted:
    """Where the clusters are: for each page its slot, for each cluster its first slot, and for
    each slot that is in a cluster which one."""

    slots: Pages
    starts: Pages
    clusters: Pages

    def save(self, folder: Path) -> None:
        for name, values in vars(self).items():
            np.save(folder / f"{name}.npy", values)

    @classmethod
    def load(cls, folder: Path) -> "Planted":
        return cls(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in FIELDS))

    def truth(self) -> tuple[Pages, Pages]:
        """For every page the lowest page of its cluster, and the cluster's size."""
        pages = np.empty_like(self.slots)
        pages[self.slots] = np.arange(len(self.slots), dtype=np.uint32)
        lowest, sizes = pages.copy(), np.ones_like(pages)
        clustered = len(self.clusters)
        if clustered:
            lowest[:clustered] = np.minimum.reduceat(pages[:clustered], self.starts)[self.clusters]
            sizes[:clustered] = np.diff(self.starts, append=np.uint32(clustered))[self.clusters]
        return lowest[self.slots], sizes[self.slots]


FIELDS = ("slots", "starts", "clusters")


def plant(pages: int) -> Planted:
    """The clusters among so many pages."""
    sizes = cluster_sizes(pages)
    starts = np.cumsum(sizes) - sizes
    clusters = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
    slots = np.random.default_rng(pages).permutation(np.arange(pages, dtype=np.uint32))
    return Planted(slots, starts.astype(np.uint32), clusters)


def cluster_sizes(pages: int) -> npt.NDArray[np.int64]:
    """How large each cluster is, descending: the largest as in the paper, the rest by a power law
    whose exponent gives the paper's number of clustered pages. At full size it is 2.62."""
    scale = pages / PAGES
    clustered, count = round(CLUSTERED * scale), round(CLUSTERS * scale)
    if not count:
        return np.array([], np.int64)
    largest = np.maximum(np.round(LARGEST * scale).astype(np.int64), 2)[:count]
    steep, flat = 5.0, 1.0
    for _ in range(60):
        middle = (steep + flat) / 2
        law = power_law(count - len(largest), int(largest[-1]), middle)
        if law.sum() + largest.sum() > clustered:
            flat = middle
        else:
            steep = middle
    law = power_law(count - len(largest), int(largest[-1]), steep)
    largest[0] += clustered - largest.sum() - law.sum()
    return np.concatenate([largest, law])


def power_law(count: int, largest: int, exponent: float) -> npt.NDArray[np.int64]:
    """So many sizes from 2 to the largest, descending, each as often as the law has it."""
    share = np.arange(2, largest + 1, dtype=np.float64) ** -exponent
    upto = np.cumsum(share) / share.sum()
    drawn = (np.arange(count, 0, -1) - 0.5) / max(count, 1)
    return np.searchsorted(upto, drawn).astype(np.int64) + 2


def supershingles(planted: Planted, first: int, count: int) -> npt.NDArray[np.int64]:
    """The six supershingles of some pages, row after row."""
    slots = planted.slots[first : first + count].astype(np.uint64)
    values = np.stack([own(slots, place, len(planted.slots)) for place in range(6)], axis=1)
    (rows,) = np.nonzero(slots < len(planted.clusters))
    clusters = planted.clusters[slots[rows]].astype(np.uint64)
    members = slots[rows] - planted.starts[clusters]
    chained = clusters % CHAINS == 3
    for chosen, shared in ((~chained, starred), (chained, linked)):
        some = rows[chosen]
        for place in range(6):
            agrees, value = shared(clusters[chosen], members[chosen], slots[some], place)
            values[some, place] = np.where(agrees, value, values[some, place])
    return values.view(np.int64)


def own(slots: Numbers, place: int, pages: int) -> Numbers:
    """What a page has that is in no cluster: a value of its own, a rumour, or the value of many."""
    values = chance(slots, 1, place)
    kind = chance(slots, 2, 0).astype(np.float64) / 2**64
    if place in (HERE, THERE):
        # The two numbers have no common divisor and a product above the number of pages, so that
        # no two pages have both remainders in common.
        apart = pages // FEW + FEW + (place == THERE)
        values = np.where(kind < RUMOURS, chance(slots % np.uint64(apart), 3, place), values)
    many = (kind > 1 - HOT) & (slots % np.uint64(6) == place)
    return np.where(many, chance(np.zeros_like(slots), 4, place), values)


def starred(clusters: Numbers, members: Numbers, slots: Numbers, place: int) -> Shared:
    """Whether pages agree with the first of their cluster in this place, and in what."""
    drawn = chance(slots, 5, 0)
    identical = (members == 0) | (drawn.astype(np.float64) / 2**64 < IDENTICAL)
    mask = np.where(identical, 63, SOME[drawn % len(SOME)])
    return (mask >> place) & 1 == 1, chance(clusters, 6, place)


def linked(clusters: Numbers, members: Numbers, _: Numbers, place: int) -> Shared:
    """The same for chains: two places agree with the page before, two with the page after."""
    third = (place // 2 + clusters) % 3
    before, after = third == members % 3, third == (members + 1) % 3
    link = chance(clusters, 7, place) + np.where(after, members + 1, members)
    return before | after, chance(link, 8, place)


def chance(numbers: Numbers, purpose: int, place: int) -> Numbers:
    """A value for each number that looks random: the finaliser of splitmix64."""
    x = numbers * np.uint64(8) + np.uint64(place) + np.uint64(purpose << 56)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
