"""Single pages: the one page that a file or stream is, and pages of a collection by their names."""

import os
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import FORMAT, InputError
from webecho.formats import files
from webecho.formats.detection import format_of
from webecho.formats.packing import DamagedError, unpacked
from webecho.formats.skipped import Skipped
from webecho.read.collection import Collection, ReadOptions, open_collection
from webecho.read.folders import converter, is_page
from webecho.read.limits import USUAL, Limits
from webecho.read.names import is_called, number_of
from webecho.read.pages import Batch
from webecho.read.rows import page_rows

# What may stand before the first character.
ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff\0")


def only_page(
    given: str | os.PathLike[str] | bytes, options: ReadOptions, limits: Limits = USUAL
) -> pa.RecordBatch:
    """The one page that is given, as a row of `PAGES`: bytes, a file, or `-` for standard input.

    What comes as a stream or is of no known format is HTML if it begins with `<`, else text.
    """
    if isinstance(given, bytes):
        return as_page(given, "bytes")
    name = os.fspath(given)
    kind = files.kind(name)
    if kind == "stream" or (kind == "file" and not is_known(name, options)):
        return as_page(all_bytes(name, limits), name)
    rows: list[pa.RecordBatch] = []
    skipped: list[Skipped] = []
    for batch in batches(open_collection([name], options, limits)):
        rows += [batch.pages.slice(row, 1) for row in range(min(2, batch.pages.num_rows))]
        skipped += batch.skipped
        if len(rows) > 1:
            raise InputError(
                f"{name}: holds more than one page; name two of them: "
                f"webecho diff --in {name} URL URL"
            )
    if not rows:
        reason = f" ({skipped[0].reason}: {skipped[0].detail})" if skipped else ""
        raise InputError(f"{name}: holds no page{reason}; check how it was made")
    return rows[0]


def pages_named(collection: Collection, one: str, other: str) -> list[tuple[int, pa.RecordBatch]]:
    """Two pages by url, id or number, each with its number, as rows of `PAGES`.

    Of a name that several pages have the first is taken, and of one name given twice the first two.
    """
    most = 2 if one == other else 1
    called: dict[str, list[tuple[int, pa.RecordBatch]]] = {one: [], other: []}
    counted: dict[str, list[tuple[int, pa.RecordBatch]]] = {one: [], other: []}
    first = 0
    for batch in batches(collection):
        pages = batch.pages
        for name, found in called.items():
            rows = pc.indices_nonzero(is_called(pages, name)).to_pylist()[: most - len(found)]
            found.extend((first + row, pages.slice(row, 1)) for row in rows)
            number = number_of(name)
            if number is not None and first <= number < first + pages.num_rows:
                counted[name] = [(number, pages.slice(number - first, 1))]
        first += pages.num_rows
        if all(len(found) == most for found in called.values()):
            break
    for name, found in called.items():
        # Only now is it known that nothing has the number for a url or id.
        found.extend(() if found else counted[name])
        if not found:
            raise InputError(
                f"no page is called {name!r} among {first:,}; give a url or id as the input has "
                f"it, or a number below #{first}"
            )
        if any(not row["body"][0].is_valid for _, row in found):
            raise InputError(
                f"{name} is a revisit, its content stands in another record; sketch the input "
                "and ask: webecho why WORKSPACE URL URL"
            )
    return [called[one][0], called[other][:most][-1]]


def batches(collection: Collection) -> Iterator[Batch]:
    """All pages of a collection, in the order of their numbers."""
    return (
        batch for each in collection.inputs for source in each.sources for batch in source.batches()
    )


def is_known(name: str, options: ReadOptions) -> bool:
    """Whether a file has a format of which the readers know more than that it may be HTML."""
    said = options.format or is_page(name) or converter(name, options.convert)
    return bool(said) or format_of(name) not in (None, "html")


def as_page(body: bytes, name: str) -> pa.RecordBatch:
    """Bytes as a row of `PAGES`."""
    start = body[:100]
    for mark in ORDER_MARKS:
        start = start.removeprefix(mark)
    markup = start.lstrip().startswith(b"<")
    if b"\0" in body and not markup and not body.startswith(ORDER_MARKS):
        raise InputError(f"{name}: is neither HTML nor text; name its format with ", FORMAT)
    names = pa.array([name], pa.string())
    return page_rows(pa.array([0], pa.int64()), pa.array([body]), markup, names, names).pages


def all_bytes(name: str, limits: Limits = USUAL) -> bytes:
    """What a file or stream holds, decompressed."""
    parts, count = [], 0
    try:
        for block in unpacked(files.open_stream(name), limits.window):
            parts.append(block)
            count += len(block)
            if count > limits.page:
                raise InputError(f"{name}: is over {limits.page:,} bytes; give a part of it")
    except DamagedError as error:
        raise InputError(f"{name}: {error}; check how it was made or copied") from error
    return b"".join(parts)
