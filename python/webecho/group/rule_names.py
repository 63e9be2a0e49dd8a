"""*Label of a rule*: its name with its parameters, as files have it: `b-2`, `combined-2-355`.

People name rules by their labels or by their names alone, which then mean the paper's parameters or
the only ones of which there are pairs.
"""

from dataclasses import dataclass
from typing import Any

from webecho.errors import SettingsError, WorkspaceError, setting
from webecho.group.hot_buckets import without_hot
from webecho.group.rules.registry import ALGORITHM_B, ALGORITHM_C, ALIASES, RULES, parsed, rule
from webecho.group.rules.rule import Rule, RuleKind
from webecho.settings import Recipe
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class LabelParts:
    """What a label or a name says: the rule, values of its parameters, and what else is not as by
    default."""

    kind: RuleKind
    values: dict[str, Any]
    rest: dict[str, str]


def label_parts(text: str) -> LabelParts | None:
    """The parts of a label or a name; None for what is neither."""
    label, rest = without_hot(text)
    found = parsed(label)
    return None if found is None else LabelParts(*found, rest)


def rule_of(text: str, recipe: Recipe) -> Rule | None:
    """The rule that a label or a name means; None for what is neither."""
    found = label_parts(text)
    return None if found is None else found.kind.rule(found.values, recipe)


def options(text: str) -> str:
    """The options by which `webecho pairs` finds the pairs of a rule."""
    found = label_parts(text)
    if found is None:
        return f"--rule {text}"
    values = found.values | found.rest
    given = [f"--{each.replace('_', '-')} {value}" for each, value in values.items()]
    return " ".join([f"--rule {found.kind.name}", *given])


def found_rules(workspace: Workspace) -> list[str]:
    """The labels of the rules of which there are pairs."""
    there = sorted(file.stem for file in workspace.files.found_pairs())
    return [label for label in there if label_parts(label) is not None]


def check_name(workspace: Workspace, text: str) -> None:
    """Refuses what no rule is called, and rules for which the workspace has no sketches."""
    if workspace.files.pairs(text).is_file():
        return
    wanted = rule_of(text, workspace.recipe)
    if wanted is None:
        known = found_rules(workspace)
        also = f"; {workspace.path} has pairs of {', '.join(known)}" if known else ""
        raise SettingsError(
            f"no rule is called {text!r}; there are {', '.join(RULES)}, some of them with "
            f"thresholds as in b-3 or combined-2-360{also}"
        )
    for column in wanted.columns:
        workspace.require(column)


def rule_label(workspace: Workspace, text: str) -> str:
    """The label of the rule of which the workspace has pairs under this label or name."""
    check_name(workspace, text)
    # What is given as files have it, and what the papers' parameters make of a name, come first.
    named = text in RULES or text in ALIASES
    usual = [rule(text, recipe=workspace.recipe).label] if named else []
    for label in (text, *usual):
        if workspace.files.pairs(label).is_file():
            return label
    there = sorted(file.stem for file in workspace.files.found_pairs())
    found = [label for label in there if label.startswith(f"{text}-")]
    if len(found) == 1:
        return found[0]
    if found:
        raise SettingsError(
            f"{workspace.path} has pairs of {', '.join(found)}; say which with ",
            setting("rules", "--rule").to(found[0]),
        )
    raise WorkspaceError(
        f"{workspace.path} has no pairs of the rule {text}; find them with: "
        f"webecho pairs {workspace.path} {options(text)}"
    )


def how_to_label(workspace: Workspace, text: str) -> str:
    """What to do so that there are labels on the pairs of a rule."""
    label = f"label its pairs with: webecho label {workspace.path} --rule {text}"
    try:
        rule_label(workspace, text)
    except WorkspaceError:
        find = f"webecho pairs {workspace.path} {options(text)}"
        return f"{label}, after they were found with: {find}"
    return label


def sampling(workspace: Workspace) -> str:
    """The command that labels what there is: the rules of which pairs were found, or the first ones
    to find."""
    usual = [ALGORITHM_B.name]
    if {*ALGORITHM_C.columns} <= {*workspace.manifest.columns}:
        usual.append(ALGORITHM_C.name)
    named = " ".join(f"--rule {label}" for label in found_rules(workspace) or usual)
    return f"webecho label {workspace.path} {named}"
