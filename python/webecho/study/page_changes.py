"""*Change*: how many features two successive successful downloads of an address have in common
(Fetterly 2004, Figures 8 to 11).

Of m = 84 features 0 to 84 may agree; 85 says that the bytes are the same, markup included. Where
the words are the same all features are, and nothing is compared. Pages without words have no
features: two such agree in all 84, and one of them agrees with a page that has words in none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from webecho import _core
from webecho.engine.protocol import Database
from webecho.errors import WorkspaceError
from webecho.group.columns import member_lists
from webecho.run import Run
from webecho.study.captures import every
from webecho.workspace.workspace import Workspace

# The last capture of each address so far.
LATEST = "SELECT {columns} FROM {captures}"
STILL = """
{latest} UNION ALL
SELECT {columns} FROM latest
WHERE NOT EXISTS (SELECT 1 FROM {captures} AS here WHERE here.address = latest.address)
"""
# What two captures have in common, as far as their digests tell.
SUCCESSIVE = """
SELECT
    here.address AS address,
    latest.snapshot AS earlier,
    latest.page AS earlier_page,
    here.snapshot AS later,
    here.page AS later_page,{carried}
    CASE
        WHEN here.markup = latest.markup THEN {m} + 1
        WHEN here.words = latest.words THEN {m}
        WHEN here.words IS NULL AND latest.words IS NULL THEN {m}
        WHEN here.words IS NULL OR latest.words IS NULL THEN 0
    END AS common
FROM {captures} AS here JOIN latest ON latest.address = here.address
"""
CHANGED = """
SELECT earlier, earlier_page, later_page FROM changes_{later}
WHERE common IS NULL ORDER BY later_page NULLS LAST
"""
# The pages of a snapshot whose features are compared with those of another version.
COMPARED = """
SELECT earlier_page AS page FROM changes WHERE common IS NULL AND earlier = {number}
UNION SELECT later_page FROM changes WHERE common IS NULL AND later = {number}
ORDER BY page NULLS LAST
"""
FILLED = """
SELECT
    address, earlier, earlier_page, later, changes_{later}.later_page AS later_page,{carried}
    CAST(coalesce(changes_{later}.common, counted.common) AS INT) AS common
FROM changes_{later} LEFT JOIN counted ON counted.later_page = changes_{later}.later_page
"""


@dataclass(frozen=True)
class Features:
    """Pages in ascending order, and the features of each, flat, in a mapped file."""

    pages: np.ndarray
    values: pa.Array

    def rows(self, pages: np.ndarray) -> pa.Array:
        """Where these pages stand."""
        return pa.array(np.searchsorted(self.pages, pages).astype(np.uint32))


def add_page_changes(
    database: Database, snapshots: Sequence[Workspace], run: Run, carried: Sequence[str] = ()
) -> None:
    """Adds `changes`: for each two successive snapshots that have an address, `address`, `earlier`,
    `earlier_page`, `later`, `later_page` and `common`, by the later snapshot also `changes_2` and
    so on. The database has `captures` (see captures.py); its `carried` columns come along from the
    earlier snapshot, as `earlier_…`."""
    for each in snapshots:
        each.require("features")
    run.begin("comparing versions")
    m, later = snapshots[0].recipe.m, [*range(2, len(snapshots) + 1)]
    find_successive(database, later, m, carried)
    needed = last_needed(database)
    features: dict[int, Features] = {}
    names = "".join(f" earlier_{name}," for name in carried)
    for number in later:
        pairs = database.table(CHANGED.format(later=number))
        if pairs.num_rows:
            for own in {number, *pairs["earlier"].unique().to_pylist()} - {*features}:
                features[own] = features_of(database, snapshots[own - 1], own)
        database.add("counted", counted_features(pairs, features, number, m, run))
        database.keep(f"changes_{number}", FILLED.format(later=number, carried=names))
        features = {own: each for own, each in features.items() if needed.get(own, 0) > number}


def find_successive(
    database: Database, later: Sequence[int], m: int, carried: Sequence[str]
) -> None:
    """Adds `changes` with what the digests tell of them."""
    columns = ", ".join(["address", "snapshot", "page", "markup", "words", *carried])
    names = "".join(f" latest.{name} AS earlier_{name}," for name in carried)
    first = LATEST.format(captures="captures_1", columns=columns)
    database.keep("latest", first)
    for number in later:
        captures = f"captures_{number}"
        query = SUCCESSIVE.format(captures=captures, m=m, carried=names)
        database.keep(f"changes_{number}", query)
        latest = LATEST.format(captures=captures, columns=columns)
        still = STILL.format(latest=latest, captures=captures, columns=columns)
        database.keep("latest", still)
    database.keep("latest", f"{first} WHERE 1 = 0")
    if not later:
        # One snapshot has no changes.
        query = SUCCESSIVE.format(captures="captures_1", m=m, carried=names)
        database.keep("changes_1", query)
    database.view("changes", every("changes", later or [1]))


def last_needed(database: Database) -> dict[int, int]:
    """For each snapshot the last that is compared with it."""
    query = "SELECT earlier, max(later) AS later FROM changes WHERE common IS NULL GROUP BY earlier"
    found = database.table(query).to_pylist()
    return {row["earlier"]: row["later"] for row in found}


def features_of(database: Database, workspace: Workspace, number: int) -> Features:
    """The features of those pages of a snapshot that are compared."""
    pages = database.table(COMPARED.format(number=number))["page"].combine_chunks()
    values = member_lists(workspace, pages, "features")
    if len(values) != len(pages) * workspace.recipe.m:
        raise WorkspaceError(
            f"{workspace.path} has pages with words but without features; sketch it again"
        )
    return Features(pages.to_numpy(), values)


def counted_features(
    pairs: pa.Table, features: Mapping[int, Features], number: int, m: int, run: Run
) -> pa.Table:
    """For each page of a snapshot how many features it has in common with the page before."""
    earlier = pairs["earlier"].to_numpy()
    before, here = pairs["earlier_page"].to_numpy(), pairs["later_page"].to_numpy()
    pages, common = [pa.array([], pa.int64())], [pa.array([], pa.int32())]
    for own in np.unique(earlier).tolist():
        chosen = earlier == own
        left, right = features[own], features[number]
        rows = left.rows(before[chosen]), right.rows(here[chosen])
        found = _core.features_in_common(left.values, right.values, *rows, m, run.threads)
        pages.append(pa.array(here[chosen], pa.int64()))
        common.append(found)
    return pa.table({"later_page": pa.concat_arrays(pages), "common": pa.concat_arrays(common)})
