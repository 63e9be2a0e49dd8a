"""Which addresses a snapshot still has of the one before, which are gone and which are new; and
hosts that are absent at once, as by the failed disk of Fetterly 2004, section 3."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.shares import ratio

# How many addresses were first seen in each snapshot.
FIRST_SEEN = """
SELECT seen, count(*) AS addresses
FROM (SELECT min(snapshot) AS seen FROM captures GROUP BY address) AS firsts
GROUP BY seen ORDER BY seen NULLS LAST
"""
PERSISTING = """
SELECT
    count(*) AS persisting,
    count(*) FILTER (WHERE here.markup = there.markup) AS identical,
    count(*) FILTER (
        WHERE here.words = there.words OR (here.words IS NULL AND there.words IS NULL)
    ) AS same
FROM captures_{one} AS here JOIN captures_{other} AS there ON there.address = here.address
"""
PERSISTENCE = pa.schema(
    {
        "from": pa.int64(),
        "to": pa.int64(),
        "addresses": pa.int64(),
        "persisting": pa.int64(),
        "byte-identical": pa.int64(),
        "with the same words": pa.int64(),
        "gone": pa.int64(),
        "new": pa.int64(),
        "share persisting": pa.float64(),
        "share byte-identical of those": pa.float64(),
    }
)
# Hosts of the snapshot before, how many of them have nothing here, and how many of those are back
# in the next one.
HOSTS = """
SELECT
    count(*) AS hosts,
    count(*) FILTER (WHERE here.host IS NULL) AS absent,
    count(*) FILTER (WHERE here.host IS NULL AND after.host IS NOT NULL) AS back,
    CAST(coalesce(sum(before.addresses) FILTER (WHERE here.host IS NULL), 0) AS BIGINT) AS addresses
FROM (
    SELECT host, count(*) AS addresses FROM captures_{before} WHERE host IS NOT NULL GROUP BY host
) AS before
LEFT JOIN (SELECT DISTINCT host FROM captures_{here}) AS here ON here.host = before.host
LEFT JOIN (SELECT DISTINCT host FROM {after}) AS after ON after.host = before.host
"""
ABSENT = pa.schema(
    {
        "snapshot": pa.int64(),
        "hosts before": pa.int64(),
        "absent at once": pa.int64(),
        "share absent": pa.float64(),
        "their addresses": pa.int64(),
        "back in the next": pa.int64(),
    }
)
# So large a share of the hosts, and so many times what is usual, does not go by itself in one step.
LEAST_SHARE, TIMES = 0.05, 3


@dataclass(frozen=True)
class Addresses:
    """How many addresses each snapshot has, and how many an earlier one has that it has not."""

    there: tuple[int, ...]
    absent: tuple[int, ...]


def known_addresses(database: Database, snapshots: int) -> Addresses:
    """The addresses of the snapshots, of which there are so many."""
    new = {row["seen"]: row["addresses"] for row in database.table(FIRST_SEEN).to_pylist()}
    there, absent, known = [], [], 0
    for number in range(1, snapshots + 1):
        known += new.get(number, 0)
        [count] = database.table(f"SELECT count(*) AS n FROM captures_{number}")["n"].to_pylist()
        there.append(count)
        absent.append(known - count)
    return Addresses(tuple(there), tuple(absent))


def persistence(database: Database, there: Sequence[int]) -> pa.Table:
    """From each snapshot to the next: what persists, is gone and new."""
    rows = []
    for number, (before, after) in enumerate(pairwise(there), 1):
        found = database.row(PERSISTING.format(one=number, other=number + 1))
        persisting, identical = found["persisting"], found["identical"]
        rows.append(
            {
                "from": number,
                "to": number + 1,
                "addresses": before,
                "persisting": persisting,
                "byte-identical": identical,
                "with the same words": found["same"],
                "gone": before - persisting,
                "new": after - persisting,
                "share persisting": ratio(persisting, before),
                "share byte-identical of those": ratio(identical, persisting),
            }
        )
    return pa.Table.from_pylist(rows, PERSISTENCE)


def absent_hosts(database: Database, snapshots: int) -> pa.Table:
    """For each snapshot the hosts of the one before of which it has nothing."""
    rows = []
    for number in range(2, snapshots + 1):
        nothing = "(SELECT host FROM captures_1 WHERE 1 = 0) AS none_after"
        after = f"captures_{number + 1}" if number < snapshots else nothing
        found = database.row(HOSTS.format(before=number - 1, here=number, after=after))
        rows.append(
            {
                "snapshot": number,
                "hosts before": found["hosts"],
                "absent at once": found["absent"],
                "share absent": ratio(found["absent"], found["hosts"]),
                "their addresses": found["addresses"],
                "back in the next": found["back"] if number < snapshots else None,
            }
        )
    return pa.Table.from_pylist(rows, ABSENT)


def lost_at_once(absent: pa.Table) -> list[dict[str, Any]]:
    """The snapshots in which a share of the hosts is absent at once that did not go by itself."""
    rows = absent.to_pylist()
    found = []
    for row in rows:
        others = [each["share absent"] for each in rows if each is not row]
        usual = median(others) if others else 0.0
        if row["share absent"] >= max(LEAST_SHARE, TIMES * usual):
            found.append(row)
    return found
