"""What Henzinger 2006 reports of pairs, of those that `webecho pairs` has found.

| here | in the paper |
| --- | --- |
| `by_b_similarity` | Table 1, and with the average C-similarity Table 9 |
| `by_c_range` | the average B-similarity of Table 10 |
| `c_by_b` | Figure 5: the distribution of C-similarity for each B-similarity |
| `degrees` | Figures 1 and 3: in how many pairs pages are |
| `differences` | Figures 2 and 4: how many pairs have which term difference |
| `sites` | the sites that give most pairs (sections 3.2, 3.3) |
| `hosts` | the distribution of pages per host (section 3) |

Pairs count as often as their weights say, so that sampled hot buckets do not count too little;
sums of weights are rounded.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from webecho.engine.local.database import connect
from webecho.errors import WorkspaceError
from webecho.group.rules.parameters import LEAST_B, LEAST_C, OF_BITS
from webecho.run import Run
from webecho.study.power_law import Fit, fit
from webecho.workspace.workspace import Workspace

# The ranges of C-similarity in Tables 5 and 10 begin here; of 384 bits.
RANGES = (0, 372, 376, 379, 382)
# A node of the similarity graph has a high degree from here on (section 3.4.1).
HIGH = 100
# A term difference above this is large (section 3.2 and Table 8).
LARGE = 200
MOST_SITES = 20

BY_B = """
SELECT b_similarity, CAST(round(sum(weight)) AS BIGINT) AS pairs,
    sum(weight) / (SELECT sum(weight) FROM pairs) AS share,
    sum(weight * c_similarity) / sum(weight) AS "average C-similarity"
FROM pairs GROUP BY b_similarity ORDER BY b_similarity NULLS LAST
"""
BY_C = """
SELECT low AS "C-similarity from", high AS "to", CAST(round(sum(weight)) AS BIGINT) AS pairs,
    sum(weight) / (SELECT sum(weight) FROM pairs) AS share,
    sum(weight * b_similarity) / sum(weight) AS "average B-similarity"
FROM pairs JOIN ranges ON c_similarity BETWEEN low AND high
GROUP BY low, high ORDER BY low
"""
C_BY_B = """
SELECT b_similarity, c_similarity, CAST(round(sum(weight)) AS BIGINT) AS pairs,
    sum(weight) / sum(sum(weight)) OVER (PARTITION BY b_similarity) AS share
FROM pairs WHERE b_similarity IS NOT NULL AND c_similarity IS NOT NULL
GROUP BY b_similarity, c_similarity ORDER BY b_similarity, c_similarity
"""
# Every pair counts for the site of either page, and once where they are the same.
SITES = """
WITH sides AS (
    SELECT l.site AS site, weight, same_site FROM pairs JOIN pages AS l ON l.page = pairs."left"
    UNION ALL
    SELECT r.site, weight, same_site FROM pairs JOIN pages AS r ON r.page = pairs."right"
    WHERE NOT same_site
)
SELECT site, CAST(round(sum(weight)) AS BIGINT) AS pairs,
    sum(weight) / (SELECT sum(weight) FROM pairs) AS share,
    CAST(round(coalesce(sum(weight) FILTER (same_site), 0)) AS BIGINT) AS "on the same site"
FROM sides WHERE site IS NOT NULL
GROUP BY site ORDER BY pairs DESC, site LIMIT {most}
"""
HOSTS = """
SELECT pages, count(*) AS hosts
FROM (SELECT count(*) AS pages FROM pages WHERE host IS NOT NULL GROUP BY host)
GROUP BY pages ORDER BY pages
"""
DEGREES = "SELECT degree, count(*) AS pages FROM degrees GROUP BY degree ORDER BY degree"
FACTS = """
SELECT
    sum(weight) FILTER (same_site) / sum(weight) AS "share on the same site",
    sum(weight * c_similarity) / sum(weight) AS "average C-similarity",
    sum(weight * b_similarity) / sum(weight) AS "average B-similarity",
    sum(weight) FILTER (c_similarity >= {c}) / sum(weight) AS "share with C-similarity ≥ {c}",
    sum(weight) FILTER (b_similarity >= {b}) / sum(weight) AS "share with B-similarity ≥ {b}",
    sum(weight) FILTER (b_similarity = 0) / sum(weight) AS "share with B-similarity 0"
FROM pairs
"""
DEGREE_FACTS = """
SELECT
    count(*) AS "pages with a near-duplicate",
    avg(degree) AS "average degree",
    count(*) FILTER (degree >= {high}) / greatest(count(*), 1) AS "share of degree ≥ {high}"
FROM degrees
"""
# Nulls here are above the limit: they are large, and beyond any quantile that is not.
DIFFERENCES = """
SELECT {column} AS difference, CAST(round(sum(weight)) AS BIGINT) AS pairs FROM measured
GROUP BY difference ORDER BY difference NULLS LAST
"""


@dataclass(frozen=True)
class PairReport:
    """Tables by name, facts by name, and the lines that were fitted."""

    label: str
    facts: dict[str, Any]
    tables: dict[str, pa.Table]
    fits: dict[str, Fit] = field(default_factory=dict)


def report(workspace: Workspace, label: str, run: Run) -> PairReport:
    """What there is to say of the pairs that were written under this label."""
    file = workspace.path / "pairs" / f"{label}.parquet"
    beside = workspace.path / "pairs" / label
    try:
        counts = json.loads((beside / "counts.json").read_bytes())
    except (OSError, ValueError) as error:
        raise WorkspaceError(f"{beside} tells no counts ({error}); find the pairs again") from error
    bits = workspace.recipe.bits
    least = -(-LEAST_C * bits // OF_BITS)
    with connect(run.threads, run.memory) as connection:
        view(connection, "pairs", [file])
        view(connection, "degrees", [beside / "degrees.parquet"])
        view(connection, "pages", workspace.part_files("sketches"))
        connection.register("ranges", ranges(bits))
        tables = {
            "by_b_similarity": BY_B,
            "by_c_range": BY_C,
            "c_by_b": C_BY_B,
            "degrees": DEGREES,
            "sites": SITES.format(most=MOST_SITES),
            "hosts": HOSTS,
        }
        found = {name: connection.sql(query).to_arrow_table() for name, query in tables.items()}
        facts = counts | row(connection, FACTS.format(c=least, b=LEAST_B))
        facts |= row(connection, DEGREE_FACTS.format(high=HIGH))
        facts["share with a near-duplicate"] = ratio(
            facts["pages with a near-duplicate"], counts["distinct pages"]
        )
        facts["hosts"] = sum(found["hosts"]["hosts"].to_pylist())
        facts["pages per host"] = ratio(hosted(found["hosts"]), facts["hosts"])
        if "term_difference" in pairs_columns(connection):
            connection.sql(
                "CREATE VIEW measured AS SELECT * FROM pairs "
                "WHERE term_difference IS NOT NULL OR more_than IS NOT NULL"
            )
            for name, column in (
                ("differences", "term_difference"),
                ("differences_without_images", "text_difference"),
            ):
                query = DIFFERENCES.format(column=column)
                found[name] = connection.sql(query).to_arrow_table()
                images = "" if name == "differences" else ", without image terms"
                facts |= difference_facts(found[name], images)
    fits = {
        name: line
        for name, size, count in (("degrees", "degree", "pages"), ("hosts", "pages", "hosts"))
        if (line := fit(by_size(found[name], size, count))) is not None
    }
    for name, line in fits.items():
        facts[f"exponent of {name}"] = line.exponent
        facts[f"its error, {name}"] = line.error
        facts[f"spread around the line, {name}"] = line.spread
    return PairReport(label, facts, found, fits)


def view(connection: duckdb.DuckDBPyConnection, name: str, files: list[Path]) -> None:
    listed = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
    connection.sql(f"CREATE VIEW {name} AS SELECT * FROM read_parquet([{listed}])")


def pairs_columns(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [*connection.sql("SELECT * FROM pairs LIMIT 0").columns]


def row(connection: duckdb.DuckDBPyConnection, query: str) -> dict[str, Any]:
    """The only row of a query, by names, without what is not known."""
    found: pa.Table = connection.sql(query).to_arrow_table()
    return {name: value for name, value in found.to_pylist()[0].items() if value is not None}


def ranges(bits: int) -> pa.Table:
    """The ranges of C-similarity, in proportion to the bits."""
    starts = [-(-start * bits // OF_BITS) for start in RANGES]
    ends = [*(start - 1 for start in starts[1:]), bits]
    return pa.table({"low": pa.array(starts, pa.int64()), "high": pa.array(ends, pa.int64())})


def by_size(table: pa.Table, size: str, count: str) -> dict[int, float]:
    return dict(zip(table[size].to_pylist(), table[count].to_pylist(), strict=True))


def hosted(hosts: pa.Table) -> int:
    rows = zip(hosts["pages"].to_pylist(), hosts["hosts"].to_pylist(), strict=True)
    return sum(pages * count for pages, count in rows)


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def difference_facts(table: pa.Table, images: str) -> dict[str, Any]:
    """What section 3.2 says of term differences; those above the limit count as large ones, and the
    average is of the others."""
    counted = [
        (difference, pairs)
        for difference, pairs in by_size(table, "difference", "pairs").items()
        if difference is not None
    ]
    total = sum(table["pairs"].to_pylist())
    if not total:
        return {}
    known = sum(pairs for _, pairs in counted)
    facts: dict[str, Any] = {
        f"average term difference{images}": ratio(
            sum(difference * pairs for difference, pairs in counted), known
        ),
        f"median term difference{images}": quantile(counted, total, 0.5),
        f"share of term difference 2{images}": dict(counted).get(2, 0.0) / total,
        f"90th percentile of term differences{images}": quantile(counted, total, 0.9),
        f"pairs with term difference over {LARGE}{images}": total
        - sum(pairs for difference, pairs in counted if difference <= LARGE),
    }
    if total > known:
        facts[f"pairs above the limit of term differences{images}"] = total - known
    return {name: value for name, value in facts.items() if value is not None}


def quantile(counted: list[tuple[int, float]], total: float, share: float) -> int | None:
    """The least difference that at least this share of the pairs does not exceed; None if that is
    above the limit."""
    reached = 0.0
    for difference, pairs in sorted(counted):
        reached += pairs
        if reached >= share * total - 1e-9:
            return difference
    return None
