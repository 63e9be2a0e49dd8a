"""The *URL-first* method of Bharat and Broder 1999, beside which Fetterly 2004 holds its own, which
goes by content first: candidates are hosts that have enough paths in common, and about twenty pages
of each are compared.

A path that many hosts have says little. Of h hosts one that n have weighs ln(h / n) / ln(h / 2):
1 if only two have it, 0 if all do; candidates share paths that weigh enough together. So many paths
that both have are drawn, by a seed, and a candidate is *valid* if at least half of them have pages
of one cluster. As by content, pairs that share an IP address, and those with a host of which none
is known, are candidates of neither method where IP addresses are known.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.host_pairs import NotLookedAt, add_shared, find_pairs
from webecho.study.path_suffixes import path_of
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

# How many pages of each candidate are compared.
COMPARED = 20
# Weights are whole numbers of millionths, whose sums no order changes.
UNIT = 1_000_000

_PATHS = pa.schema([("page", pa.int64()), ("path", pa.string())])
# Each path of each host, by its first page there; a path is called by its first page of all.
_HOST_PATHS = """
WITH known AS (
    SELECT path, host, min(located.page) AS page
    FROM paths JOIN located ON located.page = paths.page GROUP BY path, host
), counted AS (
    SELECT
        host, page,
        min(page) OVER (PARTITION BY path) AS key,
        count(*) OVER (PARTITION BY path) AS hosts
    FROM known
)
SELECT key, host, page, hosts FROM counted WHERE hosts > 1
"""
_WEIGHED = """
SELECT key, host, weight
FROM host_paths JOIN rarity ON rarity.hosts = host_paths.hosts WHERE weight > 0
"""
_CANDIDATES = """
WITH resolved AS (SELECT DISTINCT host FROM ips), sharing AS (
    SELECT DISTINCT left_host, right_host
    FROM by_path
    JOIN ips AS one ON one.host = left_host
    JOIN ips AS other ON other.host = right_host AND other.ip = one.ip
)
SELECT by_path.left_host, by_path.right_host
FROM by_path
LEFT JOIN sharing
    ON sharing.left_host = by_path.left_host AND sharing.right_host = by_path.right_host
LEFT JOIN resolved AS one ON one.host = by_path.left_host
LEFT JOIN resolved AS other ON other.host = by_path.right_host
WHERE sharing.left_host IS NULL
    AND ((SELECT count(*) FROM ips) = 0 OR (one.host IS NOT NULL AND other.host IS NOT NULL))
"""
# Pages are below 2³² and the factor below 2³⁰: no product overflows.
_COMPARED = """
WITH numbered AS (
    SELECT
        left_host, right_host, key,
        row_number() OVER (
            PARTITION BY left_host, right_host
            ORDER BY (key * 742938285 + {seed}) % 2147483647 NULLS LAST, key NULLS LAST
        ) AS number
    FROM shared
), pages AS (
    SELECT
        left_host, right_host, one_at.cluster AS left_cluster, other_at.cluster AS right_cluster
    FROM numbered
    JOIN host_paths AS one ON one.key = numbered.key AND one.host = left_host
    JOIN host_paths AS other ON other.key = numbered.key AND other.host = right_host
    JOIN located AS one_at ON one_at.page = one.page
    JOIN located AS other_at ON other_at.page = other.page
    WHERE number <= {compared}
)
SELECT
    left_host, right_host, count(*) AS compared,
    count(*) FILTER (WHERE left_cluster = right_cluster) AS same
FROM pages GROUP BY left_host, right_host
"""
_COUNTED = """
SELECT
    count(*) AS candidates,
    count(*) FILTER (WHERE 2 * same >= compared) AS valid,
    count(*) FILTER (WHERE 2 * same >= compared AND pairs.left_host IS NOT NULL) AS found_too
FROM compared
LEFT JOIN {pairs} AS pairs
    ON pairs.left_host = compared.left_host AND pairs.right_host = compared.right_host
"""


@dataclass(frozen=True)
class UrlFirst:
    """How many candidates there are, all and without aliases, how many are valid, and how many of
    these were found by content too; and which pairs were not looked at."""

    all_candidates: int
    candidates: int
    valid: int
    found_too: int
    missed: NotLookedAt

    @property
    def effectiveness(self) -> float | None:
        """The share of valid candidates, where there are some."""
        return ratio(self.valid, self.candidates) if self.candidates else None


def url_first(
    database: Database, workspace: Workspace, pairs: str, least: int, most_hosts: int, seed: int
) -> UrlFirst:
    """What the method finds in a database that has `located`, `hosts` and `ips`; `pairs` is the
    table of those that were found by content."""

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in workspace.batches(["page", "url"]):
            columns = [batch["page"], path_of(batch["url"])]
            yield pa.RecordBatch.from_arrays(columns, schema=_PATHS)

    database.add("paths", pa.RecordBatchReader.from_batches(_PATHS, batches()))
    database.keep("host_paths", _HOST_PATHS)
    hosts = database.row("SELECT count(*) AS hosts FROM hosts")["hosts"]
    often = database.table("SELECT DISTINCT hosts FROM host_paths")["hosts"].to_pylist()
    weights = {"hosts": pa.array(often, pa.int64())}
    weights["weight"] = pa.array([weight(each, hosts) for each in often], pa.int64())
    database.add("rarity", pa.table(weights))
    database.keep("weighed", _WEIGHED)
    missed = find_pairs(database, "weighed", "by_path", least * UNIT, most_hosts)
    database.keep("url_candidates", _CANDIDATES)
    add_shared(database, "url_candidates", "weighed")
    drawn = (seed * 48_271 + 11) % 2_147_483_647
    database.keep("compared", _COMPARED.format(seed=drawn, compared=COMPARED))
    counted = database.row(_COUNTED.format(pairs=pairs))
    every = database.row("SELECT count(*) AS pairs FROM by_path")["pairs"]
    return UrlFirst(every, counted["candidates"], counted["valid"], counted["found_too"], missed)


def weight(having: int, hosts: int) -> int:
    """What a path weighs that so many of all hosts have, in millionths."""
    if hosts <= 2:
        return UNIT
    return round(UNIT * log(hosts / having) / log(hosts / 2))
