"""*Labelled pairs*: the pairs of samples that have a label, with the strata they were drawn from.

Each rule is judged by the sample in which most of its pairs have a label. What several labellers
said of a pair is what most of them said, else undecided (see labels.py).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import InputError, WorkspaceError
from webecho.evaluation.judge.precision import LabelledStratum
from webecho.evaluation.label.labels import Label, settled, standing
from webecho.evaluation.label.matching import Pair, pair_table
from webecho.evaluation.label.reasons import Judgement, LabelName
from webecho.evaluation.sample.stamps import is_stale
from webecho.group.measures import MeasureSettings, Measuring
from webecho.group.rule_names import sampling
from webecho.run import Run
from webecho.study.pair_report import LARGE
from webecho.workspace.lookup import page_values
from webecho.workspace.workspace import Workspace

# What was measured of some pairs.
MEASURED = """
SELECT "left", "right", term_difference, more_than
FROM pairs WHERE EXISTS (
    SELECT * FROM wanted WHERE wanted."left" = pairs."left" AND wanted."right" = pairs."right"
)
"""


@dataclass(frozen=True)
class LabelledPair:
    """A pair with what was measured of it and what was said of it.

    `weights` has for each rule that found it for how many pairs of a hot bucket it stands.
    """

    stratum: tuple[str, int]
    left: int
    right: int
    b_similarity: int | None
    c_similarity: int | None
    c_range: str | None
    same_site: bool
    # Whether more than 200 terms differ; None where it was not measured.
    large: bool | None
    sites: tuple[str | None, str | None]
    weights: Mapping[str, float]
    label: LabelName
    reasons: tuple[str, ...]

    @property
    def pair(self) -> Pair:
        return self.left, self.right

    @property
    def form(self) -> bool:
        """Whether it is undecided only because a form is filled in differently."""
        return self.label == "undecided" and self.reasons == ("form",)


@dataclass(frozen=True)
class Labelled:
    """Labelled pairs of one or more samples, and of each rule how much of it has no label."""

    strata: Mapping[object, LabelledStratum]
    pairs: tuple[LabelledPair, ...]
    # Labels of the rules of the samples, with the sample that each is judged by.
    samples: Mapping[str, str]
    # For each rule the share of its pairs in strata without any label.
    unseen: Mapping[str, float]
    notes: tuple[str, ...] = ()


def judgements(labels: Iterable[Label]) -> dict[Pair, Judgement]:
    """What is held of each pair: the label of most, with the reasons that any of them gave."""
    found = {}
    for pair, given in standing(labels).items():
        held = settled(given.values())
        reasons = {
            reason for label in given.values() if label.label == held for reason in label.reasons
        }
        found[pair] = Judgement(held, tuple(sorted(reasons)))
    return found


def labelled(
    workspace: Workspace, files: Sequence[Path], said: Mapping[Pair, Judgement], run: Run
) -> Labelled:
    """The pairs of samples that have a label."""
    tables = {file.stem: read_sample(file) for file in files}
    rules = best_samples(tables, said)
    if not rules:
        raise WorkspaceError(
            f"no pair of a sample of {workspace.path} has a label; draw and label one with: "
            f"{sampling(workspace)}"
        )
    strata: dict[object, LabelledStratum] = {}
    pairs: list[LabelledPair] = []
    unseen: dict[str, float] = {}
    notes: list[str] = []
    chosen = {name: table for name, table in tables.items() if name in rules.values()}
    sites = sites_of(workspace, chosen.values())
    for name, table in chosen.items():
        rows = table.to_pylist()
        if is_stale(workspace, table):
            notes.append(f"{name} was drawn from other pairs than there are now; label it again")
        own = {rule for rule, sample in rules.items() if sample == name}
        known = {row["number"]: row["stratum"] for row in rows if pair_of(row) in said}
        counts = Counter(known.values())
        for row in rows:
            if row["stratum"] in counts:
                key = (name, row["stratum"])
                strata[key] = LabelledStratum(row["stratum_pairs"], counts[row["stratum"]])
        measured = found_large(workspace, rows, run)
        pairs += [
            as_pair(name, group, own, said[pair_of(group[0])], sites, measured)
            for number, group in by_number(rows).items()
            if number in known
        ]
        for rule in own:
            whole = sum(row["weight"] for row in rows if row["rule"] == rule)
            missed = sum(
                row["weight"]
                for row in rows
                if row["rule"] == rule and row["stratum"] not in counts
            )
            unseen[rule] = missed / whole
    return Labelled(strata, tuple(pairs), rules, unseen, tuple(notes))


def with_differences(
    workspace: Workspace, known: Labelled, run: Run
) -> tuple[Labelled, tuple[str, ...]]:
    """The same with term differences, for which the pages are read again; and what could not be."""
    sides = [
        pa.array([getattr(pair, side) for pair in known.pairs], pa.int64())
        for side in ("left", "right")
    ]
    pages = pc.unique(pa.concat_arrays(sides)).sort()
    settings = MeasureSettings(("difference",))
    measuring = Measuring.of(workspace, pages, settings, None, run)
    rows = pa.table(measuring.columns(*sides)).to_pylist()
    pairs = tuple(
        replace(pair, large=is_large(row)) for pair, row in zip(known.pairs, rows, strict=True)
    )
    return replace(known, pairs=pairs), measuring.problems


def read_sample(file: Path) -> pa.Table:
    try:
        return pq.read_table(file, memory_map=False)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{file} is no sample ({error}); draw it again") from error


def best_samples(tables: Mapping[str, pa.Table], said: Mapping[Pair, Judgement]) -> dict[str, str]:
    """For each rule the sample with the most labels on its pairs."""
    counts: dict[str, Counter[str]] = {}
    for name, table in tables.items():
        for row in table.select(["rule", "left", "right"]).to_pylist():
            if pair_of(row) in said:
                counts.setdefault(row["rule"], Counter())[name] += 1
    # Of two with as many the one with the lower name.
    return {rule: min(own, key=lambda name: (-own[name], name)) for rule, own in counts.items()}


def pair_of(row: Mapping[str, Any]) -> Pair:
    return row["left"], row["right"]


def by_number(rows: Iterable[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    """The rows of each pair: one for each rule."""
    found: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["number"], []).append(row)
    return found


def as_pair(
    sample: str,
    rows: list[dict[str, Any]],
    rules: set[str],
    said: Judgement,
    sites: Mapping[int, str | None],
    measured: Mapping[Pair, bool],
) -> LabelledPair:
    row = rows[0]
    # A rule may have been found with measures, and another without.
    large = (known for each in rows if (known := is_large(each)) is not None)
    return LabelledPair(
        stratum=(sample, row["stratum"]),
        left=row["left"],
        right=row["right"],
        b_similarity=row["b_similarity"],
        c_similarity=row["c_similarity"],
        c_range=row["c_range"],
        same_site=bool(row["same_site"]),
        large=next(large, measured.get(pair_of(row))),
        sites=(sites.get(row["left"]), sites.get(row["right"])),
        weights={row["rule"]: row["pair_weight"] for row in rows if row["rule"] in rules},
        label=said.label,
        reasons=said.reasons,
    )


def is_large(row: Mapping[str, Any]) -> bool | None:
    """Whether so many terms differ that the paper calls it large; None if nobody knows."""
    if row["term_difference"] is not None:
        return bool(row["term_difference"] > LARGE)
    more_than = row["more_than"]
    return True if more_than is not None and more_than >= LARGE else None


def found_large(
    workspace: Workspace, rows: Iterable[Mapping[str, Any]], run: Run
) -> dict[Pair, bool]:
    """Whether the term differences are large that `webecho pairs` measured after a sample was
    drawn, as far as it did."""
    unknown: dict[str, set[Pair]] = {}
    for row in rows:
        if is_large(row) is None:
            unknown.setdefault(row["rule"], set()).add(pair_of(row))
    found: dict[Pair, bool] = {}
    for rule, pairs in unknown.items():
        if not workspace.files.pairs(rule).is_file():
            continue
        with run.database() as database:
            database.add("wanted", pair_table(pairs))
            database.add("pairs", workspace.stored("pairs", rule))
            if "term_difference" not in database.columns("pairs"):
                continue
            rows_found = database.table(MEASURED).to_pylist()
        found |= {pair_of(row): large for row in rows_found if (large := is_large(row)) is not None}
    return found


def sites_of(workspace: Workspace, tables: Iterable[pa.Table]) -> dict[int, str | None]:
    """The sites of the pages of samples."""
    pages = {
        page for table in tables for side in ("left", "right") for page in table[side].to_pylist()
    }
    found = page_values(workspace, pages, ("site",))
    return {page: values["site"] for page, values in found.items()}
