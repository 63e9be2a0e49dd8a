"""The tables and figures of the study of mirrors, and what it says."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.study.figures import Distribution, Figure, LogLog
from webecho.study.fits import FITTED, Fits, fit_row
from webecho.study.fits import TITLE as LAWS_TITLE
from webecho.study.mirror_groups import (
    CRAWLER,
    GROUP_HOSTS,
    GROUPS,
    crawler_table,
    group_rows,
    groups,
)
from webecho.study.mirror_pairs import ALIAS, UNRESOLVED
from webecho.study.mirror_snapshot import Snapshot
from webecho.study.papers import (
    BESIDE,
    FUNNEL,
    METHODS,
    MIRRORS,
    TITLE,
    beside_rows,
    with_paper,
)
from webecho.study.shares import ratio

Row = dict[str, Any]
NOT_KNOWN = "not known: there are no IP addresses"

TITLES = {
    "funnel": "Section 4. From pairs of hosts to mirrors",
    "methods": "How effective: by content first, and by URL first",
    "mirrors": "Pairs of hosts, the largest first",
    "auto_mirrors": "Auto-mirrors: hosts with pages like their own",
    "mirrored": "Pages that are mirrored",
    "power_laws": LAWS_TITLE,
    "unconfirmed": "Pairs that no path confirms: a sample",
    "subtrees": "Subtree mirrors, between hosts and within one",
    "groups": "Groups of more than two hosts",
    "crawler": "For a crawler: what stands for what",
    "retention": "What is left of the mirrors of the first snapshot",
    "changes": "Figure 11. Change between successive downloads, by the size of the mirror",
    "freshness": "How fresh each copy is",
    "beside_paper": TITLE,
}
CAPTIONS = {
    "sizes": "Figures 12 and 13. Mirrors by their size",
    "group_hosts": "The hosts of groups",
}
TEXT, COUNT, SHARE = pa.string(), pa.int64(), pa.float64()
FUNNEL_COLUMNS = pa.schema(
    {
        "collection": TEXT,
        "step": TEXT,
        "host pairs": COUNT,
        "share of remaining": SHARE,
        "note": TEXT,
    }
)
PAIRS = {
    "left_name": "host",
    "right_name": "other host",
    "status": "status",
    "www": "equal but for www.",
    "clusters": "clusters",
    "left_pages": "pages",
    "right_pages": "pages of the other",
    "size": "size",
    "one_to_one": "one-to-one",
    "last_arc": "last arc",
    "last_four": "last four",
}
SUBTREES = pa.schema(
    {
        "collection": TEXT,
        "host": TEXT,
        "path": TEXT,
        "other host": TEXT,
        "other path": TEXT,
        "pages": COUNT,
        "pages of the other": COUNT,
        "counterparts": COUNT,
        "matched": COUNT,
        "share covered": SHARE,
        "share covered of the other": SHARE,
        "missing there": COUNT,
        "missing here": COUNT,
    }
)
SCHEMAS = {
    "funnel": FUNNEL_COLUMNS,
    "auto_mirrors": pa.schema({"collection": TEXT, "host": TEXT, "pages": COUNT}),
    "sizes": pa.schema({"collection": TEXT, "counted": TEXT, "size": COUNT, "mirrors": COUNT}),
    "power_laws": pa.schema({"collection": TEXT, "counted": TEXT} | FITTED),
    "unconfirmed": pa.schema(
        {
            "collection": TEXT,
            "equal but for www.": pa.bool_(),
            "host": TEXT,
            "other host": TEXT,
            "size": COUNT,
            "url": TEXT,
            "other url": TEXT,
        }
    ),
    "methods": pa.schema(
        {
            "collection": TEXT,
            "method": TEXT,
            "candidates": COUNT,
            "confirmed": COUNT,
            "share effective": SHARE,
            "found by both": COUNT,
        }
    ),
    "mirrored": pa.schema(
        {
            "collection": TEXT,
            **dict.fromkeys(("pages", "without address", "hosts", "hosts with IP"), COUNT),
            "mirrored pages": COUNT,
            "share mirrored": SHARE,
            "in confirmed mirrors": COUNT,
            "share in confirmed mirrors": SHARE,
        }
    ),
    "subtrees": SUBTREES,
    "groups": GROUPS,
    "group_hosts": GROUP_HOSTS,
    "beside_paper": BESIDE,
}
# How mirrors are counted: the paper's way, and page by page.
WAYS = ("size", "one-to-one")


def snapshot_tables(
    found: Sequence[Snapshot], fits: Mapping[tuple[str, str], Fits]
) -> dict[str, pa.Table]:
    """The tables that each snapshot tells by itself, by name."""
    rows: dict[str, list[Row]] = {name: [] for name in SCHEMAS}
    for each in found:
        name = {"collection": each.name}
        rows["funnel"] += [name | row for row in funnel_rows(each)]
        rows["methods"] += [name | row for row in method_rows(each)]
        rows["mirrored"].append(name | mirrored_row(each))
        rows["auto_mirrors"] += [name | row for row in each.auto.to_pylist()]
        for way, counts in zip(WAYS, (each.sizes, each.one_to_one), strict=True):
            rows["sizes"] += [
                name | {"counted": way, "size": size, "mirrors": counts[size]}
                for size in sorted(counts)
            ]
            fitted = fit_row(fits[each.name, way], counts)
            rows["power_laws"].append(name | {"counted": way} | fitted)
        rows["unconfirmed"] += sample_rows(each)
        rows["subtrees"] += subtree_rows(each)
        confirmed = each.remaining.filter(pc.greater(each.remaining["last_arc"], 0))
        of_groups, of_hosts = group_rows(each.name, groups(confirmed, each.hosts))
        rows["groups"] += of_groups
        rows["group_hosts"] += of_hosts
        rows["beside_paper"] += beside_rows(each.name, paper_facts(each), MIRRORS)
    made = {name: pa.Table.from_pylist(own, SCHEMAS[name]) for name, own in rows.items()}
    made["funnel"] = with_paper(made["funnel"], ["step"], FUNNEL)
    made["methods"] = with_paper(made["methods"], ["method"], METHODS)
    made["mirrors"] = pa.concat_tables([pair_table(each) for each in found])
    made["crawler"] = crawler_table(found[-1].standing) if found else CRAWLER.empty_table()
    return made


def pair_table(found: Snapshot) -> pa.Table:
    """The pairs of hosts of a snapshot, as they are told."""
    columns = {title: found.pairs[name] for name, title in PAIRS.items()}
    columns["equal but for www."] = pc.equal(columns["equal but for www."], 1)
    names = pa.array([found.name] * len(found.pairs), pa.string())
    return pa.table({"collection": names} | columns)


def counted(found: Snapshot) -> dict[str, int | None]:
    """How many pairs each step of the funnel has; None where that is not known."""
    status, remaining = found.pairs["status"], found.remaining

    def of(kind: str) -> int:
        return int(pc.sum(pc.equal(status, kind)).as_py() or 0)

    def where(condition: pa.ChunkedArray) -> int:
        return int(pc.sum(condition).as_py() or 0)

    www = pc.equal(remaining["www"], 1)
    without = pc.equal(remaining["last_arc"], 0)
    known = found.resolved is not None
    return {
        "raw pairs": len(found.pairs) + len(found.auto),
        "auto-mirrors": len(found.auto),
        "aliases": of(ALIAS) if known else None,
        "unresolved": of(UNRESOLVED) if known else None,
        "remaining": len(remaining),
        "confirmed by the last arc": where(pc.greater(remaining["last_arc"], 0)),
        "confirmed by the last four": where(pc.greater(remaining["last_four"], 0)),
        "equal but for www.": where(www),
        "equal but for www., disjoint IPs": where(www) if known else None,
        "not confirmed, equal but for www.": where(pc.and_(without, www)),
        "not confirmed, others": where(pc.and_(without, pc.invert(www))),
    }


def share(part: int, whole: int | None) -> float | None:
    """The share of a part, where there is something."""
    return ratio(part, whole) if whole else None


# The steps before are no parts of the pairs that remain.
_BEFORE = ("raw pairs", "auto-mirrors", "aliases", "unresolved")


def funnel_rows(found: Snapshot) -> list[Row]:
    counts = counted(found)
    return [
        {
            "step": step,
            "host pairs": count,
            "share of remaining": None
            if count is None or step in _BEFORE
            else share(count, counts["remaining"]),
            "note": NOT_KNOWN if count is None else None,
        }
        for step, count in counts.items()
    ]


def method_rows(found: Snapshot) -> list[Row]:
    """Both methods: candidates, those that were confirmed, and the share of these."""
    counts, by_url = counted(found), found.by_url
    confirmed = counts["confirmed by the last four"] or 0
    return [
        {
            "method": "content first",
            "candidates": counts["remaining"],
            "confirmed": confirmed,
            "share effective": share(confirmed, counts["remaining"]),
            "found by both": by_url.found_too,
        },
        {
            "method": "URL first",
            "candidates": by_url.candidates,
            "confirmed": by_url.valid,
            "share effective": by_url.effectiveness,
            "found by both": by_url.found_too,
        },
    ]


def mirrored_row(found: Snapshot) -> Row:
    """How many pages are in clusters that remaining pairs share."""
    pages = len(found.mirrored)
    confirmed = pc.sum(found.mirrored["confirmed"]).as_py() or 0
    return {
        "pages": found.pages,
        "without address": found.nameless,
        "hosts": len(found.hosts),
        "hosts with IP": found.resolved,
        "mirrored pages": pages,
        "share mirrored": ratio(pages, found.pages),
        "in confirmed mirrors": int(confirmed),
        "share in confirmed mirrors": ratio(confirmed, found.pages),
    }


def sample_rows(found: Snapshot) -> list[Row]:
    return [
        {
            "collection": found.name,
            "equal but for www.": row["www"],
            "host": row["left_name"],
            "other host": row["right_name"],
            "size": row["size"],
            "url": row["left_url"],
            "other url": row["right_url"],
        }
        for row in found.sample.to_pylist()
    ]


def subtree_rows(found: Snapshot) -> list[Row]:
    """The subtree mirrors, those with most matched pages first."""
    ordered = sorted(found.subtrees, key=lambda each: (-each.matched, each.left_name, each.mapped))
    return [
        {
            "collection": found.name,
            "host": each.left_name,
            "path": each.mapped.left_folder,
            "other host": each.right_name,
            "other path": each.mapped.right_folder,
            "pages": each.left_pages,
            "pages of the other": each.right_pages,
            "counterparts": each.counterparts,
            "matched": each.matched,
            "share covered": ratio(each.matched, each.left_pages),
            "share covered of the other": ratio(each.matched, each.right_pages),
            "missing there": each.left_pages - each.counterparts,
            "missing here": each.right_pages - each.counterparts,
        }
        for each in ordered
    ]


def paper_facts(found: Snapshot) -> Row:
    """What the paper says in its text, by the names of papers.py."""
    counts = counted(found)
    return {
        f"share of pairs {step}": share(counts[step] or 0, counts["remaining"])
        for step in ("confirmed by the last arc", "confirmed by the last four")
    } | {
        "share of pairs valid, URL first": found.by_url.effectiveness,
        "share of pages mirrored": ratio(len(found.mirrored), found.pages),
    }


def size_figures(
    found: Sequence[Snapshot], fits: Mapping[tuple[str, str], Fits]
) -> dict[str, Figure]:
    """Figure 12 of the first snapshot, by both ways of counting, and Figure 13 with the last."""
    if not found:
        return {}
    first, last = found[0], found[-1]

    def of(each: Snapshot, way: str) -> Distribution:
        return Distribution(each.sizes if way == WAYS[0] else each.one_to_one, fits[each.name, way])

    title = "Mirrors by their size"
    drawn: dict[str, Figure] = {
        "sizes": LogLog(title, "pages", "mirrors", {way: of(first, way) for way in WAYS})
    }
    if last is not first:
        series = {each.name: of(each, WAYS[0]) for each in (first, last)}
        drawn["sizes_over_time"] = LogLog(title, "pages", "mirrors", series)
    return drawn
