"""The graph of a workspace: its pages' addresses, and what leads from one to another.

Links are those of the `links` table, or those of an edge list. An address that no page has leads on
if a record of the crawl redirects from it, and `/a/` leads to `/a/index.html` if nothing else is
known of it. What a page of at most 450 characters links to is reached through it as through any
other.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho import _core
from webecho.errors import InputError, SettingsError, flag, setting
from webecho.memory import linking
from webecho.read.edges import EdgeCounts, edges
from webecho.read.urls import host_names, path_addresses
from webecho.run import Run
from webecho.sketches.links import KINDS, TABLE
from webecho.workspace.workspace import Workspace

Level = Literal["page", "host"]
LEVELS = ("page", "host")
# A canonical address is a hint of the page about itself, and nothing to go to.
FOLLOWED = ("a", "area", "frame", "iframe", "redirect")
FOLDER = "html"
BY_KIND = """
WITH counted AS (
    SELECT kind, count(*) AS links, count(*) FILTER (WHERE nofollow) AS nofollow
    FROM links GROUP BY kind
)
SELECT kinds.kind, coalesce(links, 0) AS links, coalesce(nofollow, 0) AS nofollow, followed
FROM kinds LEFT JOIN counted ON counted.kind = kinds.number
ORDER BY kinds.number NULLS LAST
"""


@dataclass(frozen=True)
class LinkSettings:
    """Which links are followed: of these kinds, and those that ask not to be, too, unless
    `obey_nofollow`; or all of an edge list, whose ends are pages or hosts."""

    kinds: tuple[str, ...] = FOLLOWED
    obey_nofollow: bool = False
    edges: Path | None = None
    level: Level = "page"

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                text = f"no links are of the kind {kind!r}; there are {', '.join(KINDS)}"
                raise SettingsError(text)
        if self.edges is None and self.level != LinkSettings.level:
            raise SettingsError(
                *(setting("level").to(self.level), " is for ", setting("edges")),
                ", which is not given",
            )
        if self.edges is not None and (self.kinds != FOLLOWED or self.obey_nofollow):
            raise SettingsError(
                f"{self.edges} does not tell of which kind links are; leave out ",
                *(setting("kinds", "--kind"), " and ", flag("obey_nofollow")),
            )
        if self.level not in LEVELS:
            raise SettingsError(f"an edge list is of the level page or host, not {self.level!r}")


@dataclass(frozen=True)
class Web:
    """The graph of a collection, and what was counted on the way."""

    graph: _core.Graph
    facts: dict[str, Any]
    kinds: pa.Table | None


def graph_of(workspace: Workspace, settings: LinkSettings, run: Run) -> Web:
    """Reads the links of a workspace, or an edge list, into a graph."""
    count = 0
    if not settings.edges:
        links = workspace.stored(TABLE)
        links.check()
        count = sum(pq.read_metadata(file).num_rows for file in links.files)
    run.check_memory(linking(workspace.pages, count), "the graph of the links")
    # Before the graph is made, which may be large.
    kinds = None if settings.edges else link_kinds(workspace, settings, run)
    host = settings.edges is not None and settings.level == "host"
    keys, folders = host_keys(workspace) if host else page_keys(workspace, run)
    graph = _core.Graph(
        keys,
        folders,
        None if host else redirects(workspace, run),
        links=count,
        threads=run.threads,
    )
    if kinds is not None:
        facts = {
            "links": pc.sum(kinds["links"]).as_py(),
            "links with nofollow": pc.sum(kinds["nofollow"]).as_py(),
        }
        facts |= add_links(workspace, graph, settings)
    else:
        facts = add_edges(workspace, graph, settings, run)
    graph.close()
    facts |= {"nodes": graph.nodes, "edges": graph.edges}
    return Web(graph, facts, kinds)


def page_keys(workspace: Workspace, run: Run) -> tuple[pa.Array, pa.Array]:
    """For every page the key of its address, and that of the folder that it answers for."""
    keys, folders = [], []
    for batch in workspace.batches(["url", "source"]):
        urls = addresses(workspace, batch["url"], batch["source"])
        key, folder = _core.address_keys(pa.record_batch([urls], names=["url"]), run.threads)
        keys.append(key)
        folders.append(folder)
    none = pa.array([], pa.int64())
    return pa.concat_arrays([none, *keys]), pa.concat_arrays([none, *folders])


def addresses(workspace: Workspace, urls: pa.Array, sources: pa.Array) -> pa.Array:
    """The addresses of pages; those of a folder have paths."""
    paths = [
        number
        for number, source in enumerate(workspace.manifest.sources)
        if source["format"] == FOLDER
    ]
    if not paths:
        return urls
    in_folder = pc.is_in(sources, value_set=pa.array(paths, pa.int32()))
    return pc.if_else(in_folder, path_addresses(urls), urls)


def host_keys(workspace: Workspace) -> tuple[pa.Array, None]:
    """For every page the key of its host: all pages of a host are one node."""
    keys = [_core.text_keys(batch["host"]) for batch in workspace.batches(["host"])]
    return pa.concat_arrays([pa.array([], pa.int64()), *keys]), None


def redirects(workspace: Workspace, run: Run) -> tuple[pa.Array, pa.Array]:
    """From which address to which other the records of the crawl redirect."""
    sources, targets = [pa.array([], pa.int64())], [pa.array([], pa.int64())]
    for batch in workspace.batches(["reason", "url", "location"], "skipped"):
        is_redirect = pc.and_(pc.equal(batch["reason"], "redirect"), batch["location"].is_valid())
        found = batch.filter(is_redirect).select(["url", "location"])
        sources.append(_core.address_keys(found, run.threads)[0])
        targets.append(_core.link_keys(found))
    return pa.concat_arrays(sources), pa.concat_arrays(targets)


def link_kinds(workspace: Workspace, settings: LinkSettings, run: Run) -> pa.Table:
    """How many links there are of each kind, and whether they are followed."""
    kinds = {
        "number": pa.array(range(len(KINDS)), pa.int8()),
        "kind": pa.array(KINDS),
        "followed": pa.array([kind in settings.kinds for kind in KINDS]),
    }
    with run.database() as database:
        database.add("kinds", pa.table(kinds))
        database.add("links", workspace.stored(TABLE))
        return database.table(BY_KIND)


def add_links(workspace: Workspace, graph: _core.Graph, settings: LinkSettings) -> dict[str, Any]:
    """Adds the links that are followed, and counts them."""
    wanted = pa.array([KINDS.index(kind) for kind in settings.kinds], pa.int8())
    again = revisits(workspace)
    followed = inside = repeated = 0
    for batch in workspace.batches(["page", "target", "kind", "nofollow"], TABLE):
        follow = pc.is_in(batch["kind"], value_set=wanted)
        if settings.obey_nofollow:
            follow = pc.and_not(follow, batch["nofollow"])
        rows = batch.filter(follow)
        followed += len(rows)
        inside += graph.add(rows["page"], rows["target"])
        if pc.any(pc.is_in(rows["page"], value_set=again["original"])).as_py():
            links = pa.Table.from_batches([rows]).join(again, "page", "original", "inner")
            links = links.select(["revisit", "target"]).combine_chunks()
            repeated += len(links)
            for some in links.to_batches():
                inside += graph.add(some["revisit"], some["target"])
    return {
        "links followed": followed,
        "links of revisits followed": repeated,
        "links to pages of the collection": inside,
    }


def revisits(workspace: Workspace) -> pa.Table:
    """The pages that repeat another, and that: they have its links."""
    found = [pa.table({"revisit": pa.array([], pa.int64()), "original": pa.array([], pa.int64())})]
    for batch in workspace.batches(["page", "revisit_of"]):
        rows = batch.filter(batch["revisit_of"].is_valid())
        found.append(pa.table({"revisit": rows["page"], "original": rows["revisit_of"]}))
    return pa.concat_tables(found)


def add_edges(
    workspace: Workspace, graph: _core.Graph, settings: LinkSettings, run: Run
) -> dict[str, Any]:
    """Adds the edges of a file between what is in the collection."""
    counts, level = EdgeCounts(), settings.level
    inside = nowhere = 0
    for table in edges(str(settings.edges), counts):
        ends = [edge_keys(column.combine_chunks(), level, run) for column in table.columns]
        known = pc.and_(ends[0].is_valid(), ends[1].is_valid())
        nowhere += len(known) - (pc.sum(known).as_py() or 0)
        inside += graph.add_between(*(end.filter(known) for end in ends))
        # How many there are is not known beforehand.
        run.check_memory(linking(workspace.pages, inside), f"the graph of {settings.edges}")
    if not counts.rows:
        raise InputError(f"{settings.edges}: has no edges; give rows of a source and a target")
    if not inside:
        other = "host" if level == "page" else "page"
        raise InputError(
            f"{settings.edges}: none of its {counts.rows:,} edges leads from a {level} of the "
            f"collection to another; if its columns are {other}s, say ",
            setting("level").to(other),
        )
    return {
        "links": counts.rows,
        "rows that are no links": counts.bad,
        f"links with an end that is no {level}": nowhere,
        "links to pages of the collection": inside,
    }


def edge_keys(ends: pa.Array, level: Level, run: Run) -> pa.Array:
    if level == "host":
        return _core.text_keys(host_names(ends))
    return _core.address_keys(pa.record_batch([ends], names=["url"]), run.threads)[0]
