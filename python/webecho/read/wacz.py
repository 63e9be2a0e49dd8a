"""Pages from WACZ files: zip files with WARC files in their `archive` folder.

The place of a page is the number of its WARC file in the WACZ, in the order of the names' bytes,
times 2⁴², plus its place in that file.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import IO, Any, BinaryIO

import pyarrow as pa

from webecho.read import files
from webecho.read.judge import WarcOptions, judge
from webecho.read.pages import Batch, Skipped
from webecho.read.records import records, records_at
from webecho.read.scan import Found
from webecho.read.warc import in_batches, some_pages

_DEFAULT = WarcOptions()
_SPAN = 1 << 42
_ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
_BUFFER = 256 << 10
# An error loses what was unpacked in the same step.
_STEP = 8 << 10
_LOCAL_HEADER = 30
_ENCRYPTED = 1
# What zipfile raises for zips that are damaged, encrypted or compressed in some rare way.
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, struct.error)


class WaczSource:
    """One WACZ file."""

    format = "wacz"
    rereadable = True

    def __init__(self, name: str, options: WarcOptions = _DEFAULT) -> None:
        self.name = name
        self.options = options

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.name)

    def batches(self, after: int = -1) -> Iterator[Batch]:
        with files.open_file(self.name) as file:
            yield from in_batches(self._records(file, after), self.options)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        with files.open_file(self.name, scattered=True) as file:
            return some_pages(self._records_at(file, places), self.options, self.name, places)

    def _records(self, file: BinaryIO, after: int) -> Iterator[Found | Skipped]:
        try:
            archives = _archives(file)
        except _BROKEN as error:
            archives, problem = [], str(error)
        else:
            problem = "no WARC file in its archive folder"
        if not archives and after < 0:
            yield Skipped(0, "corrupt zip", problem, failed=True)
        for number in range(max(0, after // _SPAN), len(archives)):
            base = number * _SPAN
            last = after - base
            with archives[number]() as archive:
                for record in records(archive, partial(judge, self.options), max(-1, last)):
                    last = record.place
                    yield _moved(record, base)
                if archive.problem is not None:
                    place = base + max(-1, last) + 1
                    yield Skipped(place, "corrupt zip", archive.problem, failed=True)

    def _records_at(self, file: BinaryIO, places: Sequence[int]) -> Iterator[Found | Skipped]:
        try:
            archives = _archives(file)
        except _BROKEN:
            return
        for number, group in groupby(places, lambda place: place // _SPAN):
            if number >= len(archives):
                return
            base = number * _SPAN
            with archives[number]() as archive:
                inside = [place - base for place in group]
                for record in records_at(archive, partial(judge, self.options), inside):
                    yield _moved(record, base)


def _moved(record: Found | Skipped, base: int) -> Found | Skipped:
    return replace(record, place=base + record.place)


class _Archive(io.BufferedReader):
    """A WARC file inside the WACZ; `problem` tells why it ended early, if it did."""

    def __init__(self, raw: "_Stored | _Deflated") -> None:
        super().__init__(raw, _BUFFER)
        self._inside = raw

    @property
    def problem(self) -> str | None:
        return self._inside.problem


def _archives(file: BinaryIO) -> list[Callable[[], _Archive]]:
    """What opens the WARC files in the zip, in the order of the bytes of their names."""
    packed = zipfile.ZipFile(file)
    found = [
        info
        for info in packed.infolist()
        if info.filename.startswith("archive/") and info.filename.lower().endswith(_ARCHIVES)
    ]
    found.sort(key=lambda info: info.filename.encode("utf-8", "surrogateescape"))
    return [partial(_open, file, packed, info) for info in found]


def _open(file: BinaryIO, packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Archive:
    if info.compress_type == zipfile.ZIP_STORED and not info.flag_bits & _ENCRYPTED:
        return _Archive(_Stored(file, info))
    return _Archive(_Deflated(packed, info))


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

    problem: str | None = None

    def __init__(self, packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self._open = partial(packed.open, info)
        self._file: IO[bytes] | None = None
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (self._at if whence == io.SEEK_CUR else 0)
        return self._at

    def readinto(self, buffer: Any) -> int:
        try:
            if self._file is None:
                self._file = self._open()
            if self._file.tell() != self._at:
                self._file.seek(self._at)
            data = self._file.read(min(len(buffer), _STEP))
        except _BROKEN as error:
            self.problem = str(error) or type(error).__name__
            return 0
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
