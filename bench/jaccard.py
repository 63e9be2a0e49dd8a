"""All pairs of documents at or above a Jaccard, exactly: a join by prefixes.

The Jaccard of two sets is what they share over what they have together. Where it is at least t,
the sets share an element among the first |s| − ⌈t·|s|⌉ + 1 of each in any one order of all
elements (Chaudhuri, Ganti and Kaushik 2006). In the order from rare to frequent these prefixes
meet seldom, so that all pairs whose prefixes meet can be counted out.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
NOTHING = np.empty(0, np.int64)


def pairs_at(sets: list[Numbers], least: Fraction) -> Numbers:
    """The places of all pairs at or above `least`, lower first, as rows; empty sets have none."""
    ordered = rare_first(sets)
    groups = equal_sets(ordered)
    firsts = [group[0] for group in groups]
    found = [within(group) for group in groups if len(group) > 1 and len(ordered[group[0]]) > 0]
    for left, right in candidates([ordered[place] for place in firsts], least):
        if together(ordered[firsts[left]], ordered[firsts[right]], least):
            found.append(between(groups[left], groups[right]))
    rows = np.sort(np.concatenate([NOTHING.reshape(0, 2), *found]), axis=1)
    return rows[np.lexsort((rows[:, 1], rows[:, 0]))]


def rare_first(sets: list[Numbers]) -> list[Numbers]:
    """The sets, each element by its rank from rare to frequent, ascending."""
    sizes = [len(one) for one in sets]
    if not sets:
        return []
    _, element, count = np.unique(np.concatenate(sets), return_inverse=True, return_counts=True)
    rank = np.empty(len(count), np.int64)
    rank[np.argsort(count, kind="stable")] = np.arange(len(count))
    return [np.sort(part) for part in np.split(rank[element], np.cumsum(sizes)[:-1])]


def equal_sets(ordered: list[Numbers]) -> list[list[int]]:
    """The places of equal sets together, so that many copies are one to compare."""
    groups: dict[bytes, list[int]] = {}
    for place, one in enumerate(ordered):
        groups.setdefault(one.tobytes(), []).append(place)
    return list(groups.values())


def candidates(ordered: list[Numbers], least: Fraction) -> list[tuple[int, int]]:
    """The pairs whose prefixes share an element and whose sizes allow the Jaccard."""
    prefixes = [one[: len(one) - needed(len(one), least) + 1] for one in ordered]
    element = np.concatenate([NOTHING, *prefixes])
    place = np.repeat(np.arange(len(ordered)), [len(prefix) for prefix in prefixes])
    _, number, count = np.unique(element, return_inverse=True, return_counts=True)
    # Most elements are in one prefix alone.
    shared = count[number] > 1
    element, place = element[shared], place[shared]
    order = np.lexsort((place, element))
    element, place = element[order], place[order]
    ends = np.flatnonzero(np.diff(element)) + 1
    size = np.array([len(one) for one in ordered])
    keys: set[int] = set()
    for group in np.split(place, ends):
        for position, left in enumerate(group[:-1]):
            others = group[position + 1 :]
            low, high = np.minimum(size[others], size[left]), np.maximum(size[others], size[left])
            fits = others[low * least.denominator >= high * least.numerator]
            keys.update((int(left) * len(ordered) + fits).tolist())
    return [divmod(key, len(ordered)) for key in sorted(keys)]


def needed(size: int, least: Fraction) -> int:
    """How many elements a set of this size shares at the least: ⌈least · size⌉."""
    return -(-size * least.numerator // least.denominator)


def together(left: Numbers, right: Numbers, least: Fraction) -> bool:
    shared = len(np.intersect1d(left, right, assume_unique=True))
    union = len(left) + len(right) - shared
    return shared * least.denominator >= union * least.numerator


def within(group: list[int]) -> Numbers:
    first, second = np.triu_indices(len(group), 1)
    places = np.array(group)
    return np.column_stack((places[first], places[second]))


def between(left: list[int], right: list[int]) -> Numbers:
    return np.column_stack((np.repeat(left, len(right)), np.tile(right, len(left))))
