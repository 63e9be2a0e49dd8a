"""The growth of clusters and duplicates: Pereira 2006, section 4.2, of another collection.

| here | in the paper |
| --- | --- |
| `growth` | Figure 5: documents, clusters and duplicates after each step, and the share found |
| `estimates` | the estimate from 20 % and 50 % of the steps, by another collection's growth |
| `by_sample` | beyond the paper: what the documents of the first parts tell by themselves |
| `clusters` | every document with its cluster after the last step that was run |

Percentages of duplicates and of clusters are of the documents.
"""

from dataclasses import asdict
from typing import Any

import pyarrow as pa

from webecho.errors import Message, SettingsError, flag, setting
from webecho.run import Run
from webecho.study.estimates import (
    Estimate,
    clusters_by_sample,
    duplicates_by_sample,
    of_all,
)
from webecho.study.result import Lines, LogLog, Study, names
from webecho.study.shares import ratio
from webecho.study.steps import Growth, GrowthSettings, grow, share_found
from webecho.workspace.workspace import Workspace

# Section 4.2 tells what is found in half of the steps.
HALF = 0.5
# Steps that are shown to people before some are left out.
MOST_SHOWN = 20
SAMPLED = "this collection's sample"
COUNTED = {"duplicates": duplicates_by_sample, "clusters": clusters_by_sample}

Row = dict[str, Any]


def study_growth(
    workspace: Workspace, settings: GrowthSettings, other: Workspace | None = None, *, run: Run
) -> Study:
    """The study of a workspace, and of another one by which the whole is estimated; both must have
    their paragraphs (see `require_tables`)."""
    if other is None and settings.other_steps is not None:
        raise SettingsError(
            *(setting("other_steps"), " are those of ", setting("estimate_from")),
            ", which is not given",
        )
    if settings.go_on and settings.run == 1:
        raise SettingsError(
            *(flag("go_on"), " is for ", setting("steps_run")),
            ", which is not given: all steps are run",
        )
    first = settings.first
    name, *others = names([workspace] if other is None else [workspace, other])
    found = grow(
        workspace, name, settings, settings.steps, settings.steps if settings.go_on else first, run
    )
    known = None
    if other is not None:
        steps = settings.other_steps or settings.steps
        known = grow(other, others[0], settings, steps, steps, run)
    tables = {
        "growth": growth_rows([found, *([] if known is None else [known])]),
        "by_sample": sample_rows(found),
        "clusters": found.clusters,
    }
    titles = {"growth": "Figure 5. Found after each step"}
    short = {}
    if len(tables["growth"]) > MOST_SHOWN:
        titles["growth"] += ", the first and the end of each tenth"
        short["growth"] = tenths(tables["growth"])
    if first < settings.steps:
        estimates = estimate_rows(found, first, known)
        tables["estimates"] = pa.Table.from_pylist(estimates)
        titles["estimates"] = f"Estimates after {first} of {settings.steps} steps"
        said = [estimate_sentence(row) for row in estimates]
    else:
        said = []
    return Study(
        "growth",
        tables,
        titles,
        sentences=(*growth_sentences(found), *said),
        notes=notes(settings, first),
        settings=asdict(settings) | {"estimate_from": None if other is None else str(other.path)},
        figures=figures(found, known, tables["by_sample"]) if len(found.sizes) > 1 else {},
        short=short,
    )


def growth_rows(collections: list[Growth]) -> pa.Table:
    """What is found after each step. Which share that is of all, only all steps can tell."""
    rows = []
    for found in collections:
        last = found.sizes[-1] if found.is_whole else None
        for step, (end, sizes) in enumerate(zip(found.ends, found.sizes, strict=True), 1):
            rows.append(
                {
                    "collection": found.name,
                    "step": step,
                    "documents": end,
                    "clusters": sizes.clusters,
                    "duplicates": sizes.duplicates,
                    "share of steps": step / found.steps,
                    "share of clusters": last and ratio(sizes.clusters, last.clusters),
                    "share of duplicates": last and ratio(sizes.duplicates, last.duplicates),
                }
            )
    return pa.Table.from_pylist(rows)


def tenths(growth: pa.Table) -> pa.Table:
    """The first step and the one that completes each tenth of the steps, of each collection."""
    rows, before = [], 1.0
    for row in growth.to_pylist():
        share = row["share of steps"]
        first = row["step"] == 1
        if first or int(10 * share + 1e-9) > int(10 * before + 1e-9):
            rows.append(row)
        before = share
    return pa.Table.from_pylist(rows, growth.schema)


def sample_rows(found: Growth) -> pa.Table:
    """After each step what the documents of the parts so far tell of the whole."""
    rows: list[Row] = []
    for step, (end, sizes) in enumerate(zip(found.ends, found.sizes, strict=True), 1):
        row: Row = {"collection": found.name, "step": step, "documents": end}
        for what, estimate in COUNTED.items():
            row |= shares(what, estimate(sizes.counts, found.documents, end), found.documents)
        rows.append(row)
    return pa.Table.from_pylist(rows)


def shares(what: str, estimate: Estimate, documents: int) -> Row:
    """An estimated number as a share of the documents, with its interval."""
    return {
        f"share of {what}": ratio(estimate.value, documents),
        f"share of {what}, low": ratio(estimate.low, documents),
        f"share of {what}, high": ratio(estimate.high, documents),
    }


def estimate_rows(found: Growth, step: int, known: Growth | None) -> list[Row]:
    """The share of duplicates and of clusters by each way to estimate it; with the truth and the
    error, in percentage points, if all steps were run."""
    sizes, end = found.sizes[step - 1], found.ends[step - 1]
    rows: list[Row] = []
    for what, by_sample in COUNTED.items():
        counted = getattr(sizes, what)
        ways: list[tuple[str, float | None, Estimate | None]] = []
        if known is not None:
            share = share_found(known, step / found.steps, what)
            value = None if share is None else of_all(counted, share)
            ways.append((f"the growth of {known.name}", value, None))
        sampled = by_sample(sizes.counts, found.documents, end)
        ways.append((SAMPLED, sampled.value, sampled))
        for way, value, estimate in ways:
            row: Row = {
                "collection": found.name,
                "of": what,
                "by": way,
                "found": counted,
                "estimated share": None if value is None else ratio(value, found.documents),
                "low share": estimate and ratio(estimate.low, found.documents),
                "high share": estimate and ratio(estimate.high, found.documents),
            }
            if found.is_whole:
                true = ratio(getattr(found.sizes[-1], what), found.documents)
                off = None if value is None else 100 * (value / found.documents - true)
                row |= {"true share": true, "error in points": off}
            rows.append(row)
    return rows


def growth_sentences(found: Growth) -> list[str]:
    """What section 4.2 says of the growth."""
    begun, name = found.sizes[0], found.name
    said = [
        f"{name}: the first of {found.steps} steps finds {begun.duplicates:,} duplicates in "
        f"{begun.clusters:,} clusters."
    ]
    if found.is_whole and found.steps > 1:
        duplicates, clusters = (
            share_found(found, HALF, what) for what in ("duplicates", "clusters")
        )
        if duplicates is not None and clusters is not None:
            said.append(
                f"{name}: with {HALF:.0%} of the steps, {duplicates:.1%} of the duplicates and "
                f"{clusters:.1%} of the clusters are found."
            )
    return said


def estimate_sentence(row: Row) -> str:
    if row["estimated share"] is None:
        return (
            f"{row['collection']}: by {row['by']}, which has found none by then, nothing can be "
            "estimated."
        )
    said = (
        f"{row['collection']}: {row['of']} by {row['by']}: {row['estimated share']:.1%} of the "
        "documents"
    )
    if row["low share"] is not None:
        said += f", 95 % interval {row['low share']:.1%} to {row['high share']:.1%}"
    if "true share" in row:
        points = f"{row['error in points']:+.2f}".replace("-", "−")
        said += f"; in truth {row['true share']:.1%}, an error of {points} percentage points"
    return said + "."


def notes(settings: GrowthSettings, first: int) -> tuple[str, ...]:
    if settings.match == "paper" and first < settings.steps:
        return (
            Message(
                "by the paper's match a cluster may be found in several steps, piece by piece, so "
                "the estimate from the sample is somewhat low; ",
                *(setting("match").to("multiset", repr("multiset")), " has none of that"),
            ),
        )
    return ()


def figures(found: Growth, known: Growth | None, sampled: pa.Table) -> dict[str, LogLog | Lines]:
    steps = range(1, len(found.sizes) + 1)
    counts = {
        "documents": found.ends,
        "clusters": [sizes.clusters for sizes in found.sizes],
        "duplicates": [sizes.duplicates for sizes in found.sizes],
    }
    points = {what: list(zip(steps, values, strict=True)) for what, values in counts.items()}
    title = f"Growth of {found.name} in {found.steps} steps"
    drawn: dict[str, LogLog | Lines] = {
        "growth": Lines(title, "step", "number", points),
        # Where duplicates are few, they lie flat below the documents.
        "found": Lines(title, "step", "number", {what: points[what] for what in COUNTED}),
        "by_sample": sampled_figure(found, sampled),
    }
    whole = [each for each in (found, known) if each is not None and each.is_whole]
    if whole:
        drawn["shares"] = Lines(
            "Found in a share of the steps",
            "share of the steps",
            "share found",
            {
                f"{what}, {each.name}" if len(whole) > 1 else what: [
                    (step / each.steps, ratio(getattr(sizes, what), getattr(each.sizes[-1], what)))
                    for step, sizes in enumerate(each.sizes, 1)
                ]
                for each in whole
                for what in COUNTED
            },
        )
    return drawn


def sampled_figure(found: Growth, sampled: pa.Table) -> Lines:
    """The estimate of the share of duplicates after each step, with its interval, and what was
    found by then."""
    shares_found = [ratio(sizes.duplicates, found.documents) for sizes in found.sizes]
    columns = {
        "estimate": sampled["share of duplicates"].to_pylist(),
        "95 %, from": sampled["share of duplicates, low"].to_pylist(),
        "95 %, to": sampled["share of duplicates, high"].to_pylist(),
        "found": shares_found,
    }
    series = {name: list(enumerate(values, 1)) for name, values in columns.items()}
    return Lines("Duplicates, estimated after each step", "step", "share of the documents", series)
