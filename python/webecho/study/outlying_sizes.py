"""*Outlying sizes*: sizes with many more clusters than their trend has (Fetterly 2004, section 3:
five to ten times as many, and in every case that the paper looked at mirrors of one collection).

The *trend* is that of all sizes: the line through log-log counts, as the paper has it, or where
there are too few clusters for one the most likely power law of all sizes. It is not the power law
that fits best from some size on: that may begin at an outlying size and take it for the rule. Of
large sizes the trend has less than one cluster, and any that there is lies far above it: of a size
with one cluster alone nothing follows.

Clusters of a size lie on *one set of hosts* if the sets of hosts of their pages agree (shared / all
of two, or by a chain of such): a collection that so many hosts mirror has a cluster for each of its
pages, all of about the same size.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.cluster_sizes import Sizes
from webecho.study.fits import Fits
from webecho.study.log_log_line import Line
from webecho.study.power_law import PowerLaw, histogram, over_all
from webecho.study.replicated_collections import Servers, joined
from webecho.study.shares import ratio

COLUMNS = {
    "size": pa.int64(),
    "clusters": pa.int64(),
    "fitted": pa.float64(),
    "times": pa.float64(),
    "on one set of hosts": pa.int64(),
    "share on one set of hosts": pa.float64(),
    "hosts of the set": pa.int64(),
    "representative": pa.string(),
}
_ROWS = 1 << 16
_HOSTS = """
SELECT DISTINCT
    CAST(clusters.size AS BIGINT) AS size, CAST(clusters.cluster AS BIGINT) AS cluster, host
FROM clusters
JOIN outlying ON outlying.size = clusters.size
JOIN sketches ON sketches.page = clusters.page
WHERE host IS NOT NULL
ORDER BY size NULLS LAST, cluster NULLS LAST, host NULLS LAST
"""
_URLS = """
SELECT sketches.page, coalesce(url, CAST(id AS STRING)) AS name
FROM sketches JOIN wanted ON wanted.page = sketches.page
"""

Row = dict[str, Any]


@dataclass(frozen=True)
class Trend:
    """What the trend of sizes is called, and what it says of a size."""

    name: str
    fit: Line | PowerLaw

    @property
    def exponent(self) -> float:
        return self.fit.exponent

    def count(self, size: int) -> float:
        return self.fit.count(size)


def trend(sizes: Sizes, fits: Fits) -> Trend | None:
    """The trend of these sizes, given what was fitted to them; None where they are too few."""
    if fits.line is not None:
        return Trend("log-log line", fits.line)
    if fits.law is not None:
        return Trend("power law of all sizes", over_all(histogram(sizes.counts)))
    return None


def outlying_sizes(
    database: Database, sizes: Sizes, expected: Trend | None, times: float, agree: float
) -> list[Row]:
    """A row for each size with at least so many times the expected clusters. The database has
    `clusters` and `sketches`: see cluster_summary.py."""
    rows: list[Row] = []
    for size, clusters in sorted(sizes.counts.items() if expected is not None else ()):
        fitted = expected.count(size) if expected is not None else 0.0
        if clusters >= times * fitted:
            counts = {"size": size, "clusters": clusters, "fitted": fitted}
            rows.append({**counts, "times": clusters / fitted})
    outlying = pa.array([row["size"] for row in rows], pa.int64())
    database.add("outlying", pa.table({"size": outlying}))
    sets = {size: most_clusters(found, agree) for size, found in host_sets(database)}
    wanted = pa.array(sorted({first for _, _, first in sets.values()}), pa.int64())
    database.add("wanted", pa.table({"page": wanted}))
    names = {row["page"]: row["name"] for row in database.table(_URLS).to_pylist()}
    for row in rows:
        # Where no address is known there is no set either.
        together, hosts, first = sets.get(row["size"], (0, 0, -1))
        row["on one set of hosts"] = together
        row["share on one set of hosts"] = ratio(together, row["clusters"])
        row["hosts of the set"] = hosts
        row["representative"] = names.get(first)
    return rows


def host_sets(database: Database) -> Iterator[tuple[int, dict[Servers, list[int]]]]:
    """For each outlying size its clusters by the hosts that they lie on."""

    def rows() -> Iterator[tuple[int, int, str]]:
        for batch in database.batches(_HOSTS, _ROWS):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    for size, of_size in groupby(rows(), key=lambda row: row[0]):
        found: dict[Servers, list[int]] = defaultdict(list)
        for cluster, own in groupby(of_size, key=lambda row: row[1]):
            found[frozenset(host for _, _, host in own)].append(cluster)
        yield size, found


def most_clusters(sets: dict[Servers, list[int]], agree: float) -> tuple[int, int, int]:
    """Of the sets of hosts that agree those on which most clusters lie: how many do, on how many
    hosts, and the first of them."""
    found = []
    for group in joined(sets, agree):
        clusters = [cluster for each in group for cluster in sets[each]]
        hosts: Servers = frozenset().union(*group)
        found.append((len(clusters), len(hosts), min(clusters)))
    return max(found, key=lambda each: (each[0], -each[2]))
