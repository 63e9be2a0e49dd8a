"""What is true across the snapshots of a made-up web, as tables."""

from typing import Any

import pyarrow as pa

from webecho.synthetic.evolving.addresses import addresses
from webecho.synthetic.evolving.lives import absence, lives
from webecho.synthetic.evolving.mirrored import FOLDERS, Relation
from webecho.synthetic.evolving.versions import host_of
from webecho.synthetic.hosts import ip
from webecho.synthetic.truth import ask
from webecho.synthetic.web import Web

HOSTS = pa.schema(
    [
        ("host", pa.string()),
        ("snapshot", pa.int32()),
        ("ip", pa.string()),
        ("urls", pa.int64()),
        ("pages", pa.int64()),
        ("absent", pa.string()),
        ("rate", pa.float64()),
    ]
)
RELATIONS = pa.schema(
    [
        ("host", pa.string()),
        ("mirror_of", pa.string()),
        ("kind", pa.string()),
        ("way", pa.string()),
        ("group", pa.int32()),
        ("path", pa.string()),
        ("path_of", pa.string()),
        ("lag", pa.int32()),
    ]
)

_MEMBERSHIPS = """
SELECT url, snapshot, page, family, kind, resemblance
FROM truths ORDER BY url NULLS LAST, snapshot NULLS LAST
"""

# A copy counts if the crawl has both it and the page that it repeats.
_MIRRORS = """
WITH named AS (
    SELECT
        *, 'http://' || host || path || '/' AS prefix,
        'http://' || mirror_of || path_of || '/' AS prefix_of
    FROM relations
), crawled AS (
    SELECT DISTINCT snapshot FROM truths
), own AS (
    SELECT named.host, named.mirror_of, snapshot, url, identity, mirrors
    FROM named JOIN truths
    ON truths.host = named.host AND substr(url, 1, length(prefix)) = prefix
), theirs AS (
    SELECT named.host, named.mirror_of, snapshot, url, identity
    FROM named JOIN truths
    ON truths.host = named.mirror_of AND substr(url, 1, length(prefix_of)) = prefix_of
), own_counted AS (
    SELECT
        own.host, own.mirror_of, own.snapshot,
        count(theirs.url) AS pages, count(*) - count(theirs.url) AS extra,
        count(*) FILTER (WHERE theirs.identity = own.identity) AS same
    FROM own LEFT JOIN theirs
    ON theirs.host = own.host AND theirs.mirror_of = own.mirror_of
    AND theirs.snapshot = own.snapshot AND theirs.url = own.mirrors
    GROUP BY own.host, own.mirror_of, own.snapshot
), their_counted AS (
    SELECT host, mirror_of, snapshot, count(*) AS pages
    FROM theirs GROUP BY host, mirror_of, snapshot
)
SELECT
    relations.*, CAST(snapshot AS INTEGER) AS snapshot,
    coalesce(own_counted.pages, 0) AS pages,
    coalesce(own_counted.same, 0) AS same,
    coalesce(their_counted.pages, 0) - coalesce(own_counted.pages, 0) AS missing,
    coalesce(own_counted.extra, 0) AS extra
FROM relations CROSS JOIN crawled
LEFT JOIN own_counted USING (host, mirror_of, snapshot)
LEFT JOIN their_counted USING (host, mirror_of, snapshot)
ORDER BY host NULLS LAST, mirror_of NULLS LAST, snapshot NULLS LAST
"""

_KINDS = """
SELECT
    kind, count(*) AS changes,
    min(words) AS "fewest words", max(words) AS "most words",
    min(resemblance) AS "lowest resemblance", avg(resemblance) AS "mean resemblance"
FROM changes GROUP BY kind ORDER BY changes DESC NULLS LAST, kind NULLS LAST
"""


def memberships_table(truths: list[pa.Table]) -> pa.Table:
    """Of each URL in each snapshot the family whose text it shows."""
    return ask(_MEMBERSHIPS, truths=numbered(truths))


def mirrors_table(web: Web, relations: list[Relation], truths: list[pa.Table]) -> pa.Table:
    """Which host repeats which, or only seems to, and how many pages of it in each snapshot."""
    rows = [
        {
            "host": host_of(web, each.host, each.name),
            "mirror_of": host_of(web, each.of, 0),
            "kind": each.kind,
            "way": each.way,
            "group": each.group,
            "path": FOLDERS[each.folder],
            "path_of": FOLDERS[each.of_folder],
            "lag": each.lag,
        }
        for each in relations
    ]
    tables = {"relations": pa.Table.from_pylist(rows, RELATIONS), "truths": numbered(truths)}
    return ask(_MIRRORS, **tables)


def hosts_table(web: Web, table: pa.Table) -> pa.Table:
    """Every host in every snapshot: the URLs that live on it, those of them that the crawl has, and
    why it has none."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for address in addresses(table):
        host = host_of(web, address.host, address.name)
        for snapshot in range(1, web.snapshots + 1):
            if (row := found.get((host, snapshot))) is None:
                row = found[host, snapshot] = {
                    "host": host,
                    "snapshot": snapshot,
                    "ip": ip(web, address.machine) if address.machine >= 0 else None,
                    "urls": 0,
                    "pages": 0,
                    "absent": absence(web, address, snapshot),
                    "rate": address.rate / 1000 if address.rate >= 0 else None,
                }
            row["urls"] += lives(address, snapshot)
            row["pages"] = row["urls"] if row["absent"] is None else 0
    rows = [found[key] for key in sorted(found)]
    return pa.Table.from_pylist(rows, HOSTS)


def change_kinds(changes: pa.Table) -> pa.Table:
    """How often pages changed in which way, and how much."""
    return ask(_KINDS, changes=changes)


def numbered(truths: list[pa.Table]) -> pa.Table:
    """The truths of all snapshots as one, with their numbers."""
    return pa.concat_tables(
        truth.append_column("snapshot", pa.array([number] * len(truth), pa.int32()))
        for number, truth in enumerate(truths, 1)
    )
