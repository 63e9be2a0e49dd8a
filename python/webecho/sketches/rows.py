"""Pages → rows: what is made of a batch of pages, as rows of the tables of a part.

A page's rows depend on the page alone, and not on the batch it came in.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.read.pages import Batch, Source
from webecho.read.urls import hosts, sites
from webecho.sketches.boilerplate import content
from webecho.sketches.links import addressed
from webecho.sketches.page_tables import page_table
from webecho.workspace.layout import LISTS
from webecho.workspace.resume import SketchSettings
from webecho.workspace.schemas import RECORDS
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class Origin:
    """The source that pages are of, by its number, and what follows from that: what stands before
    their addresses, whether these are paths of a folder, and whether shingles are kept."""

    source: int
    prefix: str
    folder: bool
    keep: bool


@dataclass(frozen=True)
class SketchedBatch:
    """A batch without its bodies, which are most of its bytes, and what was made of them."""

    batch: Batch
    body_bytes: pa.Array
    made: pa.RecordBatch


def origin_of(
    workspace: Workspace,
    source: Source,
    number: int,
    settings: SketchSettings,
    *,
    elsewhere: bool = False,
) -> Origin:
    """What follows from the source of this number. Of those that cannot be read again later the
    shingles are kept: of tables in memory too, unless the workspace is temporary and its pages are
    not compared `elsewhere`, in other processes."""
    at_hand = workspace.temporary and not elsewhere
    again = source.rereadable and (not source.in_memory or at_hand)
    return Origin(
        number,
        path_prefix(workspace, source, number),
        source.path_prefix is not None,
        settings.keep_shingles or not again,
    )


def path_prefix(workspace: Workspace, source: Source, number: int) -> str:
    """What stands before the paths of a folder's pages: nothing for the first folder, for later
    ones their names, as `index.html` may be in each of them.

    It depends on the sources before alone, so that appending gives what one run gives.
    """
    if not source.path_prefix:
        return ""
    before = islice(workspace.manifest.sources, number)
    several = any(each["format"] == source.format for each in before)
    return source.path_prefix if several else ""


def made_columns(settings: SketchSettings, origin: Origin) -> list[str]:
    """The columns that the sketcher makes of the pages of a source."""
    columns = [*settings.columns, *(["shingles"] if origin.keep else [])]
    for name in settings.tables:
        columns += page_table(name).columns
    return columns


def sketched_batch(
    batch: Batch,
    origin: Origin,
    settings: SketchSettings,
    sketcher: _core.Sketcher,
    numbers: pa.Array,
    shelf: _core.Shelf | None = None,
) -> SketchedBatch:
    """What is made of the pages of a batch, which have these numbers on the shelf."""
    pages = batch.pages
    urls = prefixed(pages["url"], origin.prefix)
    body = addressed(content(pages, settings.recipe), urls, origin.folder)
    made = sketcher.sketch(body, made_columns(settings, origin), shelf, numbers)
    lengths = _core.byte_lengths(pages["body"])
    return SketchedBatch(Batch(pages.drop_columns(["body"]), batch.skipped), lengths, made)


def table_rows(
    sketched: SketchedBatch,
    rows: slice,
    numbers: pa.Array,
    origin: Origin,
    workspace: Workspace,
    settings: SketchSettings,
) -> dict[str, pa.Table]:
    """The rows of all tables of a part for some pages of a batch, which have these numbers."""
    pages, made = sketched.batch.pages[rows], sketched.made[rows]
    found = {
        "sketches": sketch_rows(pages, made, sketched.body_bytes[rows], numbers, origin, workspace)
    }
    if workspace.mapped:
        found[LISTS] = pa.table({name: made[name] for name in settings.columns})
    if "shingles" in made.schema.names:
        found["shingles"] = pa.table({"page": numbers, "shingles": made["shingles"]})
    for name in settings.tables:
        found[name] = page_table(name).rows(numbers, made)
    records = record_rows(pages, numbers)
    if records.num_rows:
        found["records"] = records
    return found


def sketch_rows(
    pages: pa.RecordBatch,
    sketched: pa.RecordBatch,
    body_bytes: pa.Array,
    numbers: pa.Array,
    origin: Origin,
    workspace: Workspace,
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
        "id": prefixed(pages["id"], origin.prefix).cast(schema.field("id").type),
        "url": prefixed(pages["url"], origin.prefix),
        "host": host,
        "site": sites(host, workspace.recipe.site),
        "ip": pages["ip"],
        "fetched": pages["fetched"],
        "source": pa.repeat(pa.scalar(origin.source, pa.int32()), len(pages)),
        "place": pages["place"],
        "revisit_of": pa.nulls(len(pages), pa.int64()),
        "beside": pages["beside"],
        **{name: pages[name].cast(schema.field(name).type) for name in ("by", "values", "ranked")},
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

    refers = [*rows("refers", True)]
    found = pa.concat_tables([RECORDS.empty_table(), *rows("keys", False), *refers])
    # Sorted by page alone, and stable, so that it does not matter which pages come together.
    return found.take(pc.sort_indices(found["page"])) if refers else found
