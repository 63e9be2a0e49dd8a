"""The tables, sentences and figures of the study of duplicates."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from webecho.study.cluster_sizes import LARGE, Sizes, larger_up_to, statistics
from webecho.study.figures import Distribution, LogLog
from webecho.study.fits import FITTED, Fits, fit_row, in_words
from webecho.study.fits import TITLE as POWER_LAWS
from webecho.study.papers import DUPLICATES, beside_rows, beside_table
from webecho.study.papers import TITLE as BESIDE
from webecho.study.shares import ratio

WHOLE, REACHABLE, UNREACHABLE = "complete", "reachable", "unreachable"
# The tables that people are shown.
TITLES = {
    "collections": "Table 1. The collections",
    "duplicates": "Table 2. Duplicates",
    "near_duplicates": "Table 3. Near-duplicates",
    "near_clusters": "Clusters of near-duplicates",
    "sites": "Clusters on one site and on several, by size",
    "beside_paper": BESIDE,
}
# The others.
CAPTIONS = {
    "power_laws": POWER_LAWS,
    "cluster_sizes": "Clusters by the number of their documents",
    "statistics": "Small, middling and very large clusters",
    "parts": "Clusters by the number of their documents, in the whole and in its parts",
}

Row = dict[str, Any]
SIZES = {"collection": pa.string(), "part": pa.string(), "size": pa.int64(), "clusters": pa.int64()}
NEAR_CLUSTERS = {
    "collection": pa.string(),
    "least share": pa.float64(),
    "documents": pa.int64(),
    "clusters": pa.int64(),
    "near-duplicates": pa.int64(),
    "share of near-duplicates": pa.float64(),
}
LAWS = {"collection": pa.string(), "part": pa.string()} | FITTED


@dataclass(frozen=True)
class StudiedCollection:
    """What was found in one collection.

    `sizes` are by part of the collection, `near` by share of common paragraphs, `kept` how many
    clusters over 1,000 documents a part has whole. False matches are
    known if the paper's match was asked for, paragraphs equal by accident if texts were compared.
    `fits` are of the sizes, by part.
    """

    name: str
    facts: Row
    documents: dict[str, int]
    sizes: dict[str, Sizes]
    near: dict[float, Sizes]
    sites: pa.Table
    clusters: pa.Table
    false_matches: int | None = None
    accidents: int | None = None
    kept: dict[str, int] = field(default_factory=dict)
    fits: dict[str, Fits] = field(default_factory=dict)


def tables(found: Sequence[StudiedCollection]) -> dict[str, pa.Table]:
    """All tables by name."""
    made = {
        "collections": rows([{"collection": each.name} | each.facts for each in found]),
        "duplicates": rows([duplicates_row(each) for each in found]),
        "near_duplicates": rows([near_row(each) for each in found]),
        "near_clusters": rows([row for each in found for row in near_rows(each)], NEAR_CLUSTERS),
        "cluster_sizes": rows([row for each in found for row in size_rows(each)], SIZES),
        "statistics": rows([row for each in found for row in statistic_rows(each)]),
        "sites": pa.concat_tables([each.sites for each in found]),
        "power_laws": rows([row for each in found for row in law_rows(each)], LAWS),
        "beside_paper": beside_table([row for each in found for row in paper_rows(each)]),
    }
    parts = [row for each in found for row in part_rows(each)]
    if parts:
        made["parts"] = rows(parts)
    return made | {f"documents-{each.name}": each.clusters for each in found}


def rows(found: list[Row], types: dict[str, pa.DataType] | None = None) -> pa.Table:
    """The rows as a table; `types` where there may be none."""
    return pa.Table.from_pylist(found, types and pa.schema(types))


def duplicates_row(found: StudiedCollection) -> Row:
    sizes, documents = found.sizes[WHOLE], found.documents[WHOLE]
    row: Row = {
        "collection": found.name,
        "documents": documents,
        "clusters": sizes.clusters,
        "duplicates": sizes.duplicates,
        "share of duplicates": ratio(sizes.duplicates, documents),
        "unique": documents - sizes.documents,
    }
    if found.false_matches is not None:
        row["false matches"] = found.false_matches
    if found.accidents is not None:
        row["equal by accident"] = found.accidents
    return row


def near_row(found: StudiedCollection) -> Row:
    """A line of Table 3."""
    documents = found.documents[WHOLE]
    duplicates = {"share of duplicates": ratio(found.sizes[WHOLE].duplicates, documents)}
    near = {
        f"share near at {100 * least:g}%": ratio(sizes.duplicates, documents)
        for least, sizes in found.near.items()
    }
    return {"collection": found.name} | duplicates | near


def near_rows(found: StudiedCollection) -> list[Row]:
    documents = found.documents[WHOLE]
    return [
        {
            "collection": found.name,
            "least share": least,
            "documents": documents,
            "clusters": sizes.clusters,
            "near-duplicates": sizes.duplicates,
            "share of near-duplicates": ratio(sizes.duplicates, documents),
        }
        for least, sizes in found.near.items()
    ]


def size_rows(found: StudiedCollection) -> list[Row]:
    return [
        {"collection": found.name, "part": part, "size": size, "clusters": clusters}
        for part, sizes in found.sizes.items()
        for size, clusters in sorted(sizes.counts.items())
    ]


def statistic_rows(found: StudiedCollection) -> list[Row]:
    return [
        {"collection": found.name, "part": part}
        | statistics(sizes, found.documents[part])
        | {f"clusters over {LARGE:,} kept whole": found.kept.get(part)}
        for part, sizes in found.sizes.items()
    ]


def law_rows(found: StudiedCollection) -> list[Row]:
    return [
        {"collection": found.name, "part": part} | fit_row(fits, found.sizes[part].counts)
        for part, fits in found.fits.items()
    ]


def paper_rows(found: StudiedCollection) -> list[Row]:
    facts = near_row(found) | statistics(found.sizes[WHOLE], found.documents[WHOLE])
    return beside_rows(found.name, facts, DUPLICATES)


def part_rows(found: StudiedCollection) -> list[Row]:
    if len(found.sizes) == 1:
        return []
    every = sorted({size for sizes in found.sizes.values() for size in sizes.counts})
    return [
        {"collection": found.name, "size": size}
        | {part: sizes.counts.get(size, 0) for part, sizes in found.sizes.items()}
        for size in every
    ]


def figures(found: Sequence[StudiedCollection]) -> dict[str, LogLog]:
    """Figures 2 to 4: clusters by size, a figure for each part, all collections in it."""
    parts = dict.fromkeys(part for each in found for part in each.sizes)
    return {
        f"cluster_sizes-{part}": LogLog(
            f"Clusters of duplicates by size, {part} collection",
            "documents per cluster",
            "clusters",
            series,
        )
        for part in parts
        if (series := distributions(found, part))
    }


def distributions(found: Sequence[StudiedCollection], part: str) -> dict[str, Distribution]:
    """The sizes of a part of each collection that has clusters there."""
    return {
        each.name: Distribution(each.sizes[part].counts, each.fits[part])
        for each in found
        if part in each.sizes and each.sizes[part].clusters
    }


def sentences(found: StudiedCollection) -> list[str]:
    """What section 4.1 says, of this collection."""
    sizes, documents = found.sizes[WHOLE], found.documents[WHOLE]
    facts = statistics(sizes, documents)
    unique = ratio(documents - sizes.documents, documents)
    said = [
        f"{unique:.1%} of the documents are unique.",
        f"{facts['clusters of two']:,} clusters have two documents: "
        f"{facts['share of clusters of two among clusters']:.1%} of the clusters, "
        f"{facts['share of clusters of two among duplicates']:.1%} of the duplicates.",
        f"{facts['share of clusters of ten or fewer among clusters']:.1%} of the clusters have ten "
        "documents or fewer, and with them "
        f"{facts['share of clusters of ten or fewer among clustered documents']:.1%} of the "
        "clustered documents and "
        f"{facts['share of clusters of ten or fewer among duplicates']:.1%} of the duplicates.",
        f"{facts['clusters over 10,000']:,} clusters have more than 10,000 documents, "
        f"{facts['clusters over 20,000']:,} of them more than 20,000; their "
        f"duplicates are {facts['share of duplicates in clusters over 10,000']:.1%} of the "
        f"documents. The largest cluster has {facts['largest cluster']:,}.",
        f"{facts['clusters over 1,000']:,} clusters have more than 1,000 documents"
        + "".join(f", {found.kept[part]:,} of them all in the {part} part" for part in found.kept)
        + ".",
        *zipf(found),
    ]
    if found.false_matches is not None:
        said.append(f"{found.false_matches:,} pairs match by repeated paragraphs alone.")
    if len(found.sizes) > 1:
        said.append(against_parts(found))
    return [f"{found.name}: {text}" for text in said]


def zipf(found: StudiedCollection) -> list[str]:
    """How clusters are distributed over sizes, in each part."""
    parts: dict[str, list[str]] = {}
    for part, fits in found.fits.items():
        parts.setdefault(" ".join(in_words(fits, "clusters")), []).append(part)
    return [
        f"Clusters of the {', '.join(named)} collection by size. {text}"
        for text, named in parts.items()
    ]


def against_parts(found: StudiedCollection) -> str:
    """Clusters of two in the whole collection against its parts, and how far that goes."""
    whole, *others = (sizes.counts for sizes in found.sizes.values())
    of_parts = sum(sizes.get(2, 0) for sizes in others)
    up_to = larger_up_to(whole, others)
    more = "the whole has no more than its parts"
    if up_to:
        more = f"up to clusters of {up_to} documents the whole has more than its parts"
    return (
        f"{whole.get(2, 0):,} clusters have two documents in the complete collection, "
        f"{of_parts:,} in its two parts together; {more}."
    )
