"""For copies that go: where the page stands that stays, if its bytes are the same.

They may become revisits. Of those that cannot, it is counted why.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.formats.entries import by_bytes
from webecho.group.rules.keys import PAYLOAD
from webecho.group.stars import NEAR
from webecho.read.pages import Source
from webecho.run import Run
from webecho.workspace.workspace import Workspace
from webecho.write.decisions import rows_of
from webecho.write.kept import is_archive
from webecho.write.selection import Original, Originals

# A revisit has the digests of its original, so that they tell whether it can become one of the page
# that stays. `kept_source` of an earlier collection is a number there.
COPIES = f"""
SELECT
    copy.page, copy.source, copy.place, gone.kept_page,
    kept.source AS kept_source, kept.place AS kept_place,
    coalesce(copy.revisit_of = gone.kept_page, FALSE) AS stands,
    CASE
        WHEN copy.source NOT IN (SELECT source FROM archives) THEN 'not in an archive'
        WHEN copy.revisit_of = gone.kept_page THEN NULL
        WHEN gone.agrees = '{PAYLOAD.name}' THEN NULL
        WHEN copy.revisit_of IS NOT NULL THEN 'a revisit whose original went'
        WHEN gone.agrees = '{NEAR}' THEN 'near'
        ELSE concat('same ', gone.agrees, ', other bytes')
    END AS reason
FROM gone
JOIN pages AS copy ON copy.page = gone.page
JOIN kept ON kept.page = gone.kept_page
ORDER BY copy.source NULLS LAST, copy.place NULLS LAST
"""

# All pages that may stay for others; those of an earlier collection have negative numbers.
KEPT = "SELECT page, source, place FROM pages"
EARLIER = """
UNION ALL SELECT page - {first} AS page, source, place FROM earlier
"""


# The place of a copy, and what an `Original` says.
ORIGINALS = pa.schema(
    [
        ("at", pa.int64()),
        ("file", pa.binary()),
        ("place", pa.int64()),
        ("container", pa.binary()),
        ("stands", pa.bool_()),
    ]
)


class ExactCopies:
    """The copies that may become revisits; `old` is the earlier collection, if there is one."""

    def __init__(
        self,
        workspace: Workspace,
        gone: pa.Table,
        sources: Sequence[Source],
        run: Run,
        old: Workspace | None = None,
    ) -> None:
        self._files = [each.name if is_archive(each.format) else None for each in sources]
        self._earlier = [] if old is None else [_container(each) for each in old.manifest.sources]
        archives = [number for number, name in enumerate(self._files) if name is not None]
        with run.database() as database:
            database.add("gone", gone)
            database.add("archives", pa.table({"source": pa.array(archives, pa.int32())}))
            database.add("pages", workspace.stored("sketches"))
            kept = KEPT
            if old is not None:
                database.add("earlier", old.stored("sketches"))
                kept += EARLIER.format(first=old.pages)
            database.view("kept", kept)
            rows = database.table(COPIES)
        reasons = rows["reason"].drop_null().value_counts().to_pylist()
        self.without: Mapping[str, int] = {
            each["values"]: each["counts"]
            for each in sorted(reasons, key=lambda one: one["values"])
        }
        self._rows = rows.filter(rows["reason"].is_null()).combine_chunks()

    @property
    def pages(self) -> pa.Array:
        return self._rows["page"].combine_chunks()

    def originals(self, number: int) -> pa.Table:
        """The originals of the copies in the source of this number, by their places in it."""
        here = rows_of(self._rows, number)
        new = pc.greater_equal(here["kept_page"], 0)
        own, old = (pc.if_else(each, here["kept_source"], None) for each in (new, pc.invert(new)))
        names, containers = zip(*self._earlier, strict=True) if self._earlier else ((), ())
        columns = [
            here["place"],
            pc.coalesce(_texts(self._files).take(own), _texts(names).take(old)),
            here["kept_place"],
            _texts(containers).take(old),
            here["stands"],
        ]
        return pa.table(columns, schema=ORIGINALS)

    def pages_at(self, number: int, places: Sequence[int]) -> pa.Array:
        """The copies that stand at these places of a source."""
        here = pc.and_(
            pc.equal(self._rows["source"], number),
            pc.is_in(self._rows["place"], value_set=pa.array(places, pa.int64())),
        )
        return self._rows["page"].filter(here).combine_chunks()


def original_at(rows: pa.Table | None) -> Originals | None:
    """What gives the original of the copy at a place, if there are any; see `originals`."""
    if rows is None:
        return None
    found = {row.pop("at"): row for row in rows.to_pylist()}

    def original(place: int) -> Original | None:
        if place not in found:
            return None
        row = found[place]
        return Original(_name(row["file"]), row["place"], _name(row["container"]), row["stands"])

    return original


def _texts(names: Sequence[str | None]) -> pa.Array:
    """Names of files, which need not be UTF-8."""
    return pa.array([None if name is None else by_bytes(name) for name in names], pa.binary())


def _name(path: bytes | None) -> str | None:
    return None if path is None else path.decode("utf-8", "surrogateescape")


def _container(source: dict[str, Any]) -> tuple[str | None, str | None]:
    """The file of a source of an earlier collection, if it is an archive, and the name of that."""
    if not is_archive(source["format"]):
        return None, None
    return source["name"], PurePosixPath(source["name"]).name
