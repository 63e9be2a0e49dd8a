"""Rules that are told from the labelled pairs of others, as Henzinger 2006 does in section 3.5.

The pairs of `combined` are pairs of `b`, so a sample of those is one of these too; `by-site` has
pairs of `c` on different sites and of `combined` on the same; stricter thresholds of a rule leave
some of its pairs.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from webecho.errors import SettingsError
from webecho.evaluation.judge.labelled import Labelled, LabelledPair
from webecho.group.rule_names import rule_of
from webecho.group.rules import RULES, SIMILARITIES, Rule, rule
from webecho.settings import Recipe


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
    if wanted.name == "by-site":
        across = derived(labelled, Rule("c", least_c=wanted.least_c_across), recipe)
        within = derived(
            labelled, Rule("combined", least_b=wanted.least_b, least_c=wanted.least_c), recipe
        )
        if across is None or within is None:
            return None
        return [
            *(member for member in across if not member.pair.same_site),
            *(member for member in within if member.pair.same_site),
        ]
    for label in sorted(labelled.samples):
        base = rule_of(label, recipe)
        rows = of_sample(labelled, label)
        if base is not None and holds(base, wanted) and is_measured(rows, wanted):
            return [member for member in rows if is_of(member.pair, wanted)]
    return None


def is_measured(rows: Iterable[Member], wanted: Rule) -> bool:
    """Whether the similarities that a rule asks for are known: sketches may lack them."""
    asked = [
        name
        for name, least in (("b_similarity", wanted.least_b), ("c_similarity", wanted.least_c))
        if least is not None
    ]
    return all(getattr(row.pair, name) is not None for row in rows for name in asked)


def holds(base: Rule, wanted: Rule) -> bool:
    """Whether all pairs of a rule, not split by site, are pairs of another."""
    if base.name == "by-site" or base.pieces is not None:
        return False
    return all(
        ours is None or (theirs is not None and ours <= theirs)
        for ours, theirs in ((base.least_b, wanted.least_b), (base.least_c, wanted.least_c))
    )


def is_of(pair: LabelledPair, wanted: Rule) -> bool:
    """Whether a pair has the similarities that a rule asks for."""
    return at_least(pair.b_similarity, wanted.least_b) and at_least(
        pair.c_similarity, wanted.least_c
    )


def at_least(value: int | None, least: int | None) -> bool:
    return least is None or (value is not None and value >= least)


def known_rules(labelled: Labelled, recipe: Recipe) -> list[str]:
    """What can be judged: the rules of the samples, and of the paper's those they tell of."""
    usual = [rule(name, recipe=recipe) for name in SIMILARITIES]
    derivable = [each.label for each in usual if derived(labelled, each, recipe) is not None]
    return [*derivable, *(label for label in sorted(labelled.samples) if label not in derivable)]
