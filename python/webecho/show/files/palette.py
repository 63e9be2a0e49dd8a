"""*Palette*: one colour for one thing across all figures, and one dash for one measure.

Collections have colours in the order in which a study was given them, in all of its figures. The
colours are told apart by people who do not see all of them as well (Okabe and Ito 2008); of those
that overlay, markers and dashes differ too, for print without colours.
"""

from collections.abc import Sequence
from typing import Any

BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK, GREY = "#E69F00", "#56B4E9", "#000000", "#666666"

COLLECTIONS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK)
THINGS = {
    "documents": GREY,
    "duplicates": VERMILION,
    "clusters": BLUE,
    "estimate": VERMILION,
    "found": GREY,
    # From the whole page to its parts.
    "page": BLACK,
    "lines:4": BLUE,
    "lines:2": SKY,
    "hosts": GREEN,
    "precision": BLUE,
    "R": GREEN,
    "all terms": BLUE,
    "without image terms": ORANGE,
    # From the fewest supershingles to all: from light to dark.
    "B-similarity 0": "#C7B8E0",
    "B-similarity 1": "#A6BDDB",
    "B-similarity 2": "#F0B400",
    "B-similarity 3": "#E07B00",
    "B-similarity 4": "#C43C39",
    "B-similarity 5": "#85307F",
    "B-similarity 6": "#2B1B5A",
}
# Rules, by the beginning of their labels.
RULES = {"b": BLUE, "c": VERMILION, "combined": GREEN, "by-site": PURPLE}
MARK = BLACK

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
# The dashes of what may lie on something else; of several collections they tell what is what.
WAYS: dict[str, Any] = {
    "without image terms": (0, (2, 1.2)),
    "documents": (0, (1, 1.2)),
    "duplicates": "-",
    "clusters": (0, (4, 1.5)),
    "estimate": "-",
    "found": (0, (1, 1.2)),
    "children": "-",
    "equivalents": (0, (4, 1.5)),
}
# How light bands are beside their lines.
LIGHT = 0.8
LAW: Any = "-"
LINE: Any = (0, (4, 2))


def colour(thing: str, collections: Sequence[str]) -> str:
    """The colour of a thing in the figures of a study of these collections."""
    if thing in collections:
        return COLLECTIONS[collections.index(thing) % len(COLLECTIONS)]
    if thing in THINGS:
        return THINGS[thing]
    rules = [name for name in RULES if thing == name or thing.startswith(f"{name}-")]
    # `by-site` and `b-2` begin alike: the longest name is meant.
    return RULES[max(rules, key=len)] if rules else COLLECTIONS[0]
