"""*Boilerplate*: blocks of text that stand on many pages of a site, and are left out of sketches if
the recipe says from how many on (Henzinger 2006, section 4).

A *block* is a line of the text, what stands between two elements that break lines. Pages with the
same tokens count once, else whatever is copied often would be boilerplate. To count them the inputs
are read once before they are sketched; the keys of what is left out lie in `boilerplate.parquet`.
"""

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError
from webecho.read.collection import Collection
from webecho.read.pages import Batch
from webecho.read.urls import hosts, sites
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.table_files import ROWS, write_table
from webecho.workspace.workspace import SKETCH, Workspace

if TYPE_CHECKING:
    from webecho.engine.protocol import Rows

# Gives the blocks of all pages of a collection, and the digests of the pages.
Blocks: TypeAlias = "Callable[[Collection, Recipe, Workspace, Run], Rows]"

CONTENT = ["body", "markup", "charset", "url", "stored_digest"]

BLOCKS = pa.schema([("key", pa.int64()), ("page", pa.binary())])
MANY = """
SELECT key FROM (SELECT DISTINCT key, page FROM blocks)
GROUP BY key HAVING count(*) >= {least} ORDER BY key NULLS LAST
"""


def content(pages: pa.RecordBatch, recipe: Recipe | None = None) -> pa.RecordBatch:
    """What the kernels need of pages: their site too, where boilerplate is left out."""
    found = pages.select(CONTENT)
    if recipe is None or not recipe.boilerplate:
        return found
    return found.append_column("site", sites(hosts(pages["url"]), recipe.site))


def sketcher_of(workspace: Workspace, run: Run) -> _core.Sketcher:
    """What makes the sketches of a workspace."""
    return sketcher_on(workspace, run.threads)


def sketcher_on(workspace: Workspace, threads: int) -> _core.Sketcher:
    """The same, on so many threads."""
    recipe = workspace.recipe
    keys = None
    if recipe.boilerplate:
        file = workspace.files.boilerplate
        keys = workspace.one_file(file, SKETCH).read()["key"].combine_chunks()
    return _core.Sketcher(recipe.as_dict(), threads, keys)


def find_boilerplate(
    collection: Collection, recipe: Recipe, workspace: Workspace, run: Run, blocks: Blocks
) -> None:
    """Writes the keys of the boilerplate of a collection into the workspace, unless they are there
    from a run that was stopped."""
    files = workspace.files
    if not recipe.boilerplate or files.boilerplate.is_file():
        return
    for source in collection.sources:
        if not source.rereadable:
            raise InputError(
                f"{source.name} cannot be read twice, which finding boilerplate takes; write it to "
                "a file first"
            )
    with run.database() as database:
        database.add("blocks", blocks(collection, recipe, workspace, run))
        found = database.batches(MANY.format(least=recipe.boilerplate), ROWS)
        tables = (pa.Table.from_batches([batch]) for batch in found)
        rows = chain([found.schema.empty_table()], tables)
        write_table(files.boilerplate, rows, name=files.name(files.boilerplate))


def page_blocks(sketcher: _core.Sketcher, batch: Batch, recipe: Recipe) -> pa.RecordBatch:
    """Every block of every page of a batch, with the digest of the page's tokens."""
    pages = content(batch.pages, recipe)
    blocks = sketcher.blocks(pages)["blocks"]
    digests = sketcher.sketch(pages, [])["digest"]
    rows = pc.list_parent_indices(blocks)
    columns = [pc.list_flatten(blocks), digests.take(rows)]
    return pa.RecordBatch.from_arrays(columns, schema=BLOCKS)
