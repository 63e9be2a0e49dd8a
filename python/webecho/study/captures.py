"""*Capture*: the page that a snapshot has of an address; of several the first.

*Snapshots* are collections of one web, one after the other; they are numbered from 1 on, as they
were given. Addresses, hosts and digests are numbers of 64 bits here, so that what joins snapshots
is no text: among a hundred million addresses two are taken for one with a chance of 3 in 10,000.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.protocol import Database
from webecho.errors import WorkspaceError
from webecho.run import Run
from webecho.workspace.prefetch import prefetch
from webecho.workspace.workspace import Workspace

COLUMNS = ("page", "url", "host", "chars", "markup_digest", "digest")
READ = pa.schema(
    {
        "page": pa.int64(),
        "address": pa.int64(),
        "host": pa.int64(),
        "known": pa.bool_(),
        "markup": pa.int64(),
        "words": pa.int64(),
    }
)
# By their digests the bytes of a page, of which there may be none, and its words: null for none.
FIRST = """
SELECT
    CAST({number} AS INT) AS snapshot, page, address, host, coalesce(markup, 0) AS markup, words
FROM captured JOIN (
    SELECT min(page) AS page FROM captured WHERE known AND address IS NOT NULL GROUP BY address
) AS firsts USING (page)
"""
COUNTED = """
SELECT
    count(*) AS pages,
    count(*) FILTER (WHERE address IS NULL) AS "without address",
    count(*) FILTER (WHERE address IS NOT NULL AND NOT known) AS unknown
FROM captured
"""


@dataclass(frozen=True)
class Captured:
    """How many pages a snapshot has, how many of them have no address, how many are revisits of
    what is not known, and how many addresses there are of the rest."""

    pages: int
    without_address: int
    unknown: int
    addresses: int


def add_captures(database: Database, snapshots: Sequence[Workspace], run: Run) -> list[Captured]:
    """Adds `captures`: `snapshot`, `page`, `address`, `host`, `markup` and `words`, a row for each
    address of each snapshot; and the same of each snapshot alone, `captures_1` and so on."""
    check_recipes(snapshots)
    found = []
    for number, workspace in enumerate(snapshots, 1):
        run.begin("reading addresses")
        database.add("captured", pa.RecordBatchReader.from_batches(READ, read(workspace)))
        database.keep("captured", "SELECT * FROM captured")
        database.keep(f"captures_{number}", FIRST.format(number=number))
        counted = database.row(COUNTED)
        of = database.row(f"SELECT count(*) AS addresses FROM captures_{number}")
        found.append(
            Captured(
                *(counted["pages"], counted["without address"], counted["unknown"]),
                of["addresses"],
            )
        )
    # What was read of the last one is no longer needed.
    database.add("captured", READ.empty_table())
    database.view("captures", every("captures", range(1, len(snapshots) + 1)))
    return found


def check_recipes(snapshots: Sequence[Workspace]) -> None:
    """Refuses snapshots whose sketches cannot be compared."""
    first, *others = snapshots
    for each in others:
        if each.manifest.recipe != first.manifest.recipe:
            ours, theirs = (
                f"{one.recipe.name} (version {one.recipe.version})" for one in (first, each)
            )
            raise WorkspaceError(
                f"{each.path} was sketched by the recipe {theirs}, but {first.path} by {ours}; "
                "snapshots are compared by one recipe: sketch one of them again"
            )


def every(table: str, numbers: Sequence[int]) -> str:
    """SQL for the rows of all tables that are called so with a number."""
    return " UNION ALL ".join(f"SELECT * FROM {table}_{number}" for number in numbers)


def read(workspace: Workspace) -> Iterator[pa.RecordBatch]:
    """The pages of a snapshot with the columns of `captured`."""
    for batch in prefetch(workspace.batches(COLUMNS)):
        columns = [
            batch["page"],
            _core.text_keys(batch["url"]),
            _core.text_keys(batch["host"]),
            batch["chars"].is_valid(),
            numbers_of(batch["markup_digest"]),
            numbers_of(batch["digest"]),
        ]
        yield pa.RecordBatch.from_arrays(columns, schema=READ)


def numbers_of(digests: pa.Array) -> pa.Array:
    """The first 64 bits of digests of 128: enough to tell two versions of one page apart."""
    values = pc.fill_null(digests, bytes(16)).cast(pa.binary(16))
    words = np.frombuffer(values.buffers()[1], "<i8", 2 * len(values), 16 * values.offset)
    return pa.array(words[::2], pa.int64(), mask=digests.is_null().to_numpy(zero_copy_only=False))


def check_order(workspaces: Sequence[Workspace], run: Run) -> None:
    """Warns where all of a snapshot was fetched before the one that is given before it."""
    with run.database() as database:
        times = []
        for workspace in workspaces:
            database.add("sketches", workspace.stored("sketches"))
            times.append(
                database.row("SELECT min(fetched) AS first, max(fetched) AS last FROM sketches")
            )
    for (one, before), (other, after) in pairwise(zip(workspaces, times, strict=True)):
        if before["first"] and after["last"] and after["last"] < before["first"]:
            run.warn(
                f"{other.path} was fetched before {one.path}, after which it is given; give the "
                "oldest snapshot first"
            )
