"""The tables and sentences of the study of where duplicates occur."""

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.columns import page_numbers
from webecho.study.duplicate_tables import (
    REACHABLE,
    SIZES,
    UNREACHABLE,
    WHOLE,
    Collection,
    Row,
    against_parts,
    rows,
    size_rows,
    zipf,
)
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
}
STARTS = {
    "page": pa.int64(),
    "url": pa.string(),
    "documents reached": pa.int64(),
    "share of documents": pa.float64(),
    "pages reached": pa.int64(),
}


def bow_tie_table(parts: pa.Array, documents: pa.Array) -> pa.Table:
    """How many pages, and documents among them, lie where."""
    found = []
    total = pc.sum(documents).as_py() or 0
    for number, name in enumerate(PARTS):
        here = pc.equal(parts, pa.scalar(number, parts.type))
        pages = pc.sum(here).as_py() or 0
        counted = pc.sum(pc.and_(here, documents)).as_py() or 0
        found.append(
            {
                "part": name,
                "pages": pages,
                "share of pages": ratio(pages, len(parts)),
                "documents": counted,
                "share of documents": ratio(counted, total),
            }
        )
    return rows(found)


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


def duplicate_tables(found: Collection, reached: pa.Array) -> dict[str, pa.Table]:
    """Tables 4 to 6, and what they are made of."""
    parts = [part_row(found, part) for part in (WHOLE, REACHABLE, UNREACHABLE)]
    fourth: Row = {"collection": found.name}
    for row in parts:
        fourth[str(row["part"])] = row["duplicates"]
        fourth[f"share {row['part']}"] = row["share of duplicates"]
    inside = reached.take(found.clusters["page"].combine_chunks())
    clusters = pa.table({"cluster": found.clusters["cluster"], "inside": inside})
    members = clusters.group_by("cluster").aggregate([([], "count_all"), ("inside", "any")])
    several = pc.greater(members["count_all"], 1)
    return {
        "parts": rows(parts),
        "table_4": rows([fourth]),
        "table_5": in_reachable(found.name, "clusters", members.filter(several)),
        "table_6": in_reachable(found.name, "unique", members.filter(pc.invert(several))),
        "cluster_sizes": rows(size_rows(found), SIZES),
        "sites": found.sites,
    }


def part_row(found: Collection, part: str) -> Row:
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


def in_reachable(collection: str, what: str, members: pa.Table) -> pa.Table:
    """How many clusters, or unique documents, have a document in the reachable part."""
    inside = pc.sum(members["inside_any"]).as_py() or 0
    row = {
        "collection": collection,
        what: len(members),
        "in the reachable part": inside,
        "share in the reachable part": ratio(inside, len(members)),
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


def sentences(found: Collection, tables: dict[str, pa.Table], facts: Row) -> list[str]:
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
    told = f"Of {name} {share:.1%} are duplicates, {other:.1%} of the reachable component"
    if not other:
        return f"{told}: there is no ratio to nothing."
    change = share / other - 1
    more = "higher" if change >= 0 else "lower"
    times = part["duplicates"] / reachable["duplicates"]
    return (
        f"{told}: {abs(change):.1%} {more} (in Baeza-Yates 2007 {papers} % higher in the mean). In "
        f"numbers {part['duplicates']:,} are {times:.2f} times {reachable['duplicates']:,}."
    )
