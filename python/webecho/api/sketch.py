"""`webecho sketch`: every page of the inputs becomes one row of a workspace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho import settings
from webecho.api.call import public
from webecho.api.frames import engine_for
from webecho.api.inputs import as_inputs
from webecho.api.reading import Reading, as_reading
from webecho.api.runs import EngineChoice, running
from webecho.api.values import Name, as_chunkings, as_recipe, as_workspace, several
from webecho.chunkings import Chunking
from webecho.engine.spark.frames import spooled_inputs
from webecho.errors import SettingsError, setting
from webecho.read.collection import Collection, ReadOptions, open_collection
from webecho.run import Report, Run
from webecho.settings import SKETCH_COLUMNS, WEBECHO, Recipe
from webecho.sketches.page_tables import PAGE_TABLES
from webecho.sketches.sketching import report_unread
from webecho.workspace.longest_page import limits_in
from webecho.workspace.resume import PART_PAGES, SketchSettings
from webecho.workspace.scratch import temporary_folder
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class SketchRequest:
    """What is sketched, how, and into which workspace; `append` adds to one that is there."""

    inputs: tuple[Any, ...]
    out: Path
    recipe: Recipe = WEBECHO
    columns: tuple[str, ...] = SKETCH_COLUMNS
    keep_shingles: bool = False
    paragraphs: bool = False
    sentences: bool = False
    links: bool = False
    chunks: tuple[Chunking, ...] = ()
    part_pages: int = PART_PAGES
    append: bool = False
    reading: Reading = field(default_factory=Reading)

    def __post_init__(self) -> None:
        settings.sketch_columns(self.columns)
        if self.part_pages < 1:
            raise SettingsError(setting("part_pages").to(self.part_pages), ": give 1 or more")

    @property
    def settings(self) -> SketchSettings:
        asked = {
            "paragraphs": self.paragraphs,
            "sentences": self.sentences,
            "links": self.links,
        }
        tables = [name for name in PAGE_TABLES if asked[name]]
        return SketchSettings(
            self.recipe,
            settings.sketch_columns(self.columns),
            self.keep_shingles,
            self.part_pages,
            (*tables, *(chunking.table for chunking in self.chunks)),
        )


@dataclass(frozen=True)
class SketchedWorkspace:
    """The workspace, and what was counted."""

    workspace: Workspace
    counts: dict[str, int]

    @property
    def records(self) -> int:
        """All that were read, whatever became of them."""
        return sum(self.counts.get(name, 0) for name in ("pages", "skipped", "failed"))


def run_sketch(request: SketchRequest, run: Run) -> SketchedWorkspace:
    """Sketches, going on where an earlier run of the same request stopped."""
    options = request.reading.options()
    run = replace(run, convert=options.convert)
    with temporary_folder() as folder:
        inputs = spooled_inputs(request.inputs, folder)
        collection = open_collection(inputs, options, limits_in(request.out, run))
        return sketched(request, collection, options, run)


def sketched(
    request: SketchRequest, collection: Collection, options: ReadOptions, run: Run
) -> SketchedWorkspace:
    for choice in collection.choices:
        run.note(choice)
    workspace = run.engine.sketch(
        collection, options, request.out, request.settings, run, append=request.append
    )
    report_unread(workspace, run)
    found = SketchedWorkspace(workspace, workspace.manifest.counts)
    run.log("counts", {"records": found.records} | found.counts)
    return found


@public
def sketch(
    data: Any,
    out: Name | None = None,
    *,
    recipe: str | Recipe = "webecho",
    columns: str | Sequence[str] = SKETCH_COLUMNS,
    keep_shingles: bool = False,
    paragraphs: bool = False,
    sentences: bool = False,
    links: bool = False,
    chunks: str | Chunking | Sequence[str | Chunking] = (),
    append: bool = False,
    part_pages: int = PART_PAGES,
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
    """The sketches of all pages, one row each, in page order.

    With `out` they are also written there as a workspace, which later calls can use. A run that was
    stopped goes on from the last part that it had finished.

    Arguments:
        data: a path, several, a table of any common library, or a list or generator of texts or of
            dictionaries.
        out: the workspace to write, such as `crawl.echo`.
        columns: what is sketched: features, supershingles, projection; `none` for nothing.
        keep_shingles: keep the shingles of each page too.
        paragraphs: keep shingle paragraphs, for what needs them, which else reads the sources
            again.
        sentences: keep the sentences that these are made of.
        links: keep the links of each page.
        chunks: keep chunks, such as "lines:4,lines:2".
        append: add to a workspace that is there.
        part_pages: how many pages a part of the workspace has.

    Example:
        >>> webecho.sketch(["one text", "another text"])["tokens"].to_pylist()
        [2, 2]
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    with temporary_folder() as folder:
        request = SketchRequest(
            inputs=as_inputs(data),
            out=folder / "sketches.echo" if out is None else as_workspace(out),
            recipe=as_recipe(recipe),
            columns=several(columns),
            keep_shingles=keep_shingles,
            paragraphs=paragraphs,
            sentences=sentences,
            links=links,
            chunks=as_chunkings(chunks),
            append=append,
            part_pages=part_pages,
            reading=reading,
        )
        with running(threads, memory, report, progress, engine=engine_for(data, engine)) as run:
            return run_sketch(request, run).workspace.table()
