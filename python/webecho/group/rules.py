"""*Rule*: a named way to decide that two pages belong together, with its parameters.

| rule | two pages belong together if | from |
| --- | --- | --- |
| `exact` | they have the same token sequence | Henzinger 2006 (identity sets) |
| `very-similar` | at least 2 supershingles agree | Fetterly 2004 |
| `virtually-identical` | all supershingles agree | Fetterly 2004 |
| `similar` | the resemblance of their shingle sets is at least a given one | Broder 1997 |
| `b` | their B-similarity is at least 2 | Henzinger 2006, Algorithm B |
| `c` | their C-similarity is at least 372 of 384 | Henzinger 2006, Algorithm C |
| `combined` | both: B at least 2, C at least 355 | Henzinger 2006, section 3.5 |
| `by-site` | `c` on different sites, `combined` on the same | Henzinger 2006, section 3.5 |
| `paragraphs` | they have more than 450 characters and the same shingle paragraphs | Pereira 2006 |
"""

from dataclasses import dataclass
from math import comb

from webecho.errors import SettingsError
from webecho.settings import WEBECHO, Recipe

# The rules of which pages go with one that stays, and those that are told by similarities alone.
REMOVING = ("exact", "very-similar", "virtually-identical", "similar")
SIMILARITIES = ("b", "c", "combined", "by-site")
# Those that sketches decide; paragraphs are a table of their own.
SKETCHED = (*REMOVING, *SIMILARITIES)
RULES = (*SKETCHED, "paragraphs")
# How pages that a rule holds together become groups of which one page stays: see stars.py.
LINKS = ("kept", "chain")
# Which of them stays: see keeping.py.
KEEPS = ("first", "longest", "shortest-url", "earliest", "latest", "max:COLUMN", "min:COLUMN")
# Among which pages: see apart.py.
WITHIN = ("host", "site", "collection")


# What a rule asks for of supershingles and bits, and which rules ask for it.
PARAMETERS = {
    "resemblance": ("similar",),
    "least_b": ("b", "combined", "by-site"),
    "least_c": ("c", "combined", "by-site"),
    "least_c_across": ("by-site",),
    "pieces": ("c", "by-site"),
}
# Henzinger 2006, sections 2, 3.3 and 3.5; of 384 bits.
LEAST_B, LEAST_C, LEAST_C_COMBINED, OF_BITS = 2, 372, 355, 384
# Pieces are at most so wide, and at most so many.
PIECE_BITS, MOST_PIECES = 32, 64


@dataclass(frozen=True)
class Rule:
    """A rule with its parameters; None is what the rule does not ask for.

    `least_c_across` is the C-similarity of pages on different sites. `pieces` are only given where
    they are not as many as it takes to find all pairs.
    """

    name: str
    resemblance: float | None = None
    least_b: int | None = None
    least_c: int | None = None
    least_c_across: int | None = None
    pieces: int | None = None

    def __post_init__(self) -> None:
        if self.name not in RULES:
            raise SettingsError(f"no rule is called {self.name!r}; there are {', '.join(RULES)}")
        for name, rules in PARAMETERS.items():
            if self.name not in rules and getattr(self, name) is not None:
                raise SettingsError(
                    f"the rule {self.name} has no {name.replace('_', '-')}; "
                    f"that is for {', '.join(rules)}"
                )
        if self.resemblance is not None and not 0 < self.resemblance <= 1:
            raise SettingsError(
                f"resemblance {self.resemblance} is not above 0 and at most 1; try 0.8"
            )

    @property
    def label(self) -> str:
        """The name with its parameters, as files have it."""
        if self.resemblance is not None:
            return f"{self.name}-{self.resemblance!r}"
        thresholds = (self.least_b, self.least_c, self.least_c_across)
        named = "-".join([self.name, *(str(each) for each in thresholds if each is not None)])
        return named if self.pieces is None else f"{named}-pieces-{self.pieces}"

    def least_agreeing(self, supershingles: int) -> int:
        """How many of a page's supershingles must agree with another's."""
        if self.least_b is not None:
            return self.least_b
        return supershingles if self.name == "virtually-identical" else min(2, supershingles)


def rule(
    name: str,
    resemblance: float | None = None,
    recipe: Recipe = WEBECHO,
    **parameters: int | None,
) -> Rule:
    """The rule of that name. What is not said is what the papers have, for as many supershingles
    and bits as the recipe gives; `similar` asks for a resemblance of 0.8."""
    if name == "similar" and resemblance is None:
        resemblance = 0.8
    asked = {
        parameter: default
        for parameter, default in defaults(name, recipe).items()
        if name in PARAMETERS[parameter]
    }
    chosen = Rule(name, resemblance, **(asked | given(parameters)))
    check_thresholds(chosen, recipe)
    return chosen


def page_tables(name: str) -> tuple[str, ...]:
    """The page tables that a rule needs."""
    return ("paragraphs",) if name == "paragraphs" else ()


def given(parameters: dict[str, int | None]) -> dict[str, int]:
    return {name: value for name, value in parameters.items() if value is not None}


def defaults(name: str, recipe: Recipe) -> dict[str, int]:
    def of_bits(least: int) -> int:
        return -(-least * recipe.bits // OF_BITS)

    return {
        "least_b": min(LEAST_B, recipe.supershingles),
        "least_c": of_bits(LEAST_C if name == "c" else LEAST_C_COMBINED),
        "least_c_across": of_bits(LEAST_C),
    }


def check_thresholds(rule: Rule, recipe: Recipe) -> None:
    """Refuses what the recipe's sketches cannot have, or what cannot be looked for."""
    for name, value, most, what in (
        ("least-b", rule.least_b, recipe.supershingles, "supershingles"),
        ("least-c", rule.least_c, recipe.bits, "bits"),
        ("least-c-across", rule.least_c_across, recipe.bits, "bits"),
    ):
        if value is not None and not 1 <= value <= most:
            raise SettingsError(f"{name} = {value}: a page has {most} {what}; give 1 to {most}")
    least = searched_bits(rule)
    if least is None:
        return
    if all_pieces(least, recipe.bits) > MOST_PIECES:
        lowest = recipe.bits - MOST_PIECES + 1
        raise SettingsError(
            f"a C-similarity of {least} is too low to be looked for; give {lowest} or more"
        )
    fewest = -(-recipe.bits // PIECE_BITS)
    if rule.pieces is not None and not fewest <= rule.pieces <= MOST_PIECES:
        raise SettingsError(
            f"pieces = {rule.pieces}: {recipe.bits} bits make {fewest} to {MOST_PIECES} pieces"
        )


def searched_bits(rule: Rule) -> int | None:
    """The C-similarity by which a rule looks for pairs, if it does."""
    return {"c": rule.least_c, "by-site": rule.least_c_across}.get(rule.name)


def all_pieces(least: int, bits: int) -> int:
    """How many pieces it takes to find all pairs of which so many bits agree: one more than can
    differ."""
    return max(bits - least + 1, -(-bits // PIECE_BITS))


@dataclass(frozen=True)
class Banding:
    """How many bands of how many features make candidates for a resemblance."""

    bands: int
    width: int

    def recall(self, resemblance: float) -> float:
        """The chance that two pages of this resemblance agree in at least one band."""
        return 1 - (1 - resemblance**self.width) ** self.bands


# The chance with which a pair just at the threshold must become a candidate; pairs above it have
# a greater one. Wider bands are fewer false candidates, so the widest that reaches it is taken.
WANTED_RECALL = 0.995


def banding(m: int, resemblance: float) -> Banding:
    """The widest bands of m features that still find nearly all pairs of the resemblance."""
    options = (Banding(m // width, width) for width in range(m, 0, -1))
    return next(
        (option for option in options if option.recall(resemblance) >= WANTED_RECALL),
        Banding(m, 1),
    )


# The chance with which a pair just at the threshold agrees in fewer features than asked for.
SIFTED_OUT = 0.0001


def sifting(m: int, resemblance: float) -> int:
    """In how many of m features two pages agree at the least if they have the resemblance.

    The number is binomial for independent functions; features by rounds spread less.
    """
    below = 0.0
    for count in range(m):
        below += comb(m, count) * resemblance**count * (1 - resemblance) ** (m - count)
        if below > SIFTED_OUT:
            return count
    return m
