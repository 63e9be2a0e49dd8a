"""For exact copies that go: where the page stands that stays, if its bytes may be the same."""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.rules.registry import EXACT
from webecho.read.pages import Source
from webecho.run import Run
from webecho.workspace.workspace import Workspace
from webecho.write.kept import has_revisits
from webecho.write.selection import Original, Originals

# Whether the stored bytes are equal too is seen when both are read. A copy that is a revisit
# already stays as it is.
SAME_BYTES = f"""
SELECT
    copy.page, copy.source, copy.place, kept.source AS kept_source, kept.place AS kept_place
FROM gone
JOIN pages AS copy ON copy.page = gone.page
JOIN pages AS kept ON kept.page = gone.kept_page
WHERE gone.rule = '{EXACT.name}' AND copy.markup_digest = kept.markup_digest
    AND kept.revisit_of IS NULL
ORDER BY copy.source NULLS LAST, copy.place NULLS LAST
"""


class ExactCopies:
    """The exact copies that may become revisits."""

    def __init__(
        self, workspace: Workspace, gone: pa.Table, sources: Sequence[Source], run: Run
    ) -> None:
        self._sources = sources
        with run.database() as database:
            database.add("gone", gone)
            database.add("pages", workspace.stored("sketches"))
            rows = database.table(SAME_BYTES)
        archives = [number for number, each in enumerate(sources) if has_revisits(each)]
        known = pa.array(archives, rows["source"].type)
        both = (pc.is_in(rows[name], value_set=known) for name in ("source", "kept_source"))
        self._rows = rows.filter(pc.and_(*both)).combine_chunks()

    @property
    def pages(self) -> pa.Array:
        return self._rows["page"].combine_chunks()

    def originals(self, number: int) -> Originals:
        """What gives the original of the page at a place in the source of this number."""
        here = self._rows.filter(pc.equal(self._rows["source"], number))
        columns = (here[name].to_pylist() for name in ("place", "kept_source", "kept_place"))
        found = {place: (source, kept) for place, source, kept in zip(*columns, strict=True)}

        def original(place: int) -> Original | None:
            if place not in found:
                return None
            source, kept = found[place]
            return Original(self._sources[source].name, kept)

        return original
