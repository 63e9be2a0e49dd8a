"""What a call of Python gave, as text: values, tables and frames, errors and warnings."""

import hashlib
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho import WebechoError

ROWS = 2
# What the results of calls have, so far as people are told of it.
ATTRIBUTES = {
    "Deduplicated": ("kept", "duplicates", "clusters", "summary"),
    "Restored": ("files", "records", "restored", "failed", "other_files"),
    "Evaluation": ("facts", "tables", "notes"),
    "Study": ("name", "titles", "tables", "sentences", "notes", "facts", "settings"),
    "Comparison": (
        *("left", "right", "same_bytes", "same_tokens", "shared_shingles", "resemblance"),
        *("left_containment", "right_containment", "estimated", "equal_features"),
        *("agreeing_supershingles", "b_similarity", "c_similarity", "verdicts", "difference"),
        *("gone", "clusters", "notes"),
    ),
    "ComparedPage": ("page", "id", "url", "title", "tokens", "shingles"),
    "Verdict": ("rule", "together", "reason"),
    "Stretch": ("kind", "words"),
    "Membership": ("rule", "left", "right", "left_size", "right_size", "chain", "together"),
}


def show(name: str, call: Callable[[], Any]) -> None:
    """Calls, and prints the result, or the error if it is one that people may meet."""
    print(f"== {name}")
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always", UserWarning)
        try:
            result = call()
        except (WebechoError, TypeError, ValueError, OSError) as error:
            print(f"{type(error).__name__}: {error}")
        else:
            print("\n".join(lines(result)))
    for each in given:
        if issubclass(each.category, UserWarning):
            print(f"{each.category.__name__} at {Path(each.filename).stem}: {each.message}")


def lines(value: Any) -> list[str]:
    """A value, with what is in it on lines of their own."""
    kind = type(value)
    if isinstance(value, pa.Table):
        return table_lines(value)
    if kind.__name__ in ATTRIBUTES:
        found = {name: getattr(value, name) for name in ATTRIBUTES[kind.__name__]}
        return [kind.__name__, *indented(found)]
    if isinstance(value, Mapping):
        return ["{}"] if not value else ["mapping", *indented(value)]
    if isinstance(value, list | tuple):
        plain = [lines(each) for each in value]
        if all(len(each) == 1 for each in plain):
            return [f"{kind.__name__} [{', '.join(each[0] for each in plain)}]"]
        return [kind.__name__, *indented(dict(enumerate(value)))]
    if kind.__module__.partition(".")[0] in ("pandas", "polars"):
        return [f"{kind.__module__.partition('.')[0]} {kind.__name__}", *frame_lines(value)]
    return [str(value) if isinstance(value, Path) else repr(value)]


def indented(values: Mapping[Any, Any]) -> list[str]:
    found = []
    for name, value in values.items():
        first, *rest = lines(value)
        found += [f"  {name}: {first}", *(f"  {line}" for line in rest)]
    return found


def table_lines(table: pa.Table) -> list[str]:
    """The columns, how many rows there are with a digest of all, and the first."""
    columns = ", ".join(f"{field.name} {field.type}" for field in table.schema)
    return [f"table of {columns}", *row_lines(table)]


def row_lines(table: pa.Table) -> list[str]:
    rows = [repr(row) for row in table.to_pylist()]
    digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]
    first = [f"  {row[:300]}" for row in rows[:ROWS]]
    return [f"  {len(rows)} rows, {digest}", *first]


def frame_lines(frame: Any) -> list[str]:
    """A frame's index, if it has one, and its rows; of its types every library has its own."""
    if hasattr(frame, "collect"):
        frame = frame.collect()
    index = [f"  index {list(frame.index)}"] if hasattr(frame, "index") else []
    return [*index, *row_lines(pa.Table.from_pandas(frame) if index else frame.to_arrow())]
