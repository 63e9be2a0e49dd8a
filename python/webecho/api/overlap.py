"""`webecho overlap`: pages, hosts or sites that share parts, not wholes (Shivakumar 1998)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import pyarrow as pa
import pyarrow.compute as pc

from webecho.api.call import public, warn
from webecho.api.clusters import opened_for
from webecho.api.inputs import InputsOrWorkspace, as_pages, failure, recipe_of
from webecho.api.pairs import first_rows
from webecho.api.reading import as_reading
from webecho.api.rules import RuleChoice
from webecho.api.runs import as_run
from webecho.errors import Message, SettingsError, setting
from webecho.group.overlap_units import carrying_pages, unit_rows
from webecho.group.overlaps import FoundOverlaps, Method, OverlapSearch, overlap_rows, units_of
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.workspace import Workspace

Level = Literal["page", "host", "site"]
LEVELS: tuple[str, ...] = get_args(Level)


@dataclass(frozen=True)
class OverlapRequest:
    """Whose overlap, by which chunks, and how it is found. The first `most` rows are given (None:
    all)."""

    pages: InputsOrWorkspace
    rule: RuleChoice = field(default_factory=lambda: RuleChoice("overlap"))
    method: Method = "auto"
    level: Level = "page"
    most: int | None = None

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise SettingsError(
                setting("level").to(self.level), f": it is one of {', '.join(LEVELS)}"
            )
        # It is checked when it is made.
        _ = self.search(recipe_of(self.pages))

    def search(self, recipe: Recipe) -> OverlapSearch:
        return OverlapSearch.of(self.rule.of(recipe), recipe, self.method)


@dataclass(frozen=True)
class Overlapped:
    """Where what was found was written, how many rows there are and those that were asked for, what
    was counted, what each filter left, and what could not be read."""

    file: Path
    # The pages that carry the overlap of hosts or sites.
    carrying: Path | None
    count: int
    rows: pa.Table
    summary: dict[str, Any]
    filters: pa.Table | None
    failure: str | None


def run_overlap(request: OverlapRequest, run: Run) -> Overlapped:
    """Finds what overlaps, and writes `overlap/<chunking>-<shared>.parquet`."""
    recipe = recipe_of(request.pages)
    rule, search = request.rule.of(recipe), request.search(recipe)
    with opened_for(rule, request.pages, run) as (workspace, _):
        run.begin("comparing")
        label = rule.label.removeprefix(f"{rule.name}-")
        if request.level != "page":
            return of_units(workspace, search, label, request, run)
        found = run.engine.overlaps(workspace, search, run)
        tell(found, search, run)
        file = workspace.files.overlap(label)
        counted = Counted()
        workspace.write(file, counted.counting(overlap_rows(workspace, found)))
        count, rows = first_rows(file, request.most)
        summary = told(found, search) | counted.facts
        filters = filter_table(found, counted.shared)
        return Overlapped(file, None, count, rows, summary, filters, failure(workspace))


def of_units(
    workspace: Workspace, search: OverlapSearch, label: str, request: OverlapRequest, run: Run
) -> Overlapped:
    """The same of hosts or sites."""
    units = units_of(workspace, request.level)
    found = run.engine.overlaps(workspace, search, run, units=units)
    tell(found, search, run)
    rows = unit_rows(found, units, request.level, workspace.recipe)
    pages = carrying_pages(workspace, rows, search, units, request.level, run)
    file = workspace.files.overlap(f"{label}-{request.level}")
    carrying = workspace.files.overlap(f"{label}-{request.level}-pages")
    shown = rows.drop_columns(["left", "right"])
    workspace.write(file, [shown])
    workspace.write(carrying, [pages])
    summary = told(found, search) | {f"pairs of {request.level}s": len(rows)}
    filters = filter_table(found, pc.sum(rows["shared_chunks"]).as_py() or 0)
    first = shown if request.most is None else shown.slice(0, request.most)
    problem = failure(workspace)
    return Overlapped(file, carrying, len(rows), first, summary, filters, problem)


@dataclass
class Counted:
    """What is counted of rows while they are written."""

    pairs: int = 0
    copies: int = 0
    same_site: int = 0
    # The chunks that pairs share, all together.
    shared: int = 0

    def counting(self, tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
        """The same tables."""
        for table in tables:
            copies = pc.sum(table["copy"]).as_py() or 0
            self.copies += copies
            self.pairs += len(table) - copies
            if not copies:
                self.shared += pc.sum(table["shared_chunks"]).as_py() or 0
                self.same_site += pc.sum(table["same_site"]).as_py() or 0
            yield table

    @property
    def facts(self) -> dict[str, int]:
        return {"pairs": self.pairs, "of one site": self.same_site, "copies": self.copies}


def tell(found: FoundOverlaps, search: OverlapSearch, run: Run) -> None:
    """Says what it will cost before pairs are counted, and what is left out."""
    known = found.forecast
    left_out = known["left_out_chunks"]
    if left_out:
        run.note(
            f"left out: {left_out:,} chunks that stand on more than {search.most_pages:,} pages; "
            f"the counts of {known['left_out_units']:,} pages are lower by that"
        )
    run.note(f"method {known['method']}: {reason(known)}")
    longest, pairs = known["longest"], known["pruned_pairs"]
    crowded = longest * (longest - 1) // 2
    if crowded > MANY and search.most_pages is None:
        run.note(
            Message(
                f"one chunk stands on {longest:,} pages: {crowded:,} of {pairs:,} comparisons, some "
                f"{pairs / PER_SECOND:,.0f} s; ",
                setting("most_pages").to(longest - 1),
                " would leave it out",
            )
        )


# So many comparisons take seconds: then it is said where they come from.
MANY, PER_SECOND = 50_000_000, 40_000_000


def reason(known: Mapping[str, Any]) -> str:
    """Why a method was chosen, or what is to be expected of it."""
    pairs, room = known["pruned_pairs"], known["at_once"]
    if known["method"] == "coarse":
        return (
            f"of {pairs:,} comparisons {room:,} find room at once; {known['functions']} hash "
            f"functions of {known['cells']:,} cells should leave {known['expected_left']:,.0f}"
        )
    if pairs <= room:
        return f"{pairs:,} comparisons find room at once"
    return f"{pairs:,} comparisons, {room:,} at a time"


def told(found: FoundOverlaps, search: OverlapSearch) -> dict[str, Any]:
    """What there is to say of a search."""
    known = found.forecast
    facts: dict[str, Any] = {
        "chunking": str(search.chunking),
        "shared": search.shared,
        "method": known["method"],
        "different chunks": known["distinct"],
        "of several pages": known["chunks"],
        "comparisons": known["pruned_pairs"],
    }
    if search.most_pages is not None:
        facts["chunks left out"] = known["left_out_chunks"]
        facts["pages with such"] = known["left_out_units"]
    if search.bits < 64:
        distinct = known["distinct"]
        facts["accidental matches"] = round(distinct * (distinct - 1) / 2 ** (search.bits + 1), 2)
    return facts


def filter_table(found: FoundOverlaps, shared: int) -> pa.Table | None:
    """What each filter did, if there were any: pairs as often as they share a chunk, and of those
    that were left how many are of pairs that do not share enough."""
    rows = [
        {
            "filter": number,
            "cells": cells,
            "heavy": heavy,
            "before": before,
            "left": left,
            "false": left - shared,
        }
        for number, (cells, heavy, before, left) in enumerate(found.filtered(), 1)
    ]
    return pa.Table.from_pylist(rows) if rows else None


@public
def overlap(
    data: Any,
    chunk: str = "lines:4",
    shared: int | None = None,
    *,
    most_pages: int | None = None,
    fingerprint: int | None = None,
    method: Method = "auto",
    level: Level = "page",
    recipe: str | Recipe | None = None,
    text: str | None = None,
    html: str | None = None,
    url: str | None = None,
    id: str | None = None,
    date: str | None = None,
    statuses: int | Sequence[int] | None = None,
    types: str | Sequence[str] | None = None,
    convert: Mapping[str, str] | None = None,
    format: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
) -> pa.Table:
    """Every pair of pages, hosts or sites (the `level`) that share at least `shared` chunks.

    `chunk` says what a chunk is, such as `lines:4` or `words:8:sliding`. Chunks that stand on more
    than `most_pages` do not count (None: all do). `method`, sorted or coarse, changes what it costs
    and never what is found. Inputs are read as by `sketch`.
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    request = OverlapRequest(
        pages=as_pages(data, recipe, reading),
        rule=RuleChoice(
            *("overlap", None, None, None, None, None),
            *(chunk, shared, most_pages, fingerprint),
        ),
        method=method,
        level=level,
    )
    found = run_overlap(request, as_run(threads, memory, convert=convert))
    warn(found.failure)
    return found.rows
