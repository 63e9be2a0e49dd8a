"""How often the content of each page that stays was seen: the pages of its cluster, the hosts they
are on, and when they were fetched first and last. Dropped pages do not count.

A page of an earlier collection stands also for what that removed in its favour, so that counts go
on from one crawl to the next.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.decision import Decision
from webecho.group.partition import numbered
from webecho.workspace.removed import removed_table
from webecho.workspace.union import Pages, Union

FETCHED = pa.timestamp("us", tz="UTC")
Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True)
class ClusterCounts:
    """A row for each page of both collections, an earlier one's first; 0 or null for pages that do
    not stay."""

    size: pa.Array
    hosts: pa.Array
    first: pa.Array
    last: pa.Array


def cluster_counts(decision: Decision) -> ClusterCounts:
    """The counts of all pages that stay."""
    pages, total = decision.pages, decision.pages.pages
    kept = members(decision)
    there = kept >= 0
    size = np.bincount(kept[there], minlength=total)
    host = _column(pages, "host")
    on_host = there & (host > 0)
    pairs = np.unique(kept[on_host].astype(np.uint64) << 32 | host[on_host].astype(np.uint64))
    hosts = np.bincount((pairs >> 32).astype(np.int64), minlength=total)
    first, last = _dates(pages, kept, there, total)
    return ClusterCounts(pa.array(size), pa.array(hosts), first, last)


def members(decision: Decision) -> Numbers:
    """For each page of both collections the one that stays for it, −1 if it belongs to none."""
    pages, start = decision.pages, decision.first
    kept: Numbers = decision.stars.kept.to_numpy().astype(np.int64)
    if isinstance(pages, Union):
        gone = removed_table(pages.left)
        stay = pc.fill_null(gone["kept_page"], -1).to_numpy()
        # What an earlier dedup found in a still earlier workspace has a number there.
        kept[gone["page"].to_numpy()] = np.where(stay < 0, -1, stay)
    kept[start:][decision.dropped.is_valid().to_numpy(zero_copy_only=False)] = -1
    return kept


def _column(pages: Pages, name: str) -> Numbers:
    """Values as numbers from 1 on; 0 is none."""

    def values() -> Iterator[pa.Array]:
        for piece, _ in pages.pieces:
            yield from (batch[name] for batch in piece.batches([name]))

    found: Numbers = numbered(values(), {None: 0}).to_numpy().astype(np.int64)
    return found


def _dates(pages: Pages, kept: Numbers, there: Numbers, total: int) -> tuple[pa.Array, pa.Array]:
    """When the first and the last page of each cluster were fetched."""
    most = np.iinfo(np.int64).max
    first, last = np.full(total, most), np.full(total, -most)
    start = 0
    for piece, _ in pages.pieces:
        for batch in piece.batches(["fetched"]):
            fetched = batch["fetched"]
            end = start + len(fetched)
            dated = there[start:end] & fetched.is_valid().to_numpy(zero_copy_only=False)
            when = pc.fill_null(fetched.cast(pa.int64()), 0).to_numpy()[dated]
            np.minimum.at(first, kept[start:end][dated], when)
            np.maximum.at(last, kept[start:end][dated], when)
            start = end
    found = (pa.array(first, mask=first == most), pa.array(last, mask=last == -most))
    return found[0].cast(FETCHED), found[1].cast(FETCHED)
