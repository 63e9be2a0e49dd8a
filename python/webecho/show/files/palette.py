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
    # Two ways of counting mirrors.
    "size": BLUE,
    "one-to-one": ORANGE,
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
    # Cluster sizes, from light to dark.
    "1 page": "#9A9A9A",
    "2–10 pages": "#F0B400",
    "11–100 pages": "#E07B00",
    "101–1,000 pages": "#C43C39",
    "1,001–10,000 pages": "#A8327D",
    "10,001–100,000 pages": "#5D2E8C",
    "over 100,000 pages": "#101035",
    # From what is another page to what is the same.
    "complete change": "#B2182B",
    "large change": "#EF8A62",
    "medium change": "#FBD0B5",
    "small change": "#C3DDEC",
    "no text change": "#67A9CF",
    "no change": "#1F5FA5",
}
# Rules, by the beginning of their labels.
RULES = {
    "b": BLUE,
    "c": VERMILION,
    "combined": GREEN,
    "by-site": PURPLE,
    # As Figure 3 of Fetterly 2004 has them.
    "very-similar": BLACK,
    "virtually-identical": ORANGE,
    # From copies to what merely shares parts.
    "payload": GREY,
    "text": SKY,
    "tokens": BLUE,
    "similar": GREEN,
    "edited": ORANGE,
    "paragraphs": PURPLE,
    "overlap": VERMILION,
}
MARK = BLACK

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
# Those of lines, where they are not round: lines of cluster sizes lie close together.
SHAPES = dict(
    zip((name for name in THINGS if name.endswith((" page", " pages"))), MARKERS, strict=True)
)
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
