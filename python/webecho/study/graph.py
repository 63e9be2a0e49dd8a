"""Where duplicates occur (Pereira 2006, section 4.1; Baeza-Yates 2007, section 3.2): in the part of
a collection that is reached by following links, and in the rest.

| here | in the papers |
| --- | --- |
| `table_4` | Table 4: duplicates of the complete collection, its reachable and unreachable part |
| `table_5` | Table 5: clusters with at least one document in the reachable part |
| `table_6` | Table 6: unique documents in the reachable part |
| `parts` | what these are made of, a row for each part |
| `cluster_sizes` | Figures 2 to 4: how many clusters have how many documents |
| `sites` | whether small and large clusters are of one site or of several |
| `bow_tie`, `starts`, `links` | beyond the papers: the whole bow tie, the starts tried, the links |
| `pages` | for every page whether it is a document, is reached, and where in the bow tie it lies |

Each part is clustered by itself, so a cluster with documents in both gives one in each, or none
where a single document is left. *Useful* documents are one of each cluster, and all unique ones:
documents − duplicates.
"""

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.lists import page_numbers
from webecho.group.paragraphs import TABLE, Match, long_enough
from webecho.sketches.links import TABLE as LINK_TABLE
from webecho.sketches.workspace import Workspace
from webecho.study.duplicate_tables import (
    REACHABLE,
    UNREACHABLE,
    WHOLE,
    Collection,
    against_parts,
    figure,
    size_rows,
)
from webecho.study.duplicates import DuplicateSettings, names, studied
from webecho.study.near_duplicates import ratio
from webecho.study.reaching import PARTS, Reached, StartSettings, reach
from webecho.study.result import Study
from webecho.study.web import LinkSettings, graph_of

TITLES = {
    "links": "Links",
    "bow_tie": "The bow tie",
    "starts": "Initial documents",
    "table_4": "Table 4. Duplicates of the complete collection and of its parts",
    "table_5": "Table 5. Clusters with at least one document in the reachable part",
    "table_6": "Table 6. Unique documents in the reachable part",
    "sites": "Clusters on one site and on several",
}
# The tables that there are only if enough was reached.
OF_PARTS = ("table_4", "table_5", "table_6", "parts", "cluster_sizes", "sites")


@dataclass(frozen=True)
class GraphSettings:
    """Which links are followed, from where, and which documents are the same."""

    links: LinkSettings = field(default_factory=LinkSettings)
    starts: StartSettings = field(default_factory=StartSettings)
    match: Match = "multiset"


def needed_tables(settings: GraphSettings) -> list[str]:
    """The page tables that a study with these settings needs."""
    return [TABLE] if settings.links.edges else [TABLE, LINK_TABLE]


def study_graph(
    workspace: Workspace,
    settings: GraphSettings,
    *,
    threads: int = 1,
    memory: int | None = None,
) -> Study:
    """The study of a workspace, which must have its paragraphs and, unless there is an edge list,
    its links (see `require_tables`)."""
    name = names([workspace])[0]
    web = graph_of(workspace, settings.links, threads=threads, memory=memory)
    documents = long_enough(workspace)
    parts = web.graph.bow_tie()
    reached = reach(workspace, web, documents, parts, settings.starts)
    # It may be large, and what follows has the memory to itself.
    facts, kinds = web.facts, web.kinds
    del web
    tables = {
        "bow_tie": bow_tie_table(parts, documents),
        "starts": starts_table(workspace, reached, documents),
        "pages": pages_table(documents, parts, reached),
    }
    if kinds is not None:
        tables["links"] = kinds
    facts["documents"] = pc.sum(documents).as_py() or 0
    if reached.pages is None:
        notes = (too_little(reached, settings, facts),)
        return Study("graph", tables, shown(tables), notes=notes, facts=facts)
    found = studied(
        workspace, name, DuplicateSettings(settings.match, near=()), reached.pages, threads, memory
    )
    tables |= duplicate_tables(found, reached.pages)
    tables["sites"] = found.sites
    facts |= useful(tables)
    return Study(
        "graph",
        tables,
        shown(tables),
        sentences=tuple(sentences(found, tables, facts)),
        facts=facts,
        figures={f"cluster_sizes-{part}": figure(found, part) for part in found.sizes},
    )


def shown(tables: dict[str, pa.Table]) -> dict[str, str]:
    return {name: title for name, title in TITLES.items() if name in tables}


def bow_tie_table(parts: pa.Array, documents: pa.Array) -> pa.Table:
    """How many pages, and documents among them, lie where."""
    rows = []
    total = pc.sum(documents).as_py() or 0
    for number, name in enumerate(PARTS):
        here = pc.equal(parts, pa.scalar(number, parts.type))
        pages = pc.sum(here).as_py() or 0
        counted = pc.sum(pc.and_(here, documents)).as_py() or 0
        rows.append(
            {
                "part": name,
                "pages": pages,
                "share of pages": ratio(pages, len(parts)),
                "documents": counted,
                "share of documents": ratio(counted, total),
            }
        )
    return pa.Table.from_pylist(rows)


def starts_table(workspace: Workspace, reached: Reached, documents: pa.Array) -> pa.Table:
    """The initial documents in the order in which they were tried."""
    total = pc.sum(documents).as_py() or 0
    rows = [
        {
            "page": start.page,
            "url": workspace.row(start.page, ["url"])["url"][0].as_py(),
            "documents reached": start.documents,
            "share of documents": ratio(start.documents, total),
            "pages reached": start.pages,
        }
        for start in reached.starts
    ]
    schema = pa.schema(
        [
            ("page", pa.int64()),
            ("url", pa.string()),
            ("documents reached", pa.int64()),
            ("share of documents", pa.float64()),
            ("pages reached", pa.int64()),
        ]
    )
    return pa.Table.from_pylist(rows, schema)


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


def too_little(reached: Reached, settings: GraphSettings, facts: dict[str, Any]) -> str:
    """Says that the search for an initial document was given up, and what to do."""
    asked = settings.starts
    if not reached.starts:
        return "there are no documents of more than 450 characters, and so nothing to tell"
    best = max(start.documents for start in reached.starts)
    share = ratio(best, facts["documents"])
    return (
        f"none of {len(reached.starts)} initial documents reached {asked.least:.0%} of the "
        f"documents, the best {share:.1%}, so there is no reachable part to compare; start from "
        "the core with --start core, from a page with --start URL, or be content with less: "
        f"--least {max(0.001, int(1000 * share) / 1000)}"
    )


def duplicate_tables(found: Collection, reached: pa.Array) -> dict[str, pa.Table]:
    """Tables 4 to 6, and what they are made of."""
    parts = [part_row(found, part) for part in (WHOLE, REACHABLE, UNREACHABLE)]
    fourth: dict[str, object] = {"collection": found.name}
    for row in parts:
        fourth[str(row["part"])] = row["duplicates"]
        fourth[f"share {row['part']}"] = row["share of duplicates"]
    inside = reached.take(found.clusters["page"].combine_chunks())
    clusters = pa.table({"cluster": found.clusters["cluster"], "inside": inside})
    members = clusters.group_by("cluster").aggregate([([], "count_all"), ("inside", "any")])
    several = pc.greater(members["count_all"], 1)
    return {
        "parts": pa.Table.from_pylist(parts),
        "table_4": pa.Table.from_pylist([fourth]),
        "table_5": in_reachable(found.name, "clusters", members.filter(several)),
        "table_6": in_reachable(found.name, "unique", members.filter(pc.invert(several))),
        "cluster_sizes": pa.Table.from_pylist(
            size_rows(found),
            pa.schema(
                [
                    ("collection", pa.string()),
                    ("part", pa.string()),
                    ("size", pa.int64()),
                    ("clusters", pa.int64()),
                ]
            ),
        ),
    }


def part_row(found: Collection, part: str) -> dict[str, object]:
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
    return pa.Table.from_pylist([row])


def useful(tables: dict[str, pa.Table]) -> dict[str, Any]:
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


def sentences(found: Collection, tables: dict[str, pa.Table], facts: dict[str, Any]) -> list[str]:
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
    ]


def compared(name: str, part: dict[str, Any], reachable: dict[str, Any], papers: str) -> str:
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
