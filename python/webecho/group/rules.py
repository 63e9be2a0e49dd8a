"""*Rule*: a named way to decide that two pages belong together, with its parameters.

| rule | two pages belong together if | from |
| --- | --- | --- |
| `exact` | they have the same token sequence | Henzinger 2006 (identity sets) |
| `very-similar` | at least 2 supershingles agree | Fetterly 2004 |
| `virtually-identical` | all supershingles agree | Fetterly 2004 |
| `similar` | the resemblance of their shingle sets is at least a given one | Broder 1997 |
"""

from dataclasses import dataclass
from math import comb

from webecho.errors import SettingsError

RULES = ("exact", "very-similar", "virtually-identical", "similar")
# How pages that a rule holds together become groups of which one page stays: see stars.py.
LINKS = ("kept", "chain")
# Which of them stays: see keeping.py.
KEEPS = ("first", "longest", "shortest-url", "earliest", "latest", "max:COLUMN", "min:COLUMN")
# Among which pages: see apart.py.
WITHIN = ("host", "site", "collection")


@dataclass(frozen=True)
class Rule:
    """A rule with its parameter; `resemblance` only for `similar`."""

    name: str
    resemblance: float | None = None

    def __post_init__(self) -> None:
        if self.name not in RULES:
            raise SettingsError(f"no rule is called {self.name!r}; there are {', '.join(RULES)}")
        if self.name != "similar" and self.resemblance is not None:
            raise SettingsError(f"the rule {self.name} has no resemblance; that is for similar")
        if self.resemblance is not None and not 0 < self.resemblance <= 1:
            raise SettingsError(
                f"resemblance {self.resemblance} is not above 0 and at most 1; try 0.8"
            )

    @property
    def label(self) -> str:
        """The name with its parameter, as files have it."""
        return self.name if self.resemblance is None else f"{self.name}-{self.resemblance!r}"

    def least_agreeing(self, supershingles: int) -> int:
        """How many of a page's supershingles must agree with another's."""
        return supershingles if self.name == "virtually-identical" else min(2, supershingles)


def rule(name: str, resemblance: float | None = None) -> Rule:
    """The rule of that name; `similar` asks for a resemblance of 0.8 unless told."""
    if name == "similar" and resemblance is None:
        resemblance = 0.8
    return Rule(name, resemblance)


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
