"""*Check*: what decides whether two candidates belong together. Checks are values, which an engine
interprets."""

from dataclasses import dataclass
from typing import Literal

Sites = Literal["any", "same", "different"]


@dataclass(frozen=True)
class Resemblance:
    """The counted resemblance of their shingle sets is at least so high."""

    least: float

    @property
    def asked(self) -> dict[str, float]:
        """The measures that are asked for, each with the least that there must be."""
        return {"resemblance": self.least}

    @property
    def sites(self) -> Sites:
        """Of pages on which sites it is."""
        return "any"


@dataclass(frozen=True)
class EqualWords:
    """The share of equal words, twice those that a minimal diff leaves over all words of both, is
    at least so high."""

    least: float

    @property
    def asked(self) -> dict[str, float]:
        return {"equal_words": self.least}

    @property
    def sites(self) -> Sites:
        return "any"


@dataclass(frozen=True)
class Agreement:
    """At least so many supershingles agree, and so many bits of the projections, as far as either
    is asked for; of pages on any sites, on the same one or on different ones."""

    least_b: int | None = None
    least_c: int | None = None
    sites: Sites = "any"

    @property
    def asked(self) -> dict[str, float]:
        both = {"b_similarity": self.least_b, "c_similarity": self.least_c}
        return {name: least for name, least in both.items() if least is not None}


@dataclass(frozen=True)
class Shared:
    """At least so many different chunks stand on both."""

    least: int

    @property
    def asked(self) -> dict[str, float]:
        return {"shared_chunks": self.least}


Check = Resemblance | EqualWords | Agreement | Shared
