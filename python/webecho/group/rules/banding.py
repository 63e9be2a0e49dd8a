"""*Banding*: how many bands of how many features make candidates of pages of a resemblance, and in
how many features candidates must agree."""

from dataclasses import dataclass
from math import comb

from webecho.group.rules.keys import Bands


def bands_for(m: int, resemblance: float) -> Bands:
    """The bands of m features by which nearly all pairs of a resemblance become candidates."""
    chosen = banding(m, resemblance)
    return Bands(chosen.bands, chosen.width, sifting(m, resemblance))


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
