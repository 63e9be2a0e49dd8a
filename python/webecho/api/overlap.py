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
from webecho.api.overlap_across import CONTAINMENT, REPORTED, Across, AcrossRequest, run_across
from webecho.api.overlap_summary import filter_table, note_forecast, search_facts
from webecho.api.pairs import first_rows
from webecho.api.reading import as_reading
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, running
from webecho.errors import OUT, SettingsError, flag, setting
from webecho.group.overlap_units import carrying_pages, unit_rows
from webecho.group.overlaps import (
    FoundOverlaps,
    Method,
    OverlapSearch,
    overlap_rows,
    units_of,
)
from webecho.run import Report, Run
from webecho.settings import Recipe
from webecho.workspace.workspace import Workspace

OTHER = setting("other", "--with")
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
    # The seconds of each step.
    seconds: dict[str, float]
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
        note_forecast(found, search, run)
        file = workspace.files.overlap(label)
        counted = Counted(found)
        workspace.write(file, counted.counting(overlap_rows(workspace, found)))
        count, rows = first_rows(file, request.most)
        summary = search_facts(found, search) | counted.facts
        filters = filter_table(found, counted.shared)
        run.log("counts", summary)
        problem = failure(workspace)
        return Overlapped(file, None, count, rows, summary, found.seconds, filters, problem)


def of_units(
    workspace: Workspace, search: OverlapSearch, label: str, request: OverlapRequest, run: Run
) -> Overlapped:
    """The same of hosts or sites."""
    units = units_of(workspace, request.level)
    found = run.engine.overlaps(workspace, search, run, units=units)
    note_forecast(found, search, run)
    rows = unit_rows(found, units, request.level, workspace.recipe)
    pages = carrying_pages(workspace, rows, search, units, request.level, run)
    name = f"{label}-{request.level}"
    file, carrying = (workspace.files.overlap(each) for each in (name, f"{name}-pages"))
    shown = rows.drop_columns(["left", "right"])
    workspace.write(file, [shown])
    workspace.write(carrying, [pages])
    summary = search_facts(found, search) | {f"pairs of {request.level}s": len(rows)}
    filters = filter_table(found, pc.sum(rows["shared_chunks"]).as_py() or 0)
    first = shown if request.most is None else shown.slice(0, request.most)
    run.log("counts", summary)
    problem = failure(workspace)
    return Overlapped(file, carrying, len(rows), first, summary, found.seconds, filters, problem)


@dataclass
class Counted:
    """What is counted of rows while they are written."""

    found: FoundOverlaps
    pairs: int = 0
    copies: int = 0
    same_site: int = 0
    # The chunks that pairs share, all together.
    shared: int = 0
    # Pairs of all pages: copies in the place of those that stand for them, and twice those of
    # copies with each other.
    expanded: int = 0
    of_copies: int = 0

    def counting(self, tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
        """The same tables."""
        for table in tables:
            pairs = table.filter(pc.invert(table["copy"]))
            self.pairs += len(pairs)
            self.copies += len(table) - len(pairs)
            self.shared += pc.sum(pairs["shared_chunks"]).as_py() or 0
            self.same_site += pc.sum(pairs["same_site"]).as_py() or 0
            left, right = (
                self.found.standing_for(pairs[side].combine_chunks()) for side in ("left", "right")
            )
            self.expanded += pc.sum(pc.multiply(left, right)).as_py() or 0
            # Of n pages that are the same n - 1 come, which make n (n - 1) / 2 pairs.
            copies = table.filter(table["copy"])["left"].combine_chunks()
            self.of_copies += pc.sum(self.found.standing_for(copies)).as_py() or 0
            yield table

    @property
    def facts(self) -> dict[str, int]:
        return {
            "pairs": self.pairs,
            "of one site": self.same_site,
            "copies": self.copies,
            "pairs of all pages": self.expanded + self.of_copies // 2,
        }


def overlap_rule(
    chunk: str | None,
    shared: int | None,
    most_pages: int | None,
    fingerprint: int | None,
    report_left: bool = False,
) -> RuleChoice:
    """The rule with these parameters, as far as they are given; a report goes by shorter chunks,
    and one of them is enough."""
    if report_left:
        chunk = REPORTED if chunk is None else chunk
        shared = 1 if shared is None else shared
    return RuleChoice(
        "overlap", chunk=chunk, shared=shared, most_pages=most_pages, fingerprint=fingerprint
    )


def check_within(report_left: bool, containment: float, out: Path | None = None) -> None:
    """Refuses what is for two collections only."""
    for known, given in (
        (flag("report_left"), report_left),
        (setting("containment"), containment != CONTAINMENT),
        (OUT, out is not None),
    ):
        if given:
            raise SettingsError(known, " is for two collections; give ", OTHER)


def check_across(level: Level) -> None:
    """Refuses what is for one collection only."""
    if level != "page":
        raise SettingsError(setting("level").to(level), " is for one collection; leave out ", OTHER)


@public
def overlap(
    data: Any,
    chunk: str | None = None,
    shared: int | None = None,
    *,
    other: Any = None,
    report_left: bool = False,
    containment: float = CONTAINMENT,
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
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> pa.Table:
    """Every pair of pages, hosts or sites that share at least `shared` chunks.

    Arguments:
        chunk: what pages are cut into, such as `lines:4` (the default) or `words:8:sliding`.
        shared: how many chunks two must share.
        other: a second collection; pairs have a page of each then.
        report_left: with `other`: one row for each page of the first, by `words:8:sliding` unless
            something else is said.
        containment: with `report_left`: what is contained by at least this share is called found.
        most_pages: chunks that stand on more pages do not count; None: all do.
        fingerprint: the bits of a chunk's fingerprint, 64 or the paper's 32.
        method: auto, sorted or coarse, which changes what it costs and never what is found.
        level: page, host or site.

    Example:
        >>> webecho.overlap("web.echo", "lines:1", 3).column_names[:3]
        ['left', 'right', 'shared_chunks']
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    pages = as_pages(data, recipe, reading)
    if other is None:
        check_within(report_left, containment)
    rule = overlap_rule(chunk, shared, most_pages, fingerprint, report_left)
    found: Overlapped | Across
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        if other is None:
            found = run_overlap(OverlapRequest(pages, rule, method, level), run)
        else:
            check_across(level)
            beside = as_pages(other, recipe, reading)
            across = AcrossRequest(pages, beside, rule, method, report_left, containment)
            found = run_across(across, run)
    warn(found.failure)
    return found.rows
