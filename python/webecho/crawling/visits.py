"""*Visit*: of each cluster the address that a crawler goes to; the others it leaves out.

Clusters are the stars of a dedup, so that every page is the same, by the rule, as that which dedup
would keep for it; and pages whose text stands in scripts are the same only if their bytes are.

An address stands for all its captures. If these are in several clusters, its content changes: it is
visited, and for no other one. Of the others of a cluster the first in keep order is visited that no
deny pattern leaves out.
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.group.columns import page_numbers
from webecho.group.stars import Stars
from webecho.workspace.workspace import Workspace

_AUTHORITY = r"^[A-Za-z][A-Za-z0-9+.-]*://(?P<authority>[^/?#]*)"
_RANKED = pa.schema([("page", pa.int64()), ("rank", pa.int64()), ("authority", pa.string())])

_CLUSTERS = """
SELECT page, cluster, count(*) OVER (PARTITION BY cluster) AS size FROM stars
"""
# Pages whose captures are in several clusters have a content of their own, below 0.
_ADDRESSES = """
WITH captures AS (
    SELECT
        url, host, authority, bytes, cluster, sketches.page, rank,
        row_number() OVER (PARTITION BY url ORDER BY rank NULLS LAST) AS number,
        min(cluster) OVER (PARTITION BY url) AS low,
        max(cluster) OVER (PARTITION BY url) AS high,
        min(sketches.page) OVER (PARTITION BY url) AS first
    FROM sketches
    JOIN clusters ON clusters.page = sketches.page
    JOIN ranked ON ranked.page = sketches.page
    WHERE url IS NOT NULL
)
SELECT
    url, host, authority, page, rank, coalesce(bytes, 0) AS bytes,
    CASE WHEN low = high THEN CAST(cluster AS BIGINT) ELSE -1 - CAST(first AS BIGINT) END AS content
FROM captures WHERE number = 1
"""
_VISITS = """
WITH grouped AS (
    SELECT
        addresses.content, addresses.url, addresses.page, addresses.bytes, rank,
        CASE WHEN denied.url IS NULL THEN 0 ELSE 1 END AS by_pattern,
        count(*) OVER (PARTITION BY content) AS size
    FROM addresses LEFT JOIN denied ON denied.url = addresses.url
    WHERE content >= 0
), starred AS (
    SELECT
        content, url, page, bytes, by_pattern,
        row_number() OVER star AS number,
        first_value(url) OVER star AS visit_url,
        first_value(page) OVER star AS visit_page
    FROM grouped WHERE size > 1
    WINDOW star AS (
        PARTITION BY content ORDER BY by_pattern NULLS LAST, rank NULLS LAST
    )
)
SELECT
    content AS cluster, url, number = 1 AS visit, visit_url, page, visit_page, bytes,
    by_pattern = 1 AS by_pattern
FROM starred
"""
PAIRS = """
SELECT page, visit_page AS kept_page FROM visits WHERE NOT visit ORDER BY page NULLS LAST
"""
# In the order of clusters, in each that to visit first.
URLS = """
SELECT
    visits.cluster, visits.url, visits.visit, visits.visit_url, reasons.reason, visits.bytes,
    visits.by_pattern, visits.page, visits.visit_page, reasons.ip, reasons.kept_ip AS visit_ip
FROM visits LEFT JOIN reasons ON reasons.page = visits.page
ORDER BY visits.cluster NULLS LAST, visits.visit DESC NULLS LAST, visits.page NULLS LAST
"""
FACTS = """
SELECT
    (SELECT count(*) FROM addresses) AS addresses,
    (SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM addresses) AS bytes,
    (SELECT count(*) FROM addresses WHERE content < 0) AS changing,
    count(*) FILTER (WHERE visit) AS clusters,
    count(*) FILTER (WHERE NOT visit) AS left_out,
    CAST(coalesce(sum(bytes) FILTER (WHERE NOT visit), 0) AS BIGINT) AS bytes_left_out,
    count(*) FILTER (WHERE by_pattern) AS by_pattern
FROM visits
"""


def add_addresses(database: Database, workspace: Workspace, stars: Stars, order: pa.Array) -> None:
    """Gives the database the tables `clusters` and `addresses`: each address once, with its
    content, which is the same number for the same content. `order` are the ranks of the pages."""
    numbers = {"page": page_numbers(len(stars.kept)), "cluster": stars.kept}
    database.add("stars", pa.table(numbers))
    database.keep("clusters", _CLUSTERS)
    database.add("sketches", workspace.stored("sketches"))
    reader = pa.RecordBatchReader.from_batches(_RANKED, ranked(workspace, order))
    database.add("ranked", reader)
    database.keep("addresses", _ADDRESSES)


def ranked(workspace: Workspace, order: pa.Array) -> Iterator[pa.RecordBatch]:
    """Of every page its number in keep order, and its host as the address has it."""
    for batch in workspace.batches(["page", "url"]):
        parts = pc.extract_regex(batch["url"], _AUTHORITY)
        rank = order.take(batch["page"]).cast(pa.int64())
        columns = [batch["page"], rank, pc.struct_field(parts, "authority")]
        yield pa.RecordBatch.from_arrays(columns, schema=_RANKED)


def add_visits(database: Database, denied: pa.Table) -> None:
    """Gives the database the table `visits`, of all clusters with two addresses or more."""
    database.add("denied", denied)
    database.keep("visits", _VISITS)
