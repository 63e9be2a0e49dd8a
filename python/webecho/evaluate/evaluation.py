"""*Evaluation*: what labels tell of rules: their precision, and what to choose.

It is a number of tables by name, facts by name, and notes on what they do not tell.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.errors import WorkspaceError
from webecho.evaluate.derived import Member, known_rules, members
from webecho.evaluate.importing import labels_of
from webecho.evaluate.labelled import Labelled, judged, labelled, sample_files
from webecho.evaluate.labels import FILE, Label
from webecho.evaluate.tables import evaluate_rules, incorrect_sites
from webecho.sketches.workspace import Workspace

Rules = Sequence[tuple[str, Sequence[Member]]]


@dataclass(frozen=True)
class EvaluationSettings:
    """Which rules are judged (none: all that can be), by which labels on which samples (none: all
    of the workspace)."""

    rules: tuple[str, ...] = ()
    labels: Path | None = None
    samples: tuple[Path, ...] = ()


@dataclass
class Evaluation:
    """Facts and tables, and what there is to say beside."""

    facts: dict[str, Any] = field(default_factory=dict)
    tables: dict[str, pa.Table] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def evaluate(workspace: Workspace, settings: EvaluationSettings, *, threads: int = 1) -> Evaluation:
    """What the labels of a workspace tell of its rules."""
    found = Evaluation()
    by_labels(workspace, settings, found, threads)
    return found


def by_labels(
    workspace: Workspace, settings: EvaluationSettings, found: Evaluation, threads: int
) -> None:
    """Adds what labels on samples tell."""
    file = settings.labels or workspace.path / "labels" / FILE
    if not file.is_file():
        raise WorkspaceError(
            f"{file} is not there; label pairs with: webecho label {workspace.path} --rule b"
        )
    lines = labels_of(workspace, file, threads=threads)
    found.notes += [f"{line}; the line is left out" for line in lines.broken]
    if any(label.guess for label in lines.labels):
        found.notes.append("labels that nobody gave, but webecho guessed, are among these")
    samples = settings.samples or sample_files(workspace)
    known = labelled(workspace, samples, judged(lines.labels))
    rules = chosen_rules(workspace, known, settings.rules)
    found.notes += [*known.notes, *unseen(known)]
    found.facts |= {"labelled pairs": len(known.pairs), "labellers": labellers(lines.labels)}
    found.facts |= {"samples": ", ".join(sorted({*known.samples.values()}))}
    found.tables |= {
        "precision": evaluate_rules(known, rules, workspace.recipe.bits),
        "incorrect_sites": incorrect_sites(known, rules),
    }


def chosen_rules(workspace: Workspace, known: Labelled, names: Iterable[str]) -> Rules:
    """The wanted rules with their labelled pairs."""
    wanted = [*names] or known_rules(known, workspace.recipe)
    return [(name, members(known, name, workspace.recipe)) for name in dict.fromkeys(wanted)]


def unseen(known: Labelled) -> list[str]:
    return [
        f"{share:.1%} of the pairs of {rule} are of kinds without any label yet; nothing here is "
        "about them"
        for rule, share in sorted(known.unseen.items())
        if share > 0
    ]


def labellers(labels: Iterable[Label]) -> str:
    return ", ".join(sorted({label.labeller for label in labels}))
