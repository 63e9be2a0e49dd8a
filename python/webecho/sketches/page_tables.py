"""*Page table*: what is made of the contents of pages beside their sketches, for who needs it.

It lies in the workspace part by part as the sketches do, and is named in the manifest with its
checksums. It is made while pages are sketched, if that is asked for, and else from the sources,
which are read again, by the study that needs it first; the bytes are the same. A part that lacks
it, because pages were appended or a file is gone, gets it the next time.

Rows are of pages with a content of their own: what a revisit has is that of the page it repeats.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from webecho import _core
from webecho.errors import InputError, flag
from webecho.memory import SKETCHING, check_budget
from webecho.read.folders import FolderSource
from webecho.read.pages import Source
from webecho.run import Progress, Run
from webecho.sketches.boilerplate import content, sketcher_of
from webecho.sketches.links import addressed, link_rows
from webecho.workspace.locks import locked
from webecho.workspace.prefetch import plain_memory, prefetch, quick_switches
from webecho.workspace.sources import PagesAgain, open_input
from webecho.workspace.table_files import TableWriter, checksum
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
    """One row a page; null where it has no sentence."""
    columns = ("paragraphs", "overlapping_paragraphs")
    return pa.table({"page": numbers} | {name: made[name] for name in columns})


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


def lacking(workspace: Workspace, names: Sequence[str]) -> dict[int, list[str]]:
    """Which parts lack which of the tables."""
    found = {
        number: [
            name
            for name in names
            if name not in part.files or not workspace.part_file(name, number).is_file()
        ]
        for number, part in enumerate(workspace.manifest.parts)
        if part.pages
    }
    return {number: tables for number, tables in found.items() if tables}


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
    check_budget(run.memory, SKETCHING, f"reading the pages of {workspace.path} again")
    sketcher = sketcher_of(workspace, run)
    again = PagesAgain({})
    total, done, unsaved = sum(parts[number].pages for number in todo), 0, 0
    with quick_switches(), plain_memory():
        try:
            for number, tables in todo.items():
                part = parts[number]
                if part.source not in again.sources:
                    again.close()
                    again = PagesAgain(opened(workspace, part.input, tables))
                writers = {name: TableWriter(workspace.part_file(name, number)) for name in tables}
                for numbers, pages in part_contents(workspace, number, again):
                    for name, writer in writers.items():
                        table = PAGE_TABLES[name]
                        writer.write(table.rows(numbers, table.alone(sketcher, pages)))
                    done += len(numbers)
                    run.report(Progress("reading again", done / total, pages=done))
                made = {name: writer.finish() for name, writer in writers.items()}
                parts[number] = replace(part, files=dict(sorted((part.files | made).items())))
                # As when parts are sketched: not for each of very many.
                unsaved += 1
                if unsaved * 100 >= len(parts):
                    workspace.save()
                    unsaved = 0
        finally:
            again.close()
            # Also if the run is stopped: what is made so far stays.
            if unsaved:
                workspace.save()


def opened(workspace: Workspace, number: int, tables: Sequence[str]) -> dict[int, Source]:
    try:
        return open_input(workspace, number)
    except InputError as error:
        kept = [part for name in tables for part in (" ", flag(name))][1:]
        raise InputError(
            *(error, f", and its {', '.join(tables)} were not kept; sketch it with ", *kept)
        ) from error


def part_contents(
    workspace: Workspace, number: int, again: PagesAgain
) -> Iterator[tuple[pa.Array, pa.RecordBatch]]:
    """The contents of the pages of a part, read again some at a time, with their numbers."""

    def contents() -> Iterator[tuple[pa.Array, pa.RecordBatch]]:
        columns = ["page", "url", "source", "place", "chars"]
        for rows in workspace.part_batches("sketches", number, columns):
            start = 0
            for pages in again.read(rows, workspace.manifest.parts[number]):
                some = rows[start : start + len(pages)]
                folder = isinstance(again.sources[some["source"][0].as_py()], FolderSource)
                body = addressed(content(pages, workspace.recipe), some["url"], folder)
                yield some["page"], body
                start += len(pages)

    return prefetch(contents())


def forget_damaged_tables(workspace: Workspace) -> None:
    """Drops page tables that are missing or not what was written; they can be made again."""
    parts = workspace.manifest.parts
    for number, part in enumerate(parts):
        files = {
            name: digest
            for name, digest in part.files.items()
            if name not in PAGE_TABLES or is_whole(workspace.part_file(name, number), digest)
        }
        if files != part.files:
            parts[number] = replace(part, files=files)


def is_whole(file: Path, digest: str) -> bool:
    return file.is_file() and checksum(file) == digest
