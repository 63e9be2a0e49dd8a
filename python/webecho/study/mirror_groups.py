"""*Groups* of mirrors: hosts that a chain of confirmed mirrors holds together; and the table that a
crawler can use: each mirrored folder, the *canonical* one that stands for it, and how sure it is.

The canonical folder of two is that of the host with more pages, and within one host that with more
pages; where several snapshots tell that it is behind, the other. Of several that stand for a
folder the one is told that has most of its pages. *Confidence*
is where the 95 % interval (Wilson 1927) begins of the share of counterparts whose content is the
same. Only mappings with a confidence of at least a half are told.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from webecho.study.chains import lowest_joined
from webecho.study.mirror_pairs import ALIAS
from webecho.study.shares import ratio, wilson
from webecho.study.subtrees import Subtree

# Mappings of which less is sure are not for a crawler.
LEAST_CONFIDENCE = 0.5
# Names of a group that people are shown.
SHOWN = 8

GROUPS = pa.schema(
    {
        "collection": pa.string(),
        "group": pa.int64(),
        "hosts": pa.int64(),
        "mirrors": pa.int64(),
        "share of all pairs": pa.float64(),
        "canonical host": pa.string(),
        "names": pa.string(),
    }
)
GROUP_HOSTS = pa.schema(
    {
        "collection": pa.string(),
        "group": pa.int64(),
        "host": pa.string(),
        "pages": pa.int64(),
        "mirrors": pa.int64(),
    }
)
CRAWLER = pa.schema(
    {
        "mirror host": pa.string(),
        "mirror path": pa.string(),
        "canonical host": pa.string(),
        "canonical path": pa.string(),
        "kind": pa.string(),
        "pages": pa.int64(),
        "matched": pa.int64(),
        "share covered": pa.float64(),
        "differing": pa.int64(),
        "only on the mirror": pa.int64(),
        "only on the canonical host": pa.int64(),
        "confidence": pa.float64(),
    }
)
Row = dict[str, Any]
# Host and path of a mirror, and of what stands for it.
Folders = tuple[str, str, str, str]


@dataclass(frozen=True)
class Group:
    """Hosts, the largest first, with their pages and the mirrors of each, and all mirrors among
    them."""

    hosts: list[tuple[str, int, int]]
    mirrors: int


@dataclass(frozen=True)
class Standing:
    """A mapping of which one folder stands for the other, and what a crawler is told of it."""

    subtree: Subtree
    row: Row


def groups(pairs: pa.Table, hosts: pa.Table) -> list[Group]:
    """The groups of more than two hosts that these pairs make, those with most hosts first; `hosts`
    has the pages of each."""
    sides = [pairs[name].to_pylist() for name in ("left_name", "right_name")]
    pages = dict(zip(*(hosts[name].to_pylist() for name in ("host", "pages")), strict=True))
    names = sorted({*sides[0], *sides[1]}, key=lambda name: (-pages[name], len(name), name))
    order = {name: number for number, name in enumerate(names)}
    edges = [(order[left], order[right]) for left, right in zip(*sides, strict=True)]
    degree: dict[int, int] = defaultdict(int)
    for edge in edges:
        for number in edge:
            degree[number] += 1
    joined: dict[int, list[int]] = defaultdict(list)
    for number, first in enumerate(lowest_joined(len(names), edges)):
        joined[first].append(number)
    made = [
        Group(
            [(names[each], pages[names[each]], degree[each]) for each in numbers],
            sum(degree[each] for each in numbers) // 2,
        )
        for numbers in joined.values()
        if len(numbers) > 2
    ]
    return sorted(made, key=lambda each: (-len(each.hosts), -each.mirrors, each.hosts[0]))


def group_rows(name: str, found: Sequence[Group]) -> tuple[list[Row], list[Row]]:
    """The rows of groups, and of their hosts."""
    rows, hosts = [], []
    for number, group in enumerate(found, 1):
        names = [host for host, _, _ in group.hosts]
        more = f", and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
        rows.append(
            {
                "collection": name,
                "group": number,
                "hosts": len(names),
                "mirrors": group.mirrors,
                "share of all pairs": ratio(group.mirrors, len(names) * (len(names) - 1) / 2),
                "canonical host": names[0],
                "names": ", ".join(names[:SHOWN]) + more,
            }
        )
        hosts += [
            {"collection": name, "group": number, "host": host, "pages": pages, "mirrors": mirrors}
            for host, pages, mirrors in group.hosts
        ]
    return rows, hosts


def standing(pairs: pa.Table, subtrees: Sequence[Subtree]) -> list[Standing]:
    """For each mirrored folder that which stands for it, those with most matched pages first."""
    names = ("left_name", "right_name", "status", "shared_ip", "www")
    known = {
        (left, right): (status == ALIAS and shared == 1, www == 1)
        for left, right, status, shared, www in zip(
            *(pairs[name].to_pylist() for name in names), strict=True
        )
    }
    best: dict[tuple[str, str], tuple[tuple[int, float, int], Standing]] = {}
    for each in subtrees:
        row, number = crawler_row(each, known.get((each.left_name, each.right_name)))
        place = row["mirror host"], row["mirror path"]
        score = (row["matched"], row["confidence"], -number)
        if place not in best or score > best[place][0]:
            best[place] = score, Standing(each, row)
    return sorted(
        (found for _, found in best.values()),
        key=lambda found: (
            *(-found.row["matched"], found.row["mirror host"], found.row["mirror path"]),
        ),
    )


def crawler_table(found: Sequence[Standing], stale: Collection[Folders] = ()) -> pa.Table:
    """What a crawler can use: those of which enough is sure. Where what stands for a mirror is
    `stale`, by the names of both, the mirror stands for it."""
    rows: dict[tuple[str, str], Row] = {}
    for each in found:
        row = turned(each.row) if folders_of(each.row) in stale else each.row
        place = row["mirror host"], row["mirror path"]
        # Those with most matched pages come first.
        if row["confidence"] >= LEAST_CONFIDENCE and place not in rows:
            rows[place] = row
    return pa.Table.from_pylist([*rows.values()], CRAWLER)


def folders_of(row: Row) -> Folders:
    """The names of both folders of a mapping: host and path of the mirror, and of what stands."""
    mirror, canonical = "mirror", "canonical"
    return (
        *(row[f"{mirror} host"], row[f"{mirror} path"]),
        *(row[f"{canonical} host"], row[f"{canonical} path"]),
    )


def turned(row: Row) -> Row:
    """The mapping the other way round."""
    host, path, canonical_host, canonical_path = folders_of(row)
    here, there = row["only on the canonical host"], row["only on the mirror"]
    pages = row["matched"] + row["differing"] + here
    return row | {
        "mirror host": canonical_host,
        "mirror path": canonical_path,
        "canonical host": host,
        "canonical path": path,
        "pages": pages,
        "share covered": ratio(row["matched"], pages),
        "only on the mirror": here,
        "only on the canonical host": there,
    }


def crawler_row(each: Subtree, known: tuple[bool, bool] | None) -> tuple[Row, int]:
    """A mapping as a crawler takes it, and the number of the host that stands for the other."""
    mapped = each.mapped
    left = each.left_name, mapped.left_folder, each.left_pages, mapped.left_host
    right = each.right_name, mapped.right_folder, each.right_pages, mapped.right_host
    if each.is_within:
        # Of two folders that with more pages stands, then that with the shorter name.
        left, right = sorted((left, right), key=lambda side: (-side[2], len(side[1]), side[1]))
    alias, www = known or (False, False)
    whole = mapped.left_folder == mapped.right_folder == "/"
    kind = "mirror" if whole else "subtree"
    if each.is_within:
        kind = "folders"
    elif alias or www:
        kind = "alias" if alias else "www"
    row = {
        "mirror host": right[0],
        "mirror path": right[1],
        "canonical host": left[0],
        "canonical path": left[1],
        "kind": kind,
        "pages": right[2],
        "matched": each.matched,
        "share covered": ratio(each.matched, right[2]),
        "differing": each.counterparts - each.matched,
        "only on the mirror": right[2] - each.counterparts,
        "only on the canonical host": left[2] - each.counterparts,
        "confidence": wilson(ratio(each.matched, each.counterparts), each.counterparts)[0],
    }
    return row, left[3]
