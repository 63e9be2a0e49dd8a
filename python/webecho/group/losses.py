"""*Loss*: what share of its pages a source, a host, a group by columns of the user's, or a value of
such a column loses.

One that loses nearly all may be no collection of copies but one whose template outweighs its text,
so that it is told, and on request refused before anything is written.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import LossError, Message, setting
from webecho.group.decision import DROPPED, REMOVED, Decision
from webecho.group.lost_words import loss_of
from webecho.group.stars import LOST_WORDS
from webecho.group.user_columns import user_values
from webecho.run import Run
from webecho.workspace.lookup import Lookup
from webecho.workspace.mapped import BLOCK, mapped_zeros
from webecho.workspace.workspace import Workspace

LOSSES = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("name", pa.string()),
        pa.field("pages", pa.int64(), nullable=False),
        pa.field("removed", pa.int64(), nullable=False),
        pa.field("dropped", pa.int64(), nullable=False),
        pa.field("share_removed", pa.float64(), nullable=False),
        pa.field("lost_words", pa.int64()),
    ]
)
# What is told unasked: more than this share, of no fewer pages.
TOLD, TOLD_PAGES = 0.9, 20
# A crawl has many hosts of few pages, of which a copy is half, and a column may have as many
# values; they are not judged.
JUDGED_PAGES, MANY_PAGES = {"source": 1, "host": 20, "by": 1}, 20
# How the kinds begin that are the values of a column.
COLUMN = "column "
CALLED = {"source": "sources", "host": "hosts", "by": "groups"}
# How many are named in a warning, and pairs in a refusal.
NAMED, PAIRS = 3, 10
MOST_LOST = setting("most_lost")
# Ranges that resemblances are counted by.
_STEPS = 20


@dataclass(frozen=True)
class Counted:
    """What pages are counted by: the groups `by` columns, which they are compared within, and the
    values of each of the other `columns`, beside sources and hosts."""

    by: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def kinds(self) -> list[str]:
        every = (f"{COLUMN}{name}" for name in self.columns)
        return ["source", "host", *(["by"] if self.by else []), *every]

    def named(self, kind: str) -> tuple[str, ...]:
        """The columns that groups of this kind go by."""
        return (kind.removeprefix(COLUMN),) if kind.startswith(COLUMN) else self.by


def losses(workspace: Workspace, decision: Decision, counted: Counted) -> pa.Table:
    """A row for each source, host, group and value, those that lose the largest share first. Pages
    without a host are of none; groups by several columns are named by the list of values."""
    fates = decision.fates.to_numpy()
    lost = _lost_by_page(decision)
    found = [
        _counted(kind, _groups(workspace, kind, counted), fates, lost) for kind in counted.kinds
    ]
    return pa.concat_tables([LOSSES.empty_table(), *found])


def _lost_by_page(decision: Decision) -> np.ndarray[Any, Any] | None:
    removed = decision.removed
    if LOST_WORDS.name not in removed.column_names:
        return None
    loss = loss_of(removed)
    if loss.unknown and not loss.pages:
        return None
    found = mapped_zeros(len(decision.dropped), np.int64)
    for rows in removed.select(["page", LOST_WORDS.name]).to_batches(BLOCK):
        found[rows["page"].to_numpy()] = pc.fill_null(rows[LOST_WORDS.name], 0).to_numpy()
    return found


def _groups(workspace: Workspace, kind: str, counted: Counted) -> Iterator[pa.Array]:
    """The name of each page's source, host or group, some at a time."""
    by = counted.named(kind)
    if kind == "source":
        names = pa.array(workspace.source_names, pa.string())
        yield from (names.take(batch["source"]) for batch in workspace.batches(["source"]))
        return
    if kind == "host" or len(by) == 1:
        own = (batch["host"] for batch in workspace.batches(["host"]))
        yield from own if kind == "host" else user_values(workspace, "by", by[0])
        return
    for values in zip(*(user_values(workspace, "by", name) for name in by), strict=True):
        rows = zip(*(each.to_pylist() for each in values), strict=True)
        yield pa.array([json.dumps(row, ensure_ascii=False) for row in rows], pa.string())


def _counted(
    kind: str,
    groups: Iterator[pa.Array],
    fates: np.ndarray[Any, Any],
    lost: np.ndarray[Any, Any] | None,
) -> pa.Table:
    sums = ("pages", "removed", "dropped", "lost_words")
    total: pa.Table | None = None
    start = 0
    for names in groups:
        here = fates[start : start + len(names)]
        words = np.zeros(len(names), np.int64) if lost is None else lost[start:][: len(names)]
        columns = (np.ones(len(names), np.int64), here == REMOVED, here == DROPPED, words)
        counts = {
            name: pa.array(column, pa.int64()) for name, column in zip(sums, columns, strict=True)
        }
        some = _summed(pa.table({"name": names} | counts), sums)
        total = some if total is None else _summed(pa.concat_tables([total, some]), sums)
        start += len(names)
    if total is None:
        return LOSSES.empty_table()
    if kind == "host":
        total = total.filter(total["name"].is_valid())
    pages = total["pages"].cast(pa.float64())
    made = {name: total[name] for name in ("name", *sums)} | {
        "kind": pa.repeat(kind, len(total)),
        "share_removed": pc.divide(total["removed"].cast(pa.float64()), pages),
    }
    if lost is None:
        made["lost_words"] = pa.nulls(len(total), pa.int64())
    rows = pa.table({name: made[name] for name in LOSSES.names}, schema=LOSSES)
    order = [("share_removed", "descending"), ("pages", "descending"), ("name", "ascending")]
    return rows.sort_by(order)


def _summed(rows: pa.Table, sums: Sequence[str]) -> pa.Table:
    found = rows.group_by("name", use_threads=False).aggregate([(name, "sum") for name in sums])
    return found.rename_columns([name.removesuffix("_sum") for name in found.column_names]).select(
        ["name", *sums]
    )


def above(found: pa.Table, share: float, least: Mapping[str, int]) -> pa.Table:
    """Of the rows those that lose more than this share, of so many pages at the least by kind."""
    wanted = pc.greater(found["share_removed"], share)
    for kind in found["kind"].unique().to_pylist():
        pages = least.get(kind, MANY_PAGES)
        few = pc.and_(pc.equal(found["kind"], kind), pc.less(found["pages"], pages))
        wanted = pc.and_not(wanted, few)
    return found.filter(wanted)


def warnings(found: pa.Table) -> list[str]:
    """What should worry, in words."""
    worrying = above(found, TOLD, dict.fromkeys(JUDGED_PAGES, TOLD_PAGES))
    told: list[str] = []
    for kind in worrying["kind"].unique().to_pylist():
        rows = worrying.filter(pc.equal(worrying["kind"], kind))
        called = CALLED.get(kind, f"values of {kind.removeprefix(COLUMN)}")
        names = ", ".join(
            f"{'none' if row['name'] is None else row['name']} ({row['share_removed']:.1%} of "
            f"{row['pages']:,})"
            for row in rows.slice(0, NAMED).to_pylist()
        )
        more = f", and {len(rows) - NAMED:,} more" if len(rows) > NAMED else ""
        told.append(
            Message(
                f"{called} that lose more than {TOLD:.0%} of their pages: {names}{more}; ",
                *(MOST_LOST.to("50%", repr("50%")), " would stop at such a loss"),
            )
        )
    return told


def check_losses(
    workspace: Workspace,
    decision: Decision,
    found: pa.Table,
    most: float | None,
    counted: Counted,
    run: Run,
) -> None:
    """Refuses a decision by which one loses more than the most, and shows pairs of it."""
    if most is None:
        return
    worst = above(found, most, JUDGED_PAGES)
    if not len(worst):
        return
    order = [("share_removed", "descending"), ("pages", "descending")]
    row, *others = worst.sort_by(order).to_pylist()
    for pair in pairs_of(decision, _groups(workspace, row["kind"], counted), row["name"]):
        lost = pair["lost_words"]
        words = "" if lost is None else f", {lost:,} {'word' if lost == 1 else 'words'} lost"
        run.warn(
            f"would remove {pair['page']} for {pair['kept']} (resemblance "
            f"{pair['resemblance'] or 0:.2f}{words})"
        )
    also = f", and so {'does' if len(others) == 1 else 'do'} {_listed(others)}" if others else ""
    raise LossError(
        f"{_called(row)} loses {row['share_removed']:.1%} of its {row['pages']:,} pages, more than"
        " ",
        MOST_LOST.to(f"{100 * most:.4g}%", f"{most:.4g}"),
        f"{also}; nothing was written of what stays. If that is meant, give a higher share",
    )


def _called(row: dict[str, Any]) -> str:
    kind, name = row["kind"], row["name"]
    if kind.startswith(COLUMN):
        column = kind.removeprefix(COLUMN)
        return f"what has no {column}" if name is None else f"what has the {column} {name}"
    return f"the {'group' if kind == 'by' else kind} {'without a value' if name is None else name}"


def _listed(rows: Sequence[dict[str, Any]]) -> str:
    """The first of them with what they lose, those by the user's columns before the others."""
    first = sorted(rows, key=lambda row: row["kind"] in ("source", "host"))[:NAMED]
    names = [f"{_called(row)} ({row['share_removed']:.1%} of {row['pages']:,})" for row in first]
    more = f" and {len(rows) - NAMED:,} more" if len(rows) > NAMED else ""
    return ", ".join(names) + more


def pairs_of(
    decision: Decision, groups: Iterator[pa.Array], name: str | None
) -> list[dict[str, Any]]:
    """Some pairs of the group of this name: those that lose most words, and are least alike."""
    here = pa.chunked_array([*groups], pa.string())
    inside = here.is_null() if name is None else pc.fill_null(pc.equal(here, name), False)
    removed = decision.stars.removed
    rows = removed.filter(inside.take(decision.removed["page"]))
    order = [("resemblance", "ascending"), ("page", "ascending")]
    if LOST_WORDS.name in rows.column_names:
        order.insert(0, (LOST_WORDS.name, "descending"))
    rows = rows.sort_by(order).slice(0, PAIRS)
    both = pa.chunked_array([*rows["page"].chunks, *rows["kept_page"].chunks], pa.int64())
    lookup = Lookup.of(decision.pages, ("id", "url"), both.unique())
    named = [_named(lookup, rows[column].combine_chunks()) for column in ("page", "kept_page")]
    return [
        {
            "page": page,
            "kept": kept,
            "resemblance": row["resemblance"],
            "lost_words": row.get(LOST_WORDS.name),
        }
        for page, kept, row in zip(*named, rows.to_pylist(), strict=True)
    ]


def _named(lookup: Lookup, pages: pa.Array) -> list[str]:
    found = lookup.take(pages)
    return [
        str(url or id_ or f"page {page}")
        for url, id_, page in zip(
            found["url"].to_pylist(), found["id"].to_pylist(), pages.to_pylist(), strict=True
        )
    ]


def by_resemblance(removed: pa.Table) -> dict[str, int]:
    """How many removed pages have which resemblance to the page that stays, by ranges of 0.05, the
    highest first."""
    values = removed["resemblance"]
    counts: Counter[int] = Counter()
    for start in range(0, len(values), BLOCK):
        some = values.slice(start, BLOCK).drop_null().to_numpy()
        steps = np.floor(some * _STEPS).astype(np.int64)
        for step, count in zip(*np.unique(steps, return_counts=True), strict=True):
            counts[int(step)] += int(count)
    found = {}
    for step in sorted(counts, reverse=True):
        low, high = step / _STEPS, (step + 1) / _STEPS
        found["1" if step == _STEPS else f"{low:g} to {high:g}"] = counts[step]
    return found | ({"not measured": values.null_count} if values.null_count else {})
