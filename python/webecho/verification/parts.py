"""The parts of a workspace: their checksums, columns and rows, and what the manifest counts."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import WorkspaceError
from webecho.read.rows import numbers_from
from webecho.workspace.checksums import Checksum
from webecho.workspace.manifest import Part
from webecho.workspace.schemas import beside_schema, is_page_table
from webecho.workspace.workspace import Workspace

# Tables that have one row for each page of the part, or any number for some of them.
ROW_A_PAGE, ROWS_OF_PAGES = ("sketches",), ("shingles", "records")


def part_problems(workspace: Workspace) -> Iterator[str]:
    """What is wrong with the parts, and with what the manifest says of them."""
    yield from order_problems(workspace)
    for number, part in enumerate(workspace.manifest.parts):
        for table, checksum in part.files.items():
            found = list(file_problems(workspace, number, table, checksum))
            yield from found or table_problems(workspace, number, table)


def order_problems(workspace: Workspace) -> Iterator[str]:
    """Parts come in order, each input ends with one, and each counts its pages."""
    file, parts = workspace.files.manifest, workspace.manifest.parts
    first = 0
    for number, part in enumerate(parts):
        if part.first != first:
            yield f"{file}: part {number} begins at page {part.first}, not {first}"
        if part.counts.get("pages", 0) != part.pages:
            yield f"{file}: part {number} does not count its {part.pages} pages"
        if part.pages and "sketches" not in part.files:
            yield f"{file}: part {number} has pages and no sketches"
        first += part.pages
    ends = [part.input for part in parts if part.ends_input]
    if workspace.manifest.complete and ends != [*range(len(workspace.manifest.inputs))]:
        yield f"{file}: the parts do not end each of its inputs once, in order"
    if [part.input for part in parts] != sorted(part.input for part in parts):
        yield f"{file}: the parts are not in the order of the inputs"


def file_problems(
    workspace: Workspace, number: int, table: str, checksum: Checksum | None
) -> Iterator[str]:
    """Whether a file is what was written."""
    file = workspace.part_file(table, number)
    if not file.is_file():
        yield f"{file} is missing"
    elif checksum is None or Checksum.of(file) != checksum:
        yield f"{file} cannot be read (it is not what was written there)"


def table_problems(workspace: Workspace, number: int, table: str) -> Iterator[str]:
    """Whether the rows are those of the part."""
    file, part = workspace.part_file(table, number), workspace.manifest.parts[number]
    schema = workspace.schema if table == "sketches" else beside_schema(table)
    if not pq.read_schema(file).equals(schema):
        yield f"{file} has other columns than a table of {table}"
        return
    try:
        if table in ROW_A_PAGE:
            yield from sketch_problems(workspace, number)
        elif table in ROWS_OF_PAGES or is_page_table(table):
            for batch in workspace.part_batches(table, number, ["page"]):
                if not within(batch["page"], part.first, part.first + part.pages):
                    yield f"{file} has rows of pages that are not in the part"
                    break
        else:
            rows = sum(part.counts.get(name, 0) for name in ("skipped", "failed"))
            if pq.read_metadata(file).num_rows != rows:
                yield f"{file} has another number of rows than the {rows} that were counted"
    except WorkspaceError as error:
        yield str(error)


def sketch_problems(workspace: Workspace, number: int) -> Iterator[str]:
    """Pages are numbered through, come from a source of their input, and are counted."""
    file, part = workspace.part_file("sketches", number), workspace.manifest.parts[number]
    first, end = workspace.manifest.inputs[part.input]["sources"]
    start, bare = part.first, 0
    for batch in workspace.part_batches(
        "sketches", number, ["page", "source", "revisit_of", "tokens"]
    ):
        if not batch["page"].equals(numbers_from(start, len(batch))):
            yield f"{file} has pages out of their order, near page {start}"
            return
        if not within(batch["source"], first, end):
            yield f"{file} has pages of a source that is not its input's"
        if not within(batch["revisit_of"], 0, workspace.pages):
            yield f"{file} has a revisit of a page that is not there"
        start += len(batch)
        own = batch.filter(batch["revisit_of"].is_null())
        bare += pc.sum(pc.equal(own["tokens"], 0)).as_py() or 0
    yield from count_problems(f"{file}", part, start - part.first, bare)


def count_problems(file: str, part: Part, pages: int, bare: int) -> Iterator[str]:
    if pages != part.pages:
        yield f"{file} has {pages} pages, and {part.pages} were counted"
    if bare != part.counts.get("pages without tokens", 0):
        yield f"{file} has {bare} pages without tokens, and others were counted"


def within(numbers: pa.Array, first: int, end: int) -> bool:
    """Whether all that is there lies from the first number up to the end."""
    least, most = pc.min_max(numbers).as_py().values()
    return least is None or (first <= least and most < end)
