"""What several snapshots tell of mirrors together: how pages of mirrors change (Fetterly 2004,
Figure 11), what is left of the mirrors of the first, and how *fresh* each copy is.

A page counts in Figure 11 by the largest mirror that its earlier version is in.

A copy is *behind* the other if it is nearer to what that was in an earlier snapshot than to what it
is now, by the features in common; by as many snapshots as lie between, the fewest if several are
as near. Counterparts of folders of two hosts are compared (subtrees.py), each with up to four
earlier versions of the other. Where neither is behind, or both are as much, they are in step: so
what each host puts on all of its pages says nothing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from webecho import _core
from webecho.engine.protocol import Database
from webecho.group.columns import member_lists
from webecho.run import Run
from webecho.study.captures import add_captures
from webecho.study.figures import Figure, Stacked
from webecho.study.mirror_groups import Standing
from webecho.study.mirror_snapshot import Snapshot, with_room
from webecho.study.page_changes import Features, add_page_changes
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

# So many earlier versions are looked at.
MOST_BEHIND = 4
# Sizes of mirrors; those below ten are there if fewer pages are asked for.
CLASSES = ((1, 9), (10, 99), (100, 999), (1_000, 9_999), (10_000, None))
# The paper's classes of change, from the bottom of a bar on.
CHANGES = (
    *("no change", "no text change", "small change"),
    *("medium change", "large change", "complete change"),
)
RETENTION = pa.schema(
    {
        "collection": pa.string(),
        "mirrors of the first": pa.int64(),
        "still mirrors": pa.int64(),
        "share still mirrors": pa.float64(),
        "still pairs": pa.int64(),
        "mirrored pages of the first": pa.int64(),
        "still there": pa.int64(),
        "still mirrored": pa.int64(),
        "share still mirrored": pa.float64(),
    }
)
CHANGED = pa.schema(
    {"size of mirror": pa.string(), "downloads": pa.int64()}
    | {f"share of {name}": pa.float64() for name in CHANGES}
)
FRESHNESS = pa.schema(
    {
        "collection": pa.string(),
        "mirror host": pa.string(),
        "mirror path": pa.string(),
        "canonical host": pa.string(),
        "canonical path": pa.string(),
        "counterparts": pa.int64(),
        "in step": pa.int64(),
        "mirror behind": pa.int64(),
        "canonical behind": pa.int64(),
        "mirror behind by": pa.float64(),
        "canonical behind by": pa.float64(),
    }
)

_RETAINED = """
SELECT
    count(*) AS pages,
    count(here.page) AS there,
    count(mirrored_{number}.page) AS mirrored
FROM mirrored_1
JOIN captures_1 AS first ON first.page = mirrored_1.page
LEFT JOIN captures_{number} AS here ON here.address = first.address
LEFT JOIN mirrored_{number} ON mirrored_{number}.page = here.page
"""
_CHANGES = """
SELECT size, common, count(*) AS downloads
FROM changes_{number} AS changes
JOIN mirrored_{earlier} AS mirrored ON mirrored.page = earlier_page
WHERE earlier = {earlier}
GROUP BY size, common ORDER BY size NULLS LAST, common NULLS LAST
"""
# Pages without words have nothing by which they could be behind.
_FACING = """
SELECT
    counterparts.number, one.address AS left_address, other.address AS right_address,
    one.page AS left_page, other.page AS right_page,
    CASE WHEN one.words = other.words THEN 1 ELSE 0 END AS same
FROM counterparts
JOIN captures_{number} AS one ON one.page = counterparts.left_page
JOIN captures_{number} AS other ON other.page = counterparts.right_page
WHERE one.words IS NOT NULL AND other.words IS NOT NULL
ORDER BY counterparts.number NULLS LAST, one.page NULLS LAST, other.page NULLS LAST
"""
# The pages of the other side in an earlier snapshot, or null.
_EARLIER = """
SELECT one.page AS left_earlier, other.page AS right_earlier
FROM facing
LEFT JOIN captures_{number} AS one ON one.address = left_address AND one.words IS NOT NULL
LEFT JOIN captures_{number} AS other ON other.address = right_address AND other.words IS NOT NULL
WHERE same = 0
ORDER BY facing.number NULLS LAST, left_page NULLS LAST, right_page NULLS LAST
"""
_DIFFERING = """
SELECT number, left_page, right_page FROM facing WHERE same = 0
ORDER BY number NULLS LAST, left_page NULLS LAST, right_page NULLS LAST
"""
_SAME = """
SELECT number, count(*) AS counterparts, CAST(sum(same) AS BIGINT) AS same
FROM facing GROUP BY number ORDER BY number NULLS LAST
"""
Numbers = npt.NDArray[np.int64]
Row = dict[str, Any]


@dataclass(frozen=True)
class Changes:
    """What snapshots tell together: the tables by name, and Figure 11."""

    tables: dict[str, pa.Table]
    figures: dict[str, Figure]
    hosts_unchanged: float | None


def over_time(workspaces: Sequence[Workspace], found: Sequence[Snapshot], run: Run) -> Changes:
    """What became of mirrors from the first snapshot on; there are several."""
    with with_room(run).database() as database:
        add_captures(database, workspaces, run)
        for number, each in enumerate(found, 1):
            database.add(f"mirrored_{number}", each.mirrored)
        retention = [retained(database, found, number) for number in range(2, len(found) + 1)]
        add_page_changes(database, workspaces, run)
        counts = change_counts(database, len(found))
        run.begin("telling how fresh copies are")
        fresh = [
            row
            for number in range(2, len(found) + 1)
            for row in freshness(database, workspaces, found[number - 1], number, run)
        ]
    changed = change_rows(counts, workspaces[0].recipe.m)
    return Changes(
        {
            "retention": pa.Table.from_pylist(retention, RETENTION),
            "changes": pa.Table.from_pylist(changed, CHANGED),
            "freshness": pa.Table.from_pylist(fresh, FRESHNESS),
        },
        change_figure(changed),
        unchanged_hosts(found[0].hosts, found[-1].hosts),
    )


def retained(database: Database, found: Sequence[Snapshot], number: int) -> Row:
    """What a snapshot still has of the mirrors of the first."""
    first, here = found[0], found[number - 1]
    before, now, pairs = names(first.remaining), names(here.remaining), names(here.pairs)
    pages = database.row(_RETAINED.format(number=number))
    return {
        "collection": here.name,
        "mirrors of the first": len(before),
        "still mirrors": len(before & now),
        "share still mirrors": ratio(len(before & now), len(before)) if before else None,
        "still pairs": len(before & pairs),
        "mirrored pages of the first": pages["pages"],
        "still there": pages["there"],
        "still mirrored": pages["mirrored"],
        "share still mirrored": ratio(pages["mirrored"], pages["pages"])
        if pages["pages"]
        else None,
    }


def names(pairs: pa.Table) -> set[tuple[str, str]]:
    """The hosts of pairs, in one order whichever of them is the larger."""
    sides = (pairs[name].to_pylist() for name in ("left_name", "right_name"))
    return {(min(pair), max(pair)) for pair in zip(*sides, strict=True)}


def unchanged_hosts(first: pa.Table, last: pa.Table) -> float | None:
    """The share of the hosts of the first snapshot that are in as many clusters in the last."""
    before, after = (
        dict(zip(each["host"].to_pylist(), each["clusters"].to_pylist(), strict=True))
        for each in (first, last)
    )
    if not before:
        return None
    return ratio(sum(after.get(host) == clusters for host, clusters in before.items()), len(before))


def change_counts(database: Database, snapshots: int) -> dict[tuple[int, int], int]:
    """How many downloads have so many features in common with the one before, by the size of the
    mirror that this was in."""
    counts: dict[tuple[int, int], int] = {}
    for number in range(2, snapshots + 1):
        for earlier in range(1, number):
            query = _CHANGES.format(number=number, earlier=earlier)
            for row in database.table(query).to_pylist():
                place = row["size"], row["common"]
                counts[place] = counts.get(place, 0) + row["downloads"]
    return counts


def change_class(common: int, m: int) -> str:
    """The class of a change, by how many of m features are left; one more says that the bytes are
    the same. Of 84 they are 85, 84, 57 to 83, 29 to 56, 1 to 28 and 0."""
    ends = (m + 1, m, 2 * m // 3 + 1, m // 3 + 1, 1, 0)
    return next(name for name, least in zip(CHANGES, ends, strict=True) if common >= least)


def change_rows(counts: dict[tuple[int, int], int], m: int) -> list[Row]:
    """A row for each class of sizes that there is."""
    rows = []
    for low, high in CLASSES:
        own = {
            (size, common): count
            for (size, common), count in counts.items()
            if size >= low and (high is None or size <= high)
        }
        if not own:
            continue
        downloads = sum(own.values())
        row: Row = {
            "size of mirror": f"{low:,}–{high:,}" if high else f"≥{low:,}",
            "downloads": downloads,
        }
        parts = Counter[str]()
        for (_, common), count in own.items():
            parts[change_class(common, m)] += count
        row |= {f"share of {name}": ratio(parts[name], downloads) for name in CHANGES}
        rows.append(row)
    return rows


def change_figure(rows: Sequence[Row]) -> dict[str, Figure]:
    """Figure 11."""
    if not rows:
        return {}
    parts = {name: [row[f"share of {name}"] for row in rows] for name in CHANGES}
    title = "Change between successive downloads of mirrored pages"
    sizes = [row["size of mirror"] for row in rows]
    return {"changes": Stacked(title, "pages of the mirror", "share of downloads", sizes, parts)}


def freshness(
    database: Database,
    workspaces: Sequence[Workspace],
    found: Snapshot,
    number: int,
    run: Run,
) -> list[Row]:
    """For each mirrored folder of a snapshot how many of its pages are behind, and by how much."""
    database.add("counterparts", found.counterparts)
    database.keep("facing", _FACING.format(number=number))
    counted = {row["number"]: row for row in database.table(_SAME).to_pylist()}
    pairs = database.table(_DIFFERING)
    behind = lags(database, workspaces, pairs, number, run)
    mapping = pairs["number"].to_numpy()
    between = [each for each in found.standing if not each.subtree.is_within]
    rows = []
    for place, each in enumerate(between):
        if place in counted:
            own = behind[:, mapping == place]
            rows.append({"collection": found.name} | fresh_row(each, counted[place], own))
    # Those that are most behind first.
    return sorted(
        rows,
        key=lambda row: (
            *(-row["mirror behind"] - row["canonical behind"], -row["counterparts"]),
            *(row["mirror host"], row["mirror path"]),
        ),
    )


def fresh_row(of: Standing, counted: Row, behind: Numbers) -> Row:
    """What is told of a mirrored folder: `behind` has the lags of the canonical pages and of the
    mirror's."""
    canonical, mirror = (int((each > 0).sum()) for each in behind)
    same = {name: of.row[name] for name in FRESHNESS.names if name in of.row}
    return same | {
        "counterparts": counted["counterparts"],
        "in step": counted["counterparts"] - canonical - mirror,
        "mirror behind": mirror,
        "canonical behind": canonical,
        "mirror behind by": ratio(int(behind[1].sum()), mirror) if mirror else None,
        "canonical behind by": ratio(int(behind[0].sum()), canonical) if canonical else None,
    }


def lags(
    database: Database, workspaces: Sequence[Workspace], pairs: pa.Table, number: int, run: Run
) -> Numbers:
    """By how many snapshots the left and the right page of each pair is behind; 0 where it is
    not."""
    here = workspaces[number - 1]
    left, right = pairs["left_page"].to_numpy(), pairs["right_page"].to_numpy()
    own = features(here, np.concatenate([left, right]))
    now = common(own, left, own, right, here.recipe.m, run)
    # How near each side comes to an earlier version of the other, and how long ago that was.
    nearest = np.vstack([now, now])
    ago = np.zeros((2, len(now)), np.int64)
    for earlier in range(number - 1, max(0, number - 1 - MOST_BEHIND), -1):
        table = database.table(_EARLIER.format(number=earlier))
        versions = [table[name].combine_chunks() for name in ("right_earlier", "left_earlier")]
        there = [each.is_valid().to_numpy(zero_copy_only=False) for each in versions]
        pages = [each.drop_null().to_numpy() for each in versions]
        past = features(workspaces[earlier - 1], np.concatenate(pages))
        for side, mine in enumerate((left, right)):
            found = np.full(len(now), -1, np.int64)
            found[there[side]] = common(
                own, mine[there[side]], past, pages[side], here.recipe.m, run
            )
            nearer = found > nearest[side]
            nearest[side] = np.where(nearer, found, nearest[side])
            ago[side] = np.where(nearer, number - earlier, ago[side])
    # Only the one that is behind by more is.
    ago[0] = np.where(nearest[0] > nearest[1], ago[0], 0)
    ago[1] = np.where(nearest[1] > nearest[0], ago[1], 0)
    return ago


def common(
    left: Features, pages: Numbers, right: Features, others: Numbers, m: int, run: Run
) -> Numbers:
    """How many features pages have in common, one by one."""
    if not len(pages):
        return np.zeros(0, np.int64)
    rows = left.rows(pages), right.rows(others)
    found = _core.features_in_common(left.values, right.values, *rows, m, run.threads)
    counts: Numbers = found.to_numpy().astype(np.int64)
    return counts


def features(workspace: Workspace, pages: Numbers) -> Features:
    """The features of these pages, each once."""
    unique = np.unique(pages)
    return Features(unique, member_lists(workspace, pa.array(unique, pa.int64()), "features"))
