"""*Side*: one of two pages that are compared, with all that is known of it.

A page of a workspace is read again from its source. Where that is gone the side has what is stored:
its sketch, and its shingles if they were kept, but no words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from webecho import _core
from webecho.chunkings import Chunking, chunking_of
from webecho.errors import InputError
from webecho.group.chunk_lists import COLUMN as CHUNKS
from webecho.group.rules.keys import DIGESTS
from webecho.memory import wording
from webecho.read.pages import Source
from webecho.run import Run
from webecho.settings import SKETCH_COLUMNS, Recipe
from webecho.sketches.boilerplate import content
from webecho.workspace.reread import read_page
from webecho.workspace.workspace import Workspace

# The chunkings by which pages are compared, whatever tables there are.
CHUNKINGS = (Chunking("lines", 4),)
# What is kept in tables of these names, if it is.
KEPT = ("shingles", "paragraphs", *(chunking.table for chunking in CHUNKINGS))
DIGESTED = tuple(dict.fromkeys(name for each in DIGESTS for name in each.columns))
FACTS = ("title", "tokens", "chars", *DIGESTED)


@dataclass(frozen=True)
class Side:
    """What a page is called, a row with its sketch, and its words unless they are `gone`."""

    names: dict[str, Any]  # page, url, id
    sketch: pa.RecordBatch
    words: pa.RecordBatch | None
    # Why the page could not be read again.
    gone: str | None = None

    def fact(self, name: str) -> Any:
        """A single value of the sketch."""
        return self.sketch[name][0].as_py()

    def has(self, column: str) -> bool:
        """Whether a list is known, be it that the page has none."""
        return column in self.sketch.schema.names

    def values(self, column: str) -> pa.Array | None:
        """A list of the sketch; None where it is not stored, or the page has no tokens."""
        if not self.has(column):
            return None
        return self.sketch[column][0].values


def side_of(
    page: pa.RecordBatch,
    sketcher: _core.Sketcher,
    number: int | None = None,
    recipe: Recipe | None = None,
    run: Run | None = None,
) -> Side:
    """The side that a page makes, given as a batch of one row of `PAGES`. The recipe of a workspace
    says whether boilerplate is left out; a page by itself has none. The run may have too little
    memory for another of so many words."""
    body = content(page, recipe)
    names = {"page": number, "url": page["url"][0].as_py(), "id": page["id"][0].as_py()}
    columns = [*SKETCH_COLUMNS, *KEPT]
    sketch = sketcher.sketch(body, columns)
    count = sketch["tokens"][0].as_py() or 0
    if run is not None:
        run.check_memory(wording(2 * count), f"comparing a page of {count:,} words")
    return Side(names, sketch, words(sketcher, body))


def stored_side(
    workspace: Workspace,
    page: int,
    sketcher: _core.Sketcher,
    run: Run,
    sources: Mapping[int, Source] | None = None,
) -> Side:
    """The side that a page of a workspace makes."""
    row = workspace.row(page, ["url", "id", "revisit_of", *FACTS, *workspace.manifest.columns])
    names = {name: row[name][0].as_py() for name in ("page", "url", "id")}
    # The content of a revisit stands in the record that it repeats.
    revisited = row["revisit_of"][0].as_py()
    original = page if revisited is None else revisited
    try:
        page_again = read_page(workspace, original, run, sources)
        found = side_of(page_again, sketcher, recipe=workspace.recipe, run=run)
    except InputError as error:
        files = workspace.manifest.parts[workspace.part_of(original)].files
        for table in (each for each in KEPT if each in files):
            column = table if chunking_of(table) is None else CHUNKS
            kept = workspace.row(original, [column], table)
            row = row.append_column(table, kept[column])
        return Side(names, row, None, str(error))
    return Side(names, found.sketch, found.words)


def words(sketcher: _core.Sketcher, body: pa.RecordBatch) -> pa.RecordBatch | None:
    """The words of a page; None if it has no content, being a revisit of something unknown."""
    return sketcher.words(body) if body["body"][0].is_valid else None
