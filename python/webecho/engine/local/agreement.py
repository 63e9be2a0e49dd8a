"""*Agreement*: how many supershingles two pages have in common, position by position.

Pages that agree in enough become one cluster without a list of their pairs
(`rust/src/groups/agreement.rs`).
How often the sketches are gone through depends on the memory that there is:

- once, where all supershingles find room;
- twice, where only those of pages do that may agree: the first time tells which values repeat;
- several times more, where not even those do, each time for pages of one class.
"""

import pyarrow as pa

from webecho import _core
from webecho.engine.local.sets import representatives
from webecho.group.columns import page_lists
from webecho.run import Run
from webecho.workspace.workspace import Workspace

# So much is held rather than going through the sketches twice, if nobody says how much may be.
HELD = 1 << 30
# Cells for a supershingle that tell whether it repeats, four to a byte: one in eight seems to
# although it does not, and so two in the sketch of one page in six that agrees with nobody.
CELL_BYTES = 2
# What a row takes beside its values: its page, its place while rows are grouped, and maybe that it
# is a copy.
ROW_BYTES = 4 + 8 + 4


def unite_agreeing(
    workspace: Workspace, forest: _core.Forest, least: int, run: Run, *, room: int | None = None
) -> None:
    """Joins pages with at least `least` equal supershingles, in so many bytes."""
    count, pages = workspace.recipe.supershingles, workspace.pages
    wanted = representatives(forest)
    row, cells = 8 * count + ROW_BYTES, 0
    if row * pages > (HELD if room is None else room):
        cells = CELL_BYTES * count * pages
        cells = cells if room is None else min(cells, room // 3)
    repeats = find_repeats(workspace, wanted, cells, run) if cells else None
    rows = _core.Rows(count, pages, pages if room is None else (room - cells) // row)
    for numbers, lists in page_lists(workspace, "supershingles"):
        rows.add(numbers, lists, wanted, repeats, least)
    del repeats
    if room is None or rows.complete:
        forest.unite_agreeing(rows, least, 0, count - least + 1)
    else:
        classes = -(-rows.seen * row // max(room, row))
        unite_by_class(workspace, forest, least, rows.pages(), classes)


def find_repeats(workspace: Workspace, wanted: pa.Array, cells: int, run: Run) -> _core.Repeats:
    """Which supershingles of the wanted pages repeat, in so many bytes."""
    repeats = _core.Repeats(workspace.recipe.supershingles, cells, run.threads)
    for numbers, lists in page_lists(workspace, "supershingles"):
        repeats.add(numbers, lists, wanted)
    return repeats


def unite_by_class(
    workspace: Workspace, forest: _core.Forest, least: int, wanted: pa.Array, classes: int
) -> None:
    """Joins the wanted pages, those whose first agreeing supershingle is of one class at a time."""
    count = workspace.recipe.supershingles
    for first in range(count - least + 1):
        for number in range(classes):
            rows = _core.Rows(count, workspace.pages, workspace.pages)
            for numbers, lists in page_lists(workspace, "supershingles"):
                rows.add_class(numbers, lists, wanted, (first, classes, number))
            forest.unite_agreeing(rows, least, first, first + 1)
