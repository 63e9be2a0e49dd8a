"""Why pages are there more than once (Shivakumar 1998, section 3): *server aliases*, one server
under several names; *URL aliases*, several addresses of a page on one server; and *popular*
documents, which several servers have.

Two hosts are names of one *server* if nothing that they both have differs, and

- both were fetched from the same IP address at some time; or
- their names are equal without `www.`, and there is a path that both have.

A path that both have differs if no content that one gave for it is in a cluster with one of the
other. So many customers of one machine stay servers of their own, as long as they have something
in common that differs: front pages usually do. Hosts are looked at if they are in a cluster
together, all pairs of up to 30 in a cluster that share an IP address or a name, and of more each
with the first: parked domains are many.

A cluster of u addresses on h hosts, which are s servers, is u − 1 addresses too large: s − 1 of
them are copies on other servers, h − s are aliases of servers, and u − h of addresses.
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.study.chains import lowest_joined
from webecho.workspace.workspace import Workspace

# Of two pages, and of a cluster.
SAME_ADDRESS, URL_ALIAS, SERVER_ALIAS, POPULAR = (
    "same address",
    "url alias",
    "server alias",
    "popular",
)
# So many hosts of a cluster that share an address or a name are compared each with each.
EACH_WITH_EACH = 30

_ADDRESS = r"^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*"
_PLACES = pa.schema([("page", pa.int64()), ("path", pa.string()), ("bare", pa.string())])

_LOCATED = """
SELECT clusters.page, clusters.cluster, clusters.size, url, host, ip, path, bare
FROM clusters
JOIN sketches ON sketches.page = clusters.page
JOIN places ON places.page = clusters.page
WHERE host IS NOT NULL
"""
_CANDIDATES = """
WITH sharing AS (
    SELECT DISTINCT cluster, host, 1 AS by_ip, ip AS shared
    FROM located WHERE size > 1 AND ip IS NOT NULL
    UNION ALL
    SELECT DISTINCT cluster, host, 0 AS by_ip, bare AS shared FROM located WHERE size > 1
), numbered AS (
    SELECT
        cluster, host, by_ip, shared,
        row_number() OVER (PARTITION BY cluster, by_ip, shared ORDER BY host NULLS LAST) AS number,
        count(*) OVER (PARTITION BY cluster, by_ip, shared) AS hosts
    FROM sharing
), compared AS (
    SELECT * FROM numbered WHERE hosts > 1 AND (number = 1 OR hosts <= {each_with_each})
)
SELECT compared.host AS left_host, numbered.host AS right_host, max(compared.by_ip) AS by_ip
FROM compared
JOIN numbered
    ON numbered.cluster = compared.cluster
    AND numbered.by_ip = compared.by_ip
    AND numbered.shared = compared.shared
    AND numbered.number > compared.number
GROUP BY compared.host, numbered.host
"""
_ALIASES = """
WITH contents AS (
    SELECT DISTINCT host, path, cluster FROM located
    WHERE host IN (SELECT left_host FROM candidates UNION SELECT right_host FROM candidates)
), common AS (
    SELECT
        left_host, right_host, one.path,
        max(CASE WHEN one.cluster = other.cluster THEN 1 ELSE 0 END) AS same
    FROM candidates
    JOIN contents AS one ON one.host = left_host
    JOIN contents AS other ON other.host = right_host AND other.path = one.path
    GROUP BY left_host, right_host, one.path
), counted AS (
    SELECT left_host, right_host, count(*) AS paths, CAST(sum(same) AS BIGINT) AS same
    FROM common GROUP BY left_host, right_host
)
SELECT
    candidates.left_host, candidates.right_host, by_ip = 1 AS shared_ip,
    coalesce(paths, 0) AS paths, coalesce(same, 0) AS same
FROM candidates
LEFT JOIN counted
    ON counted.left_host = candidates.left_host AND counted.right_host = candidates.right_host
WHERE coalesce(paths, 0) = coalesce(same, 0) AND (by_ip = 1 OR paths > 0)
ORDER BY candidates.left_host NULLS LAST, candidates.right_host NULLS LAST
"""
_HOSTS = """
SELECT host, min(page) AS page FROM located GROUP BY host ORDER BY page NULLS LAST
"""
_CLUSTERS = """
SELECT
    located.cluster,
    count(*) AS pages,
    count(DISTINCT url) AS urls,
    count(DISTINCT located.host) AS hosts,
    count(DISTINCT servers.server) AS servers,
    count(DISTINCT ip) AS machines,
    CASE
        WHEN count(DISTINCT servers.server) > 1 THEN '{popular}'
        WHEN count(DISTINCT located.host) > 1 THEN '{server_alias}'
        WHEN count(DISTINCT url) > 1 THEN '{url_alias}'
        ELSE '{same_address}'
    END AS reason
FROM located JOIN servers ON servers.host = located.host
WHERE size > 1
GROUP BY located.cluster
ORDER BY located.cluster NULLS LAST
"""
_PAIRS = """
SELECT
    pairs.page, pairs.kept_page,
    CASE
        WHEN own.url = kept.url THEN '{same_address}'
        WHEN own.host = kept.host THEN '{url_alias}'
        WHEN own_server.server = kept_server.server THEN '{server_alias}'
        ELSE '{popular}'
    END AS reason,
    own.ip AS ip, kept.ip AS kept_ip
FROM pairs
JOIN located AS own ON own.page = pairs.page
JOIN located AS kept ON kept.page = pairs.kept_page
JOIN servers AS own_server ON own_server.host = own.host
JOIN servers AS kept_server ON kept_server.host = kept.host
ORDER BY pairs.page NULLS LAST, pairs.kept_page NULLS LAST
"""
_SIDES = ("left_host", "right_host")
_NAMES = {
    "same_address": SAME_ADDRESS,
    "url_alias": URL_ALIAS,
    "server_alias": SERVER_ALIAS,
    "popular": POPULAR,
}


def add_servers(database: Database, workspace: Workspace) -> pa.Table:
    """Finds which hosts are one server, from the table `clusters` (page, cluster, size) of the
    database; gives the pairs of hosts that are, and how that is known.

    The database then also has `located`, every page with an address, and `servers`: each host with
    the one that stands for its server, that of the first page.
    """
    database.add("sketches", workspace.stored("sketches"))
    database.add("places", pa.RecordBatchReader.from_batches(_PLACES, places(workspace)))
    database.keep("located", _LOCATED)
    database.keep("candidates", _CANDIDATES.format(each_with_each=EACH_WITH_EACH))
    aliases = database.table(_ALIASES)
    hosts = database.table(_HOSTS)["host"].to_pylist()
    database.add("servers", servers(hosts, aliases))
    return aliases


def places(workspace: Workspace) -> Iterator[pa.RecordBatch]:
    """Of every page what its address has after the host, and the host without `www.`."""
    for batch in workspace.batches(["page", "url", "host"]):
        path = pc.replace_substring_regex(batch["url"], _ADDRESS, "")
        # The address of a host alone is that of its front page.
        path = pc.if_else(pc.equal(path, ""), "/", path)
        bare = pc.replace_substring_regex(batch["host"], r"^www\.", "")
        yield pa.RecordBatch.from_arrays([batch["page"], path, bare], schema=_PLACES)


def servers(hosts: list[str], aliases: pa.Table) -> pa.Table:
    """Each host with the first of those that are one server with it by a chain of aliases."""
    order = {host: number for number, host in enumerate(hosts)}
    left, right = ([order[host] for host in aliases[side].to_pylist()] for side in _SIDES)
    names = [hosts[first] for first in lowest_joined(len(hosts), zip(left, right, strict=True))]
    return pa.table({"host": pa.array(hosts, pa.string()), "server": pa.array(names, pa.string())})


def cluster_reasons(database: Database) -> pa.Table:
    """Of each cluster of more than one page its addresses, hosts, servers and machines, and the
    reason: `popular` if it is on several servers, else `server alias` if on several hosts, else
    `url alias`, or `same address` if a page was fetched several times. After `add_servers`."""
    return database.table(_CLUSTERS.format(**_NAMES))


def pair_reasons(database: Database, pairs: pa.Table) -> pa.Table:
    """Of pairs of pages of a cluster (`page`, `kept_page`) the reason for each, and the IP
    addresses of both where they are known. After `add_servers`; pages without an address have no
    reason."""
    database.add("pairs", pairs)
    return database.table(_PAIRS.format(**_NAMES))
