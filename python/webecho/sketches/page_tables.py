"""How page tables are made: while pages are sketched, if that is asked for, and else from the
sources, which are read again, by the study that needs one first; the bytes are the same. A part
that lacks one, because pages were appended or a file is gone, gets it the next time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa

from webecho import _core
from webecho.chunkings import chunking_of
from webecho.errors import InputError, Setting, flag, setting
from webecho.memory import SKETCHING
from webecho.read.pages import Source
from webecho.run import Progress, Run
from webecho.sketches.boilerplate import content, sketcher_of
from webecho.sketches.links import addressed, link_rows
from webecho.workspace.locks import locked
from webecho.workspace.page_tables import lacking
from webecho.workspace.prefetch import plain_memory, prefetch, quick_switches
from webecho.workspace.reread import PageReader, open_input
from webecho.workspace.schemas import CHUNKS, PARAGRAPHS, SENTENCES
from webecho.workspace.table_files import TableWriter
from webecho.workspace.workspace import Workspace

# Makes the named columns.
Alone: TypeAlias = Callable[[_core.Sketcher, pa.RecordBatch, Sequence[str]], pa.RecordBatch]


@dataclass(frozen=True)
class PageTable:
    """How a table is made of batches of pages.

    `columns` are those that the sketcher makes for it along with the sketches, `alone` makes the
    same without the sketches, those of several tables at once where it is one for them all, and
    `rows` makes rows of them, given the numbers of the pages.
    """

    name: str
    columns: tuple[str, ...]
    alone: Alone
    rows: Callable[[pa.Array, pa.RecordBatch], pa.Table]


def paragraph_rows(numbers: pa.Array, made: pa.RecordBatch) -> pa.Table:
    """The rows of pages with these numbers."""
    names = PARAGRAPHS.names[1:]
    return pa.table([numbers, *(made[name] for name in names)], schema=PARAGRAPHS)


def sentence_rows(numbers: pa.Array, made: pa.RecordBatch) -> pa.Table:
    """The same of how long sentences are."""
    return pa.table([numbers, made["sentence_chars"]], schema=SENTENCES)


def paragraphs_alone(
    sketcher: _core.Sketcher, pages: pa.RecordBatch, _: Sequence[str]
) -> pa.RecordBatch:
    return sketcher.paragraphs(pages)


PAGE_TABLES = {
    table.name: table
    for table in (
        PageTable(
            "paragraphs",
            ("paragraphs", "overlapping_paragraphs"),
            paragraphs_alone,
            paragraph_rows,
        ),
        PageTable("sentences", ("sentence_chars",), paragraphs_alone, sentence_rows),
        PageTable(
            "links",
            ("links", "link_kinds"),
            lambda sketcher, pages, _: sketcher.links(pages),
            link_rows,
        ),
    )
}


def chunks_alone(
    sketcher: _core.Sketcher, pages: pa.RecordBatch, columns: Sequence[str]
) -> pa.RecordBatch:
    return sketcher.chunks(pages, columns)


def page_table(name: str) -> PageTable:
    """The page table of this name; that of a chunking has one column, of its own name."""
    if name in PAGE_TABLES:
        return PAGE_TABLES[name]

    def rows(numbers: pa.Array, made: pa.RecordBatch) -> pa.Table:
        return pa.table([numbers, made[name]], schema=CHUNKS)

    return PageTable(name, (name,), chunks_alone, rows)


def page_tables(names: Sequence[str]) -> dict[Alone, list[PageTable]]:
    """The page tables of these names, those together that are made together."""
    found: dict[Alone, list[PageTable]] = {}
    for table in map(page_table, names):
        found.setdefault(table.alone, []).append(table)
    return found


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
                together = page_tables(tables)
                for numbers, pages in part_contents(workspace, number, reader):
                    for alone, some in together.items():
                        columns = [column for table in some for column in table.columns]
                        rows = alone(sketcher, pages, columns)
                        for table in some:
                            writers[table.name].write(table.rows(numbers, rows))
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
        kept = [part for each in settings_for(tables) for part in (" ", each)][1:]
        raise InputError(
            *(error, f", and its {', '.join(tables)} were not kept; sketch it with ", *kept)
        ) from error


def settings_for(tables: Sequence[str]) -> list[Setting]:
    """With which settings these tables are made while pages are sketched."""
    chunkings = [chunking for chunking in map(chunking_of, tables) if chunking]
    others = [flag(name) for name in tables if name in PAGE_TABLES]
    if not chunkings:
        return others
    listed = ",".join(map(str, chunkings))
    return [*others, setting("chunks").to(listed, f'"{listed}"')]


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
