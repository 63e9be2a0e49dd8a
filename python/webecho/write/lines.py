"""What stays of JSONL and CSV files: the same bytes, less some lines.

A CSV record may take many lines; where it ends its reader knows. A byte order mark and the header
stay whatever goes. Compressed files are written compressed in the same way, and as hard, in members
that depend on the bytes alone.
"""

import io
import shutil
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Protocol

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.lines import BOM
from webecho.formats.packing import DamagedError, packed, packing_of, unpacked
from webecho.formats.zstd_level import LEVELS, zstd_level
from webecho.read.limits import USUAL, Limits
from webecho.write.annotations import RowFeed
from webecho.write.line_columns import ColumnsSource, with_columns
from webecho.write.recompression import slow_levels, smaller_lines
from webecho.write.selection import OPEN, Selection, Tally, Written, gone_rows

_BLOCK = 1 << 20


class TextSource(ColumnsSource, Protocol):
    """A source whose pages are lines of a text file, or rows that take some."""

    @property
    def name(self) -> str: ...

    def row_ends(self, blocks: Iterator[bytes]) -> Iterator[int] | None:
        """After how many lines the header ends, and then each row; None where each line is one."""


def write_lines(
    source: TextSource,
    selections: Iterable[Selection],
    out: Path,
    *,
    rest: bool = True,
    feed: RowFeed | None = None,
    limits: Limits = USUAL,
) -> Written:
    """Copies the records that stay to the file `out`, and with the `rest` what is not listed; a
    `feed` has more columns for them."""
    tally = Tally(selections)
    gone = gone_rows(tally, rest)
    first = next(gone, None)
    lost: list[str] = []
    packing, level, before, room = None, None, 0, limits.in_flight // 2
    with files.open_file(source.name) as file, out.open("wb") as copy:
        if first is None and feed is None:
            # Nothing goes, so not even the compression changes, nor what is damaged.
            shutil.copyfileobj(file, copy, _BLOCK)
        else:
            ranges = chain(() if first is None else (first,), gone)
            packing = packing_of(file.read(4))
            file.seek(0)
            if packing == "zstd":
                # With more columns nothing tells afterwards what the rest came to.
                more = () if feed is None else slow_levels(packing, room)
                level = zstd_level(file, limits.window, (*LEVELS, *more))
            file.seek(0)
            if feed is None:
                blocks = unpacked(file, limits.window)
                kept = _without(blocks, _line_ranges(source, ranges, limits), source.name, lost)
            else:
                again = _blocks(source.name, limits)
                blocks = unpacked(file, limits.window)
                kept = with_columns(source, blocks, again, ranges, feed, lost)
            for block in kept if packing is None else packed(kept, packing, level):
                copy.write(block)
            before = file.seek(0, io.SEEK_END)
    if packing is not None and feed is None:
        smaller_lines(out, packing, before, room)
    tally.finish()
    return Written(out, out.stat().st_size, tally.kept, tally.left_out, lost=tuple(lost))


def _line_ranges(source: TextSource, records: Iterator[range], limits: Limits) -> Iterator[range]:
    """The lines that these records take."""
    ends = source.row_ends(_blocks(source.name, limits))
    if ends is None:
        yield from records
        return
    rows = enumerate(pairwise(ends))
    for some in records:
        first = 0
        for row, (start, end) in rows:
            first = start if row == some.start else first
            if row == some.stop - 1:
                yield range(first, end)
                break
            if row == some.start and some.stop == OPEN:
                yield range(first, OPEN)
                return
        else:
            if some.stop == OPEN:
                # All rows are listed, the last one stays.
                return
            raise InputError(
                f"{source.name}: has no row {some.stop - 1} any more; sketch the changed file"
            )


def _blocks(name: str, limits: Limits) -> Iterator[bytes]:
    with files.open_file(name) as file:
        yield from unpacked(file, limits.window)


def _without(
    blocks: Iterator[bytes], gone: Iterator[range], name: str, lost: list[str]
) -> Iterator[bytes]:
    """The bytes less these lines."""
    going = next(gone, None)
    line = 0
    try:
        first = next(blocks, b"")
        if first.startswith(BOM):
            yield BOM
        for block in chain((first.removeprefix(BOM),), blocks):
            parts = block.split(b"\n")
            last = line + len(parts) - 1
            if going is None or going.start > last:
                yield block
                line = last
                continue
            at = line
            while at <= last:
                while going is not None and going.stop <= at:
                    going = next(gone, None)
                if going is not None and going.start <= at:
                    at = going.stop
                    continue
                end = last + 1 if going is None else min(last + 1, going.start)
                kept = b"\n".join(parts[at - line : end - line])
                # What follows the last line break is the beginning of a line, or nothing.
                yield kept if end > last else kept + b"\n"
                at = end
            line = last
    except DamagedError as error:
        lost.append(f"{name}: {error}; what comes after could not be passed on")
