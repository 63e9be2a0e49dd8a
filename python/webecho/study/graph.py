"""Where duplicates occur (Pereira 2006, section 4.1; Baeza-Yates 2007, section 3.2): in the part of
a collection that is reached by following links, and in the rest.

| here | in the papers |
| --- | --- |
| `table_4` | Table 4: duplicates of the complete collection, its reachable and unreachable part |
| `table_5` | Table 5: clusters with at least one document in the reachable part |
| `table_6` | Table 6: unique documents in the reachable part |
| `parts` | what these are made of, a row for each part |
| `cluster_sizes` | Figures 2 to 4: how many clusters have how many documents |
| `power_laws`, `beside_paper` | as of study duplicates |
| `sites` | whether small and large clusters are of one site or of several |
| `bow_tie`, `starts`, `links` | beyond the papers: the whole bow tie, the starts tried, the links |
| `pages` | for every page whether it is a document, is reached, and where in the bow tie it lies |

Each part is clustered by itself, so a cluster with documents in both gives one in each, or none
where a single document is left. *Useful* documents are one of each cluster, and all unique ones:
documents − duplicates.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow.compute as pc

from webecho.errors import Message, setting
from webecho.group.paragraphs import TABLE, Match, long_enough
from webecho.run import Run
from webecho.sketches.links import TABLE as LINK_TABLE
from webecho.study.duplicate_tables import CAPTIONS, figures
from webecho.study.duplicates import DuplicateSettings, studied
from webecho.study.graph_tables import (
    PAGES,
    TITLES,
    beside_paper,
    bow_tie_table,
    duplicate_tables,
    pages_table,
    sentences,
    starts_table,
    useful,
)
from webecho.study.power_law import FitSettings
from webecho.study.reaching import Reached, StartSettings, reach
from webecho.study.result import Study, names
from webecho.study.shares import ratio
from webecho.study.web import LinkSettings, graph_of
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class GraphSettings:
    """Which links are followed, from where, which documents are the same, and how power laws are
    fitted."""

    links: LinkSettings = field(default_factory=LinkSettings)
    starts: StartSettings = field(default_factory=StartSettings)
    match: Match = "multiset"
    fits: FitSettings = field(default_factory=FitSettings)


def needed_tables(settings: GraphSettings) -> list[str]:
    """The page tables that a study with these settings needs."""
    return [TABLE] if settings.links.edges else [TABLE, LINK_TABLE]


def study_graph(
    workspace: Workspace, settings: GraphSettings, run: Run, *, name: str | None = None
) -> Study:
    """The study of a workspace, which must have its paragraphs and, unless there is an edge list,
    its links (see `require_tables`). Its name in the tables: default, that of its folder."""
    name = name or names([workspace])[0]
    web = graph_of(workspace, settings.links, run)
    documents = long_enough(workspace)
    parts = web.graph.bow_tie()
    reached = reach(workspace, web, documents, parts, settings.starts)
    # It may be large, and what follows has the memory to itself.
    facts, kinds = web.facts, web.kinds
    del web
    tables = {
        "bow_tie": bow_tie_table(parts, documents, run),
        "starts": starts_table(workspace, reached, documents),
        "pages": pages_table(documents, parts, reached),
    }
    if kinds is not None:
        tables["links"] = kinds
    titles = {table: title for table, title in TITLES.items() if table in tables}
    facts["documents"] = pc.sum(documents).as_py() or 0
    if reached.pages is None:
        notes = (too_little(reached, settings, facts),)
        return Study("graph", tables, titles, notes=notes, facts=facts, settings=asdict(settings))
    matching = DuplicateSettings(settings.match, near=(), fits=settings.fits)
    found = studied(workspace, name, matching, reached.pages, run)
    tables |= duplicate_tables(found, reached.pages, run)
    facts |= useful(tables)
    tables["beside_paper"] = beside_paper(name, tables, facts)
    titles = {table: title for table, title in TITLES.items() if table in tables}
    return Study(
        "graph",
        tables,
        titles,
        sentences=tuple(sentences(found, tables, facts)),
        facts=facts,
        settings=asdict(settings),
        main="table_4",
        figures=dict(figures([found])),
        captions=CAPTIONS | {"pages": PAGES},
        collections=(name,),
    )


def too_little(reached: Reached, settings: GraphSettings, facts: dict[str, Any]) -> str:
    """Says that the search for an initial document was given up, and what to do."""
    asked = settings.starts
    if not reached.starts:
        return "there are no documents of more than 450 characters, and so nothing to tell"
    if not facts["edges"]:
        return "no page links to another page of the collection, so that nothing is reached"
    best = max(start.documents for start in reached.starts)
    share = ratio(best, facts["documents"])
    start = setting("start")
    return Message(
        f"none of {len(reached.starts)} initial documents reached {asked.least:.0%} of the "
        f"documents, the best {share:.1%}, so there is no reachable part to compare; start from ",
        *("the core with ", start.to("core", repr("core")), ", from a page with ", start.to("URL")),
        ", or be content with less: ",
        setting("least").to(max(0.001, int(1000 * share) / 1000)),
    )
