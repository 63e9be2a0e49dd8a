"""*Labelled pairs*: the pairs of samples that have a label, with the strata they were drawn from.

Each rule is judged by the sample in which most of its pairs have a label. What several labellers
said of a pair is what most of them said, else undecided (see labels.py). Its reasons are those that
at least half gave of the labellers who said so and gave a reason; where they agree in none, all.
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
from webecho.evaluation.sample.drawing import DRAW
from webecho.evaluation.sample.stamps import is_stale
from webecho.group.measures import MeasureSettings, Measuring
from webecho.group.rule_names import sampling
from webecho.run import Run
from webecho.study.term_differences import LARGE
from webecho.workspace.lookup import page_values
from webecho.workspace.workspace import Workspace

# What was measured of some pairs.
MEASURED = """
SELECT "left", "right", term_difference, text_difference, more_than
FROM pairs WHERE EXISTS (
    SELECT * FROM wanted WHERE wanted."left" = pairs."left" AND wanted."right" = pairs."right"
)
"""
# All terms, and those that are no images.
TERMS, TEXT = "term_difference", "text_difference"


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
    # Whether more than 200 terms differ, and whether without image terms; None where it was not
    # measured.
    large: bool | None
    large_without_images: bool | None
    sites: tuple[str | None, str | None]
    weights: Mapping[str, float]
    label: LabelName
    reasons: tuple[str, ...]
    # As far as a rule told it of its pairs, or it was measured.
    resemblance: float | None = None
    equal_words: float | None = None

    @property
    def pair(self) -> Pair:
        return self.left, self.right

    @property
    def form(self) -> bool:
        """Whether it is undecided only because a form is filled in differently."""
        return self.label == "undecided" and self.reasons == ("form",)


@dataclass(frozen=True)
class Labelled:
    """Labelled pairs of one or more samples, and of each rule how much of it has no label. A pair
    that several samples have is among them once for each."""

    strata: Mapping[object, LabelledStratum]
    pairs: tuple[LabelledPair, ...]
    # Labels of the rules of the samples, with the sample that each is judged by.
    samples: Mapping[str, str]
    # For each rule the share of its pairs in strata without any label.
    unseen: Mapping[str, float]
    notes: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many different pairs have a label."""
        return len({pair.pair for pair in self.pairs})


def only(labelled: Labelled, pairs: Sequence[LabelledPair]) -> Labelled:
    """As if these pairs alone had a label."""
    counts = Counter(pair.stratum for pair in pairs)
    strata: dict[object, LabelledStratum] = {
        key: replace(labelled.strata[key], labelled=count) for key, count in counts.items()
    }
    return replace(labelled, strata=strata, pairs=tuple(pairs))


def judgements(labels: Iterable[Label]) -> dict[Pair, Judgement]:
    """What is held of each pair: the label of most, with the reasons of most of them."""
    found = {}
    for pair, given in standing(labels).items():
        held = settled(given.values())
        agreeing = [label.reasons for label in given.values() if label.label == held]
        found[pair] = Judgement(held, settled_reasons(agreeing))
    return found


def settled_reasons(given: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """What labellers who gave the same label say together: the reasons that at least half gave of
    those who gave any, so that what one of two overlooked is not lost; else all."""
    telling = [reasons for reasons in given if reasons]
    counts = Counter(reason for reasons in telling for reason in reasons)
    held = [reason for reason, count in counts.items() if 2 * count >= len(telling)]
    return tuple(sorted(held or counts))


def labelled(
    workspace: Workspace, files: Sequence[Path], said: Mapping[Pair, Judgement], run: Run
) -> Labelled:
    """The pairs of samples that have a label."""
    tables = {file.stem: read_sample(workspace, file) for file in files}
    rules = best_samples(tables, said)
    if not rules:
        raise WorkspaceError(
            f"no pair of a sample of {workspace.path} has a label"
            + (f", though {len(said):,} others have" if said else "")
            + f"; draw a sample and label it in a browser with: {sampling(workspace)} (or with "
            "--export FILE.csv elsewhere, and then --import FILE.csv); pairs that nobody drew by "
            "chance tell no precision, but a recall: webecho evaluate --truth FILE"
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
        measured = found_differences(workspace, rows, run)
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
        replace(pair, large=is_large(row, TERMS), large_without_images=is_large(row, TEXT))
        for pair, row in zip(known.pairs, rows, strict=True)
    )
    return replace(known, pairs=pairs), measuring.problems


def read_sample(workspace: Workspace, file: Path) -> pa.Table:
    if file in workspace.files.samples():
        return workspace.one_file(file, DRAW).read()
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
    measured: Mapping[Pair, dict[str, Any]],
) -> LabelledPair:
    row = rows[0]
    # A rule may have been found with measures, and another without.
    told = [*rows, measured.get(pair_of(row), row)]

    def large(column: str) -> bool | None:
        return next((known for each in told if (known := is_large(each, column)) is not None), None)

    return LabelledPair(
        stratum=(sample, row["stratum"]),
        left=row["left"],
        right=row["right"],
        b_similarity=row["b_similarity"],
        c_similarity=row["c_similarity"],
        c_range=row["c_range"],
        same_site=bool(row["same_site"]),
        large=large(TERMS),
        large_without_images=large(TEXT),
        sites=(sites.get(row["left"]), sites.get(row["right"])),
        weights={row["rule"]: row["pair_weight"] for row in rows if row["rule"] in rules},
        label=said.label,
        reasons=said.reasons,
        **{name: known_share(rows, name) for name in ("resemblance", "equal_words")},
    )


def known_share(rows: Iterable[Mapping[str, Any]], name: str) -> float | None:
    """What is known of a pair by one of its rules; samples that were drawn long ago lack some."""
    return next((row[name] for row in rows if row.get(name) is not None), None)


def is_large(row: Mapping[str, Any], column: str) -> bool | None:
    """Whether so many terms differ that the paper calls it large; None if nobody knows."""
    if row[column] is not None:
        return bool(row[column] > LARGE)
    more_than = row["more_than"]
    return True if more_than is not None and more_than >= LARGE else None


def found_differences(
    workspace: Workspace, rows: Iterable[Mapping[str, Any]], run: Run
) -> dict[Pair, dict[str, Any]]:
    """The term differences that `webecho pairs` measured after a sample was drawn, as far as it
    did."""
    unknown: dict[str, set[Pair]] = {}
    for row in rows:
        if is_large(row, TERMS) is None:
            unknown.setdefault(row["rule"], set()).add(pair_of(row))
    found: dict[Pair, dict[str, Any]] = {}
    for rule, pairs in unknown.items():
        if not workspace.files.pairs(rule).is_file():
            continue
        with run.database() as database:
            database.add("wanted", pair_table(pairs))
            database.add("pairs", workspace.stored("pairs", rule))
            if "term_difference" not in database.columns("pairs"):
                continue
            later = database.table(MEASURED).to_pylist()
        found |= {pair_of(row): row for row in later if is_large(row, TERMS) is not None}
    return found


def sites_of(workspace: Workspace, tables: Iterable[pa.Table]) -> dict[int, str | None]:
    """The sites of the pages of samples."""
    pages = {
        page for table in tables for side in ("left", "right") for page in table[side].to_pylist()
    }
    found = page_values(workspace, pages, ("site",))
    return {page: values["site"] for page, values in found.items()}
