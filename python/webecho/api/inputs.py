"""What calls have in common: inputs and how to read them, recipes, threads, memory.

`data` is a path, several paths, any Arrow-compatible table (pyarrow, polars, pandas, duckdb, a
`datasets.Dataset`), or where it says so also a workspace that `sketch` wrote.
"""

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from webecho import settings
from webecho.engine.local.engine import local_run
from webecho.errors import SettingsError
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.run import Report, Run, silent
from webecho.sizes import in_bytes
from webecho.sketches.page_tables import require_tables
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.layout import MANIFEST
from webecho.workspace.locks import reading as open_workspace
from webecho.workspace.reread import Reread, shelf_in
from webecho.workspace.resume import SketchSettings
from webecho.workspace.workspace import Workspace

VAR_KEYWORD = Parameter.VAR_KEYWORD
# What functions give to `read_options` themselves.
INNER = ("by", "value")


@contextmanager
def sketched(
    data: Any,
    recipe: str | settings.Recipe | None,
    run: Run,
    reading: Mapping[str, Any],
    columns: tuple[str, ...] = ("features", "supershingles"),
    *,
    shelved: bool = False,
    tables: tuple[str, ...] = (),
) -> Iterator[tuple[Workspace, Reread | None]]:
    """The workspace that `data` is, or a temporary one made from it with these columns, with its
    open sources and, if its pages are to be compared by their shingles, a shelf with these; it has
    these page tables."""
    if is_workspace(data):
        if recipe is not None or reading:
            given = ", ".join([*(["recipe"] if recipe is not None else []), *reading])
            raise SettingsError(
                f"{data} is a workspace, sketched already; leave out {given}, or give its inputs"
            )
        require_tables(Path(data), tables, run)
        with open_workspace(Path(data)) as workspace:
            yield workspace, None
        return
    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        options = read_options(**reading)
        collection = open_collection(as_inputs(data), options)
        shelf = shelf_in(Path(folder), run) if shelved else None
        workspace = sketch_collection(
            collection,
            options,
            Path(folder) / "sketches.echo",
            SketchSettings(as_recipe(recipe or "webecho"), columns, tables=tables),
            run,
            temporary=True,
            shelf=shelf,
        )
        warn_of_failures(workspace)
        yield workspace, Reread.of(collection, shelf)


def recipe_of(data: Any, recipe: str | settings.Recipe | None) -> settings.Recipe:
    """The recipe of the workspace that `data` is, or the one asked for."""
    return Workspace.open(data).recipe if is_workspace(data) else as_recipe(recipe or "webecho")


def is_workspace(given: Any) -> bool:
    return isinstance(given, str | os.PathLike) and (Path(given) / MANIFEST).is_file()


def warn_of_estimates(reason: str | None) -> None:
    if reason is not None:
        warnings.warn(f"resemblances are estimated from features: {reason}", stacklevel=3)


def warn_of_failures(workspace: Workspace) -> None:
    """Says what of the inputs could not be read, since the workspace that lists it goes away."""
    if not workspace.manifest.counts.get("failed"):
        return
    rows = [row for row in workspace.table("skipped").to_pylist() if row["failed"]]
    first = rows[0]
    name = workspace.manifest.sources[first["source"]]["name"]
    what = ", ".join(filter(None, (first["reason"], first["detail"])))
    more = f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
    warnings.warn(f"left out, for it cannot be read: {name}: {what}{more}", stacklevel=6)


def as_run(
    threads: int | None, memory: int | str | None = None, seed: int = 0, report: Report = silent
) -> Run:
    """How a call is to be run: on all cores by default."""
    return local_run(threads or default_threads(), as_bytes(memory), seed, report)


def as_bytes(memory: int | str | None) -> int | None:
    return None if memory is None else in_bytes(memory)


def as_recipe(recipe: str | settings.Recipe) -> settings.Recipe:
    return settings.recipe(recipe) if isinstance(recipe, str) else recipe


def as_inputs(data: Any) -> list[Any]:
    """A list or tuple of inputs is several; anything else is one."""
    return list(data) if isinstance(data, list | tuple) else [data]


def read_options(
    *,
    text: str | None = None,
    html: str | None = None,
    url: str | None = None,
    id: str | None = None,
    date: str | None = None,
    by: str | None = None,
    value: str | None = None,
    statuses: int | Sequence[int] | None = None,
    types: str | Sequence[str] | None = None,
    convert: Mapping[str, str] | None = None,
    format: str | None = None,
) -> ReadOptions:
    """Options of reading from what the caller named."""
    given: dict[str, Any] = {"statuses": statuses, "types": types}
    named: dict[str, Any] = {
        name: several(value) for name, value in given.items() if value is not None
    }
    if "types" in named:
        named["types"] = tuple(kind.lower() for kind in named["types"])
    given = {"convert": convert, "format": format}
    named |= {name: value for name, value in given.items() if value is not None}
    return ReadOptions(columns=ColumnNames(text, html, url, id, date, by, value), **named)


def check_names(function: Callable[..., Any], reading: Mapping[str, Any]) -> None:
    """Refuses what a function takes among the options of reading but nobody knows, as Python does
    where a function takes no others."""
    own = [
        name for name, each in signature(function).parameters.items() if each.kind != VAR_KEYWORD
    ]
    known = [*own, *(name for name in signature(read_options).parameters if name not in INNER)]
    for name in reading:
        if name not in known:
            near = get_close_matches(name, known, 1)
            fix = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            named = f"{function.__name__}() got an unexpected keyword argument {name!r}"
            raise TypeError(f"{named}; {fix}")


def several(values: Any) -> tuple[Any, ...]:
    """One value may be given without a list around it."""
    return (values,) if isinstance(values, str | int | float | os.PathLike) else tuple(values)


def default_threads() -> int:
    """As many as this process may run on."""
    return len(os.sched_getaffinity(0))
