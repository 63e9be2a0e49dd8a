"""*Evaluation*: what labels tell of rules: their precision, and what to choose.

It is a number of tables by name, facts by name, and notes on what they do not tell.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.errors import Message, SettingsError, WorkspaceError, flag, setting
from webecho.evaluation.judge.beside_paper import beside_paper
from webecho.evaluation.judge.breakdown import Rules, breakdown, by_c_range
from webecho.evaluation.judge.derived import (
    Member,
    UntoldError,
    derived,
    is_measured,
    known_rules,
    members,
)
from webecho.evaluation.judge.figures import curve_figures, figures
from webecho.evaluation.judge.labelled import (
    Labelled,
    judgements,
    labelled,
    with_differences,
)
from webecho.evaluation.judge.pair_counts import pair_counts
from webecho.evaluation.judge.precision_curves import WANTED, chosen, curves, in_words
from webecho.evaluation.judge.precision_tables import evaluate_rules, incorrect_sites
from webecho.evaluation.judge.recall import against_truth
from webecho.evaluation.judge.requirement import Requirement, required_table, requirements
from webecho.evaluation.judge.side_by_side import side_by_side
from webecho.evaluation.judge.thresholds import (
    LEAST_R,
    Chosen,
    check,
    choose,
    curve,
    equal_recall,
    halves,
)
from webecho.evaluation.label.importing import labels_of
from webecho.group.rule_names import check_name, how_to_label, rule_label, sampling
from webecho.group.rules.checks import Agreement
from webecho.group.rules.registry import ALGORITHM_B, ALGORITHM_C
from webecho.run import Run
from webecho.shown import Outline, Shown
from webecho.study.figures import Figure
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class EvaluationSettings:
    """Which rules are judged (none: all that can be), by which labels on which samples (none: all
    of the workspace), and what else is asked."""

    rules: tuple[str, ...] = ()
    labels: Path | None = None
    samples: tuple[Path, ...] = ()
    # The share of the correct pairs of `b` that a threshold must leave, and what halves labels.
    least_r: float = LEAST_R
    seed: int = 0
    # The rule with whose recall that of `c` is made equal.
    equal_recall: str | None = None
    # Two rules to be put side by side.
    compare: tuple[str, str] | None = None
    # Whether term differences are measured where they were not.
    measure: bool = False
    # What is known to be correct: see recall.py.
    truth: Path | None = None
    # The precision for which thresholds are chosen, and what rules must have.
    precision: float = WANTED
    require_precision: float | None = None

    def __post_init__(self) -> None:
        for name in ("least_r", "precision", "require_precision"):
            share = getattr(self, name)
            if share is not None and not 0 <= share <= 1:
                raise SettingsError(setting(name).to(share), " is no share; give 0 to 1")


@dataclass(repr=False)
class Evaluation(Shown):
    """Facts and tables, and what there is to say beside."""

    facts: dict[str, Any] = field(default_factory=dict)
    tables: dict[str, pa.Table] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    # What was required of rules, if something was.
    required: tuple[Requirement, ...] = ()
    # Those of the notes that warn of nothing, and only say what else could be done.
    hints: list[str] = field(default_factory=list)

    def outline(self) -> Outline:
        required = {"what is required is met": self.met} if self.required else {}
        return Outline("Evaluation", required | self.facts, self.tables, self.notes)

    @property
    def met(self) -> bool:
        """Whether all that was required was found."""
        return all(each.met for each in self.required)

    @property
    def figures(self) -> dict[str, Figure]:
        return figures(self.tables, self.facts.get("chosen C-similarity")) | curve_figures(
            self.tables
        )


def evaluate(workspace: Workspace, settings: EvaluationSettings, run: Run) -> Evaluation:
    """What labels, and the truth if it is given, tell of the rules of a workspace."""
    found = Evaluation()
    file = labels_file(workspace, settings)
    if settings.truth is None or settings.labels is not None or file.is_file():
        by_labels(workspace, settings, found, run)
    if settings.truth is not None:
        names = settings.rules
        tables, problems = against_truth(workspace, settings.truth, names, run)
        found.tables |= tables
        found.notes += problems
    if settings.require_precision is not None:
        found.required = requirements(
            found.tables, judged(workspace, settings, found), settings.require_precision
        )
        found.tables["required"] = required_table(found.required)
    found.tables = beside_paper(found.tables)
    return found


def judged(workspace: Workspace, settings: EvaluationSettings, found: Evaluation) -> list[str]:
    """The rules that were asked for, as the tables have them; none if all were."""
    if "precision" in found.tables:
        return [*settings.rules]
    return [rule_label(workspace, name) for name in settings.rules]


def labels_file(workspace: Workspace, settings: EvaluationSettings) -> Path:
    return settings.labels or workspace.files.labels


def by_labels(
    workspace: Workspace, settings: EvaluationSettings, found: Evaluation, run: Run
) -> None:
    """Adds what the labels tell."""
    known = known_labels(workspace, settings, found, run)
    recipe = workspace.recipe
    asked = told_by_labels(workspace, known, settings, found)
    if settings.rules and not asked:
        return
    rules = chosen_rules(workspace, known, asked)
    counts = {name: pair_counts(workspace, name, run) for name, _ in rules}
    found.tables |= {
        "precision": evaluate_rules(known, rules, recipe.bits, counts),
        "reasons": breakdown(known, rules),
        "reasons_by_c_range": by_c_range(known, rules, recipe.bits),
        "incorrect_sites": incorrect_sites(known, rules),
    }
    measured = len({pair.pair for pair in known.pairs if pair.large is not None})
    if measured < known.count:
        told = (
            f"term differences are known of {measured:,} of the {known.count:,} labelled "
            "pairs, which stand for all; "
            if measured
            else "no term difference is known; "
        )
        found.hints.append(Message(told, flag("measure"), " reads the labelled pages again"))
        found.notes += found.hints
    add_thresholds(workspace, settings, known, found)
    add_curves(workspace, settings, known, found, run)
    if settings.equal_recall is not None:
        name = settings.equal_recall
        sides = [members_of(workspace, known, each) for each in (ALGORITHM_C.name, name)]
        threshold, found.tables["equal_recall"] = equal_recall(known, *sides)
        found.facts[f"C-similarity with the recall of {name}"] = threshold
        if threshold is not None and threshold == least_seen(sides[0]):
            found.notes.append(
                Message(
                    f"no labelled pair of {ALGORITHM_C.name} has a C-similarity below {threshold}, "
                    f"so a lower one may come nearer to {name}; find its pairs with ",
                    *(setting("least_c"), " and label those"),
                )
            )
    if settings.compare is not None:
        one, other = ((name, members_of(workspace, known, name)) for name in settings.compare)
        counts |= {name: pair_counts(workspace, name, run) for name in settings.compare}
        found.tables["side_by_side"] = side_by_side(known, one, other, counts)


def known_labels(
    workspace: Workspace, settings: EvaluationSettings, found: Evaluation, run: Run
) -> Labelled:
    """The labelled pairs, and what there is to say of them."""
    file = labels_file(workspace, settings)
    if not file.is_file():
        raise WorkspaceError(f"{file} is not there; label pairs with: {sampling(workspace)}")
    lines = labels_of(workspace, file, run)
    if lines.broken and not lines.labels:
        raise WorkspaceError(f"{lines.broken[0]}; no line of the file can be read")
    found.notes += [f"{line}; the line is left out" for line in lines.broken]
    if any(label.guess for label in lines.labels):
        found.notes.append("labels that nobody gave, but webecho guessed, are among these")
    samples = settings.samples or workspace.files.samples()
    known = labelled(workspace, samples, judgements(lines.labels), run)
    if settings.measure:
        known, problems = with_differences(workspace, known, run)
        found.notes += problems
    found.notes += [*known.notes, *unseen(known)]
    found.facts |= {
        "labelled pairs": known.count,
        "labellers": ", ".join(sorted({label.labeller for label in lines.labels})),
        "samples": ", ".join(sorted({*known.samples.values()})),
    }
    return known


def add_thresholds(
    workspace: Workspace, settings: EvaluationSettings, known: Labelled, found: Evaluation
) -> None:
    """Adds which C threshold the combined rule should have, if pairs of Algorithm B have labels."""
    base = ALGORITHM_B.rule({}, workspace.recipe)
    training, testing = halves(known, settings.seed)
    rows = [derived(each, base, workspace.recipe) for each in (known, training, testing)]
    every, by, on = (each or [] for each in rows)
    if not every or not is_measured(every, Agreement(least_c=1)):
        return
    found.tables["thresholds"] = curve(known, every, workspace.recipe.bits)
    found.tables["training"] = curve(training, by, workspace.recipe.bits)
    choice = choose(found.tables["training"], settings.least_r)
    if choice is None:
        found.notes.append(
            f"no labelled pair of {base.name} is correct, so no threshold can be chosen"
        )
        return
    checked = check(testing, on, base.count("least_b"), choice.threshold)
    found.tables["checked"] = checked
    found.facts |= {
        "chosen C-similarity": choice.threshold,
        "why": choice.why(settings.least_r),
        "checked": check_in_words(checked, choice, base.label, settings.least_r),
    }


def add_curves(
    workspace: Workspace,
    settings: EvaluationSettings,
    known: Labelled,
    found: Evaluation,
    run: Run,
) -> None:
    """Adds the precision by threshold of rules that go by one measure, and what is chosen by it."""
    table = curves(workspace, known, run)
    if not table.num_rows:
        return
    choices = chosen(known, workspace.recipe, settings.precision, settings.seed)
    found.tables |= {"curves": table, "chosen": choices}
    found.facts |= in_words(choices)


def check_in_words(checked: pa.Table, choice: Chosen, base: str, least_r: float) -> str:
    """Whether what was chosen on one half of the labels holds on the other."""
    rows = {row["rule"]: row for row in checked.to_pylist() if row["kind"] == "all"}
    on = next(iter(rows.values()), {"precision": None, "r": None})
    return choice.checked(on, rows.get(base, {}).get("precision"), least_r)


def told_by_labels(
    workspace: Workspace, known: Labelled, settings: EvaluationSettings, found: Evaluation
) -> list[str]:
    """The rules that were asked for, without those of which the truth alone can tell."""
    if settings.truth is None:
        return [*settings.rules]
    told = []
    for name in settings.rules:
        if name not in known.samples:
            check_name(workspace, name)
        try:
            members(known, name, workspace.recipe)
            told.append(name)
        except UntoldError as error:
            found.notes.append(f"{error}; the truth alone judges it")
    return told


def chosen_rules(workspace: Workspace, known: Labelled, names: Iterable[str]) -> Rules:
    """The wanted rules with their labelled pairs."""
    wanted = [*names] or known_rules(known, workspace.recipe)
    return [(name, members_of(workspace, known, name)) for name in dict.fromkeys(wanted)]


def members_of(workspace: Workspace, known: Labelled, name: str) -> list[Member]:
    """The labelled pairs of a rule; if there can be none, why."""
    if name not in known.samples:
        check_name(workspace, name)
    try:
        return members(known, name, workspace.recipe)
    except UntoldError as error:
        raise SettingsError(f"{error}; {how_to_label(workspace, name)}") from error


def least_seen(rows: Sequence[Member]) -> int | None:
    return min((c for row in rows if (c := row.pair.c_similarity) is not None), default=None)


def unseen(known: Labelled) -> list[str]:
    return [
        f"{share:.1%} of the pairs of {rule} are of kinds without any label yet; nothing here is "
        "about them"
        for rule, share in sorted(known.unseen.items())
        if share > 0
    ]
