"""What pages a verb is about: those of a workspace, or of inputs that are sketched for it.

`data` of a Python call is a path, several paths, any Arrow-compatible table (pyarrow, polars,
pandas, duckdb, a `datasets.Dataset` or `DatasetDict`), a list or generator of texts, or of
dictionaries, each a row, or where it says so also a workspace that `sketch` wrote.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webecho.api.reading import Reading
from webecho.api.values import as_recipe, as_workspace
from webecho.engine.spark.frames import spooled_inputs
from webecho.errors import SettingsError, setting
from webecho.formats.listing import holds_workspace
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.limits import limits_within
from webecho.read.streams import is_stream
from webecho.read.table_kinds import is_records, is_table, is_texts
from webecho.run import Run
from webecho.settings import WEBECHO, Recipe
from webecho.sketches.page_tables import require_tables
from webecho.workspace.omissions import counted, omitted, reading_all
from webecho.workspace.reread import Reread, shelf_in
from webecho.workspace.resume import SketchSettings
from webecho.workspace.scratch import temporary_folder
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class Inputs:
    """Inputs, how they are read, and how their pages are sketched."""

    given: tuple[Any, ...]
    recipe: Recipe = WEBECHO
    reading: Reading = field(default_factory=Reading)


# A path is that of a workspace.
InputsOrWorkspace = Path | Inputs


def as_inputs(data: Any) -> tuple[Any, ...]:
    """A list or tuple of inputs is several, of texts or rows one; anything else is one. What comes
    one after the other, from a generator, is as if it had come in a list."""
    if isinstance(data, Iterator) and not is_table(data):
        data = [*data]
    several = isinstance(data, list | tuple) and not is_texts(data) and not is_records(data)
    return tuple(data) if several else (data,)


def check_there(inputs: Sequence[str], options: ReadOptions) -> None:
    """Refuses files that are not there or lack a column, before something is started for them that
    takes long, as Spark does; streams can be opened but once."""
    if not any(map(is_stream, inputs)):
        open_collection(inputs, options)


def check_workspaces(paths: Iterable[Path]) -> None:
    """The same of workspaces."""
    for path in paths:
        Workspace.open(path)


def as_pages(data: Any, recipe: str | Recipe | None, reading: Reading) -> InputsOrWorkspace:
    """The workspace that `data` is, or inputs; how to sketch them is known of a workspace."""
    if not names_workspace(data):
        return Inputs(as_inputs(data), as_recipe(recipe or WEBECHO), reading)
    # Commands are given again, for what a workspace says is never run.
    said = [*(["recipe"] if recipe is not None else []), *reading.named]
    said = [name for name in said if name != "convert"]
    if said:
        raise SettingsError(
            f"{data} is a workspace, sketched already; leave out ",
            *[part for name in said for part in (", ", setting(name))][1:],
            ", or give its inputs",
        )
    return as_workspace(data)


def names_workspace(given: Any) -> bool:
    """Whether what was given names a workspace."""
    return isinstance(given, str | os.PathLike) and holds_workspace(os.fspath(given))


def recipe_of(pages: InputsOrWorkspace) -> Recipe:
    """The recipe by which the pages are sketched."""
    return pages.recipe if isinstance(pages, Inputs) else Workspace.open(pages).recipe


@contextmanager
def opened(
    pages: InputsOrWorkspace,
    run: Run,
    columns: tuple[str, ...] = ("features", "supershingles"),
    *,
    shelved: bool = False,
    tables: tuple[str, ...] = (),
) -> Iterator[tuple[Workspace, Reread | None]]:
    """The workspace, or a temporary one of inputs with these columns, with its open sources and, if
    its pages are to be compared by their shingles, a shelf to make these of; with page tables."""
    if not isinstance(pages, Inputs):
        require_tables(pages, tables, run)
        with reading_all(pages, run) as workspace:
            yield workspace, None
        return
    with temporary_folder() as folder:
        options = pages.reading.options()
        inputs = spooled_inputs(pages.given, folder)
        collection = open_collection(inputs, options, limits_within(run.memory))
        shelf = shelf_in(folder, run) if shelved else None
        workspace = run.engine.sketch(
            collection,
            options,
            folder / "sketches.echo",
            SketchSettings(pages.recipe, columns, tables=tables),
            run,
            temporary=True,
            shelf=shelf,
        )
        yield workspace, Reread.of(collection, shelf)


def failure(workspace: Workspace) -> str | None:
    """What of the inputs could not be read, for a temporary workspace that lists it goes away."""
    if not workspace.temporary or not workspace.manifest.counts.get("failed"):
        return None
    rows = [row for row in workspace.table("skipped").to_pylist() if row["failed"]]
    first = rows[0]
    name = workspace.source_names[first["source"]]
    what = ", ".join(filter(None, (first["reason"], first["detail"])))
    counts = counted(omitted(workspace).failed.items())
    more = f" (and {len(rows) - 1} more: {counts} in all)" if len(rows) > 1 else ""
    return f"left out, for it cannot be read: {name}: {what}{more}"
