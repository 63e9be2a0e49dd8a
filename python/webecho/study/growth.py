"""The growth of clusters and duplicates: Pereira 2006, section 4.2, of another collection.

| here | in the paper |
| --- | --- |
| `growth` | Figure 5: documents, clusters and duplicates after each step, and the share found |
| `estimates` | the estimate from 20 % and 50 % of the steps, by another collection's growth |
| `beside_paper` | what half of the steps find, beside the paper's 90 % |
| `half` | the share of the duplicates and clusters that half of the steps find |
| `by_sample` | beyond the paper: what the documents of the first parts tell by themselves |
| `clusters` | every document with its cluster after the last step that was run |

Of several collections all have their rows, but for `clusters-<collection>`, and means over them
are told, every collection counting the same. Percentages of duplicates and of clusters are of the
documents.
"""

from collections.abc import Iterable, Mapping, Sequence
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
from webecho.study.figures import Band, Figure, Lines, Series
from webecho.study.papers import ESTIMATE_ERRORS, GROWTH, beside_rows, beside_table
from webecho.study.papers import TITLE as BESIDE
from webecho.study.result import Study, names
from webecho.study.shares import ratio
from webecho.study.steps import Growth, GrowthSettings, grow, share_found
from webecho.workspace.workspace import Workspace

# Section 4.2 tells what is found in half of the steps.
HALF = 0.5
# Steps that are shown to people before some are left out.
MOST_SHOWN = 20
SAMPLED = "this collection's sample"
HALF_FOUND = pa.schema(
    {
        "collection": pa.string(),
        "steps": pa.int64(),
        "share of duplicates": pa.float64(),
        "share of clusters": pa.float64(),
    }
)
COUNTED = {"duplicates": duplicates_by_sample, "clusters": clusters_by_sample}
GROWING = ("documents", *COUNTED)
CAPTIONS = {
    "growth": "Figure 5. Found after each step",
    "half": f"Found in {HALF:.0%} of the steps",
    "by_sample": "What the documents of the first steps tell of the whole, with 95 % intervals",
    "clusters": "Every document with its cluster",
}

Row = dict[str, Any]


def study_growth(
    workspaces: Sequence[Workspace],
    settings: GrowthSettings,
    other: Workspace | None = None,
    *,
    run: Run,
) -> Study:
    """The study of workspaces, and of another one by which the whole is estimated; all must have
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
    called = names([*workspaces, *([] if other is None else [other])])
    upto = settings.steps if settings.go_on else settings.first
    found = [
        grow(workspace, name, settings, settings.steps, upto, run)
        for workspace, name in zip(workspaces, called, strict=False)
    ]
    known = None
    if other is not None:
        steps = settings.other_steps or settings.steps
        known = grow(other, called[-1], settings, steps, steps, run)
    about = asdict(settings) | {"estimate_from": None if other is None else other.name}
    if len(workspaces) > 1:
        about |= {"workspaces": [each.name for each in workspaces]}
    return growth_study(found, known, settings, about)


def growth_study(
    found: Sequence[Growth], known: Growth | None, settings: GrowthSettings, about: Row
) -> Study:
    """What is told of collections whose steps were run, and of another one."""
    first = settings.first
    samples = [sample_rows(each) for each in found]
    halves = [half_row(each) for each in found if each.is_whole and each.steps > 1]
    tables = {
        "growth": growth_rows([*found, *([] if known is None else [known])]),
        "half": pa.Table.from_pylist(halves, HALF_FOUND),
        "by_sample": pa.concat_tables(samples),
    }
    titles = {"growth": CAPTIONS["growth"]}
    if len(found) == 1:
        tables["clusters"] = found[0].clusters
    else:
        tables |= {f"clusters-{each.name}": each.clusters for each in found}
        titles["half"] = CAPTIONS["half"]
    beside = [
        row
        for half in halves
        for row in beside_rows(
            half["collection"],
            {f"share of duplicates in {HALF:.0%} of the steps": half["share of duplicates"]},
            GROWTH,
        )
    ]
    if beside:
        tables["beside_paper"] = beside_table(beside)
        titles["beside_paper"] = BESIDE
    short = {}
    if len(tables["growth"]) > MOST_SHOWN:
        titles["growth"] += ", the first and the end of each tenth"
        short["growth"] = tenths(tables["growth"])
    said = [text for each in found for text in growth_sentences(each)]
    means = mean_found(tables["half"]) if len(found) > 1 else {}
    if means:
        said.append(mean_sentence(means, len(halves)))
    if first < settings.steps:
        estimates = [row for each in found for row in estimate_rows(each, first, known)]
        tables["estimates"] = pa.Table.from_pylist(estimates)
        titles["estimates"] = f"Estimates after {first} of {settings.steps} steps"
        said += [estimate_sentence(row) for row in estimates]
    return Study(
        "growth",
        tables,
        titles,
        sentences=tuple(said),
        notes=notes(settings, first),
        facts={f"mean {what} in {HALF:.0%} of the steps": mean for what, mean in means.items()},
        settings=about,
        figures=all_figures(found, known, samples),
        short=short,
        captions=CAPTIONS | {f"clusters-{each.name}": CAPTIONS["clusters"] for each in found},
        collections=tuple(each.name for each in (*found, *([] if known is None else [known]))),
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
                paper = ESTIMATE_ERRORS.get(step / found.steps)
                if known is not None and paper is not None:
                    told = estimate is None and what == "duplicates"
                    row["error in points, paper"] = paper if told else None
            rows.append(row)
    return rows


def half_row(found: Growth) -> Row:
    """What half of the steps find; null where there is nothing to find."""
    shares = {f"share of {what}": share_found(found, HALF, what) for what in COUNTED}
    return {"collection": found.name, "steps": found.steps} | shares


def mean_found(half: pa.Table) -> dict[str, float]:
    """The means over the collections that have something to find."""
    found = {}
    for what in COUNTED:
        known = half[f"share of {what}"].drop_null().to_pylist()
        if known:
            found[f"share of {what}"] = sum(known) / len(known)
    return found


def mean_sentence(means: Mapping[str, float], collections: int) -> str:
    shares = " and ".join(
        f"{mean:.1%} of the {what.removeprefix('share of ')}" for what, mean in means.items()
    )
    return (
        f"In the mean over {collections} collections {HALF:.0%} of the steps find {shares} (in "
        "Pereira 2006 90 % of the duplicates in each)."
    )


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
        f"{row['collection']}: {row['of']} by {row['by']}: {row['estimated share']:.2%} of the "
        "documents"
    )
    if row["low share"] is not None:
        said += f", 95 % interval {row['low share']:.2%} to {row['high share']:.2%}"
    if "true share" in row:
        points = f"{row['error in points']:+.2f}".replace("-", "−")
        said += f"; in truth {row['true share']:.2%}, an error of {points} percentage points"
        if row["low share"] is not None and not (
            row["low share"] <= row["true share"] <= row["high share"]
        ):
            said += ", outside the interval"
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


def all_figures(
    found: Sequence[Growth], known: Growth | None, samples: Sequence[pa.Table]
) -> dict[str, Figure]:
    """All collections in each figure; the shares also of the other one, if all its steps are."""
    if len(found[0].sizes) == 1:
        return {}
    steps = f"in {found[0].steps} steps"
    drawn: dict[str, Figure] = {
        "growth": Lines(
            f"Growth {steps}: documents, clusters and duplicates",
            *("step", "number", [each for one in found for each in counts(one, found, GROWING)]),
            counted=True,
        ),
        # Where duplicates are few, they lie flat below the documents.
        "found": Lines(
            f"Growth {steps}: clusters and duplicates",
            *("step", "number", [each for one in found for each in counts(one, found, COUNTED)]),
            counted=True,
        ),
        "by_sample": sampled_figure(found, samples),
    }
    whole = [each for each in (*found, known) if each is not None and each.is_whole]
    return drawn | ({"shares": shares_figure(whole)} if whole else {})


def series(
    points: Sequence[tuple[float, float]],
    what: str,
    name: str,
    collections: Sequence[Growth],
    bands: Sequence[Band] = (),
) -> Series:
    """Points of a collection: of it, if there are several, and else of what they tell."""
    several = len(collections) > 1
    return Series(points, *((name, what) if several else (what, "")), bands)


def counts(found: Growth, collections: Sequence[Growth], what: Iterable[str]) -> list[Series]:
    """What there is after each step."""
    every = {
        "documents": found.ends,
        "clusters": [sizes.clusters for sizes in found.sizes],
        "duplicates": [sizes.duplicates for sizes in found.sizes],
    }
    return [series([*enumerate(every[each], 1)], each, found.name, collections) for each in what]


def shares_figure(whole: Sequence[Growth]) -> Lines:
    """Which share of all is found in which share of the steps."""
    drawn = [
        series(
            [
                (step / each.steps, ratio(getattr(sizes, what), getattr(each.sizes[-1], what)))
                for step, sizes in enumerate(each.sizes, 1)
            ],
            *(what, each.name, whole),
        )
        for each in whole
        for what in COUNTED
    ]
    return Lines("Found in a share of the steps", "share of the steps", "share found", drawn)


def sampled_figure(found: Sequence[Growth], samples: Sequence[pa.Table]) -> Lines:
    """The estimate of the share of duplicates after each step, with its interval, and what was
    found by then."""
    drawn = []
    for each, sampled in zip(found, samples, strict=True):
        share = "share of duplicates"
        values, lows, highs = (
            sampled[f"{share}{end}"].to_pylist() for end in ("", ", low", ", high")
        )
        bands = [Band(*ends) for ends in zip(sampled["step"].to_pylist(), lows, highs, strict=True)]
        seen = [ratio(sizes.duplicates, each.documents) for sizes in each.sizes]
        drawn += [
            series([*enumerate(values, 1)], "estimate", each.name, found, bands),
            series([*enumerate(seen, 1)], "found", each.name, found),
        ]
    return Lines("Duplicates, estimated after each step", "step", "share of the documents", drawn)
