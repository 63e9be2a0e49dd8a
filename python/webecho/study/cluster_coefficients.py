"""*Containment* Φ and *similarity* Ψ of the clusters of an address in two snapshots (Fetterly 2004,
section 3).

Of C₁, its cluster in the first snapshot, and Cₙ, that in the n-th: Φ₁ⁿ = |C₁ ∩ Cₙ| / |C₁| tells
which share of C₁ is still together (Figure 4), Φₙ¹ = |C₁ ∩ Cₙ| / |Cₙ| which share of Cₙ was
(Figure 7), and Ψ = |C₁ ∩ Cₙ| / |C₁ ∪ Cₙ| is the same from either side (Figure 5). They are averaged
over the addresses whose |C₁| is of one class.

Addresses that an earlier snapshot has and the n-th has not are one cluster there, "could not
download", as in the paper; or they are left out, of C₁ too.
"""

from typing import Literal, get_args

import pyarrow as pa

from webecho.engine.exact_sums import total, units
from webecho.engine.protocol import Database
from webecho.errors import SettingsError, setting
from webecho.study.size_classes import CLASS_NAMES, size_class

Missing = Literal["cluster", "drop"]

# How many addresses each two clusters share; `other` is below 0 for what could not be downloaded.
SHARED = """
SELECT
    one.cluster AS one, one.size AS one_size, coalesce(other.cluster, -1) AS other,
    coalesce(other.size, {absent}) AS other_size, count(*) AS shared
FROM captures_1 AS one {join} captures_{number} AS other ON other.address = one.address
GROUP BY one.cluster, one.size, other.cluster, other.size
"""
# Of a cluster what is left of it, where the rest is left out.
REMAINING = """
SELECT
    shared.one AS one, one_size, other, other_size, shared, {left} AS left_size
FROM shared JOIN (
    SELECT one, CAST(sum(shared) AS BIGINT) AS there FROM shared GROUP BY one
) AS still ON still.one = shared.one
"""
CONTAINED = "CAST(shared AS DOUBLE) * shared / left_size"
REVERSE = "CAST(shared AS DOUBLE) * shared / other_size"
SIMILAR = "CAST(shared AS DOUBLE) * shared / (left_size + other_size - shared)"
AVERAGES = f"""
SELECT
    class, CAST(sum(shared) AS BIGINT) AS addresses,
    {total(of="contained")} AS contained,
    {total(of="reverse")} AS reverse,
    {total(of="alike")} AS alike
FROM (
    SELECT
        {size_class("one_size")} AS class, shared,
        {units(CONTAINED)} AS contained, {units(REVERSE)} AS reverse, {units(SIMILAR)} AS alike
    FROM remaining
) AS summed
GROUP BY class ORDER BY class NULLS LAST
"""
# Those of each address, between the first and the last snapshot.
EACH = """
SELECT
    captures_1.page AS page, one_size, other_size, shared,
    CAST(shared AS DOUBLE) / left_size AS contained,
    CAST(shared AS DOUBLE) / other_size AS reverse,
    CAST(shared AS DOUBLE) / (left_size + other_size - shared) AS alike
FROM captures_1
{join} captures_{number} AS other ON other.address = captures_1.address
JOIN remaining
    ON remaining.one = captures_1.cluster AND remaining.other = coalesce(other.cluster, -1)
ORDER BY alike NULLS LAST, page NULLS LAST LIMIT {rows}
"""
AVERAGED = pa.schema(
    {
        "snapshot": pa.int64(),
        "cluster size in 1": pa.string(),
        "addresses": pa.int64(),
        "containment Φ₁ⁿ": pa.float64(),
        "similarity Ψ": pa.float64(),
        "containment Φₙ¹": pa.float64(),
    }
)


def check_missing(missing: str) -> None:
    """Refuses what is no way to take addresses that are not there."""
    if missing not in get_args(Missing):
        raise SettingsError(
            setting("missing").to(missing, repr(missing)),
            ": give cluster (as in the paper: what could not be downloaded is a cluster) or drop",
        )


def add_shared(database: Database, number: int, absent: int, missing: Missing) -> None:
    """Adds `remaining`: what each cluster of the first snapshot has in common with each of another,
    in which so many known addresses are absent."""
    join = "LEFT JOIN" if missing == "cluster" else "JOIN"
    left = "one_size" if missing == "cluster" else "there"
    database.keep("shared", SHARED.format(number=number, join=join, absent=absent))
    database.keep("remaining", REMAINING.format(left=left))


def averages(database: Database, number: int, absent: int, missing: Missing) -> pa.Table:
    """The averages of a snapshot, by the size of the clusters in the first."""
    add_shared(database, number, absent, missing)
    rows = [
        {
            "snapshot": number,
            "cluster size in 1": CLASS_NAMES[row["class"]],
            "addresses": row["addresses"],
            "containment Φ₁ⁿ": row["contained"] / row["addresses"],
            "similarity Ψ": row["alike"] / row["addresses"],
            "containment Φₙ¹": row["reverse"] / row["addresses"],
        }
        for row in database.table(AVERAGES).to_pylist()
    ]
    return pa.Table.from_pylist(rows, AVERAGED)


def each_address(
    database: Database, number: int, absent: int, missing: Missing, rows: int
) -> pa.Table:
    """The coefficients of so many pages of the first snapshot, the least similar first."""
    add_shared(database, number, absent, missing)
    join = "LEFT JOIN" if missing == "cluster" else "JOIN"
    return database.table(EACH.format(number=number, join=join, rows=rows))
