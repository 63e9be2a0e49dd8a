"""The tables and sentences of the study of where duplicates occur."""

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.columns import page_numbers
from webecho.run import Run
from webecho.study.duplicate_tables import (
    LAWS,
    REACHABLE,
    SIZES,
    UNREACHABLE,
    WHOLE,
    Row,
    StudiedCollection,
    against_parts,
    law_rows,
    rows,
    size_rows,
    zipf,
)
from webecho.study.papers import GRAPH, beside_rows, beside_table
from webecho.study.papers import TITLE as BESIDE
from webecho.study.reaching import PARTS, Reached
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

# The tables that people are shown.
TITLES = {
    "links": "Links",
    "bow_tie": "The bow tie",
    "starts": "Initial documents",
    "table_4": "Table 4. Duplicates of the complete collection and of its parts",
    "table_5": "Table 5. Clusters with at least one document in the reachable part",
    "table_6": "Table 6. Unique documents in the reachable part",
    "sites": "Clusters on one site and on several",
    "beside_paper": BESIDE,
}
# Of a list that people are not shown.
PAGES = "Every page: whether it is a document, is reached, and where in the bow tie it lies"
ALL_PARTS = (WHOLE, REACHABLE, UNREACHABLE)
BOW_TIE = """
WITH counted AS (
    SELECT place, count(*) AS pages, count(*) FILTER (WHERE document) AS documents
    FROM pages GROUP BY place
), every AS (
    SELECT part, parts.place, coalesce(pages, 0) AS pages, coalesce(documents, 0) AS documents
    FROM parts LEFT JOIN counted ON counted.place = parts.place
), whole AS (
    SELECT greatest(count(*), 1) AS pages,
        greatest(count(*) FILTER (WHERE document), 1) AS documents
    FROM pages
)
SELECT part,
    every.pages AS pages, every.pages / whole.pages AS "share of pages",
    every.documents AS documents, every.documents / whole.documents AS "share of documents"
FROM every CROSS JOIN whole ORDER BY every.place NULLS LAST
"""
IN_REACHABLE = """
WITH clusters AS (
    SELECT count(*) AS size, count(*) FILTER (WHERE inside) AS inside
    FROM documents GROUP BY cluster
)
SELECT
    count(*) FILTER (WHERE size > 1) AS clusters,
    count(*) FILTER (WHERE size > 1 AND inside > 0) AS "clusters inside",
    count(*) FILTER (WHERE size = 1) AS "unique",
    count(*) FILTER (WHERE size = 1 AND inside > 0) AS "unique inside"
FROM clusters
"""
STARTS = {
    "page": pa.int64(),
    "url": pa.string(),
    "documents reached": pa.int64(),
    "share of documents": pa.float64(),
    "pages reached": pa.int64(),
}


def bow_tie_table(parts: pa.Array, documents: pa.Array, run: Run) -> pa.Table:
    """How many pages, and documents among them, lie where."""
    with run.database() as database:
        database.add("pages", pa.table({"place": parts, "document": documents}))
        names = {"place": pa.array(range(len(PARTS)), parts.type), "part": pa.array(PARTS)}
        database.add("parts", pa.table(names))
        return database.table(BOW_TIE)


def starts_table(workspace: Workspace, reached: Reached, documents: pa.Array) -> pa.Table:
    """The initial documents in the order in which they were tried."""
    total = pc.sum(documents).as_py() or 0
    found = [
        {
            "page": start.page,
            "url": workspace.row(start.page, ["url"])["url"][0].as_py(),
            "documents reached": start.documents,
            "share of documents": ratio(start.documents, total),
            "pages reached": start.pages,
        }
        for start in reached.starts
    ]
    return rows(found, STARTS)


def pages_table(documents: pa.Array, parts: pa.Array, reached: Reached) -> pa.Table:
    known = reached.pages is not None
    return pa.table(
        {
            "page": page_numbers(len(documents)).cast(pa.int64()),
            "document": documents,
            "reached": reached.pages if known else pa.nulls(len(documents), pa.bool_()),
            "bow_tie": pa.DictionaryArray.from_arrays(parts.cast(pa.int32()), pa.array(PARTS)).cast(
                pa.string()
            ),
        }
    )


def duplicate_tables(found: StudiedCollection, reached: pa.Array, run: Run) -> dict[str, pa.Table]:
    """Tables 4 to 6, and what they are made of."""
    parts = [part_row(found, part) for part in ALL_PARTS]
    fourth: Row = {"collection": found.name}
    for row in parts:
        fourth[str(row["part"])] = row["duplicates"]
        fourth[f"share {row['part']}"] = row["share of duplicates"]
    inside = reached.take(found.clusters["page"].combine_chunks())
    with run.database() as database:
        database.add(
            "documents", pa.table({"cluster": found.clusters["cluster"], "inside": inside})
        )
        counts = database.row(IN_REACHABLE)
    return {
        "parts": rows(parts),
        "table_4": rows([fourth]),
        "table_5": in_reachable(found.name, "clusters", counts),
        "table_6": in_reachable(found.name, "unique", counts),
        "cluster_sizes": rows(size_rows(found), SIZES),
        "sites": found.sites,
        "power_laws": rows(law_rows(found), LAWS),
    }


def part_row(found: StudiedCollection, part: str) -> Row:
    documents, sizes = found.documents[part], found.sizes[part]
    return {
        "part": part,
        "documents": documents,
        "share of documents": ratio(documents, found.documents[WHOLE]),
        "clusters": sizes.clusters,
        "duplicates": sizes.duplicates,
        "share of duplicates": ratio(sizes.duplicates, documents),
        "unique": documents - sizes.documents,
    }


def in_reachable(collection: str, what: str, counts: Row) -> pa.Table:
    """How many `clusters`, or `unique` documents, have a document in the reachable part."""
    row = {
        "collection": collection,
        what: counts[what],
        "in the reachable part": counts[f"{what} inside"],
        "share in the reachable part": ratio(counts[f"{what} inside"], counts[what]),
    }
    return rows([row])


def useful(tables: dict[str, pa.Table]) -> Row:
    """Useful documents of the collection, and those of which one is reached."""
    whole = tables["parts"].to_pylist()[0]
    reached = sum(
        tables[name]["in the reachable part"][0].as_py() for name in ("table_5", "table_6")
    )
    count = whole["documents"] - whole["duplicates"]
    return {
        "useful documents": count,
        "useful documents reached": reached,
        "share of useful documents reached": ratio(reached, count),
    }


def beside_paper(name: str, tables: dict[str, pa.Table], facts: Row) -> pa.Table:
    """What the papers have of this collection's shares too."""
    [fourth], [fifth], [sixth] = (
        tables[table].to_pylist() for table in ("table_4", "table_5", "table_6")
    )
    own = {f"share of duplicates, {part}": fourth[f"share {part}"] for part in ALL_PARTS} | {
        "share of documents reached": tables["parts"]["share of documents"][1].as_py(),
        "share of clusters in the reachable part": fifth["share in the reachable part"],
        "share of unique in the reachable part": sixth["share in the reachable part"],
    }
    return beside_table(beside_rows(name, facts | own, GRAPH))


def sentences(found: StudiedCollection, tables: dict[str, pa.Table], facts: Row) -> list[str]:
    """What the papers say of their collections, of this one."""
    whole, reachable, unreachable = tables["parts"].to_pylist()
    return [
        f"The reachable component has {reachable['share of documents']:.1%} of the documents: "
        f"{reachable['documents']:,} of {whole['documents']:,}.",
        compared("the complete collection", whole, reachable, "50.9"),
        compared("the unreachable component", unreachable, reachable, "74.6"),
        f"Useful documents reached: {facts['useful documents reached']:,} of "
        f"{facts['useful documents']:,}, {facts['share of useful documents reached']:.1%}.",
        against_parts(found),
        *zipf(found),
    ]


def compared(name: str, part: Row, reachable: Row, papers: str) -> str:
    """The conclusion's ratios: of percentages, as the papers mean them, and of numbers."""
    share, other = part["share of duplicates"], reachable["share of duplicates"]
    both = f"Of {name} {share:.1%} are duplicates, {other:.1%} of the reachable component"
    if not other:
        return f"{both}: there is no ratio to nothing."
    change = share / other - 1
    more = "higher" if change >= 0 else "lower"
    times = part["duplicates"] / reachable["duplicates"]
    return (
        f"{both}: {abs(change):.1%} {more} (in Baeza-Yates 2007 {papers} % higher in the mean). In "
        f"numbers {part['duplicates']:,} are {times:.2f} times {reachable['duplicates']:,}."
    )
