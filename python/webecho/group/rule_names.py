"""*Label of a rule*: its name with its parameters, as files have it: `b-2`, `combined-2-355`.

People name rules by their labels or by their names alone, which then mean the paper's parameters or
the only ones of which there are pairs.
"""

import re

from webecho.errors import SettingsError, WorkspaceError, setting
from webecho.group.rules import RULES, SIMILARITIES, Rule, rule
from webecho.group.similarity import needed
from webecho.settings import Recipe
from webecho.workspace.workspace import Workspace

# How many parameters a name has, in the order in which labels have them.
PARAMETERS = {
    "similar": ("resemblance",),
    "b": ("least_b",),
    "c": ("least_c",),
    "combined": ("least_b", "least_c"),
    "by-site": ("least_b", "least_c", "least_c_across"),
}
COUNT, SHARE = re.compile("[0-9]+"), re.compile(r"[0-9]+(\.[0-9]+)?")
LABEL = re.compile(
    rf"({'|'.join(sorted(RULES, key=len, reverse=True))})"
    r"((?:-[0-9.]+)*)((?:-(?:pieces|hot|drawn|seed)-\w+)*)"
)


def parted(text: str) -> tuple[str, dict[str, str], dict[str, str]] | None:
    """The name, its parameters, and what else is not as usual, of a label or a name; None for what
    is neither."""
    match = LABEL.fullmatch(text)
    if match is None:
        return None
    numbers, rest = match[2].split("-")[1:], match[3].split("-")[1:]
    names = PARAMETERS.get(match[1], ())
    if numbers and len(numbers) != len(names):
        return None
    shape = SHARE if names == ("resemblance",) else COUNT
    if not all(shape.fullmatch(number) for number in numbers):
        return None
    parameters = dict(zip(names, numbers, strict=False))
    return match[1], parameters, dict(zip(rest[::2], rest[1::2], strict=True))


def rule_of(text: str, recipe: Recipe) -> Rule | None:
    """The rule of similarities that a label or a name means; None for others, and for those that
    do not find all their pairs."""
    found = parted(text)
    if found is None or found[0] not in SIMILARITIES or "pieces" in found[2]:
        return None
    name, parameters, _ = found
    return rule(name, recipe=recipe, **{each: int(value) for each, value in parameters.items()})


def options(text: str) -> str:
    """What `webecho pairs` must be told to find the pairs of a rule."""
    found = parted(text)
    if found is None:
        return f"--rule {text}"
    name, parameters, rest = found
    told = [f"--{each.replace('_', '-')} {value}" for each, value in (parameters | rest).items()]
    return " ".join([f"--rule {name}", *told])


def found_rules(workspace: Workspace) -> list[str]:
    """The labels of the rules of which there are pairs."""
    there = sorted(file.stem for file in (workspace.path / "pairs").glob("*.parquet"))
    return [label for label in there if parted(label) is not None]


def check_name(workspace: Workspace, text: str) -> None:
    """Refuses what no rule is called, and rules for which the workspace has no sketches."""
    if (workspace.path / "pairs" / f"{text}.parquet").is_file():
        return
    if parted(text) is None:
        known = found_rules(workspace)
        also = f"; {workspace.path} has pairs of {', '.join(known)}" if known else ""
        raise SettingsError(
            f"no rule is called {text!r}; there are {', '.join(RULES)}, some of them with "
            f"thresholds as in b-3 or combined-2-360{also}"
        )
    wanted = rule_of(text, workspace.recipe)
    for column in () if wanted is None else needed(wanted):
        workspace.require(column)


def rule_label(workspace: Workspace, text: str) -> str:
    """The label of the rule of which the workspace has pairs under this label or name."""
    check_name(workspace, text)
    folder = workspace.path / "pairs"
    # What is given as files have it, and what the papers' parameters make of a name, come first.
    usual = [rule(text, recipe=workspace.recipe).label] if text in RULES else []
    for label in (text, *usual):
        if (folder / f"{label}.parquet").is_file():
            return label
    found = sorted(file.stem for file in folder.glob(f"{text}-*.parquet"))
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
    usual = ["b", *(["c"] if "projection" in workspace.manifest.columns else [])]
    named = " ".join(f"--rule {label}" for label in found_rules(workspace) or usual)
    return f"webecho label {workspace.path} {named}"
