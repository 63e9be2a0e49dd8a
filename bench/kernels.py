"""Text and HTML to sketches, one core, nothing read or written."""

from collections.abc import Iterator

import pyarrow as pa

from bench import pages
from bench.measure import Row, best
from webecho import _core
from webecho.chunkings import parse_chunkings
from webecho.settings import RECIPES, SKETCH_COLUMNS, WEBECHO, Recipe

# MB/s per core that are wanted from text, and of HTML from HTML, to all sketches.
WANTED = {"text": 90.0, "HTML": 150.0}
# Chunks that are made along with the sketches.
CHUNKED = ("lines:4", "lines:4,lines:2,words:8:sliding")
# The papers' recipes evaluate 84 functions for each shingle; a sample is enough.
SAMPLE = 2000


def rows(repeat: int) -> Iterator[Row]:
    for name, bodies in (("text", pages.text()), ("HTML", pages.html())):
        batch = pages.batch(bodies, markup=name == "HTML")
        for columns, what in (
            (SKETCH_COLUMNS, "all sketches"),
            (SKETCH_COLUMNS[:2], "features and supershingles"),
            ((), "digests alone"),
        ):
            wanted = WANTED[name] if columns == SKETCH_COLUMNS else None
            yield measured(f"{name} to {what}, 1 core", batch, columns, WEBECHO, repeat, wanted)
        for chunkings in CHUNKED:
            tables = tuple(chunking.table for chunking in parse_chunkings(chunkings))
            what = f"{name} to all sketches and {chunkings}, 1 core"
            yield measured(what, batch, (*SKETCH_COLUMNS, *tables), WEBECHO, repeat, None)
        for recipe in RECIPES.values():
            if recipe is not WEBECHO:
                what = f"{name} to all sketches, {recipe.name}, 1 core"
                yield measured(what, batch.slice(0, SAMPLE), SKETCH_COLUMNS, recipe, 1, None)


def measured(
    what: str,
    batch: pa.RecordBatch,
    columns: tuple[str, ...],
    recipe: Recipe,
    repeat: int,
    wanted: float | None,
) -> Row:
    sketcher = _core.Sketcher(recipe.as_dict(), 1)
    seconds = best(repeat, lambda: sketcher.sketch(batch, columns))
    size = sum(len(body) for body in batch["body"].cast(pa.large_binary()).to_pylist())
    return Row(what, size, seconds, wanted)
