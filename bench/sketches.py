"""Workspaces of made-up sketches: the pages themselves do not exist."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa

from webecho.settings import Recipe
from webecho.workspace.manifest import Manifest, Part
from webecho.workspace.schemas import sketch_schema
from webecho.workspace.table_files import TableWriter
from webecho.workspace.workspace import Workspace

PART = 50_000
OPTIONS = {"columns": {}, "statuses": [200], "types": [], "convert": {}, "format": None}


def nowhere(path: Path, recipe: Recipe, columns: list[str], id_type: str) -> Workspace:
    """A workspace whose pages are in no file, as yet without parts."""
    manifest = Manifest(
        recipe=recipe.as_dict(),
        columns=columns,
        keep_shingles=False,
        part_pages=PART,
        id_type=id_type,
        complete=True,
    )
    manifest.inputs = [{"name": "nowhere.jsonl", "options": OPTIONS, "sources": [0, 1]}]
    manifest.sources = [{"name": "nowhere.jsonl", "format": "jsonl", "stamp": {"size": 0}}]
    return Workspace(path, manifest)


def workspace_of(
    path: Path,
    pages: int,
    recipe: Recipe,
    columns: list[str],
    part: Callable[[int, int], pa.Table],
) -> Workspace:
    """A complete workspace of so many pages; `part` makes some rows, from the first on."""
    workspace = nowhere(path, recipe, columns, "string")
    manifest = workspace.manifest
    for number, first in enumerate(range(0, pages, PART)):
        count = min(PART, pages - first)
        writer = TableWriter(workspace.part_file("sketches", number))
        writer.write(part(first, count))
        files = {"sketches": writer.finish()}
        manifest.parts.append(Part(first, count, 0, 0, first, first + count >= pages, {}, files))
    workspace.save()
    return workspace


def rows_of(found: Mapping[str, pa.Array], columns: list[str], count: int) -> pa.Table:
    """Rows of the `sketches` table, null in what is not given."""
    schema = sketch_schema(columns, "string")
    return pa.table(
        {field.name: found.get(field.name, pa.nulls(count, field.type)) for field in schema},
        schema=schema,
    )
