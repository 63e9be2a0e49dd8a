"""A family drawn: snapshots from left to right, a line for each address, and an arrow from each
parent to its child, the thicker the more of the child's text stands in the parent; this share
stands behind the address."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from webecho.errors import SettingsError
from webecho.safe_text import plain
from webecho.show.files.drawing import Drawing
from webecho.show.files.palette import BLUE, GREY, VERMILION
from webecho.show.files.sheets import KINDS, style
from webecho.workspace.table_files import write_aside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from webecho.group.family import Branch, Family, Member, Tie

METADATA = dict(KINDS)
# Inches of a line, and of what is above and below them all.
LINE, ENDS = 0.21, 1.0
WIDTH = 9.0
# The longest address that is written out.
LONGEST = 75
DOTS = 150


def draw_family(family: "Family", file: Path) -> Path:
    """Draws the family into a file, in the format that its name ends with."""
    kind = file.suffix.removeprefix(".").lower()
    if kind not in METADATA:
        raise SettingsError(f"{file}: a tree is drawn as {', '.join(METADATA)}; name the file so")
    drawing = Drawing("two")
    with mpl.rc_context(style(drawing)):
        sheet = drawn_family(family)
        content = BytesIO()
        sheet.savefig(content, format=kind, dpi=DOTS, metadata=METADATA[kind])
    write_aside(file, content.getvalue())
    return file


def drawn_family(family: "Family") -> Figure:
    rows = addresses(family)
    sheet = Figure(figsize=(WIDTH, ENDS + LINE * len(rows)), layout="constrained")
    axes = sheet.add_subplot()
    ties = [branch.tie for branch in drawn_branches(family)]
    for tie in ties:
        draw_tie(axes, tie, rows)
    for member in members(family, ties):
        root = member.url == family.url
        colour = VERMILION if root else BLUE
        axes.plot([member.snapshot], [rows[member.key]], "o", color=colour, markersize=4, zorder=3)
    draw_versions(axes, family, rows)
    last = len(family.snapshots) - 1
    shares: dict[object, list[str]] = {}
    for branch in drawn_branches(family):
        shares.setdefault(branch.member.key, []).append(f"{branch.tie.share:.0%}")
    for key, row in rows.items():
        bold = "bold" if key == family.url else "normal"
        text = shortened(key if isinstance(key, str) else f"#{key}")
        if key in shares:
            # Of one that is above and below: as a parent, and as a child.
            text += f"  {', '.join(shares[key])}"
        label = axes.text(last + 0.15, row, text, va="center", fontweight=bold)
        # An address may have signs that mean something to who draws.
        label.set_parse_math(False)
    axes.set_xticks(range(last + 1), [plain(name) for name in family.snapshots])
    for tick in axes.get_xticklabels():
        tick.set_parse_math(False)
    axes.set_yticks([])
    # Addresses need about as much room as the snapshots.
    axes.set_xlim(-0.3, last + 0.3 + 1.1 * max(last, 1))
    axes.set_ylim(len(rows) - 0.4, -0.6)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_bounds(0, last)
    sheet.legend(handles=legend(), loc="outside lower center", ncols=3, frameon=False)
    return sheet


def addresses(family: "Family") -> dict[object, int]:
    """The addresses from top to bottom: ancestors, the page itself, descendants."""
    above = [branch.member.key for branch in family.ancestors.walk()]
    below = [branch.member.key for branch in family.descendants.walk()]
    ordered = dict.fromkeys([*above, family.url, *below])
    return {key: row for row, key in enumerate(ordered)}


def drawn_branches(family: "Family") -> list["Branch"]:
    """Those through which pages are in the trees: all ties would hide one another."""
    trees = (family.ancestors, family.descendants)
    return [branch for tree in trees for branch in tree.walk() if not branch.again]


def members(family: "Family", ties: Sequence["Tie"]) -> list["Member"]:
    found = [family.ancestors.root, family.descendants.root]
    found += [end for tie in ties for end in (tie.child, tie.parent)]
    return [*dict.fromkeys(found)]


def draw_tie(axes: "Axes", tie: "Tie", rows: dict[object, int]) -> None:
    colour = BLUE if tie.new_address else GREY
    arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 0.5 + 2 * tie.share}
    arrow |= {"shrinkA": 3, "shrinkB": 3, "alpha": 0.75, "mutation_scale": 8}
    start = (tie.parent.snapshot, rows[tie.parent.key])
    end = (tie.child.snapshot, rows[tie.child.key])
    axes.annotate("", xy=end, xytext=start, arrowprops=arrow, zorder=2)


def draw_versions(axes: "Axes", family: "Family", rows: dict[object, int]) -> None:
    """The snapshots that the page itself is in."""
    row = rows[family.url]
    axes.plot(
        list(family.versions),
        [row] * len(family.versions),
        "o",
        markersize=7,
        color=VERMILION,
        markerfacecolor="none",
        markeredgewidth=0.8,
        zorder=2,
    )


def shortened(address: str) -> str:
    text = plain(address)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def legend() -> list[Line2D]:
    def arrow(colour: str, text: str) -> Line2D:
        return Line2D([], [], color=colour, linewidth=1.5, label=text)

    return [
        Line2D([], [], color=VERMILION, marker="o", linestyle="", label="the page"),
        arrow(BLUE, "parent to child at a new address"),
        arrow(GREY, "the child's address was there too"),
    ]
