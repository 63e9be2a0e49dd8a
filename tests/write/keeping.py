"""What the tests of writers share: selections for a source, and records told apart by hand."""

import gzip
import zlib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.read.collection import ReadOptions, open_collection
from webecho.read.pages import Source
from webecho.write.kept import write_kept
from webecho.write.selection import Selection, Written


def opened(name: str | Path, **options: Any) -> Source:
    """The only source of a file or folder."""
    (given,) = open_collection([str(name)], ReadOptions(**options)).inputs
    (source,) = given.sources
    return source


def places_of(source: Source) -> tuple[list[int], list[int]]:
    """The places of the pages, and of all records."""
    pages: list[int] = []
    skipped: list[int] = []
    for batch in source.batches():
        pages += batch.pages["place"].to_pylist()
        skipped += [skip.place for skip in batch.skipped]
    return pages, sorted(pages + skipped)


def selections(places: list[int], gone: Collection[int], step: int = 3) -> Iterator[Selection]:
    """A selection of all places, some at a time."""
    for start in range(0, len(places), step):
        some = places[start : start + step]
        stays = pa.array([place not in gone for place in some], pa.bool_())
        yield Selection(pa.array(some, pa.int64()), stays)


def keep(
    source: Source, out: Path, going: Callable[[int], bool] = lambda _: False, **more: Any
) -> Written:
    """Writes the source without the pages whose number, counted from 0, is `going`."""
    pages, places = places_of(source)
    gone = {place for number, place in enumerate(pages) if going(number)}
    written = write_kept(source, selections(places, gone), out, **more)
    assert (written.kept, written.left_out) == (len(places) - len(gone), len(gone))
    return written


def members(data: bytes) -> list[bytes]:
    """The gzip members of a file, as they stand in it."""
    found = []
    while data:
        inflate = zlib.decompressobj(wbits=31)
        inflate.decompress(data)
        size = len(data) - len(inflate.unused_data)
        found.append(data[:size])
        data = data[size:]
    return found


def unpacked(data: bytes) -> list[bytes]:
    """What is in each gzip member of a file."""
    return [gzip.decompress(member) for member in members(data)]
