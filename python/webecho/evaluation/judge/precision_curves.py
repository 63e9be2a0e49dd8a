"""*Curve* of a rule: the precision of what each higher threshold leaves of its pairs.

Labels on the pairs of `similar-0.5` tell of `similar-0.8`, for the pairs of that are among them; so
do those of any rule that goes by one measure. The threshold *chosen for a wanted precision* is the
lowest that has it on one half of the labels; the other half checks it, for what looks best on the
labels by which it was chosen looks better than it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from webecho.evaluation.judge.derived import SLACK, Member, at_least, base_of, of_sample
from webecho.evaluation.judge.labelled import Labelled, LabelledPair
from webecho.evaluation.judge.pair_counts import is_counted
from webecho.evaluation.judge.precision_tables import Test
from webecho.evaluation.judge.thresholds import halves, intervals, returned
from webecho.group.rules.checks import Agreement
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.workspace import Workspace

WANTED = 0.95
# Thresholds of shares lie so far apart; those of counts by one.
STEP = 0.01

CURVES = pa.schema(
    [
        *(("rule", pa.string()), ("measure", pa.string()), ("threshold", pa.float64())),
        # How many pairs there are, where the workspace has a table of them.
        *(("labelled", pa.int64()), ("pairs", pa.int64())),
        *intervals("precision", "r"),
    ]
)
CHOSEN = pa.schema(
    [
        *(("rule", pa.string()), ("measure", pa.string()), ("wanted", pa.float64())),
        # None where no threshold has it; by the half that chooses, and by the other.
        *(("threshold", pa.float64()), ("chosen_by", pa.float64())),
        *(("labelled", pa.int64()), *intervals("precision", "r")),
    ]
)


@dataclass(frozen=True)
class Base:
    """A rule of a sample that goes by one measure, and the least of that it asks for."""

    label: str
    measure: str
    least: float

    def thresholds(self, rows: Sequence[Member]) -> list[float]:
        """What can be asked for: from the rule's own to the highest that a labelled pair has."""
        seen = [value for row in rows if (value := getattr(row.pair, self.measure)) is not None]
        step = 1 if self.measure in COUNTS else STEP
        highest = max(seen, default=self.least - step)
        steps = int((highest - self.least) / step + SLACK)
        return [round(self.least + step * number, 2) for number in range(steps + 1)]

    def leaves(self, threshold: float) -> Test:
        def left(pair: LabelledPair) -> bool:
            return at_least(getattr(pair, self.measure), threshold)

        return left


# Measures that are whole numbers.
COUNTS = tuple(Agreement(1, 1).asked)


def bases(labelled: Labelled, recipe: Recipe) -> Iterator[Base]:
    """The rules of samples that have a curve, by their labels."""
    for label in sorted(labelled.samples):
        found = base_of(label, recipe)
        if found is None or len(found[1].asked) != 1:
            continue
        [(measure, least)] = found[1].asked.items()
        base = Base(label, measure, least)
        if any(getattr(row.pair, measure) is not None for row in of_sample(labelled, label)):
            yield base


def curves(workspace: Workspace, labelled: Labelled, run: Run) -> pa.Table:
    """The curves of all rules that have one, by rule and threshold."""
    rows = [
        row
        for base in bases(labelled, workspace.recipe)
        for row in curve(labelled, base, counted(workspace, labelled, base, run))
    ]
    return pa.Table.from_pylist(rows, CURVES)


def curve(
    labelled: Labelled, base: Base, counts: Mapping[float, int]
) -> Iterator[dict[str, object]]:
    rows = of_sample(labelled, base.label)
    for threshold in base.thresholds(rows):
        found = returned(labelled, rows, base.leaves(threshold))
        names = {"rule": base.label, "measure": base.measure, "threshold": threshold}
        yield names | {"pairs": counts.get(threshold)} | found


def counted(workspace: Workspace, labelled: Labelled, base: Base, run: Run) -> dict[float, int]:
    """How many pairs each threshold leaves; nothing where the workspace does not have them."""
    thresholds = base.thresholds(of_sample(labelled, base.label))
    found = base_of(base.label, workspace.recipe)
    if found is None or not workspace.files.pairs(base.label).is_file() or not thresholds:
        return {}
    sums = [
        f"coalesce(sum(CASE WHEN {base.measure} >= {each - SLACK!r} THEN 1 ELSE 0 END), 0) "
        f"AS left_{number}"
        for number, each in enumerate(thresholds)
    ]
    with run.database() as database:
        database.add("pairs", workspace.stored("pairs", base.label))
        if not is_counted(database, found[1]):
            return {}
        row = database.row(f"SELECT {', '.join(sums)} FROM pairs")
    return {each: int(row[f"left_{number}"]) for number, each in enumerate(thresholds)}


def chosen(labelled: Labelled, recipe: Recipe, wanted: float, seed: int) -> pa.Table:
    """For each rule the lowest threshold that has the wanted precision on one half of the labels,
    and what the other half says of it."""
    training, testing = halves(labelled, seed)
    found = []
    for base in bases(labelled, recipe):
        row: dict[str, object] = {"rule": base.label, "measure": base.measure, "wanted": wanted}
        of_half = of_sample(training, base.label)
        every = (
            (each, precision(training, of_half, base, each)) for each in base.thresholds(of_half)
        )
        first = next(((each, p) for each, p in every if p is not None and p >= wanted), None)
        if first is not None:
            left = base.leaves(first[0])
            row |= {"threshold": first[0], "chosen_by": first[1]}
            row |= returned(testing, of_sample(testing, base.label), left)
        found.append(row)
    return pa.Table.from_pylist(found, CHOSEN)


def precision(
    labelled: Labelled, rows: Sequence[Member], base: Base, threshold: float
) -> float | None:
    value = returned(labelled, rows, base.leaves(threshold))["precision"]
    return None if value is None else float(value)


def verdict(row: Mapping[str, float]) -> str:
    """What the other half says; surely where its interval lies above what is wanted, which is what
    a requirement asks for."""
    if row["precision"] < row["wanted"]:
        return "it FAILS"
    sure = row["precision_low"] >= row["wanted"]
    return "it holds" if sure else "it holds, but labels are too few to be sure"


def in_words(table: pa.Table) -> dict[str, str]:
    """The choices as facts, by what was wanted of which rule."""
    found = {}
    for row in table.to_pylist():
        name = f"{row['rule']}, for precision {row['wanted']:g}"
        if row["threshold"] is None:
            found[name] = "no threshold has it on the half of the labels that chooses"
            continue
        measure = row["measure"].replace("_", " ")
        threshold = f"{measure} {row['threshold']:g}"
        if row["precision"] is None:
            found[name] = f"{threshold}, not checked: the other half has no such pair"
            continue
        low, high = row["precision_low"], row["precision_high"]
        told = f"precision {row['precision']:.2f} ({low:.2f}–{high:.2f})"
        r = "" if row["r"] is None else f" and R {row['r']:.2f}"
        by = f"on the other half of the labels ({row['labelled']:,})"
        found[name] = f"{threshold}; {verdict(row)}: {told}{r} {by}"
    return found
