"""Rules that are told from the labelled pairs of others, as Henzinger 2006 does in section 3.5.

The pairs of `combined` are pairs of `b`, so a sample of those is one of these too; `by-site` has
pairs of `c` on different sites and of `combined` on the same; stricter thresholds of a rule, also
of `similar` and `edited`, leave some of its pairs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from webecho.errors import SettingsError
from webecho.evaluation.judge.labelled import Labelled, LabelledPair
from webecho.group.rule_names import rule_of
from webecho.group.rules.checks import Agreement, EqualWords, Resemblance
from webecho.group.rules.keys import Pieces
from webecho.group.rules.registry import RULES, rule
from webecho.group.rules.rule import Rule
from webecho.settings import Recipe

# Checks by whose measures pairs of one rule tell of another.
Told = Agreement | Resemblance | EqualWords
SLACK = 1e-9


class UntoldError(SettingsError):
    """A rule of which labels do not tell."""


@dataclass(frozen=True)
class Member:
    """A labelled pair of a rule, and for how many of its pairs it stands in a hot bucket."""

    pair: LabelledPair
    weight: float


def members(labelled: Labelled, text: str, recipe: Recipe) -> list[Member]:
    """The labelled pairs of a rule: by its label as samples have it, its name, or by thresholds
    such as `combined-2-360`."""
    if text in labelled.samples:
        return of_sample(labelled, text)
    there = sorted(labelled.samples)
    wanted = rule_of(text, recipe)
    found = None if wanted is None else derived(labelled, wanted, recipe)
    if found is not None:
        return found
    # A bare name means the only rule of that name, as it does in `webecho label`.
    named = [label for label in there if label.startswith(f"{text}-")] if text in RULES else []
    if len(named) == 1:
        return of_sample(labelled, named[0])
    raise UntoldError(f"the labels on pairs of {', '.join(there)} do not tell of {text}")


def of_sample(labelled: Labelled, label: str) -> list[Member]:
    return [Member(pair, pair.weights[label]) for pair in labelled.pairs if label in pair.weights]


def derived(labelled: Labelled, wanted: Rule, recipe: Recipe) -> list[Member] | None:
    """The pairs of a rule from those of a rule that holds all of them; None if there is none."""
    if wanted.label in labelled.samples:
        return of_sample(labelled, wanted.label)
    checks = similarities(wanted, recipe)
    found: list[Member] = []
    for check in checks:
        rows = by_check(labelled, check, recipe)
        if rows is None:
            return None
        found += [row for row in rows if check.sites in ("any", site_of(row.pair))]
    return found if checks else None


def similarities(wanted: Rule, recipe: Recipe) -> list[Told]:
    """The checks of a rule whose pairs are told by similarities or shares alone and are all found,
    as far as any are; else none."""
    searches = wanted.searches(recipe)
    missing = any(isinstance(each.keys, Pieces) and each.keys.asked for each in searches)
    found: list[Told] = []
    for check in (each.check for each in searches if not missing):
        if isinstance(check, Resemblance | EqualWords):
            found.append(check)
        # Other rules that go by agreement have pairs of pages, and these of sets.
        if isinstance(check, Agreement) and wanted.pairs_of_sets:
            found.append(check)
    return found


def by_check(labelled: Labelled, wanted: Told, recipe: Recipe) -> list[Member] | None:
    """The pairs, on whichever sites, that have the similarities, from those of a rule that holds
    all of them: that of these similarities, or else the first; None if there is none."""
    found = {label: base_of(label, recipe) for label in sorted(labelled.samples)}
    bases = {label: base for label, base in found.items() if base is not None}
    same = replace(wanted, sites="any") if isinstance(wanted, Agreement) else wanted
    for label, (base, check) in bases.items():
        if base.label == label and check == same:
            return of_sample(labelled, label)
    for label, (_, check) in bases.items():
        rows = of_sample(labelled, label)
        if holds(check, wanted) and is_measured(rows, wanted):
            return [member for member in rows if is_of(member.pair, wanted)]
    return None


def base_of(label: str, recipe: Recipe) -> tuple[Rule, Told] | None:
    """The rule of a label and its check, if its pairs are not split by site."""
    base = rule_of(label, recipe)
    checks = [] if base is None else similarities(base, recipe)
    if base is None or len(checks) != 1 or checks[0].sites != "any":
        return None
    return base, checks[0]


def site_of(pair: LabelledPair) -> str:
    return "same" if pair.same_site else "different"


def is_measured(rows: Iterable[Member], wanted: Told) -> bool:
    """Whether the similarities that a check asks for are known: sketches may lack them."""
    return all(getattr(row.pair, name) is not None for row in rows for name in wanted.asked)


def holds(base: Told, wanted: Told) -> bool:
    """Whether all pairs that pass a check pass another."""
    return all(
        name in wanted.asked and least <= wanted.asked[name] for name, least in base.asked.items()
    )


def is_of(pair: LabelledPair, wanted: Told) -> bool:
    """Whether a pair has the similarities that a check asks for."""
    return all(at_least(getattr(pair, name), least) for name, least in wanted.asked.items())


def at_least(value: float | None, least: float) -> bool:
    # The slack keeps exact quotients on the near side, as it does where pairs are found.
    return value is not None and value >= least - SLACK


def is_told(wanted: Rule, recipe: Recipe) -> bool:
    """Whether the pairs of a rule can be told from those of another."""
    return bool(similarities(wanted, recipe))


def known_rules(labelled: Labelled, recipe: Recipe) -> list[str]:
    """What can be judged: the rules of the samples, and of the paper's those they tell of."""
    usual = [
        each for each in (rule(name, recipe=recipe) for name in RULES) if is_told(each, recipe)
    ]
    derivable = [each.label for each in usual if derived(labelled, each, recipe) is not None]
    return [*derivable, *(label for label in sorted(labelled.samples) if label not in derivable)]
