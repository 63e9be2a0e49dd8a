"""For exact copies that go: where the page stands that stays, if its bytes may be the same."""

from collections.abc import Callable, Sequence

import pyarrow as pa

from webecho.engine.local import connect
from webecho.read.pages import Source
from webecho.sketches.workspace import Workspace
from webecho.write.verdicts import Original, Originals

# Whether the stored bytes are equal too is seen when both are read.
SAME_BYTES = """
SELECT copy.source, copy.place, kept.source AS kept_source, kept.place AS kept_place
FROM gone
JOIN pages AS copy ON copy.page = gone.page
JOIN pages AS kept ON kept.page = gone.kept_page
WHERE gone.rule = 'exact' AND copy.markup_digest = kept.markup_digest AND kept.revisit_of IS NULL
    AND copy.revisit_of IS NULL
ORDER BY copy.source, copy.place
"""


def originals_of(
    workspace: Workspace, gone: pa.Table, sources: Sequence[Source]
) -> Callable[[int], Originals]:
    """For the number of a source: what gives the original of the page at a place in it."""
    files = [str(file) for file in workspace.part_files("sketches")]
    found: dict[int, dict[int, Original]] = {}
    if files:
        with connect() as connection:
            connection.register("gone", gone)
            connection.register("pages", connection.read_parquet(files))
            for source, place, kept_source, kept_place in connection.sql(SAME_BYTES).fetchall():
                original = Original(sources[kept_source], kept_place)
                found.setdefault(source, {})[place] = original
    return lambda number: found.get(number, {}).get
