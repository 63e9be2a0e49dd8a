"""The keys by which the searches of a rule bring pages together, as numbers that are shuffled."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.spark.key_stars import Keys, Numbers
from webecho.engine.spark.page_parts import Known
from webecho.engine.spark.sets import group_kinds
from webecho.group.rules.keys import Bands, Chunks, Pieces, Supershingles
from webecho.group.rules.keys import Keys as RuleKeys
from webecho.group.rules.rule import Search

# Of one search the kinds of keys are below this.
POSITIONS = 1 << 16
# Ways to choose the supershingles that must agree; of more ways candidates are compared instead.
MOST_WAYS = 64
# An odd number, of which no power repeats early.
BASE = np.uint64(0x9E37_79B9_7F4A_7C15)


def key_column(keys: RuleKeys) -> str:
    """The column of the sketches that keys are made of."""
    match keys:
        case Bands():
            return "features"
        case Supershingles():
            return "supershingles"
        case Pieces():
            return "projection"
        case Chunks():
            raise TypeError(f"{keys} are of a table of their own")


def search_keys(searches: Sequence[Search], rows: pa.RecordBatch, known: Known) -> Iterator[Keys]:
    """The keys of pages by all searches."""
    for number, search in enumerate(searches):
        column = key_column(search.keys)
        there = rows[column].is_valid()
        if not there.true_count:
            continue
        page = rows["page"].filter(there).to_numpy()
        values = flat(rows[column]).to_numpy().reshape(len(page), -1)
        groups = partition_kinds(known, there)
        for position, key in enumerate(positions(search.keys, values)):
            yield Keys.of(number * POSITIONS + position + groups, key, None, page)


def partition_kinds(known: Known, there: pa.Array) -> Numbers:
    """What is added to the kinds of keys of these rows, in an array of one for all, or of each."""
    if "partition" not in known:
        return np.zeros(there.true_count, np.int64)
    return group_kinds(known["partition"].filter(there))


def positions(keys: RuleKeys, values: Numbers) -> Iterator[Numbers]:
    """What pages have at each position, of rows of values."""
    match keys:
        case Supershingles():
            yield from np.ascontiguousarray(values.T)
        case Pieces(count):
            words = values.view(np.uint64)
            bits = 64 * words.shape[1]
            for piece in range(count):
                yield piece_bits(words, bits * piece // count, bits * (piece + 1) // count)
        case Bands(bands, width, _):
            for band in range(bands):
                yield mixed(values[:, band * width : (band + 1) * width])
        case Chunks():
            raise TypeError(f"{keys} are of a table of their own")


def piece_bits(words: "np.ndarray", start: int, end: int) -> Numbers:
    """The bits from `start` to `end`, at most 32, of each row of words."""
    at, shift = divmod(start, 64)
    found = words[:, at] >> np.uint64(shift)
    if shift + end - start > 64:
        found |= words[:, at + 1] << np.uint64(64 - shift)
    found &= np.uint64((1 << (end - start)) - 1)
    return np.ascontiguousarray(found).view(np.int64)


def mixed(values: Numbers) -> Numbers:
    """A fingerprint of each row of values, in their order."""
    found = np.zeros(len(values), np.uint64)
    for column in values.T:
        found = found * BASE + column.astype(np.uint64)
    found ^= found >> np.uint64(30)
    found *= np.uint64(0xBF58_476D_1CE4_E5B9)
    found ^= found >> np.uint64(27)
    return found.view(np.int64)


def ways(count: int, least: int) -> int:
    """In how many ways `least` of so many supershingles can agree."""
    return comb(count, least)


def agreeing_keys(least: int, rows: pa.RecordBatch, _: Known) -> Iterator[Keys]:
    """What pages have in common of which at least so many supershingles agree: these together, as
    the megashingles are two of six (Fetterly 2004)."""
    lists = rows["supershingles"]
    there = lists.is_valid()
    if not there.true_count:
        return
    page = rows["page"].filter(there).to_numpy()
    values = flat(lists).to_numpy().reshape(len(page), -1)
    for kind, chosen in enumerate(combinations(range(values.shape[1]), least)):
        first, *rest = chosen
        # Two are themselves; of more the others are mixed, which the first one's 64 bits stand by.
        second = None
        if rest:
            second = values[:, rest[0]] if len(rest) == 1 else mixed(values[:, rest])
        yield Keys.of(kind, values[:, first], second, page)


def flat(lists: pa.Array | pa.ChunkedArray) -> pa.Array:
    """The values of lists, one after the other."""
    whole = lists.combine_chunks() if isinstance(lists, pa.ChunkedArray) else lists
    return pc.list_flatten(whole)
