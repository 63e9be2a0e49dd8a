"""`webecho.why` and `webecho.diff`."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from webecho import _core, settings
from webecho.api.inputs import (
    as_inputs,
    as_recipe,
    as_run,
    default_threads,
    is_workspace,
    read_options,
    sketched,
)
from webecho.errors import SettingsError
from webecho.group.comparison import Comparison, compare
from webecho.group.memberships import memberships
from webecho.group.sides import side_of, stored_side
from webecho.read.collection import open_collection
from webecho.read.single import only_page, pages_named
from webecho.sketches.boilerplate import sketcher_of
from webecho.workspace.page_names import two_pages


def why(
    data: Any,
    one: str | int,
    other: str | int,
    resemblance: float | None = None,
    *,
    recipe: str | settings.Recipe | None = None,
    threads: int | None = None,
    **reading: Any,
) -> Comparison:
    """Two pages of a collection, by url, id or number (`"#12"`), compared by every measure.

    Of a name that several pages have the first is taken, and of one name given twice the first two;
    `notes` of the comparison tell. `clusters` has what the workspace knows of the two.
    """
    run = as_run(threads)
    with sketched(data, recipe, run, reading) as (workspace, again):
        left, right, notes = two_pages(workspace, str(one), str(other))
        sketcher = sketcher_of(workspace, run)
        sources = again.sources if again is not None else None
        sides = [stored_side(workspace, page, sketcher, sources) for page in (left, right)]
        found = compare(sides[0], sides[1], workspace.recipe, resemblance)
        return replace(found, clusters=memberships(workspace, left, right, run), notes=notes)


def diff(
    left: str | os.PathLike[str] | bytes,
    right: str | os.PathLike[str] | bytes,
    resemblance: float | None = None,
    *,
    inside: Any = None,
    recipe: str | settings.Recipe = "webecho",
    threads: int | None = None,
    **reading: Any,
) -> Comparison:
    """Two pages, each a file, its bytes or `-` for standard input, compared by every measure.

    With `inside`, a path, several or a table, they are pages of that, by url, id or number.
    """
    chosen, options = as_recipe(recipe), read_options(**reading)
    sketcher = _core.Sketcher(chosen.as_dict(), threads or default_threads())
    if inside is None:
        if left == right == "-":
            raise SettingsError("standard input is one page; give a file for the other")
        pages: list[tuple[int | None, pa.RecordBatch]]
        pages = [(None, only_page(each, options)) for each in (left, right)]
    else:
        refuse_workspaces(as_inputs(inside))
        collection = open_collection(as_inputs(inside), options)
        pages = [*pages_named(collection, str(left), str(right))]
    sides = [side_of(page, sketcher, number) for number, page in pages]
    return compare(sides[0], sides[1], chosen, resemblance)


def refuse_workspaces(inputs: Sequence[Any]) -> None:
    for given in inputs:
        if is_workspace(given):
            raise SettingsError(f"{given} is a workspace; ask: webecho why {given} URL URL")
