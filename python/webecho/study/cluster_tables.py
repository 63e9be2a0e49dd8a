"""The tables, sentences and figures of the study of clusters."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pyarrow as pa

from webecho.study.cluster_sizes import Sizes
from webecho.study.figures import Distribution, LogLog
from webecho.study.fits import FITTED, Fits, fit_row, in_words, signed
from webecho.study.fits import TITLE as POWER_LAWS
from webecho.study.member_differences import IN_WORDS, NOTHING, NOTHING_MEANINGFUL
from webecho.study.outlying_sizes import COLUMNS as OUTLYING
from webecho.study.outlying_sizes import Trend, trend
from webecho.study.papers import (
    CLUSTER_FACTS,
    CLUSTERS,
    EXPONENTS,
    LARGEST,
    beside_rows,
    beside_table,
    with_paper,
)
from webecho.study.papers import TITLE as BESIDE
from webecho.study.shares import ratio

TITLES = {
    "clusters": "Pages in clusters and near-duplicates",
    "outlying_sizes": "Sizes with far more clusters than their trend has",
    "largest": "Tables 1 and 2. The largest clusters",
    "beside_paper": BESIDE,
}
CAPTIONS = {
    "cluster_sizes": "Figures 1 and 3. Clusters by the number of their pages",
    "power_laws": POWER_LAWS,
}
# How many of the largest clusters the paper tells of.
PAPERS_ROWS = 20

WHOSE = {"collection": pa.string(), "rule": pa.string()}
COUNTED = {
    "pages": pa.int64(),
    "pages in clusters": pa.int64(),
    "pages alone": pa.int64(),
    "clusters": pa.int64(),
    "duplicates": pa.int64(),
    "share of duplicates": pa.float64(),
}
SIZES = {"size": pa.int64(), "clusters": pa.int64()}
LARGEST_COLUMNS = {
    # As the paper has them.
    "rank": pa.int64(),
    "urls": pa.int64(),
    "hosts": pa.int64(),
    "machines": pa.string(),
    "description": pa.string(),
    "representative": pa.string(),
    "differ in": pa.string(),
    "compared": pa.int64(),
    "differ in words": pa.int64(),
    "its words": pa.string(),
    "other words": pa.string(),
    "title": pa.string(),
    "pages": pa.int64(),
    # What machines are made of.
    "ips": pa.int64(),
    "hosts without ip": pa.int64(),
    "cluster": pa.int64(),
}
# What a screen has room for.
SHOWN = {
    name: LARGEST_COLUMNS[name]
    for name in (
        *("rank", "urls", "hosts", "machines", "description", "differ in", "its words"),
        *("other words", "representative"),
    )
}
Row = dict[str, Any]


@dataclass(frozen=True)
class StudiedClusters:
    """What was found of the clusters of one collection by one rule."""

    collection: str
    rule: str
    counts: Row
    sizes: Sizes
    fits: Fits
    # From so many times the fitted clusters on.
    times: float
    outlying: Sequence[Row]
    largest: Sequence[Row]

    @property
    def whose(self) -> Row:
        return {"collection": self.collection, "rule": self.rule}

    def differing(self, kind: str) -> list[Row]:
        """Those of the largest clusters whose pages differ in that."""
        return [row for row in self.largest if row["differ in"] == kind]

    @property
    def trend(self) -> Trend | None:
        return trend(self.sizes, self.fits)

    @property
    def shared_sizes(self) -> list[Row]:
        """The outlying sizes of more than one cluster."""
        return [row for row in self.outlying if row["clusters"] > 1]


def machines(known: int, hosts: int) -> str:
    """m (+ n): the machines that are known by their IP, and the hosts of which none is known."""
    return f"{known:,} (+ {hosts:,})" if hosts else f"{known:,}"


def tables(found: Sequence[StudiedClusters]) -> dict[str, pa.Table]:
    """All tables by name."""
    largest = rows_of(found, largest_rows, LARGEST_COLUMNS)
    return {
        "clusters": with_paper(rows_of(found, count_rows, COUNTED), ["rule"], CLUSTERS),
        "cluster_sizes": rows_of(found, size_rows, SIZES),
        "power_laws": with_paper(rows_of(found, law_rows, FITTED), ["rule"], EXPONENTS),
        "outlying_sizes": rows_of(found, lambda each: each.outlying, OUTLYING),
        "largest": with_paper(largest, ["rule", "rank"], LARGEST),
        "beside_paper": beside_table([row for each in found for row in paper_rows(each)]),
    }


def rows_of(
    found: Sequence[StudiedClusters],
    made: Callable[[StudiedClusters], Iterable[Row]],
    columns: Mapping[str, pa.DataType],
) -> pa.Table:
    """A table of the rows that each makes."""
    rows = [{**each.whose, **row} for each in found for row in made(each)]
    return pa.Table.from_pylist(rows, pa.schema({**WHOSE, **columns}))


def count_row(found: StudiedClusters) -> Row:
    alone = found.counts["pages"] - found.counts["pages in clusters"]
    return found.counts | {"pages alone": alone}


def count_rows(found: StudiedClusters) -> list[Row]:
    return [count_row(found)]


def law_rows(found: StudiedClusters) -> list[Row]:
    return [fit_row(found.fits, found.sizes.counts)]


def size_rows(found: StudiedClusters) -> list[Row]:
    counts = sorted(found.sizes.counts.items())
    return [{"size": size, "clusters": clusters} for size, clusters in counts]


def largest_rows(found: StudiedClusters) -> list[Row]:
    return [
        row
        | {
            "machines": machines(row["machines"], row["hosts without ip"]),
            "ips": row["machines"],
        }
        for row in found.largest
    ]


def shown(found: Sequence[StudiedClusters]) -> dict[str, pa.Table]:
    """What fits a screen: the largest clusters in fewer columns, and sizes of several clusters."""
    return {
        "outlying_sizes": rows_of(found, lambda each: each.shared_sizes, OUTLYING),
        "largest": rows_of(found, lambda each: map(counted_words, largest_rows(each)), SHOWN),
    }


def counted_words(row: Row) -> Row:
    """The row with the number of pages that differ in words beside the word for it."""
    if not row["differ in words"]:
        return row
    counts = f"{row['differ in words']:,} of {row['compared']:,}"
    return row | {"differ in": f"{row['differ in']} ({counts})"}


def paper_rows(found: StudiedClusters) -> list[Row]:
    """What the paper says in its text, by the names of papers.py."""
    facts: Row = {"share of duplicates": found.counts["share of duplicates"]}
    if found.trend is not None:
        facts["exponent of the trend"] = found.trend.exponent
    if len(found.largest) == PAPERS_ROWS:
        facts["of the 20 largest that differ in words"] = len(found.differing(IN_WORDS))
    shares = [row["share on one set of hosts"] for row in found.shared_sizes]
    facts["share on one set of hosts at an outlying size, most"] = max(shares, default=None)
    named = {f"{fact}, {found.rule}": value for fact, value in facts.items()}
    return beside_rows(found.collection, named, CLUSTER_FACTS)


def figures(found: Sequence[StudiedClusters]) -> Iterator[tuple[str, LogLog]]:
    """Figure 1 for each rule, all collections in it, and Figure 3 for each collection, all rules in
    it, the first of them upon the others."""

    def log_log(title: str, series: Mapping[str, StudiedClusters]) -> LogLog:
        drawn = {name: Distribution(each.sizes.counts, each.fits) for name, each in series.items()}
        return LogLog(title, "pages of a cluster", "clusters", drawn)

    rules = [*dict.fromkeys(each.rule for each in found)]
    for rule in rules:
        own = {each.collection: each for each in found if each.rule == rule}
        yield f"cluster_sizes-{rule}", log_log(f"Clusters by size, {rule}", own)
    if len(rules) > 1:
        for collection in dict.fromkeys(each.collection for each in found):
            own = {each.rule: each for each in reversed(found) if each.collection == collection}
            title = f"Clusters by size and rule, {collection}"
            yield f"cluster_sizes_by_rule-{collection}", log_log(title, own)


def sentences(found: Sequence[StudiedClusters]) -> Iterator[str]:
    """What section 3 says, of these collections."""
    for each in found:
        for text in (*near_duplicates(each), *above_the_fit(each), *in_the_largest(each)):
            yield f"{each.collection}, {each.rule}: {text}"
    for one, other in pairwise(found):
        if one.collection == other.collection:
            yield from compared(one, other)


def near_duplicates(found: StudiedClusters) -> Iterator[str]:
    row = count_row(found)
    yield (
        f"of {row['pages']:,} pages {row['pages in clusters']:,} are like some other page and "
        f"{row['pages alone']:,} like none; the former fall into {row['clusters']:,} clusters, so "
        f"{row['duplicates']:,} pages, or {row['share of duplicates']:.1%} of all, are "
        f"near-duplicates of the {row['clusters']:,} that stand for them."
    )
    yield " ".join(["clusters by size.", *in_words(found.fits, "clusters")])


def above_the_fit(found: StudiedClusters) -> Iterator[str]:
    """Outlying sizes, and whether mirrors of one collection explain them."""
    expected = found.trend
    if expected is None:
        return
    shared = found.shared_sizes
    if not shared:
        yield (
            f"no size of more than one cluster has {found.times:g} times the clusters of the trend "
            f"({expected.name}, exponent {signed(expected.exponent)})."
        )
        return
    clusters = sum(row["clusters"] for row in shared)
    together = sum(row["on one set of hosts"] for row in shared)
    mirrored = sum(row["on one set of hosts"] for row in shared if row["hosts of the set"] > 1)
    most = max(shared, key=lambda row: (row["clusters"], row["size"]))
    hosts = most["hosts of the set"]
    sizes = [f"{row['size']:,}" for row in shared]
    yield (
        f"sizes of more than one cluster with at least {found.times:g} times the clusters of the "
        f"trend ({expected.name}, exponent {signed(expected.exponent)}): "
        f"{', '.join(sizes)}. Of their {clusters:,} clusters "
        f"{together:,} ({ratio(together, clusters):.1%}) lie on one set of hosts with others of "
        f"their size, {mirrored:,} on a set of several hosts, as mirrors of one collection do. Of "
        f"size {most['size']:,} there are most, {most['clusters']:,} where the trend has "
        f"{most['fitted']:.1f}: {most['share on one set of hosts']:.1%} of them lie on "
        f"{f'one set of {hosts:,} hosts' if hosts > 1 else 'one host'}."
    )


def in_the_largest(found: StudiedClusters) -> Iterator[str]:
    """Whether the largest clusters differ in a meaningful way, and which do."""
    if not found.largest:
        return
    words, little, nothing = (
        len(found.differing(kind)) for kind in (IN_WORDS, NOTHING_MEANINGFUL, NOTHING)
    )
    text = (
        f"of the {len(found.largest):,} largest clusters, of {found.largest[-1]['pages']:,} to "
        f"{found.largest[0]['pages']:,} pages: in {little + nothing:,} the pages do not differ in "
        f"any meaningful way (in {nothing:,} not at all, in {little:,} by numbers, dates, order or "
        f"their own names alone), in {words:,} they differ in words"
    )
    unread = len(found.largest) - words - little - nothing
    if unread:
        text += f"; of {unread:,} it is not known, for they could not be read again"
    yield f"{text}."


def compared(one: StudiedClusters, other: StudiedClusters) -> Iterator[str]:
    """Two rules of one collection, as Figure 3 has them."""
    fewer = one.counts["duplicates"] - other.counts["duplicates"]
    yield (
        f"{one.collection}: {other.counts['share of duplicates']:.1%} near-duplicates by "
        f"{other.rule}, {one.counts['share of duplicates']:.1%} by {one.rule}: "
        f"{abs(fewer):,} pages {'fewer' if fewer >= 0 else 'more'}."
    )
    if one.trend is not None and other.trend is not None:
        # As numbers, without the sign, as the paper speaks of them.
        steepness = -one.trend.exponent, -other.trend.exponent
        errors = one.trend.fit.error, other.trend.fit.error
        apart = abs(steepness[0] - steepness[1]) > 2 * (errors[0] ** 2 + errors[1] ** 2) ** 0.5
        which = "smaller" if steepness[1] < steepness[0] else "not smaller"
        yield (
            f"{one.collection}: the exponent of {other.rule} clusters is {which}: "
            f"{steepness[1]:.2f} ± {errors[1]:.2f} ({other.trend.name}) against "
            f"{steepness[0]:.2f} ± {errors[0]:.2f} ({one.trend.name}) of {one.rule} clusters"
            f"{'' if apart else ', which errors alone may do'}."
        )
