"""`webecho overlap --with`: what two collections share, and not what each shares with itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.api.clusters import opened_for
from webecho.api.inputs import InputsOrWorkspace, failure, recipe_of
from webecho.api.overlap_summary import filter_table, note_forecast, search_facts
from webecho.api.rules import RuleChoice
from webecho.chunkings import Chunking
from webecho.errors import OUT, SettingsError, setting
from webecho.group.left_report import left_report
from webecho.group.overlaps import Method, OverlapSearch, overlap_rows
from webecho.read.pages import Source
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.table_files import write_table
from webecho.workspace.union import Beside
from webecho.workspace.workspace import Workspace

# A part of a question is found wherever it stands.
REPORTED = "words:8:sliding"
CONTAINMENT = 0.8


@dataclass(frozen=True)
class AcrossRequest:
    """Which two collections; with `report_left` there is one row for each page of the first, and
    what is contained by at least `containment` counts as found. Rows are written to `out`."""

    pages: InputsOrWorkspace
    other: InputsOrWorkspace
    rule: RuleChoice
    method: Method = "auto"
    report_left: bool = False
    containment: float = CONTAINMENT
    out: Path | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.containment <= 1:
            raise SettingsError(
                setting("containment").to(self.containment), " is not above 0 and at most 1"
            )
        if recipe_of(self.pages) != recipe_of(self.other):
            raise SettingsError("the two collections are sketched by different recipes")
        if self.out is not None and self.out.suffix != ".parquet":
            raise SettingsError(OUT.to(self.out), ": give a name that ends in .parquet")
        # It is checked when it is made.
        _ = self.search

    @property
    def search(self) -> OverlapSearch:
        recipe = recipe_of(self.pages)
        return OverlapSearch.of(self.rule.of(recipe), recipe, self.method)


@dataclass(frozen=True)
class Across:
    """What two collections share: where it was written, how many rows there are and those that were
    asked for, what was counted, what each filter left, and what could not be read."""

    file: Path | None
    count: int
    rows: pa.Table
    summary: dict[str, Any]
    filters: pa.Table | None
    failure: str | None


def run_across(request: AcrossRequest, run: Run) -> Across:
    """Finds what the two share."""
    rule, search = request.rule.of(recipe_of(request.pages)), request.search
    with (
        opened_for(rule, request.pages, run) as (left, _),
        opened_for(rule, request.other, run) as (right, again),
    ):
        run.begin("comparing")
        both = Beside(left, right)
        found = run.engine.overlaps(both, search, run, right=left.pages)
        note_forecast(found, search, run)
        problems = [failure(left), failure(right)]
        if request.report_left:
            table, unread = left_report(
                both, found, search, request.containment, sources_of(again), run
            )
            problems += [f"passages cannot be read again: {each}" for each in unread]
            hits = pc.sum(table["found"]).as_py() or 0
            facts = {"left pages": len(table), "found": hits}
            rows = Rows(iter([table]), request.most)
            short = shorter_than_chunks(left, search.chunking)
            if short:
                run.note(
                    f"{short:,} left pages have fewer than {search.chunking.size} words, which is "
                    "no whole chunk: they are found only on pages that have nothing else"
                )
        else:
            rows = Rows(of_each(overlap_rows(both, found), left.pages), request.most)
        if request.out is not None:
            write_table(request.out, rows)
        else:
            for _ in rows:
                pass
        if not request.report_left:
            facts = {"pairs": rows.count}
        summary = search_facts(found, search) | facts
        run.log("counts", summary)
        return Across(
            request.out,
            rows.count,
            rows.first,
            summary,
            filter_table(found, None if request.report_left else rows.shared),
            "; ".join(filter(None, problems)) or None,
        )


class Rows:
    """Tables as they come, counted; of all rows the first are kept, or every one (None)."""

    def __init__(self, tables: Iterator[pa.Table], most: int | None) -> None:
        self.tables, self.most = tables, most
        self.kept: list[pa.Table] = []
        self.count = self.shared = 0

    def __iter__(self) -> Iterator[pa.Table]:
        for table in self.tables:
            if self.most is None or self.count < self.most or not self.kept:
                self.kept.append(table)
            self.count += len(table)
            self.shared += pc.sum(table["shared_chunks"]).as_py() or 0
            yield table

    @property
    def first(self) -> pa.Table:
        rows = pa.concat_tables(self.kept)
        return rows if self.most is None else rows.slice(0, self.most)


def shorter_than_chunks(left: Workspace, chunking: Chunking) -> int:
    """How many pages have fewer words than a chunk."""
    if chunking.unit != "words":
        return 0
    return sum(
        pc.less(pc.fill_null(batch["tokens"], 0), chunking.size).true_count
        for batch in left.batches(["tokens"])
    )


def sources_of(again: Reread | None) -> Mapping[int, Source]:
    """Those that are open."""
    return {} if again is None else again.sources


def of_each(tables: Iterator[pa.Table], first: int) -> Iterator[pa.Table]:
    """The rows with the numbers that the right pages have in their own collection."""
    for table in tables:
        at = table.schema.get_field_index("right")
        numbers = pc.subtract(table["right"], first)
        yield table.set_column(at, "right", numbers).drop_columns(["copy"])
