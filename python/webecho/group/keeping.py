"""*Keep order*: the order in which pages are taken when it is decided which of several stays.

| name | first comes the page |
| --- | --- |
| `first` | that was read first |
| `longest` | with the most characters of text |
| `shortest-url` | with the shortest address |
| `earliest`, `latest` | that was fetched first, or last |
| `max:COLUMN`, `min:COLUMN` | with the highest, or lowest, value in a column of the user's |
| `rank:COLUMN=A,B,…` | whose value in a column of the user's comes first among those named |

There may be several, the most important first: each decides among pages that are equal by those
before it. Pages without a value, or with one that is not named, come last; among equals the one
that was read first comes first. But whatever the order, a record with its content comes before any
revisit, which only says that the content was that of another record.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError
from webecho.group.choices import KEEPS
from webecho.group.columns import page_numbers
from webecho.group.user_columns import user_values
from webecho.workspace.lookup import page_values
from webecho.workspace.workspace import Workspace

Key = Callable[[pa.Array], pa.Array]

# The column of the sketches, how it becomes the key, and how that is sorted.
_ORDERS: dict[str, tuple[str, Key, str]] = {
    "longest": ("chars", lambda column: column, "descending"),
    "shortest-url": ("url", pc.utf8_length, "ascending"),
    "earliest": ("fetched", lambda column: column.cast(pa.int64()), "ascending"),
    "latest": ("fetched", lambda column: column.cast(pa.int64()), "descending"),
}
# The same by columns of the user's, of which the sketches have lists.
_COLUMN_ORDERS = {
    "max": ("values", "descending"),
    "min": ("values", "ascending"),
    "rank": ("ranked", "ascending"),
}


@dataclass(frozen=True)
class Keep:
    """What comes first, by which of the user's columns, if by one, and which of its values."""

    name: str
    column: str | None = None
    values: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        named = self.name if self.column is None else f"{self.name}:{self.column}"
        return f"{named}={','.join(self.values)}" if self.values else named


def keep(text: str) -> Keep:
    """The keep order of that name."""
    name, colon, column = text.partition(":")
    column, _, values = column.partition("=") if name == "rank" else (column, "", "")
    ranked = tuple(filter(None, values.split(",")))
    of_column = name in _COLUMN_ORDERS
    known = of_column or name in _ORDERS or name == "first"
    if known and of_column == bool(colon and column) and (name == "rank") == bool(ranked):
        return Keep(name, column or None, ranked)
    raise SettingsError(f"{text!r} does not say which page stays; give one of {', '.join(KEEPS)}")


def keeps(texts: Sequence[str]) -> tuple[Keep, ...]:
    """The keep orders of these names, the most important first; `first` if there are none."""
    found = tuple(map(keep, texts)) or (Keep("first"),)
    names = [each.label for each in found]
    if "first" in names[:-1]:
        after = names[names.index("first") + 1]
        raise SettingsError(f"{after!r} decides nothing after 'first', which leaves no equals")
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise SettingsError(f"{twice!r} is given twice, and decides nothing the second time")
    return found


def columns_of(chosen: Sequence[Keep], kind: str) -> tuple[str, ...]:
    """The user's columns of which `values`, or `ranked`, are needed."""
    wanted = (each.column for each in chosen if _COLUMN_ORDERS.get(each.name, ("",))[0] == kind)
    return tuple(dict.fromkeys(filter(None, wanted)))


def ranks(workspace: Workspace, chosen: Sequence[Keep]) -> pa.Array:
    """For every page how many come before it."""
    pages = page_numbers(workspace.pages)
    revisits = bool(workspace.manifest.counts.get("revisits"))
    deciding = [each for each in chosen if each.name != "first"]
    if not workspace.pages or not (deciding or revisits):
        return pages
    columns, by = {}, []
    if revisits:
        columns["revisit"] = pa.chunked_array(
            [
                batch["revisit_of"].is_valid().cast(pa.int8())
                for batch in workspace.batches(["revisit_of"])
            ]
        )
        by.append(("revisit", "ascending"))
    for number, each in enumerate(deciding):
        columns[f"key {number}"] = pa.chunked_array([*_keys(workspace, each)])
        by.append((f"key {number}", _order(each)))
    # Nulls come last, whichever way it is sorted.
    taken = pc.sort_indices(
        pa.table(columns | {"page": pages}), sort_keys=[*by, ("page", "ascending")]
    )
    return pc.sort_indices(taken).cast(pa.uint32())


def _order(chosen: Keep) -> str:
    return (_COLUMN_ORDERS if chosen.column else _ORDERS)[chosen.name][-1]


def _keys(workspace: Workspace, chosen: Keep) -> Iterator[pa.Array]:
    """What is sorted by, of all pages in order, some at a time."""
    if chosen.column is None:
        column, key, _ = _ORDERS[chosen.name]
        for batch in workspace.batches([column]):
            yield key(batch[column])
        return
    kind, _ = _COLUMN_ORDERS[chosen.name]
    ranked = pa.array(chosen.values, pa.string())
    for values in user_values(workspace, kind, chosen.column):
        yield pc.index_in(values, value_set=ranked) if chosen.values else values


def undecided(workspace: Workspace, chosen: Sequence[Keep]) -> list[str]:
    """What to say of each order by which no page has a value, so that it decides nothing, or by
    which some have none although it is a date or a number that they were to have."""
    said = []
    for each in chosen if workspace.pages else ():
        if each.name == "first":
            continue
        without = [keys.is_null() for keys in _keys(workspace, each)]
        count = sum(flags.true_count for flags in without)
        if count == workspace.pages:
            first = " and the first page stays" if len(chosen) == 1 else ""
            said.append(f"no page has a {_what(each)}, so that {each.label} decided nothing{first}")
        elif count and _is_read(each):
            page = pc.index(pa.chunked_array(without), True).as_py()
            named = page_values(workspace, [page])[page]
            known = (f" ({key} {value})" for key, value in named.items() if value is not None)
            name = next(known, "")
            said.append(
                f"{count} of {workspace.pages} pages have no {_what(each)}, such as page {page}"
                f"{name}, and come last by {each.label}"
            )
    return said


def _is_read(chosen: Keep) -> bool:
    """Whether values are dates or numbers, which may be written in a way that nobody reads."""
    column = _ORDERS[chosen.name][0] if chosen.column is None else _COLUMN_ORDERS[chosen.name][0]
    return column in ("fetched", "values")


def _what(chosen: Keep) -> str:
    if chosen.column is None:
        column = _ORDERS[chosen.name][0]
        return "date that is understood" if column == "fetched" else column
    return (
        f"value of these in {chosen.column}"
        if chosen.values
        else (f"number or date in {chosen.column}")
    )
