"""*Rule*: a named way to decide that two pages belong together, with its parameters.

It says which pages are the same by their keys alone (the *sets*), and which of the others belong
together by a key that they share and a check that they pass (the *searches*). One page stands for
its set in searches. Nothing but its own file asks for a rule's name: engines interpret what it says
(engine/local/), and what else there is to know of it is a property.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from webecho.chunkings import Chunking
from webecho.group.rules.checks import Check
from webecho.group.rules.keys import IDENTITY, Keys, Sets
from webecho.group.rules.parameters import Parameter, Value
from webecho.settings import SKETCH_COLUMNS, Recipe


@dataclass(frozen=True)
class Search:
    """What two pages must share to be looked at, and what then decides."""

    keys: Keys
    check: Check


def no_searches(_: Recipe) -> tuple[Search, ...]:
    """What a rule looks for whose sets are all there is to it."""
    return ()


def nothing_implied(_: dict[str, Value]) -> dict[str, Value]:
    """What follows from the parameters of most rules."""
    return {}


@dataclass(frozen=True)
class RuleKind:
    """What the file of a rule says: all but the values of its parameters."""

    name: str
    # Two pages belong together if …
    explanation: str
    paper: str
    # The keys that decide alone; a function of the parameters, by their names, where it needs them.
    sets: Sets | Callable[..., Sets] = IDENTITY
    # Given a recipe, and its parameters by their names. No pair is found by two searches.
    searches: Callable[..., tuple[Search, ...]] = no_searches
    parameters: tuple[Parameter, ...] = ()
    # What of its parameters that are not given depends on those that are.
    implied: Callable[[dict[str, Value]], dict[str, Value]] = nothing_implied
    # What searches read of the sketches.
    columns: tuple[str, ...] = ()
    # Whether shingles are counted, which are best kept while pages are read.
    compares_shingles: bool = False
    # Whether its pairs are of sets, one page standing for each, and may be a sample of all pairs;
    # then both similarities are told of each pair as far as the sketches have them.
    pairs_of_sets: bool = False
    # Whether pages of all content types take part, not only such as have text.
    any_type: bool = False
    # Other names that people may give for it.
    aliases: tuple[str, ...] = ()

    @property
    def label(self) -> re.Pattern[str]:
        """What its labels look like; the values may be left out."""
        values = "".join(f"-({each.pattern})" for each in self.parameters if not each.named)
        named = [f"(?:-{each.name}-({each.pattern}))?" for each in self.parameters if each.named]
        names = "|".join(re.escape(each) for each in (self.name, *self.aliases))
        return re.compile(f"(?:{names})(?:{values})?" + "".join(named))

    def parsed(self, label: str) -> dict[str, Value] | None:
        """The values that a label has; None if it is not this rule's."""
        match = self.label.fullmatch(label)
        if match is None:
            return None
        ordered = sorted(self.parameters, key=lambda each: each.named)
        found = zip(ordered, match.groups(), strict=True)
        return {each.name: each.read(text) for each, text in found if text is not None}

    def rule(self, given: dict[str, Value], recipe: Recipe) -> "Rule":
        """The rule with what is given of its parameters and for the others what the papers have,
        for as many supershingles and bits as the recipe gives."""
        values: dict[str, Value] = {}
        for each in self.parameters:
            if each.name in given:
                values[each.name] = given[each.name]
            elif each.default is not None:
                values[each.name] = each.fitted(each.default, recipe)
        values |= self.implied(values)
        ordered = {each.name: values[each.name] for each in self.parameters if each.name in values}
        for each in self.parameters:
            if each.name in ordered:
                each.check(ordered[each.name], recipe)
        self.searches(recipe, **ordered)
        return Rule(self, tuple(ordered.items()))


@dataclass(frozen=True)
class Rule:
    """A rule with its parameters."""

    kind: RuleKind
    values: tuple[tuple[str, Value], ...] = ()

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def label(self) -> str:
        """The name with its parameters, as files have it."""
        values = dict(self.values)
        there = [each for each in self.kind.parameters if each.name in values]
        written = {each.name: each.written(values[each.name]) for each in there}
        parts = [f"-{written[each.name]}" for each in there if not each.named]
        parts += [f"-{each.name}-{written[each.name]}" for each in there if each.named]
        return self.name + "".join(parts)

    @property
    def written(self) -> dict[str, float | str]:
        """The values of its parameters, as people give them and files of settings keep them."""
        return {
            name: str(value) if isinstance(value, Chunking) else value
            for name, value in self.values
        }

    def value(self, parameter: str) -> Value | None:
        """That of a parameter; None if the rule does not ask for it."""
        return dict(self.values).get(parameter)

    def count(self, parameter: str) -> int:
        """The value of a parameter that is a number of something; 0 if the rule does not ask."""
        value = self.value(parameter)
        return int(value) if isinstance(value, int | float) else 0

    @property
    def sets(self) -> Sets:
        sets = self.kind.sets
        return sets(**dict(self.values)) if callable(sets) else sets

    def searches(self, recipe: Recipe) -> tuple[Search, ...]:
        """What is looked for in sketches of the recipe."""
        return self.kind.searches(recipe, **dict(self.values))

    @property
    def without_searches(self) -> "Rule":
        """The rule that holds together only what is the same by its keys alone."""
        kind = replace(self.kind, sets=self.sets, searches=no_searches, parameters=(), columns=())
        return Rule(kind)

    @property
    def columns(self) -> tuple[str, ...]:
        """The sketch columns without which it cannot decide."""
        return self.kind.columns

    @property
    def sketched(self) -> tuple[str, ...]:
        """The sketch columns that are made for it alone."""
        return SKETCH_COLUMNS if self.pairs_of_sets else self.columns

    @property
    def tables(self) -> tuple[str, ...]:
        """The page tables that it needs."""
        return self.sets.tables

    @property
    def compares_shingles(self) -> bool:
        return self.kind.compares_shingles

    @property
    def pairs_of_sets(self) -> bool:
        return self.kind.pairs_of_sets

    @property
    def any_type(self) -> bool:
        return self.kind.any_type
