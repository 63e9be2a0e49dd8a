"""WACZ files: zip files with WARC files in their `archive` folder.

Those that stand in the zip as they are, as WACZ asks for, can be read from any place; others are
inflated from the front.
"""

import io
import struct
import zipfile
import zlib
from typing import Any, BinaryIO

# The places of each archive in a WACZ: a page's is the number of its archive times this, plus its
# place in that.
SPAN = 1 << 42
# What zipfile raises for a damaged list of contents.
BROKEN = (
    *(zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, struct.error),
    *(zipfile.LargeZipFile, OverflowError, RuntimeError, zlib.error),
)
_ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
_BUFFER = 256 << 10
# Small, as an error loses what was unpacked in the same step.
_STEP = 4 << 10
_LOCAL_HEADER = 30
_ENCRYPTED = 1


class ZippedArchive(io.BufferedReader):
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


def is_zip(file: BinaryIO) -> bool:
    """Whether the file begins as a zip file does."""
    file.seek(0)
    return file.read(4) == b"PK\3\4"


def archive_members(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The WARC files in the zip, in the order of the bytes of their names."""
    found = [
        info
        for info in packed.infolist()
        if info.filename.startswith("archive/") and info.filename.lower().endswith(_ARCHIVES)
    ]
    found.sort(key=lambda info: info.filename.encode("utf-8", "surrogateescape"))
    return found


def open_archive(file: BinaryIO, info: zipfile.ZipInfo) -> ZippedArchive:
    """The WARC file inside the open WACZ; several may be open at a time."""
    deflated = info.compress_type == zipfile.ZIP_DEFLATED
    return ZippedArchive(_Deflated(file, info) if deflated else _Stored(file, info))


class _Stored(io.RawIOBase):
    """A file that stands in the zip as it is, as WACZ asks for: one can go to any place in it."""

    problem: str | None = None

    def __init__(self, file: BinaryIO, info: zipfile.ZipInfo) -> None:
        self._file = file
        self._size = info.compress_size
        self._at = 0
        # A list of contents can say that it stands before the file, or beyond any.
        header = b""
        if 0 <= info.header_offset < file.seek(0, io.SEEK_END):
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
        length = max(0, min(len(buffer), self._size - self._at))
        if not length:
            return 0
        self._file.seek(self._start + self._at)
        data = self._file.read(length)
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
