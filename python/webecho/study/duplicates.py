"""Where duplicates occur: Pereira 2006, section 4.1, of other collections.

| here | in the paper |
| --- | --- |
| `collections` | Table 1: date, documents, size; and which pages are no documents |
| `duplicates` | Table 2: documents, clusters, duplicates |
| `near_duplicates` | Table 3, with the clusters behind it |
| `cluster_sizes` | Figures 2 to 4: how many clusters have how many documents |
| `statistics` | what section 4.1 says of small, middling and very large clusters |
| `sites` | whether clusters lie on one site or on several, by their size |
| `parts` | clusters by size in the whole and in its two parts, each clustered by itself |
| `documents-<collection>` | every document with its clusters |

Near-duplicates at p are the members, less one, of the clusters joined by pairs with common
paragraphs / max(n₁, n₂) ≥ p; common ones are counted as multisets. At 100 % they are the
duplicates.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError
from webecho.group.paragraphs import (
    LONGEST_LEFT_OUT,
    Documents,
    Match,
    compared_by_text,
    documents,
    long_enough,
    same,
)
from webecho.memory import check_budget, comparing
from webecho.sketches.workspace import Workspace
from webecho.study.cluster_sizes import (
    Sizes,
    cluster_sites,
    cluster_sizes,
    larger_up_to,
    site_rows,
    statistics,
)
from webecho.study.near_duplicates import ratio
from webecho.study.power_law import fit
from webecho.study.result import LogLog, Study

NEAR = (0.9, 0.7, 0.5)
WHOLE, REACHABLE, UNREACHABLE = "complete", "reachable", "unreachable"


@dataclass(frozen=True)
class DuplicateSettings:
    """How documents are matched, whether by the text behind fingerprints, and from which shares of
    common paragraphs on they are near."""

    match: Match = "multiset"
    compare: Literal["fingerprints", "text"] = "fingerprints"
    near: tuple[float, ...] = NEAR

    def __post_init__(self) -> None:
        for share in self.near:
            if not 0 < share <= 1:
                raise SettingsError(f"near {share} is not above 0 and at most 1; try 0.9")


@dataclass(frozen=True)
class Collection:
    """What was found in one collection."""

    name: str
    facts: dict[str, object]
    documents: int
    false_matches: int
    accidents: int
    # By part: how many clusters have how many documents.
    sizes: dict[str, Sizes]
    # By share: the same of near-duplicates.
    near: dict[float, Sizes]
    sites: pa.Table
    clusters: pa.Table
    part_documents: dict[str, int] = field(default_factory=dict)


def study_duplicates(
    workspaces: Sequence[Workspace],
    settings: DuplicateSettings,
    *,
    reachable: Sequence[pa.Array | None] = (),
    threads: int = 1,
    memory: int | None = None,
) -> Study:
    """The study of these workspaces, which must have their paragraphs (see `require_tables`).

    `reachable` has for each workspace a flag for each page, or None if that is not known.
    """
    known = [*reachable, *[None] * (len(workspaces) - len(reachable))]
    found = [
        studied(workspace, name, settings, reached, threads, memory)
        for workspace, name, reached in zip(workspaces, names(workspaces), known, strict=True)
    ]
    tables = {
        "collections": rows([{"collection": each.name} | each.facts for each in found]),
        "duplicates": rows([duplicates_row(each, settings) for each in found]),
        "near_duplicates": rows([row for each in found for row in near_rows(each)]),
        "cluster_sizes": rows([row for each in found for row in size_rows(each)]),
        "statistics": rows([row for each in found for row in statistic_rows(each)]),
        "sites": pa.concat_tables([each.sites for each in found]),
    }
    titles = {
        "collections": "Table 1. The collections",
        "duplicates": "Table 2. Duplicates",
        "near_duplicates": "Table 3. Near-duplicates, by the share of common paragraphs",
        "sites": "Clusters on one site and on several",
    }
    if any(len(each.sizes) > 1 for each in found):
        tables["parts"] = rows([row for each in found for row in part_rows(each)])
    for each in found:
        tables[f"documents-{each.name}"] = each.clusters
    return Study(
        "duplicates",
        tables,
        titles,
        sentences=tuple(text for each in found for text in sentences(each, settings)),
        figures={
            f"cluster_sizes-{each.name}-{part}": figure(each, part)
            for each in found
            for part in each.sizes
        },
    )


def names(workspaces: Sequence[Workspace]) -> list[str]:
    """The names of the folders, numbered where two are the same."""
    given = [workspace.path.resolve().stem for workspace in workspaces]
    return [
        name if given.count(name) == 1 else f"{name}-{number}"
        for number, name in enumerate(given, 1)
    ]


def studied(
    workspace: Workspace,
    name: str,
    settings: DuplicateSettings,
    reachable: pa.Array | None,
    threads: int,
    memory: int | None,
) -> Collection:
    wanted = long_enough(workspace)
    found, accidents = documents(workspace, wanted, memory=memory), 0
    paragraphs = len(found.paragraphs) if settings.near else 0
    needed = comparing(len(found.pages), paragraphs)
    check_budget(memory, needed, f"comparing the documents of {workspace.path}")
    if settings.compare == "text":
        found, accidents = compared_by_text(workspace, found, threads)
    kernel = found.kernel(threads)
    matched = same(kernel, settings.match)
    columns = {"cluster": found.pages.take(matched.clusters)}
    near: dict[float, Sizes] = {}
    known = matched.equal
    for share in sorted(settings.near, reverse=True):
        known = kernel.near(share, matched.equal, known)
        near[share] = cluster_sizes(known)
        columns[f"near_{share!r}"] = found.pages.take(known)
    sizes = {WHOLE: cluster_sizes(matched.clusters)}
    counts = {WHOLE: len(found.pages)}
    for part, flags in parts(reachable):
        own = found.only(flags)
        sizes[part] = cluster_sizes(same(own.kernel(threads), settings.match).clusters)
        counts[part] = len(own.pages)
    table = pa.table(
        {"page": found.pages, "paragraphs": found.lengths}
        | {column: values.cast(pa.int64()) for column, values in columns.items()}
    )
    table = table.set_column(0, "page", table["page"].cast(pa.int64()))
    sites = site_rows(cluster_sites(workspace, table, threads, memory), name)
    return Collection(
        name,
        collection_facts(workspace, found),
        len(found.pages),
        matched.false_matches,
        accidents,
        sizes,
        near,
        sites,
        table,
        counts,
    )


def parts(reachable: pa.Array | None) -> list[tuple[str, pa.Array]]:
    if reachable is None:
        return []
    return [(REACHABLE, reachable), (UNREACHABLE, pc.invert(reachable))]


def collection_facts(workspace: Workspace, found: Documents) -> dict[str, object]:
    """Table 1, and what became of all pages."""
    first = last = None
    known = 0
    for batch in workspace.batches(["fetched", "chars"]):
        ends = pc.min_max(batch["fetched"]).as_py()
        dates = [each for each in (first, last, *ends.values()) if each is not None]
        first, last = min(dates, default=None), max(dates, default=None)
        known += len(batch) - batch["chars"].null_count
    bare = pc.sum(pc.equal(found.lengths, 0)).as_py() or 0
    return {
        "from": first.date().isoformat() if first else None,
        "to": last.date().isoformat() if last else None,
        "pages": workspace.pages,
        "bytes": workspace.manifest.counts.get("bytes", 0),
        f"at most {LONGEST_LEFT_OUT} characters": known - len(found.pages),
        "unknown": workspace.pages - known,
        "documents": len(found.pages),
        "without sentences": bare,
    }


def duplicates_row(found: Collection, settings: DuplicateSettings) -> dict[str, object]:
    sizes = found.sizes[WHOLE]
    row: dict[str, object] = {
        "collection": found.name,
        "documents": found.documents,
        "clusters": sizes.clusters,
        "duplicates": sizes.duplicates,
        "share of duplicates": ratio(sizes.duplicates, found.documents),
        "unique": found.documents - sizes.documents,
    }
    if settings.match == "paper":
        row["false matches"] = found.false_matches
    if settings.compare == "text":
        row["equal by accident"] = found.accidents
    return row


def near_rows(found: Collection) -> list[dict[str, object]]:
    return [
        {
            "collection": found.name,
            "at least": share,
            "documents": found.documents,
            "clusters": sizes.clusters,
            "near-duplicates": sizes.duplicates,
            "share of near-duplicates": ratio(sizes.duplicates, found.documents),
        }
        for share, sizes in found.near.items()
    ]


def size_rows(found: Collection) -> list[dict[str, object]]:
    return [
        {"collection": found.name, "part": part, "size": size, "clusters": clusters}
        for part, sizes in found.sizes.items()
        for size, clusters in sorted(sizes.counts.items())
    ]


def statistic_rows(found: Collection) -> list[dict[str, object]]:
    return [
        {"collection": found.name, "part": part}
        | statistics(sizes, found.part_documents[part])
        | exponent(sizes)
        for part, sizes in found.sizes.items()
    ]


def exponent(sizes: Sizes) -> dict[str, object]:
    line = fit(sizes.counts)
    return {
        "exponent": None if line is None else line.exponent,
        "error of the exponent": None if line is None else line.error,
    }


def part_rows(found: Collection) -> list[dict[str, object]]:
    every = sorted({size for sizes in found.sizes.values() for size in sizes.counts})
    if len(found.sizes) == 1:
        return []
    return [
        {"collection": found.name, "size": size}
        | {part: sizes.counts.get(size, 0) for part, sizes in found.sizes.items()}
        for size in every
    ]


def figure(found: Collection, part: str) -> LogLog:
    counts = found.sizes[part].counts
    title = f"Clusters of duplicates by size, {part} collection"
    return LogLog(title, "documents in a cluster", "clusters", counts, fit(counts))


def sentences(found: Collection, settings: DuplicateSettings) -> list[str]:
    """What section 4.1 says, of this collection."""
    sizes = found.sizes[WHOLE]
    told = statistics(sizes, found.documents)
    unique = ratio(found.documents - sizes.documents, found.documents)
    name = found.name
    said = [
        f"{name}: {unique:.1%} of the documents are unique.",
        f"{name}: {told['clusters of two']:,} clusters have two documents: "
        f"{told['share of clusters of two among clusters']:.1%} of the clusters, "
        f"{told['share of clusters of two among duplicates']:.1%} of the duplicates.",
        f"{name}: {told['share of clusters of ten or fewer among clusters']:.1%} of the clusters "
        f"have ten documents or fewer; they have "
        f"{told['share of clusters of ten or fewer among clustered documents']:.1%} of the "
        f"clustered documents and "
        f"{told['share of clusters of ten or fewer among duplicates']:.1%} of the duplicates.",
        f"{name}: {told['clusters over 10,000']:,} clusters have more than 10,000 documents; their "
        f"duplicates are {told['share of duplicates in clusters over 10,000']:.1%} of the "
        f"documents. The largest has {told['largest cluster']:,}.",
    ]
    line = fit(sizes.counts)
    if line is None:
        said.append(f"{name}: too few clusters for an exponent.")
    else:
        said.append(
            f"{name}: clusters of n documents are as frequent as n to the "
            f"{line.exponent:.2f} ± {line.error:.2f}."
        )
    if settings.match == "paper":
        said.append(f"{name}: {found.false_matches:,} pairs match by repeated paragraphs alone.")
    if len(found.sizes) > 1:
        said.append(against_parts(found))
    return said


def against_parts(found: Collection) -> str:
    """Clusters of two in the whole collection against its parts, and how far that goes."""
    whole, *others = (sizes.counts for sizes in found.sizes.values())
    of_parts = sum(sizes.get(2, 0) for sizes in others)
    up_to = larger_up_to(whole, others)
    more = (
        f"up to clusters of {up_to} documents the whole has more than its parts"
        if up_to
        else "the whole has no more than its parts"
    )
    return (
        f"{found.name}: {whole.get(2, 0):,} clusters have two documents in the complete "
        f"collection, {of_parts:,} in its two parts together; {more}."
    )


def rows(found: list[dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(found)
