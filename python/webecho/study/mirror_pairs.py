"""*Mirror*: two hosts with enough pages on each in clusters that have a member on the other host
(Fetterly 2004, sections 2 and 4). An *auto-mirror* is a host with enough pages in clusters with
another page of its own. *Aliases* are names of one machine: of the hosts of a cluster that share an
IP address one is preferred, and the pages of the others do not count in that cluster; a pair that
then has not enough left is one of aliases. A pair is *unresolved* if of one of its hosts no IP
address is known. What remains are the mirrors of the paper; some may be aliases still, by their
names: equal but for a leading `www.`.

Where no host of a snapshot has an IP address, nothing is known of aliases and unresolved hosts.

An address captured twice counts once, by its first capture. Hosts are numbered from that with the
most pages, the shorter name first where they are equal: the lower number is preferred.

Pairs are counted in one of two ways: `all` is the definition; `roots` is what the paper did, which
counted pages against the host of the cluster's root alone, its first page.
"""

from dataclasses import dataclass

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.group.clusters import Clusters
from webecho.group.columns import page_numbers
from webecho.study.host_pairs import NotLookedAt, find_pairs, sum_pairs
from webecho.workspace.workspace import Workspace

ALIAS, UNRESOLVED, REMAINING = "alias", "unresolved", "remaining"

# Of a revisit of something unknown there are no characters, and nothing can be said of its page.
_ADDRESSED = """
SELECT url, host, min(page) AS page FROM sketches
WHERE url IS NOT NULL AND host IS NOT NULL AND chars IS NOT NULL GROUP BY url, host
"""
_HOSTS = """
WITH counted AS (SELECT host, count(*) AS pages FROM addressed GROUP BY host)
SELECT
    host, pages,
    CASE WHEN host LIKE 'www.%.%' THEN substr(host, 5) ELSE host END AS bare,
    row_number() OVER (
        ORDER BY pages DESC NULLS LAST, length(host) NULLS LAST, host NULLS LAST
    ) AS number
FROM counted
"""
_LOCATED = """
SELECT addressed.page, hosts.number AS host, CAST(clusters.cluster AS BIGINT) AS cluster
FROM addressed
JOIN hosts ON hosts.host = addressed.host
JOIN clusters ON clusters.page = addressed.page
"""
# How many pages each host has in each cluster of more than one page, and whether the first.
_MEMBERS = """
WITH counted AS (
    SELECT cluster, host, count(*) AS pages, min(page) AS page
    FROM located GROUP BY cluster, host
), whole AS (
    SELECT
        cluster, host, pages,
        sum(pages) OVER (PARTITION BY cluster) AS size,
        row_number() OVER (PARTITION BY cluster ORDER BY page NULLS LAST) AS place
    FROM counted
)
SELECT cluster, host, pages, CASE WHEN place = 1 THEN 1 ELSE 0 END AS root
FROM whole WHERE size > 1
"""
_IPS = """
SELECT DISTINCT hosts.number AS host, ip
FROM sketches JOIN hosts ON hosts.host = sketches.host WHERE ip IS NOT NULL
"""
_KEYS = "SELECT cluster AS key, host, pages AS weight FROM {members}"
_AUTO = """
SELECT host, CAST(sum(pages) AS BIGINT) AS pages FROM members WHERE pages > 1
GROUP BY host HAVING sum(pages) >= {least}
"""
# What the paper did: candidates have enough pages in clusters, and pages count against the root.
_ROOTED = """
WITH candidates AS (
    SELECT host FROM members GROUP BY host HAVING sum(pages) >= {least}
), concerned AS (
    SELECT cluster, host, pages, root FROM {members}
    WHERE host IN (SELECT host FROM candidates)
), rooted AS (
    SELECT
        roots.cluster,
        least(roots.host, own.host) AS left_host, greatest(roots.host, own.host) AS right_host,
        own.pages AS most, least(roots.pages, own.pages) AS least,
        CASE WHEN roots.host < own.host THEN roots.pages ELSE own.pages END AS left_weight,
        CASE WHEN roots.host < own.host THEN own.pages ELSE roots.pages END AS right_weight
    FROM concerned AS roots
    JOIN concerned AS own ON own.cluster = roots.cluster AND own.host <> roots.host
    WHERE roots.root = 1
)
SELECT
    left_host, right_host, count(*) AS keys,
    CAST(sum(left_weight) AS BIGINT) AS left_weight,
    CAST(sum(right_weight) AS BIGINT) AS right_weight,
    CAST(sum(most) AS BIGINT) AS most, CAST(sum(least) AS BIGINT) AS least
FROM rooted GROUP BY left_host, right_host HAVING sum(most) >= {least}
"""
_AUTO_ROOTED = """
SELECT host, CAST(sum(pages - 1) AS BIGINT) AS pages FROM members WHERE root = 1
GROUP BY host HAVING sum(pages - 1) >= {least}
"""
# In each cluster the hosts that share an IP address with a preferred one.
_REJECTED = """
WITH named AS (
    SELECT
        cluster, members.host,
        row_number() OVER (
            PARTITION BY cluster, ip ORDER BY {first}members.host NULLS LAST
        ) AS place
    FROM members JOIN ips ON ips.host = members.host
)
SELECT DISTINCT cluster, host FROM named WHERE place > 1
"""
_COUNTING = """
SELECT members.cluster, members.host, pages, root
FROM members
LEFT JOIN rejected ON rejected.cluster = members.cluster AND rejected.host = members.host
WHERE rejected.host IS NULL
"""
_SHARED_IPS = """
SELECT DISTINCT left_host, right_host
FROM {pairs} AS pairs
JOIN ips AS one ON one.host = left_host
JOIN ips AS other ON other.host = right_host AND other.ip = one.ip
"""
# Every pair with what became of it; of those that remain the counts are without rejected pages.
_PAIRS = """
WITH resolved AS (SELECT DISTINCT host FROM ips)
SELECT
    raw.left_host, raw.right_host, one.host AS left_name, other.host AS right_name,
    CASE
        WHEN left_over.left_host IS NULL THEN '{alias}'
        WHEN {known} AND (own_ip.host IS NULL OR other_ip.host IS NULL) THEN '{unresolved}'
        ELSE '{remaining}'
    END AS status,
    CASE WHEN one.bare = other.bare THEN 1 ELSE 0 END AS www,
    CASE WHEN sharing.left_host IS NULL THEN 0 ELSE 1 END AS shared_ip,
    coalesce(left_over.keys, raw.keys) AS clusters,
    coalesce(left_over.left_weight, raw.left_weight) AS left_pages,
    coalesce(left_over.right_weight, raw.right_weight) AS right_pages,
    coalesce(left_over.most, raw.most) AS size,
    coalesce(left_over.least, raw.least) AS one_to_one
FROM raw
JOIN hosts AS one ON one.number = raw.left_host
JOIN hosts AS other ON other.number = raw.right_host
LEFT JOIN left_over
    ON left_over.left_host = raw.left_host AND left_over.right_host = raw.right_host
LEFT JOIN sharing ON sharing.left_host = raw.left_host AND sharing.right_host = raw.right_host
LEFT JOIN resolved AS own_ip ON own_ip.host = raw.left_host
LEFT JOIN resolved AS other_ip ON other_ip.host = raw.right_host
"""


@dataclass(frozen=True)
class Counting:
    """From how many pages on each host on two are a mirror, in which way they are counted, and how
    many hosts of a cluster are paired each with each."""

    pages: int
    roots: bool
    most_hosts: int


@dataclass(frozen=True)
class FoundPairs:
    """Whether there are IP addresses, and which pairs were not looked at."""

    ips: bool
    missed: NotLookedAt


def add_located(database: Database, workspace: Workspace, clusters: Clusters) -> None:
    """Gives the database `sketches`, `hosts`, `located` (each address with its host's number and
    its cluster), `members` (what each host has of each cluster) and `ips`."""
    numbers = {"page": page_numbers(len(clusters.names)), "cluster": clusters.names}
    database.add("clusters", pa.table(numbers))
    database.add("sketches", workspace.stored("sketches"))
    database.keep("addressed", _ADDRESSED)
    database.keep("hosts", _HOSTS)
    database.keep("located", _LOCATED)
    database.keep("members", _MEMBERS)
    database.keep("ips", _IPS)


def add_pairs(database: Database, counting: Counting) -> FoundPairs:
    """Gives the database `auto` (host, pages), `pairs` (all pairs of two hosts with their status)
    and `counting` (the members that count: all but those of rejected names). After
    `add_located`."""
    least, missed = counting.pages, NotLookedAt()
    ips = database.row("SELECT count(*) AS hosts FROM ips")["hosts"] > 0
    # So that the host of the root is never rejected, on which the counts are.
    first = "root DESC NULLS LAST, " if counting.roots else ""
    database.keep("rejected", _REJECTED.format(first=first))
    database.keep("counting", _COUNTING)
    if counting.roots:
        database.keep("auto", _AUTO_ROOTED.format(least=least))
        database.keep("raw", _ROOTED.format(members="members", least=least))
        database.keep("left_over", _ROOTED.format(members="counting", least=least))
    else:
        database.keep("auto", _AUTO.format(least=least))
        database.view("keys", _KEYS.format(members="members"))
        missed = find_pairs(database, "keys", "raw", least, counting.most_hosts)
        database.keep("keys_left", _KEYS.format(members="counting"))
        sum_pairs(database, "raw", "keys_left", "left_over", least)
    database.keep("sharing", _SHARED_IPS.format(pairs="raw"))
    known = "1 = 1" if ips else "1 = 0"
    statuses = {"alias": ALIAS, "unresolved": UNRESOLVED, "remaining": REMAINING}
    database.keep("pairs", _PAIRS.format(known=known, **statuses))
    return FoundPairs(ips, missed)
