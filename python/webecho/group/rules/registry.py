"""All rules, in the order in which people are told of them. A new rule is a file and a line here.

| rule | two pages belong together if | from |
| --- | --- | --- |
| `payload` | the same bytes are stored as their bodies, of whatever type |  |
| `text` | they have the same visible text, white space folded; `exact` is this rule |  |
| `tokens` | they have the same token sequence | Henzinger 2006 (identity sets) |
| `very-similar` | at least 2 supershingles agree | Fetterly 2004 |
| `virtually-identical` | all supershingles agree | Fetterly 2004 |
| `similar` | the resemblance of their shingle sets is at least a given one | Broder 1997 |
| `edited` | a minimal diff leaves at least a given share of their words equal | Myers 1986 |
| `b` | their B-similarity is at least 2 | Henzinger 2006, Algorithm B |
| `c` | their C-similarity is at least 372 of 384 | Henzinger 2006, Algorithm C |
| `combined` | both: B at least 2, C at least 355 | Henzinger 2006, section 3.5 |
| `by-site` | `c` on different sites, `combined` on the same | Henzinger 2006, section 3.5 |
| `paragraphs` | they have more than 450 characters and the same shingle paragraphs | Pereira 2006 |
| `overlap` | they share at least so many chunks, such as runs of four lines | Shivakumar 1998 |
"""

from collections.abc import Iterable

from webecho.errors import SettingsError, setting
from webecho.group.rules import (
    b,
    by_site,
    c,
    combined,
    edited,
    overlap,
    paragraphs,
    payload,
    similar,
    text,
    tokens,
    very_similar,
    virtually_identical,
)
from webecho.group.rules.parameters import Parameter, Value
from webecho.group.rules.rule import Rule, RuleKind
from webecho.settings import WEBECHO, Recipe

KINDS: dict[str, RuleKind] = {
    kind.name: kind
    for kind in (
        payload.RULE,
        text.RULE,
        tokens.RULE,
        very_similar.RULE,
        virtually_identical.RULE,
        similar.RULE,
        edited.RULE,
        b.RULE,
        c.RULE,
        combined.RULE,
        by_site.RULE,
        paragraphs.RULE,
        overlap.RULE,
    )
}
RULES = tuple(KINDS)
# Other names for rules, and the rules that they mean.
ALIASES = {alias: kind.name for kind in KINDS.values() for alias in kind.aliases}
# The identity sets.
TOKENS = Rule(tokens.RULE)
# Algorithms B and C of Henzinger 2006, which are held against each other.
ALGORITHM_B, ALGORITHM_C = b.RULE, c.RULE
# All parameters that rules have, by their names.
PARAMETERS: dict[str, Parameter] = {
    each.name: each
    for named in (False, True)
    for kind in KINDS.values()
    for each in kind.parameters
    if each.named == named
}


def rule(
    name: str,
    resemblance: Value | None = None,
    recipe: Recipe = WEBECHO,
    **parameters: Value | None,
) -> Rule:
    """The rule of that name. What is not given is what the papers have, for as many supershingles
    and bits as the recipe gives; `similar` asks for a resemblance of 0.8."""
    every = {"resemblance": resemblance} | parameters
    given = {each: value for each, value in every.items() if value is not None}
    return kind_with(name, given).rule(given, recipe)


def kind_with(name: str, parameters: Iterable[str]) -> RuleKind:
    """The rule of that name, if it has these parameters."""
    name = ALIASES.get(name, name)
    if name not in KINDS:
        raise SettingsError(f"no rule is called {name!r}; there are {', '.join(RULES)}")
    kind = KINDS[name]
    for each in parameters:
        if not has(kind, each):
            instead = [
                part
                for number, other in enumerate(kind.parameters)
                for part in (", " if number else f", and {name} has ", setting(other.name))
            ]
            raise SettingsError(
                *(f"the rule {name} has no ", setting(each)),
                *(f"; that is for {', '.join(rules_with(each))}", *instead),
            )
    return kind


def is_name(text: str) -> bool:
    """Whether a rule is called so, without its parameters."""
    return text in KINDS or text in ALIASES


def has(kind: RuleKind, parameter: str) -> bool:
    return parameter in (each.name for each in kind.parameters)


def rules_with(parameter: str) -> list[str]:
    """The names of the rules that ask for a parameter."""
    return [name for name, kind in KINDS.items() if has(kind, parameter)]


def rules_of_sets() -> list[str]:
    """The names of the rules whose pairs are of identity sets."""
    return [name for name, kind in KINDS.items() if kind.pairs_of_sets]


def parsed(text: str) -> tuple[RuleKind, dict[str, Value]] | None:
    """The rule that a label or a name means, and the values of its parameters in it; None for what
    is neither."""
    found = ((kind, kind.parsed(text)) for kind in KINDS.values())
    return next(((kind, values) for kind, values in found if values is not None), None)


def parse(text: str, recipe: Recipe = WEBECHO) -> Rule | None:
    """The rule that a label or a name means, what it does not say as the papers have it."""
    found = parsed(text)
    return None if found is None else found[0].rule(found[1], recipe)


def rules_named(names: Iterable[str], recipe: Recipe = WEBECHO) -> list[Rule]:
    """The rules that these names or labels mean, each once."""
    found: dict[str, Rule] = {}
    for name in names:
        meant = parse(name, recipe)
        if meant is None:
            raise SettingsError(
                f"no rule is called {name!r}; there are {', '.join(RULES)}, some of them with "
                "parameters as in similar-0.9 or b-3"
            )
        found[meant.label] = meant
    return list(found.values())
