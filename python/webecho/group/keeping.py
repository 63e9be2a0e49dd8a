"""*Keep order*: the order in which pages are taken when it is decided which of several stays.

| name | first comes the page |
| --- | --- |
| `first` | that was read first |
| `longest` | with the most characters of text |
| `shortest-url` | with the shortest address |
| `earliest`, `latest` | that was fetched first, or last |
| `max:COLUMN`, `min:COLUMN` | with the highest, or lowest, value in a column of the user's |

Pages without that value come last; among equals the one that was read first comes first. But
whatever the order, a record with its content comes before any revisit, which only says that the
content was that of another record.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError
from webecho.group.choices import KEEPS
from webecho.group.columns import page_numbers
from webecho.workspace.workspace import Workspace

Key = Callable[[pa.Array], pa.Array]

# The column of the sketches, how it becomes the key, and how that is sorted.
_ORDERS: dict[str, tuple[str, Key, str]] = {
    "longest": ("chars", lambda column: column, "descending"),
    "shortest-url": ("url", pc.utf8_length, "ascending"),
    "earliest": ("fetched", lambda column: column.cast(pa.int64()), "ascending"),
    "latest": ("fetched", lambda column: column.cast(pa.int64()), "descending"),
    "max": ("value", lambda column: column, "descending"),
    "min": ("value", lambda column: column, "ascending"),
}


@dataclass(frozen=True)
class Keep:
    """What comes first, and by which of the user's columns, if by one."""

    name: str
    column: str | None = None

    @property
    def label(self) -> str:
        return self.name if self.column is None else f"{self.name}:{self.column}"


def keep(text: str) -> Keep:
    """The keep order of that name."""
    name, colon, column = text.partition(":")
    if (name in ("max", "min")) == bool(colon and column) and (name in _ORDERS or name == "first"):
        return Keep(name, column or None)
    raise SettingsError(f"{text!r} does not say which page stays; give one of {', '.join(KEEPS)}")


def ranks(workspace: Workspace, chosen: Keep) -> pa.Array:
    """For every page how many come before it."""
    pages = page_numbers(workspace.pages)
    revisits = bool(workspace.manifest.counts.get("revisits"))
    if not workspace.pages or (chosen.name not in _ORDERS and not revisits):
        return pages
    columns, by = {"page": pages}, [("page", "ascending")]
    if chosen.name in _ORDERS:
        column, key, order = _ORDERS[chosen.name]
        keys = [key(batch[column]) for batch in workspace.batches([column])]
        columns["key"] = pa.chunked_array(keys)
        by.insert(0, ("key", order))
    if revisits:
        columns["revisit"] = pa.chunked_array(
            [
                batch["revisit_of"].is_valid().cast(pa.int8())
                for batch in workspace.batches(["revisit_of"])
            ]
        )
        by.insert(0, ("revisit", "ascending"))
    # Nulls come last, whichever way it is sorted.
    taken = pc.sort_indices(pa.table(columns), sort_keys=by)
    return pc.sort_indices(taken).cast(pa.uint32())


def undecided(workspace: Workspace, chosen: Keep) -> str | None:
    """What to say if no page has the value that should decide which one stays."""
    if chosen.name not in _ORDERS or not workspace.pages:
        return None
    column = _ORDERS[chosen.name][0]
    if any(batch[column].null_count < len(batch) for batch in workspace.batches([column])):
        return None
    what = "date" if column == "fetched" else f"number or date in {chosen.column or column}"
    return f"no page has a {what}, so that {chosen.label} decided nothing and the first page stays"
