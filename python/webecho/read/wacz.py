"""Pages from WACZ files: zip files with WARC files in their `archive` folder.

The place of a page is the number of its WARC file in the WACZ, in the order of the names' bytes,
times 2⁴², plus its place in that file; that the zip is damaged there has the last of its places.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from webecho.formats import files
from webecho.formats.records import Stream, is_stream, records_at
from webecho.formats.scan import Found
from webecho.read.judge import WarcOptions
from webecho.read.pages import PAGES, Batch, Skipped
from webecho.read.warc import batches_of, some_pages

_DEFAULT = WarcOptions()
SPAN = 1 << 42
_ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
_BUFFER = 256 << 10
# Small, as an error loses what was unpacked in the same step.
_STEP = 4 << 10
_LOCAL_HEADER = 30
_ENCRYPTED = 1
# What zipfile raises for a damaged list of contents.
_BROKEN = (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, struct.error)


class WaczSource:
    """One WACZ file."""

    format = "wacz"
    rereadable = True

    def __init__(self, name: str, options: WarcOptions = _DEFAULT) -> None:
        self.name = name
        self.options = options
        # Where reading again stands: what opens the WARC files, and the one that is open.
        self._archives: list[Callable[[], Archive]] | None = None
        self._again: tuple[int, Archive, Stream | None] | None = None
        # Of each WARC file, the bytes it takes in the zip and has in itself.
        self._sizes: list[tuple[int, int]] | None = None

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.name)

    def span(self) -> int | None:
        return None

    def passed(self, place: int) -> float | None:
        """By the bytes of the archives before, and of this one as far as it is read."""
        if self._sizes is None:
            return None
        number, inside = divmod(max(0, place), SPAN)
        read = float(sum(packed for packed, _ in self._sizes[:number]))
        for packed, size in self._sizes[number : number + 1]:
            read += packed * min(1.0, inside / max(1, size))
        return read / max(1, sum(packed for packed, _ in self._sizes))

    def batches(self, after: int = -1) -> Iterator[Batch]:
        with files.open_file(self.name) as file:
            try:
                archives = _archives(file)
                members = archive_members(zipfile.ZipFile(file))
                self._sizes = [(each.compress_size, each.file_size) for each in members]
            except _BROKEN as error:
                archives, problem = [], str(error)
            else:
                problem = "no WARC file in its archive folder"
            if not archives and after < 0:
                yield _damage(0, problem)
            for number in range(max(0, after // SPAN), len(archives)):
                base = number * SPAN
                end = base + SPAN - 1
                with archives[number]() as archive:
                    inside = max(-1, after - base)
                    for batch in batches_of(archive, self.options, inside):
                        yield _moved(batch, base)
                    if archive.problem is not None and after < end:
                        yield _damage(end, archive.problem)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        """The pages at these places; fast if they come after those that were read last."""
        return some_pages(self._records_at(places), self.options, self.name, places)

    def close(self) -> None:
        self._again = None

    def _records_at(self, places: Sequence[int]) -> Iterator[Found | Skipped]:
        for number, group in groupby(places, lambda place: place // SPAN):
            base = number * SPAN
            inside = [place - base for place in group]
            for record in self._inside(number, inside):
                yield replace(record, place=base + record.place)

    def _inside(self, number: int, places: Sequence[int]) -> Iterator[Found | Skipped]:
        if self._archives is None:
            try:
                self._archives = _archives(files.open_file(self.name, scattered=True))
            except _BROKEN:
                self._archives = []
        if number >= len(self._archives):
            return iter(())
        if self._again is None or self._again[0] != number:
            archive = self._archives[number]()
            forward = archive.deflated or is_stream(archive)
            stream = Stream(archive, self.options.judge()) if forward else None
            self._again = number, archive, stream
        _, archive, stream = self._again
        if stream is not None:
            return stream.at(places)
        return records_at(archive, self.options.judge(), places)


def _moved(batch: Batch, base: int) -> Batch:
    column = PAGES.get_field_index("place")
    places = pc.add(batch.pages["place"], base)
    pages = batch.pages.set_column(column, PAGES.field(column), places)
    return Batch(pages, tuple(replace(skip, place=base + skip.place) for skip in batch.skipped))


def _damage(place: int, problem: str) -> Batch:
    nothing = pa.RecordBatch.from_pylist([], schema=PAGES)
    return Batch(nothing, (Skipped(place, "corrupt zip", problem, failed=True),))


class Archive(io.BufferedReader):
    """A WARC file inside the WACZ; `problem` tells why it ended early, if it did."""

    def __init__(self, raw: "_Stored | _Deflated") -> None:
        super().__init__(raw, _BUFFER)
        self._inside = raw

    @property
    def problem(self) -> str | None:
        return self._inside.problem

    @property
    def deflated(self) -> bool:
        """Whether to go back in it means to begin again."""
        return isinstance(self._inside, _Deflated)


def _archives(file: BinaryIO) -> list[Callable[[], Archive]]:
    """What opens the WARC files in the zip, in their order."""
    return [partial(open_archive, file, info) for info in archive_members(zipfile.ZipFile(file))]


def archive_members(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The WARC files in the zip, in the order of the bytes of their names."""
    found = [
        info
        for info in packed.infolist()
        if info.filename.startswith("archive/") and info.filename.lower().endswith(_ARCHIVES)
    ]
    found.sort(key=lambda info: info.filename.encode("utf-8", "surrogateescape"))
    return found


def open_archive(file: BinaryIO, info: zipfile.ZipInfo) -> Archive:
    """The WARC file inside the open WACZ; several may be open at a time."""
    deflated = info.compress_type == zipfile.ZIP_DEFLATED
    return Archive(_Deflated(file, info) if deflated else _Stored(file, info))


class _Stored(io.RawIOBase):
    """A file that stands in the zip as it is, as WACZ asks for: one can go to any place in it."""

    problem: str | None = None

    def __init__(self, file: BinaryIO, info: zipfile.ZipInfo) -> None:
        self._file = file
        self._size = info.compress_size
        self._at = 0
        file.seek(info.header_offset)
        header = file.read(_LOCAL_HEADER)
        if not header.startswith(b"PK\3\4") or len(header) < _LOCAL_HEADER:
            self.problem = "bad local header"
        elif info.flag_bits & _ENCRYPTED:
            self.problem = "encrypted"
        elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.problem = f"compressed by method {info.compress_type}"
        if self.problem is not None:
            self._size = 0
        lengths = (int.from_bytes(header[at : at + 2], "little") for at in (26, 28))
        self._start = info.header_offset + _LOCAL_HEADER + sum(lengths)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._start + self._at)
        data = self._file.read(max(0, min(len(buffer), self._size - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


class _Deflated(io.RawIOBase):
    """A file that is compressed in the zip: to go back in it means to begin again."""

    def __init__(self, file: BinaryIO, info: zipfile.ZipInfo) -> None:
        self._packed = _Stored(file, info)
        self._checksum = info.CRC
        self._at = 0
        self._begin()

    def _begin(self) -> None:
        self.problem = self._packed.problem
        self._packed.seek(0)
        self._inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
        self._sum = 0
        self._start = 0
        self._block = b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (self._at if whence == io.SEEK_CUR else 0)
        return self._at

    def readinto(self, buffer: Any) -> int:
        if self._at < self._start:
            self._begin()
        while self._at >= self._start + len(self._block):
            if not self._next():
                return 0
        at = self._at - self._start
        data = self._block[at : at + len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _next(self) -> bool:
        """Goes to the next block; false at the end."""
        if self._inflate.eof or self.problem is not None:
            return False
        packed = self._packed.read(_STEP)
        self._start += len(self._block)
        self._block = b""
        try:
            self._block = self._inflate.decompress(packed)
        except zlib.error as error:
            self.problem = str(error)
            return False
        self._sum = zlib.crc32(self._block, self._sum)
        if self._inflate.eof and self._sum != self._checksum:
            self.problem = "wrong checksum"
        elif not packed and not self._inflate.eof:
            self.problem = "ends early"
            return False
        return True
