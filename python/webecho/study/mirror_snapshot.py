"""What one snapshot tells of mirrors: the funnel of Fetterly 2004, section 4, and what is behind
each of its steps."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.group.clusters import Clusters
from webecho.run import Run
from webecho.study.host_pairs import NotLookedAt, add_shared
from webecho.study.mirror_groups import Standing, standing
from webecho.study.mirror_pairs import REMAINING, Counting, add_located, add_pairs
from webecho.study.path_suffixes import Comparison, add_matches
from webecho.study.subtrees import Subtree, counterpart_pages, find_subtrees
from webecho.study.url_first import UrlFirst, url_first
from webecho.workspace.workspace import Workspace

_REMAINING = "SELECT left_host, right_host, size FROM pairs WHERE status = '{remaining}'"
_TOLD = """
SELECT
    pairs.left_host, pairs.right_host, left_name, right_name, status, www, shared_ip, clusters,
    left_pages, right_pages, size, one_to_one,
    CASE WHEN status = '{remaining}' THEN coalesce(last_arc, 0) END AS last_arc,
    CASE WHEN status = '{remaining}' THEN coalesce(last_four, 0) END AS last_four
FROM pairs
LEFT JOIN matches
    ON matches.left_host = pairs.left_host AND matches.right_host = pairs.right_host
ORDER BY size DESC NULLS LAST, left_host NULLS LAST, right_host NULLS LAST
"""
_AUTO = """
SELECT hosts.host, auto.pages FROM auto JOIN hosts ON hosts.number = auto.host
ORDER BY auto.pages DESC NULLS LAST, hosts.host NULLS LAST
"""
# The largest mirror that each page is in, of those that remain; and whether one is confirmed.
_SIDES = """
SELECT
    pairs.left_host, pairs.right_host, size,
    CASE WHEN coalesce(last_arc, 0) > 0 THEN 1 ELSE 0 END AS confirmed
FROM pairs
LEFT JOIN matches
    ON matches.left_host = pairs.left_host AND matches.right_host = pairs.right_host
WHERE status = '{remaining}'
"""
_MIRRORED = """
WITH parts AS (
    SELECT key, shared.left_host AS host, size, confirmed
    FROM shared JOIN sides
        ON sides.left_host = shared.left_host AND sides.right_host = shared.right_host
    UNION ALL
    SELECT key, shared.right_host AS host, size, confirmed
    FROM shared JOIN sides
        ON sides.left_host = shared.left_host AND sides.right_host = shared.right_host
), largest AS (
    SELECT key, host, max(size) AS size, max(confirmed) AS confirmed
    FROM parts GROUP BY key, host
)
SELECT page, size, confirmed
FROM largest JOIN located ON located.cluster = largest.key AND located.host = largest.host
ORDER BY page NULLS LAST
"""
_HOSTS = """
SELECT hosts.host, pages, count(DISTINCT cluster) AS clusters
FROM hosts JOIN located ON located.host = hosts.number
GROUP BY hosts.host, pages ORDER BY hosts.host NULLS LAST
"""
_PAGES = """
SELECT
    (SELECT count(*) FROM addressed) AS addresses,
    (SELECT count(*) FROM sketches WHERE url IS NULL OR host IS NULL) AS nameless,
    (SELECT count(*) FROM hosts) AS hosts,
    (SELECT count(DISTINCT host) FROM ips) AS resolved
"""
# Of pairs a cluster that both have, the first, and a page of each in it.
_EXAMPLES = """
WITH clusters_shared AS (
    SELECT shared.left_host, shared.right_host, min(key) AS cluster
    FROM shared GROUP BY shared.left_host, shared.right_host
), pages AS (
    SELECT left_host, right_host, min(one.page) AS left_page, min(other.page) AS right_page
    FROM clusters_shared
    JOIN located AS one ON one.cluster = clusters_shared.cluster AND one.host = left_host
    JOIN located AS other ON other.cluster = clusters_shared.cluster AND other.host = right_host
    GROUP BY left_host, right_host
)
SELECT left_host, right_host, one.url AS left_url, other.url AS right_url
FROM pages
JOIN addressed AS one ON one.page = left_page
JOIN addressed AS other ON other.page = right_page
"""
# What a million pages took beside the database, and half as much again.
ROOM = 300 << 20
_COUNTING_KEYS = "SELECT cluster AS key, host, pages AS weight FROM counting"


@dataclass(frozen=True)
class Limits:
    """How many hosts of a cluster or path are paired each with each, how many suffixes are compared
    exactly, and how many unconfirmed pairs are drawn, by which seed."""

    most_hosts: int
    most_suffixes: int
    sample: int
    seed: int


@dataclass(frozen=True)
class Snapshot:
    """What one snapshot tells: `pairs` of two hosts, the largest first; `auto` (host, pages);
    `mirrored` (page, size and whether confirmed, of each page in a remaining mirror); `hosts`
    (host, pages, clusters); a `sample` of the pairs that no path confirms, with a page of each;
    the `standing` folders, and the `counterparts` of those between two hosts."""

    name: str
    pages: int
    nameless: int
    resolved: int | None
    pairs: pa.Table
    auto: pa.Table
    mirrored: pa.Table
    hosts: pa.Table
    sample: pa.Table
    comparison: Comparison
    by_url: UrlFirst
    subtrees: list[Subtree]
    standing: list[Standing]
    counterparts: pa.Table
    missed: NotLookedAt
    page_pairs_missed: int
    estimated: str | None

    @property
    def remaining(self) -> pa.Table:
        """The pairs that remain."""
        return remaining(self.pairs)

    @property
    def sizes(self) -> Mapping[int, int]:
        """How many of the mirrors that remain have each size."""
        return self._counts("size")

    @property
    def one_to_one(self) -> Mapping[int, int]:
        """The same by pages that have one of their own on the other host."""
        return self._counts("one_to_one")

    def _counts(self, column: str) -> Mapping[int, int]:
        return Counter(self.remaining[column].to_pylist())


def look(
    name: str,
    workspace: Workspace,
    clusters: Clusters,
    counting: Counting,
    limits: Limits,
    run: Run,
) -> Snapshot:
    """Looks for mirrors in a workspace whose clusters are known."""
    with with_room(run).database() as database:
        run.begin(f"pairing hosts of {name}")
        add_located(database, workspace, clusters)
        found = add_pairs(database, counting)
        database.keep("remaining", _REMAINING.format(remaining=REMAINING))
        run.begin(f"comparing paths of {name}")
        comparison = add_matches(database, workspace, "remaining", limits.most_suffixes)
        pairs = database.table(_TOLD.format(remaining=REMAINING))
        mirrored, sample = mirrored_pages(database), unconfirmed(database, pairs, limits)
        by_url = url_first(
            database, workspace, "remaining", counting.pages, limits.most_hosts, limits.seed
        )
        run.begin(f"mapping subtrees of {name}")
        subtrees, missed = find_subtrees(database, workspace, counting.pages)
        stands = standing(pairs, subtrees)
        between = [each.subtree.mapped for each in stands if not each.subtree.is_within]
        counts = database.row(_PAGES)
        return Snapshot(
            name=name,
            pages=counts["addresses"] + counts["nameless"],
            nameless=counts["nameless"],
            resolved=counts["resolved"] if found.ips else None,
            pairs=pairs,
            auto=database.table(_AUTO),
            mirrored=mirrored,
            hosts=database.table(_HOSTS),
            sample=sample,
            comparison=comparison,
            by_url=by_url,
            subtrees=subtrees,
            standing=stands,
            counterparts=counterpart_pages(database, between),
            missed=found.missed,
            page_pairs_missed=missed,
            estimated=clusters.estimated,
        )


def with_room(run: Run) -> Run:
    """The run with less memory for its SQL: what is handed to it batch by batch, and what it gives,
    is held beside it."""
    if run.memory is None:
        return run
    return replace(run, memory=run.memory - min(ROOM, run.memory // 4))


def remaining(pairs: pa.Table) -> pa.Table:
    """Those of the pairs that remain."""
    return pairs.filter(pc.equal(pairs["status"], REMAINING))


def mirrored_pages(database: Database) -> pa.Table:
    """Every page in a cluster that a remaining pair shares, with the size of its largest mirror."""
    database.keep("sides", _SIDES.format(remaining=REMAINING))
    database.keep("counting_keys", _COUNTING_KEYS)
    add_shared(database, "remaining", "counting_keys")
    return database.table(_MIRRORED)


def unconfirmed(database: Database, pairs: pa.Table, limits: Limits) -> pa.Table:
    """A sample of the remaining pairs that no path confirms, `www.` and others apart, and a page of
    each in a cluster that they share."""
    without = remaining(pairs)
    rows = without.filter(pc.equal(without["last_arc"], 0)).to_pylist()
    chance = Random(limits.seed)
    drawn = []
    for www in (1, 0):
        own = [row for row in rows if row["www"] == www]
        drawn += chance.sample(own, min(limits.sample, len(own)))
    sides = [(row["left_host"], row["right_host"]) for row in drawn]
    chosen = pa.table(
        {
            "left_host": pa.array([left for left, _ in sides], pa.int64()),
            "right_host": pa.array([right for _, right in sides], pa.int64()),
        }
    )
    database.add("drawn", chosen)
    add_shared(database, "drawn", "counting_keys")
    urls = {
        (row["left_host"], row["right_host"]): (row["left_url"], row["right_url"])
        for row in database.table(_EXAMPLES).to_pylist()
    }
    left, right = zip(*(urls[each] for each in sides), strict=True) if sides else ((), ())
    return pa.table(
        {
            "www": pa.array([row["www"] == 1 for row in drawn], pa.bool_()),
            "left_name": pa.array([row["left_name"] for row in drawn], pa.string()),
            "right_name": pa.array([row["right_name"] for row in drawn], pa.string()),
            "size": pa.array([row["size"] for row in drawn], pa.int64()),
            "left_url": pa.array(left, pa.string()),
            "right_url": pa.array(right, pa.string()),
        }
    )
