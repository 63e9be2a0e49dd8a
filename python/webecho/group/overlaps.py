"""*Overlap*: how many chunks two pages share (Shivakumar 1998), and the table of those that share
enough. A *copy* has the same sequence of chunks as a page of lower number, which stands for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from webecho.chunkings import Chunking
from webecho.errors import SettingsError, setting
from webecho.group.partition import numbered
from webecho.group.rules.checks import Shared
from webecho.group.rules.keys import Chunks
from webecho.group.rules.rule import Rule, Search
from webecho.settings import Recipe
from webecho.workspace.lookup import NAMES, Lookup
from webecho.workspace.union import Pages

Method = Literal["auto", "sorted", "coarse"]
METHODS: tuple[str, ...] = get_args(Method)

# Pairs as engines find them: the chunks that both have, and those of each, different ones.
FOUND = pa.schema(
    [(name, pa.int64()) for name in ("left", "right", "shared", "left_size", "right_size")]
)


@dataclass(frozen=True)
class OverlapSearch:
    """What is looked for: at least so many `shared` chunks, of fingerprints of so many bits; chunks
    that stand on more than `most_pages` do not count. Methods differ in what they cost only."""

    chunking: Chunking
    shared: int
    bits: int
    most_pages: int | None = None
    method: Method = "auto"
    # A copy has at least so many different chunks; None: as many as must be shared.
    least_copy: int | None = None
    # Whether pages take part of which next to nothing is left but scripts.
    hollow: bool = True

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SettingsError(
                setting("method").to(self.method), f": it is one of {', '.join(METHODS)}"
            )

    @classmethod
    def of(cls, rule: Rule, recipe: Recipe, method: Method = "auto") -> "OverlapSearch":
        """What a rule looks for that goes by chunks."""
        match rule.searches(recipe):
            case (Search(Chunks() as keys, Shared(least)),):
                return cls(keys.chunking, least, keys.bits, keys.most, method)
        raise SettingsError(f"the rule {rule.name} is not about chunks")


@dataclass(frozen=True)
class Units:
    """What pages belong to, such as hosts: for each page the number of its unit, null where it has
    none, and the names of the units by their numbers."""

    numbers: pa.Array
    names: pa.Array

    @property
    def count(self) -> int:
        return len(self.names)

    def of(self, pages: pa.Array, lists: pa.ListArray) -> tuple[pa.Array, pa.ListArray]:
        """The units of pages in their place, as far as they have one."""
        found = self.numbers.take(pages)
        return found.drop_null(), lists.filter(found.is_valid())


def units_of(pages: Pages, column: str) -> Units:
    """The hosts or sites of pages."""
    known: dict[object, int] = {}
    numbers = numbered((batch[column] for batch in pages.batches([column])), known)
    nowhere = known.pop(None, None)
    if nowhere is not None:
        # The others keep their numbers; nobody has this one.
        numbers = pc.if_else(pc.equal(numbers, nowhere), pa.scalar(None, pa.uint32()), numbers)
    names: list[object] = [None] * (len(known) + (nowhere is not None))
    for name, number in known.items():
        names[number] = name
    return Units(numbers, pa.array(names, pa.string()))


class FoundOverlaps(Protocol):
    """What an engine has found, and finds as it is asked for."""

    @property
    def seconds(self) -> dict[str, float]:
        """What each step has taken so far: of pages `copies`, then `sort` and `overlap`."""

    @property
    def forecast(self) -> dict[str, Any]:
        """What is known before pairs are counted."""

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """The pairs, in batches of `FOUND`, sorted by `left` and `right`; they come once."""

    def copies(self) -> Iterator[pa.RecordBatch]:
        """The copies, as `right`, with the pages that stand for them, sorted in the same way."""

    def standing_for(self, pages: pa.Array) -> pa.Array:
        """How many pages each of these, of pairs, stands for, itself included."""

    def filtered(self) -> list[tuple[int, int, int, int]]:
        """Of each filter, when pairs have come: its cells, the heavy ones, the pairs that came to
        it, as often as they share a chunk, and those that it left."""


def overlap_rows(pages: Pages, found: FoundOverlaps, *, merged: bool = False) -> Iterator[pa.Table]:
    """The pairs that were found, then the copies, each sorted by `left` and `right`, or both
    `merged`, with what their pages are called."""
    lookup = Lookup.of(pages, (*NAMES, "site"))
    yield named_rows(marked(FOUND.empty_table(), False), lookup)
    pairs = (marked(pa.Table.from_batches([batch]), False) for batch in found.pairs())
    copies = (marked(pa.Table.from_batches([batch]), True) for batch in found.copies())
    for rows in in_order(pairs, copies) if merged else chain(pairs, copies):
        yield named_rows(rows, lookup)


def marked(rows: pa.Table, copy: bool) -> pa.Table:
    return rows.append_column("copy", pa.repeat(copy, len(rows)))


def in_order(one: Iterator[pa.Table], other: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """The rows of both, which are sorted by `left` and `right` each, so sorted; of each no more
    than a table is held."""
    first, second = next(one, None), next(other, None)
    while first is not None and second is not None:
        # What is not beyond the end of either table is complete.
        keys = [pair_keys(each) for each in (first, second)]
        end = min(each[-1] for each in keys)
        cuts = [int(np.searchsorted(each, end, side="right")) for each in keys]
        rows = pa.concat_tables([first[: cuts[0]], second[: cuts[1]]])
        yield rows.sort_by([("left", "ascending"), ("right", "ascending")])
        first = first[cuts[0] :] if cuts[0] < len(first) else next(one, None)
        second = second[cuts[1] :] if cuts[1] < len(second) else next(other, None)
    for rest, more in ((first, one), (second, other)):
        if rest is not None:
            yield rest
            yield from more


def pair_keys(rows: pa.Table) -> npt.NDArray[np.int64]:
    """Two pages as one number, which is in the order of both."""
    left, right = (rows[side].to_numpy() for side in ("left", "right"))
    keys: npt.NDArray[np.int64] = (left << 32) | right
    return keys


def named_rows(rows: pa.Table, lookup: Lookup) -> pa.Table:
    """Rows of `FOUND`, marked, as they are written."""
    named = lookup.named(rows.select(["left", "right"]))
    same_site = pc.fill_null(pc.equal(named["left_site"], named["right_site"]), False)
    measured = measured_columns(rows) | {
        "same_site": same_site,
        "copy": rows["copy"],
    }
    for name, column in measured.items():
        named = named.append_column(name, column)
    order = ["left", "right", *measured, "left_url", "right_url", "left_id", "right_id"]
    return named.select(order)


def measured_columns(rows: pa.Table) -> dict[str, pa.ChunkedArray]:
    """What is told of pairs: the shared chunks, and which share that is of each side's."""
    shared = rows["shared"].cast(pa.float64())
    return {
        "shared_chunks": rows["shared"],
        "left_containment": pc.divide(shared, rows["left_size"].cast(pa.float64())),
        "right_containment": pc.divide(shared, rows["right_size"].cast(pa.float64())),
    }
