"""Settings → kernel call → table: every page of a collection becomes one row of `sketches`."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import ChangedError, InputError
from webecho.memory import SKETCHING
from webecho.read.collection import Collection, ReadOptions
from webecho.read.pages import Batch, Source
from webecho.read.rows import numbers_from
from webecho.read.urls import hosts, sites
from webecho.run import Progress, Report, Run
from webecho.sketches.boilerplate import content, find_boilerplate, sketcher_of
from webecho.sketches.links import addressed
from webecho.sketches.page_tables import add_tables, page_table
from webecho.sketches.revisits import resolve_revisits
from webecho.workspace.layout import LISTS, Layout
from webecho.workspace.locks import locked
from webecho.workspace.manifest import Part
from webecho.workspace.parts import OpenPart
from webecho.workspace.prefetch import plain_memory, prefetch, quick_switches
from webecho.workspace.reread import MOST
from webecho.workspace.resume import SketchSettings, abandon, begin, check_free
from webecho.workspace.schemas import RECORDS
from webecho.workspace.unread import no_pages, nothing_read, unread_sources
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class SketchedBatch:
    """A batch without its bodies, which are most of its bytes, and what was made of them."""

    batch: Batch
    body_bytes: pa.Array
    made: pa.RecordBatch


def sketch_collection(
    collection: Collection,
    options: ReadOptions,
    path: Path,
    settings: SketchSettings,
    run: Run,
    *,
    append: bool = False,
    temporary: bool = False,
    shelf: _core.Shelf | None = None,
    most_shelved: int = MOST,
) -> Workspace:
    """Sketches all pages of the collection into the workspace at `path`, going on where an
    earlier run of the same command stopped.

    Of sources that cannot be read again later the shingles are kept. Tables in memory are such,
    unless the workspace is `temporary`: then the caller alone uses it, while they are there. A
    `shelf` takes the shingles of the pages, for whoever compares them next, until it has
    `most_shelved` bytes.
    """
    run.check_memory(SKETCHING, "sketching")
    if not Layout(path).manifest.exists():
        check_free(path, append)
    with locked(path):
        workspace = begin(collection, options, path, settings, append=append, temporary=temporary)
        manifest = workspace.manifest
        if not manifest.complete:
            start = len(manifest.inputs) - len(collection.inputs)
            find_boilerplate(collection, settings.recipe, path, run)
            sketcher = sketcher_of(workspace, run)
            work = Work(workspace, sketcher, settings, shelf, most_shelved, run.report)
            try:
                with collection.look.watched(), quick_switches(), plain_memory():
                    work.run(collection, start)
            except ChangedError:
                # What was made of it may be of two files, one half and another.
                abandon(workspace, start)
                raise
            resolve_revisits(workspace, run)
            # What a call that was killed leaves behind must not be taken for a workspace.
            manifest.complete = not temporary
            workspace.save()
        # Parts that were sketched before the tables were asked for lack them.
        add_tables(workspace, settings.tables, run)
    return workspace


def report_unread(workspace: Workspace, run: Run) -> None:
    """Names the files of which nothing could be read; raises an `InputError` if there are no pages
    because of that."""
    problem = nothing_read(workspace)
    if problem is not None:
        raise InputError(f"no pages: {problem}")
    if not workspace.pages:
        run.note(no_pages(workspace.manifest.counts))
    for line in unread_sources(workspace):
        run.warn(line)


class Work:
    """One run over the inputs: reads ahead, sketches, and writes part after part."""

    def __init__(
        self,
        workspace: Workspace,
        sketcher: _core.Sketcher,
        settings: SketchSettings,
        shelf: _core.Shelf | None,
        most_shelved: int,
        report: Report,
    ) -> None:
        self.workspace = workspace
        self.sketcher = sketcher
        self.settings = settings
        self.shelf = shelf
        self.most_shelved = most_shelved
        self.report = report
        self.pages = 0
        self.bytes = 0
        self.unsaved = 0
        self.finishing: Future[Part] | None = None
        self.prefix = ""
        self.folder = False
        # The first source of each format.
        self.firsts: dict[str, int] = {}
        self.start: float | None = None if workspace.manifest.parts else 0.0

    def run(self, collection: Collection, first_input: int) -> None:
        manifest = self.workspace.manifest
        # Before each source, and in all.
        sizes = [source["stamp"].get("size", 0) for source in manifest.sources]
        before = [0, *accumulate(sizes)]
        for source_number, source in enumerate(manifest.sources):
            self.firsts.setdefault(source["format"], source_number)
        with ThreadPoolExecutor(1, "webecho-write") as self.writer:
            for number, each in enumerate(collection.inputs, first_input):
                last = next((part for part in reversed(manifest.parts)), None)
                if last and (last.input > number or (last.input == number and last.ends_input)):
                    continue
                resumed = last if last and last.input == number else None
                first_source = manifest.inputs[number]["sources"][0]
                try:
                    self.read_input(number, first_source, each.sources, resumed, before)
                finally:
                    self.settle()

    def read_input(
        self,
        number: int,
        first_source: int,
        sources: Sequence[Source],
        resumed: Part | None,
        before: Sequence[int],
    ) -> None:
        """Reads the sources of an input; `before` has the bytes before each of all sources, and at
        its end those of all."""
        total = before[-1]
        done = self.workspace
        part = OpenPart(done, self.writer, len(done.manifest.parts), done.pages, number)
        for offset, source in enumerate(sources):
            source_number = first_source + offset
            after = -1
            if resumed and source_number <= resumed.source:
                if source_number < resumed.source:
                    continue
                after = resumed.place
            self.prefix = self.path_prefix(source, source_number)
            self.folder = source.path_prefix is not None
            again = source.rereadable and (not source.in_memory or self.workspace.temporary)
            keep = self.settings.keep_shingles or not again
            size = before[source_number + 1] - before[source_number]
            first = part.first + part.pages
            sketched = self.sketch_all(prefetch(source.batches(after), depth=1), first, keep)
            for each in prefetch(sketched, depth=1):
                part = self.take(part, source_number, each)
                # Time is by bytes: those of the sources before, and the share of this one.
                here = (source.passed(each.batch.end) or 0.0) * size
                share = (before[source_number] + here) / total if total else None
                # Where a run that goes on began, its first batch tells near enough.
                self.start = (share or 0.0) if self.start is None else self.start
                self.report(Progress("reading", share, self.pages, self.bytes, self.start))
            # Before a part is named that holds what may be of two files.
            source.look.check()
        if first_source + len(sources) == len(before) - 1:
            self.report(Progress("writing sketches"))
        self.write(part, ends_input=True)

    def path_prefix(self, source: Source, number: int) -> str:
        """What stands before the paths of a folder's pages: nothing for the first folder, for later
        ones their names, as `index.html` may be in each of them.

        It depends on the sources before alone, so that appending gives what one run gives.
        """
        several = self.firsts.get(source.format, number) < number
        return (source.path_prefix or "") if several else ""

    def sketch_all(
        self, batches: Iterable[Batch], first: int, keep: bool
    ) -> Iterator[SketchedBatch]:
        """What is made of the batches' pages, the first of which has this number."""
        columns = [*self.settings.columns, *(["shingles"] if keep else [])]
        for name in self.settings.tables:
            columns += page_table(name).columns
        for batch in batches:
            pages = batch.pages
            room = self.shelf is not None and self.shelf.bytes < self.most_shelved
            shelf = self.shelf if room else None
            numbers = numbers_from(first, len(pages))
            urls = prefixed(pages["url"], self.prefix)
            body = addressed(content(pages, self.settings.recipe), urls, self.folder)
            made = self.sketcher.sketch(body, columns, shelf, numbers)
            lengths = _core.byte_lengths(pages["body"])
            rest = Batch(pages.drop_columns(["body"]), batch.skipped)
            first += len(pages)
            # Else the bodies would stay until the next batch is asked for.
            del batch, pages, body
            yield SketchedBatch(rest, lengths, made)

    def take(self, part: OpenPart, source: int, sketched: SketchedBatch) -> OpenPart:
        """Adds a batch that is sketched, writing the part whenever it is full."""
        batch, made, body_bytes = sketched.batch, sketched.made, sketched.body_bytes
        pages = batch.pages
        self.pages += len(pages)
        self.bytes += pc.sum(body_bytes).as_py() or 0
        skipped = batch.skipped
        start = done = 0
        while True:
            room = self.settings.part_pages - part.pages
            end = min(start + room, len(pages))
            full = end - start == room
            rows = slice(start, end)
            if end > start:
                self.add_rows(part, source, pages[rows], made[rows], body_bytes[rows])
            last = pages["place"][end - 1].as_py() if full else None
            while done < len(skipped) and (last is None or skipped[done].place < last):
                part.skip(source, skipped[done])
                done += 1
            start = end
            if not full:
                return part
            part = self.write(part, ends_input=False)

    def add_rows(
        self,
        part: OpenPart,
        source: int,
        pages: pa.RecordBatch,
        sketched: pa.RecordBatch,
        body_bytes: pa.Array,
    ) -> None:
        count = len(pages)
        first = part.first + part.pages
        numbers = numbers_from(first, count)
        rows = sketch_rows(
            pages, sketched, body_bytes, numbers, source, self.workspace, self.prefix
        )
        part.add("sketches", rows)
        if self.workspace.mapped:
            part.add(LISTS, pa.table({name: sketched[name] for name in self.settings.columns}))
        if "shingles" in sketched.schema.names:
            kept = pa.table({"page": numbers, "shingles": sketched["shingles"]})
            part.add("shingles", kept)
        for name in self.settings.tables:
            part.add(name, page_table(name).rows(numbers, sketched))
        records = record_rows(pages, numbers)
        if records.num_rows:
            part.add("records", records)
        revisit = pages["refers"].is_valid()
        empty = pc.equal(pc.fill_null(rows["tokens"], -1), 0)
        part.counts["pages"] += count
        part.counts["bytes"] += pc.sum(body_bytes).as_py() or 0
        part.counts["pages without tokens"] += pc.sum(empty).as_py() or 0
        part.counts["pages left nearly empty"] += pc.sum(sketched["hollow"]).as_py() or 0
        part.counts["revisits"] += pc.sum(revisit).as_py() or 0
        part.pages += count
        part.reach(source, pages["place"][count - 1].as_py())

    def write(self, part: OpenPart, *, ends_input: bool) -> OpenPart:
        """Lets a part be completed, and begins the next meanwhile."""
        self.settle()
        self.finishing = part.finish(ends_input)
        first = part.first + part.pages
        return OpenPart(self.workspace, self.writer, part.number + 1, first, part.input)

    def settle(self) -> None:
        """Names the part in the manifest that was to be completed last."""
        if self.finishing is None:
            return
        finishing, self.finishing = self.finishing, None
        parts = self.workspace.manifest.parts
        parts.append(finishing.result())
        # The manifest names all parts. With very many it is not written for each one, which would
        # be quadratic; what it does not name yet a later run makes again.
        self.unsaved += 1
        if self.unsaved * 100 >= len(parts):
            self.workspace.save()
            self.unsaved = 0


def sketch_rows(
    pages: pa.RecordBatch,
    sketched: pa.RecordBatch,
    body_bytes: pa.Array,
    numbers: pa.Array,
    source: int,
    workspace: Workspace,
    prefix: str,
) -> pa.Table:
    """The rows of the `sketches` table."""
    schema = workspace.schema
    host = hosts(pages["url"])
    # Null text in a table is an empty page; only a revisit's content is unknown.
    known = pages["refers"].is_null()

    def count(name: str) -> pa.Array:
        return pc.if_else(known, pc.fill_null(sketched[name], 0), sketched[name])

    columns = {
        "page": numbers,
        "id": prefixed(pages["id"], prefix).cast(schema.field("id").type),
        "url": prefixed(pages["url"], prefix),
        "host": host,
        "site": sites(host, workspace.recipe.site),
        "ip": pages["ip"],
        "fetched": pages["fetched"],
        "source": pa.repeat(pa.scalar(source, pa.int32()), len(pages)),
        "place": pages["place"],
        "revisit_of": pa.nulls(len(pages), pa.int64()),
        "beside": pages["beside"],
        "by": pages["by"],
        "value": pages["value"],
        "bytes": pc.if_else(pc.or_(known, sketched["chars"].is_valid()), body_bytes, None),
        "chars": count("chars"),
        "tokens": count("tokens"),
        "title": sketched["title"],
        "hollow": sketched["hollow"],
    }
    columns |= {name: sketched[name] for name in schema.names if name not in columns}
    return pa.table(columns, schema=schema)


def prefixed(names: pa.Array, prefix: str) -> pa.Array:
    return pc.binary_join_element_wise(prefix, names, "") if prefix else names


def record_rows(pages: pa.RecordBatch, numbers: pa.Array) -> pa.Table:
    """The rows of the `records` table: page after page, each fingerprint by itself."""

    def rows(column: str, refers: bool) -> Iterator[pa.Table]:
        lists = pages[column]
        if lists.null_count == len(lists):
            return
        parents = pc.list_parent_indices(lists)
        flat = pc.list_flatten(lists)
        flags = pa.repeat(pa.scalar(refers), len(flat))
        yield pa.table([numbers.take(parents), flat, flags], schema=RECORDS)

    return pa.concat_tables([RECORDS.empty_table(), *rows("keys", False), *rows("refers", True)])
