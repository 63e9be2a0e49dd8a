"""How page tables are made: while pages are sketched, if that is asked for, and else from the
sources, which are read again, by the study that needs one first; the bytes are the same. A part
that lacks one, because pages were appended or a file is gone, gets it the next time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from webecho import _core
from webecho.errors import InputError, flag
from webecho.memory import SKETCHING
from webecho.read.pages import Source
from webecho.run import Progress, Run
from webecho.sketches.boilerplate import content, sketcher_of
from webecho.sketches.links import addressed, link_rows
from webecho.workspace.locks import locked
from webecho.workspace.page_tables import lacking
from webecho.workspace.prefetch import plain_memory, prefetch, quick_switches
from webecho.workspace.reread import PageReader, open_input
from webecho.workspace.schemas import PARAGRAPHS
from webecho.workspace.table_files import TableWriter
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class PageTable:
    """How a table is made of batches of pages.

    `columns` are those that the sketcher makes for it along with the sketches, `alone` makes the
    same without the sketches, and `rows` makes rows of them, given the numbers of the pages.
    """

    name: str
    columns: tuple[str, ...]
    alone: Callable[[_core.Sketcher, pa.RecordBatch], pa.RecordBatch]
    rows: Callable[[pa.Array, pa.RecordBatch], pa.Table]


def paragraph_rows(numbers: pa.Array, made: pa.RecordBatch) -> pa.Table:
    """The rows of pages with these numbers."""
    names = PARAGRAPHS.names[1:]
    return pa.table([numbers, *(made[name] for name in names)], schema=PARAGRAPHS)


PAGE_TABLES = {
    table.name: table
    for table in (
        PageTable(
            "paragraphs",
            ("paragraphs", "overlapping_paragraphs"),
            lambda sketcher, pages: sketcher.paragraphs(pages),
            paragraph_rows,
        ),
        PageTable(
            "links",
            ("links", "link_kinds"),
            lambda sketcher, pages: sketcher.links(pages),
            link_rows,
        ),
    )
}


def require_tables(path: Path, names: Sequence[str], run: Run) -> None:
    """Makes those of the named tables that a workspace lacks."""
    if not lacking(Workspace.open(path), names):
        return
    with locked(path):
        add_tables(Workspace.open(path), names, run)


def add_tables(
    workspace: Workspace,
    names: Sequence[str],
    run: Run,
) -> None:
    """The same of a workspace that is locked."""
    parts = workspace.manifest.parts
    todo = lacking(workspace, names)
    if not todo:
        return
    run.check_memory(SKETCHING, f"reading the pages of {workspace.path} again")
    sketcher = sketcher_of(workspace, run)
    reader = PageReader({})
    total, done, unsaved = sum(parts[number].pages for number in todo), 0, 0
    with quick_switches(), plain_memory():
        try:
            for number, tables in todo.items():
                part = parts[number]
                if part.source not in reader.sources:
                    reader.close()
                    reader = PageReader(opened(workspace, part.input, tables, run))
                writers = {name: TableWriter(workspace.part_file(name, number)) for name in tables}
                for numbers, pages in part_contents(workspace, number, reader):
                    for name, writer in writers.items():
                        table = PAGE_TABLES[name]
                        writer.write(table.rows(numbers, table.alone(sketcher, pages)))
                    done += len(numbers)
                    run.report(Progress("reading again", done / total, pages=done))
                reader.check_unchanged()
                made = {name: writer.finish() for name, writer in writers.items()}
                parts[number] = replace(part, files=dict(sorted((part.files | made).items())))
                # As when parts are sketched: not for each of very many.
                unsaved += 1
                if unsaved * 100 >= len(parts):
                    workspace.save()
                    unsaved = 0
        finally:
            reader.close()
            # Also if the run is stopped: what is made so far stays.
            if unsaved:
                workspace.save()


def opened(workspace: Workspace, number: int, tables: Sequence[str], run: Run) -> dict[int, Source]:
    try:
        return open_input(workspace, number, run)
    except InputError as error:
        kept = [part for name in tables for part in (" ", flag(name))][1:]
        raise InputError(
            *(error, f", and its {', '.join(tables)} were not kept; sketch it with ", *kept)
        ) from error


def part_contents(
    workspace: Workspace, number: int, reader: PageReader
) -> Iterator[tuple[pa.Array, pa.RecordBatch]]:
    """The contents of the pages of a part, read again some at a time, with their numbers."""

    def contents() -> Iterator[tuple[pa.Array, pa.RecordBatch]]:
        columns = ["page", "url", "source", "place", "chars"]
        for rows in workspace.part_batches("sketches", number, columns):
            start = 0
            for pages in reader.read(rows, workspace.manifest.parts[number]):
                some = rows[start : start + len(pages)]
                folder = reader.sources[some["source"][0].as_py()].path_prefix is not None
                body = addressed(content(pages, workspace.recipe), some["url"], folder)
                yield some["page"], body
                start += len(pages)

    return prefetch(contents())
