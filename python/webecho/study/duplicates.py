"""Where duplicates occur: Pereira 2006, section 4.1, of other collections.

| here | in the paper |
| --- | --- |
| `collections` | Table 1: date, documents, size; and which pages are no documents |
| `duplicates` | Table 2: documents, clusters, duplicates |
| `near_duplicates`, `near_clusters` | Table 3, and the clusters behind it |
| `cluster_sizes` | Figures 2 to 4: how many clusters have how many documents |
| `statistics` | what section 4.1 says of small, middling and very large clusters |
| `sites` | whether clusters lie on one site or on several, by their size |
| `power_laws` | the exponents of Figures 2 to 4, which the paper calls Zipf-like without them |
| `beside_paper` | shares of these collections beside the paper's |
| `parts` | clusters by size in the whole and in its two parts, each clustered by itself |
| `documents-<collection>` | every document with its clusters |

Near-duplicates at p are the members, less one, of the clusters joined by pairs with common
paragraphs / max(n₁, n₂) ≥ p; common ones are counted as multisets. At 100 % they are the
duplicates.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError, setting
from webecho.group.paragraphs import (
    Documents,
    Match,
    compared_by_text,
    documents,
    long_enough,
    same,
)
from webecho.group.rules.paragraphs import LONGEST_LEFT_OUT
from webecho.memory import comparing
from webecho.run import Run
from webecho.study.cluster_sizes import Sizes, cluster_sites, cluster_sizes, kept_whole
from webecho.study.duplicate_tables import (
    CAPTIONS,
    REACHABLE,
    TITLES,
    UNREACHABLE,
    WHOLE,
    StudiedCollection,
    figures,
    sentences,
    tables,
)
from webecho.study.fits import fitted
from webecho.study.power_law import FitSettings
from webecho.study.result import Study, names
from webecho.workspace.listed import check_listed
from webecho.workspace.stored import read_file
from webecho.workspace.workspace import Workspace

NEAR = (0.9, 0.7, 0.5)


def check_reachable(workspaces: Sequence[Workspace], known: Sequence[pa.Array | None]) -> None:
    if len(known) != len(workspaces):
        raise SettingsError(f"reachable has {len(known)} for {len(workspaces)} workspaces")
    for workspace, flags in zip(workspaces, known, strict=True):
        if flags is None:
            continue
        if len(flags) != workspace.pages or flags.type != pa.bool_() or flags.null_count:
            raise SettingsError(
                f"reachable must have true or false for each of the {workspace.pages:,} pages of "
                f"{workspace.path}"
            )


@dataclass(frozen=True)
class DuplicateSettings:
    """How documents are matched, whether by the text behind fingerprints, from which shares of
    common paragraphs on they are near, and how power laws are fitted."""

    match: Match = "multiset"
    compare: Literal["fingerprints", "text"] = "fingerprints"
    near: tuple[float, ...] = NEAR
    fits: FitSettings = field(default_factory=FitSettings)

    def __post_init__(self) -> None:
        for share in self.near:
            if not 0 < share <= 1:
                raise SettingsError(
                    setting("near").to(share), " is not above 0 and at most 1; try 0.9"
                )


def study_duplicates(
    workspaces: Sequence[Workspace],
    settings: DuplicateSettings,
    run: Run,
    *,
    reachable: Sequence[pa.Array | None] | None = None,
) -> Study:
    """The study of these workspaces, which must have their paragraphs (see `require_tables`).

    `reachable` has for each workspace a flag for each page, or None if that is not known; default:
    what the study of the graph found.
    """
    known = [reached_before(each) for each in workspaces] if reachable is None else reachable
    check_reachable(workspaces, known)
    found = [
        studied(workspace, name, settings, reached, run)
        for workspace, name, reached in zip(workspaces, names(workspaces), known, strict=True)
    ]
    return Study(
        "duplicates",
        tables(found),
        TITLES,
        sentences=tuple(text for each in found for text in sentences(each)),
        main="duplicates",
        settings=asdict(settings) | {"workspaces": [each.name for each in workspaces]},
        figures=dict(figures(found)),
        captions=CAPTIONS,
        collections=tuple(each.name for each in found),
    )


def studied(
    workspace: Workspace,
    name: str,
    settings: DuplicateSettings,
    reachable: pa.Array | None,
    run: Run,
) -> StudiedCollection:
    wanted = long_enough(workspace)
    found = documents(workspace, wanted, run)
    accidents = None
    held = settings.near or settings.compare == "text" or settings.match == "paper"
    paragraphs = len(found.paragraphs) if held else 0
    needed = comparing(len(found.pages), paragraphs)
    run.check_memory(needed, f"comparing the documents of {workspace.path}")
    if settings.compare == "text":
        found, accidents = compared_by_text(workspace, found, run)
    kernel = found.kernel(run)
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
    kept = {}
    for part, flags in parts(reachable):
        kept[part] = kept_whole(matched.clusters, flags.take(found.pages))
        own = found.only(flags)
        sizes[part] = cluster_sizes(same(own.kernel(run), settings.match).clusters)
        counts[part] = len(own.pages)
    table = pa.table(
        {"page": found.pages, "paragraphs": found.lengths}
        | {column: values.cast(pa.int64()) for column, values in columns.items()}
    )
    table = table.set_column(0, "page", table["page"].cast(pa.int64()))
    return StudiedCollection(
        name,
        collection_facts(workspace, found),
        counts,
        sizes,
        near,
        cluster_sites(workspace, name, table, run),
        table,
        matched.false_matches if settings.match == "paper" else None,
        accidents,
        kept,
        {part: fitted(each.counts, settings.fits) for part, each in sizes.items()},
    )


def reached_before(workspace: Workspace) -> pa.Array | None:
    """For every page whether the study of the graph has reached it, if that was done."""
    file = workspace.files.study_table("graph", "pages")
    if not file.is_file():
        return None
    check_listed(file, "study the graph again")
    flags = read_file(file, "study the graph again", ["reached"])["reached"].combine_chunks()
    return None if flags.null_count else flags


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
