"""*Figure*: what is drawn, as values: counts by size on logarithmic scales, lines, bars or points.
How it looks, show/files alone knows.

What a series is *of* has one colour in all figures, whatever else is drawn: a collection, a part, a
measure. Where several collections overlay, the *way* (duplicates, clusters) makes the dashes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from webecho.study.fits import Fits, in_words

INTERVALS = "Bands are 95 % intervals."


@dataclass(frozen=True)
class Distribution:
    """Counts by size, and what was fitted to them."""

    counts: Mapping[int, float]
    fits: Fits = field(default_factory=Fits)


@dataclass(frozen=True)
class LogLog:
    """Counts by size on logarithmic scales, with their fits; one distribution for each name. `x`
    names the size, `y` what is counted."""

    title: str
    x: str
    y: str
    series: Mapping[str, Distribution]

    def overlaid(self, other: "LogLog") -> "LogLog":
        """Both in one figure."""
        return replace(self, series={**self.series, **other.series})

    @property
    def caption(self) -> str:
        named = ", ".join(name for name in self.series if name != self.y)
        by_text: dict[str, list[str]] = {}
        for name, each in self.series.items():
            for text in in_words(each.fits, self.y):
                by_text.setdefault(text, []).append(name)
        several = len(self.series) > 1
        said = [
            f"{', '.join(names)}: {text}" if several else text for text, names in by_text.items()
        ]
        return " ".join([f"{self.title}{named and f' ({named})'}.", *said])

    @property
    def caption_at_least(self) -> str:
        """Of the same distribution, as numbers of things of at least each size."""
        return f"Numbers of {self.y} of at least each size. {self.caption}"


@dataclass(frozen=True)
class Band:
    """What a point may be as well: from `low` to `high` and, where its place is estimated too, from
    `left` to `right`."""

    x: float
    low: float
    high: float
    left: float | None = None
    right: float | None = None


@dataclass(frozen=True)
class Series:
    """Points that are joined, the intervals of some of them, what they are `of` and which `way`."""

    points: Sequence[tuple[float, float]]
    of: str
    way: str = ""
    bands: Sequence[Band] = ()


@dataclass(frozen=True)
class Mark:
    """A point that is pointed out, and what it is."""

    x: float
    y: float
    name: str


@dataclass(frozen=True)
class Lines:
    """One line for each series; `limits` on x. Numbers are `counted` where they are whole.

    y begins at `floor`, or is `logarithmic`: then a line is broken where a point is 0.
    """

    title: str
    x: str
    y: str
    series: Sequence[Series]
    limits: tuple[float, float] | None = None
    mark: Mark | None = None
    counted: bool = False
    logarithmic: bool = False
    floor: float = 0.0

    @property
    def caption(self) -> str:
        said = [f"{self.title}."]
        if self.mark is not None:
            said.append(f"The circle is {self.mark.name}.")
        if any(each.bands for each in self.series):
            said.append(INTERVALS)
        return " ".join(said)


@dataclass(frozen=True)
class Bars:
    """Bars side by side for each name of `x`: one of each series, by what it is of."""

    title: str
    x: str
    y: str
    names: Sequence[str]
    series: Mapping[str, Sequence[float]]

    @property
    def caption(self) -> str:
        return f"{self.title}."


@dataclass(frozen=True)
class Stacked:
    """One bar for each name of `x`, of `parts` that lie on each other, the first at the bottom.

    They are shares that sum to 1, or to 0 where there is nothing of a name.
    """

    title: str
    x: str
    y: str
    names: Sequence[str]
    parts: Mapping[str, Sequence[float]]

    @property
    def caption(self) -> str:
        named = ", ".join(self.parts)
        return f"{self.title}. From the bottom: {named}."


@dataclass(frozen=True)
class Scatter:
    """Points on logarithmic scales, by what they are of. Where some x are not above 0, their scale
    is logarithmic both ways from 0 (and linear between −1 and 1)."""

    title: str
    x: str
    y: str
    series: Mapping[str, Sequence[tuple[float, float]]]

    @property
    def caption(self) -> str:
        return f"{self.title}."


Figure = LogLog | Lines | Bars | Stacked | Scatter
