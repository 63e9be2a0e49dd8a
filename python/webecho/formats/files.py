"""Files by their names: local paths, remote addresses, streams, folders and globs.

A *name* is what a person types: a local path, an address that fsspec knows (`s3://…`, `memory://…`),
or `-` for standard input. A *stream* is a name that can be read only once: `-`, a pipe, a socket.
Folders and globs are expanded in the order of the bytes of their paths, so that page numbers
depend on neither the file system nor the locale.
"""

import glob
import hashlib
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

import zstandard

from webecho.errors import InputError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?:::[A-Za-z0-9+.:-]*)?://")
_EXTRAS = {"s3": "webecho[s3]", "s3a": "webecho[s3]"}

# To notice that a source changed must not cost reading it a second time: a file of up to 16 MiB
# is digested whole, a larger one by its size and as many bytes, evenly spread, both ends included.
_STAMP_BLOCK = 256 << 10
_STAMP_BLOCKS = 64

_READ = 1 << 20
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
# A zstd frame for the reader to skip: 0x184D2A50 to 0x184D2A5F, little-endian.
_ZSTD_SKIPPED = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
# A zstd block takes at least 4 bytes and gives at most 128 KiB, so a slice of 2 KiB cannot give
# more than 64 MiB, whatever is in it.
_MAGIC = 4  # bytes that tell the packing
_ZSTD_SLICE = 2 << 10
# What `zstd --long=31` writes; large public dumps are made that way.
_ZSTD_WINDOW = 1 << 31


class DamagedError(Exception):
    """Compressed data that end early or make no sense; what came before them has been given."""


@dataclass(frozen=True)
class Listed:
    """A file found in a folder: its path relative to the folder, with `/`, and its full name."""

    relative: str
    name: str


def is_remote(name: str) -> bool:
    """Whether the name is an address for fsspec, not a local path."""
    return _ADDRESS.match(name) is not None and not name.startswith("file://")


def _local(name: str) -> str:
    return name.removeprefix("file://")


@contextmanager
def _reaching(name: str) -> Iterator[None]:
    """Turns whatever goes wrong on the way to a file into an `InputError` that names the fix."""
    protocol = name.partition("://")[0].partition("::")[0] if is_remote(name) else ""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file; check the spelling") from error
    except PermissionError as error:
        fix = "check your credentials" if protocol else f"try: chmod u+r {_local(name)}"
        raise InputError(f"{name}: not allowed to read it; {fix}") from error
    except IsADirectoryError as error:
        raise InputError(f"{name}: is a folder, not a file") from error
    except ImportError as error:
        fix = f"pip install '{_EXTRAS[protocol]}'" if protocol in _EXTRAS else str(error)
        raise InputError(f"{name}: {protocol}:// needs a package; {fix}") from error
    except ValueError as error:
        raise InputError(f"{name}: not a name of a file ({error})") from error
    except Exception as error:
        # Every fsspec backend raises errors of its own library's making.
        if not protocol and not isinstance(error, OSError):
            raise
        fix = "check the address and your credentials" if protocol else "check the file"
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"{name}: cannot be reached ({what}); {fix}") from error


def _remote(name: str) -> tuple[Any, str]:
    # Loaded for remote names only: it takes a while.
    import fsspec

    filesystem, path = fsspec.core.url_to_fs(name)
    # A listing remembered from before would hide that a file is new, or has changed.
    filesystem.invalidate_cache()
    return filesystem, path


def open_file(name: str, *, scattered: bool = False) -> BinaryIO:
    """The file, open for reading bytes, seekable; `scattered` if not read from front to back."""
    with _reaching(name):
        if not is_remote(name):
            return Path(_local(name)).open("rb")
        filesystem, path = _remote(name)
        # Reading ahead would fetch megabytes around every scattered read, only to drop them.
        options = {"cache_type": "none"} if scattered else {}
        file = cast(BinaryIO, filesystem.open(path, "rb", **options))
        if not file.seekable():
            file.close()
            raise InputError(f"{name}: the server gives no parts of files; download it first")
        return file


def kind(name: str) -> Literal["file", "folder", "stream"] | None:
    """What the name stands for, or None when nothing is there."""
    if name == "-":
        return "stream"
    with _reaching(name):
        if is_remote(name):
            filesystem, path = _remote(name)
            try:
                entry = filesystem.info(path)
            except FileNotFoundError:
                return None
            return "folder" if entry["type"] == "directory" else "file"
        try:
            mode = Path(_local(name)).stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "stream"


def open_stream(name: str) -> BinaryIO:
    """The file or stream, open for reading bytes once, from front to back."""
    return _standard_input() if name == "-" else open_file(name)


def _standard_input() -> BinaryIO:
    # Unbuffered: a thread that waits in a buffered read holds a lock that the interpreter needs
    # when it ends, and an interrupted run would crash.
    buffered = sys.stdin.buffer
    return cast(BinaryIO, getattr(buffered, "raw", buffered))


def size(name: str) -> int:
    """The number of bytes in the file."""
    with _reaching(name):
        if not is_remote(name):
            return Path(_local(name)).stat().st_size
        filesystem, path = _remote(name)
        count = filesystem.info(path)["size"]
        if count is None:
            raise InputError(f"{name}: the server does not tell its size; download it first")
        return int(count)


def stamp(name: str) -> dict[str, int | str]:
    """The size and a digest of the file, to notice later that it has changed."""
    count = size(name)
    digest = hashlib.blake2b(count.to_bytes(8, "little"), digest_size=16)
    spread = _STAMP_BLOCK * _STAMP_BLOCKS
    if count <= spread:
        ranges = [(0, count)]
    else:
        steps = _STAMP_BLOCKS - 1
        starts = [step * (count - _STAMP_BLOCK) // steps for step in range(_STAMP_BLOCKS)]
        ranges = [(start, start + _STAMP_BLOCK) for start in starts]
    with _reaching(name):
        if is_remote(name):
            filesystem, path = _remote(name)
            for start, end in ranges:
                if end > start:
                    digest.update(filesystem.cat_file(path, start=start, end=end))
        else:
            with Path(_local(name)).open("rb") as file:
                for start, end in ranges:
                    file.seek(start)
                    digest.update(file.read(end - start))
    return {"size": count, "digest": digest.hexdigest()}


def _by_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def has_glob(name: str) -> bool:
    """Whether the name holds a wildcard."""
    return glob.has_magic(name)


def matching(pattern: str) -> list[str]:
    """The names of the files and folders that match, by the bytes of their paths."""
    with _reaching(pattern):
        if is_remote(pattern):
            filesystem, path = _remote(pattern)
            found = [filesystem.unstrip_protocol(entry) for entry in filesystem.glob(path)]
        else:
            found = glob.glob(_local(pattern), recursive=True)  # noqa: PTH207 keeps names as typed
    return sorted(found, key=_by_bytes)


def files_under(folder: str) -> list[Listed]:
    """All files in the folder and its folders, by the bytes of their relative paths.

    Hidden files and folders, and webecho's own workspaces (`*.echo`), are left out.
    """
    with _reaching(folder):
        found = list(_walk_remote(folder) if is_remote(folder) else _walk(_local(folder), "", ()))
    return sorted(found, key=lambda listed: _by_bytes(listed.relative))


def _left_out(part: str) -> bool:
    return part.startswith(".") or part.endswith(".echo")


def is_workspace(folder: str) -> bool:
    """Whether this is a folder that webecho wrote, whatever its name."""
    there = Path(_local(folder))
    beside = (there / "sketches").is_dir() or (there / "run.json").is_file()
    return (there / "manifest.json").is_file() and beside


def _walk(folder: str, prefix: str, above: tuple[tuple[int, int], ...]) -> Iterator[Listed]:
    # What a run writes must never be what the next one reads.
    if prefix and is_workspace(folder):
        return
    here = Path(folder).stat()
    # A link to a folder is followed, unless it leads back to where we came from.
    if (here.st_dev, here.st_ino) in above:
        return
    above = (*above, (here.st_dev, here.st_ino))
    with os.scandir(folder) as entries:
        for entry in entries:
            if _left_out(entry.name):
                continue
            if entry.is_dir():
                yield from _walk(entry.path, f"{prefix}{entry.name}/", above)
            elif entry.is_file():
                yield Listed(prefix + entry.name, entry.path)


def _walk_remote(folder: str) -> Iterator[Listed]:
    filesystem, path = _remote(folder)
    root = path.rstrip("/") + "/"
    for entry in filesystem.find(path):
        relative = entry.removeprefix(root)
        if not any(_left_out(part) for part in relative.split("/")):
            yield Listed(relative, filesystem.unstrip_protocol(entry))


def packing(head: bytes) -> Literal["gzip", "zstd"] | None:
    """How a file that starts with these bytes is compressed."""
    if head.startswith(_GZIP):
        return "gzip"
    if head.startswith(_ZSTD) or _ZSTD_SKIPPED.match(head):
        return "zstd"
    return None


def blocks(file: BinaryIO) -> Iterator[bytes]:
    """The bytes of the open file in blocks, decompressed if they are gzip or zstd.

    Many gzip members or zstd frames one after the other are one run of bytes. Memory stays
    bounded whatever the bytes expand to. Raises `DamagedError` after the last good block.
    """
    first = file.read(_READ)
    # A pipe gives what is there, which may be less than tells the packing.
    while 0 < len(first) < _MAGIC and (more := file.read(_READ)):
        first += more
    raw = _and_then(first, file)
    match packing(first):
        case "gzip":
            return _gunzip(raw)
        case "zstd":
            return _gathered(_unzstd(raw))
        case None:
            return raw


def _and_then(first: bytes, file: BinaryIO) -> Iterator[bytes]:
    block = first
    while block:
        yield block
        try:
            block = file.read(_READ)
        except OSError as error:
            raise DamagedError(f"cannot be read further ({error})") from error


def _gunzip(raw: Iterator[bytes]) -> Iterator[bytes]:
    member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    begun = False
    for block in raw:
        rest = block
        while rest:
            if member.eof:
                # Tape blocks and some servers pad a file with zeros after the last member.
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                member, begun = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16), False
            begun = True
            try:
                out = member.decompress(rest, _READ)
            except zlib.error as error:
                raise DamagedError(f"broken gzip data ({error})") from error
            rest = member.unused_data if member.eof else member.unconsumed_tail
            if out:
                yield out
    while begun and not member.eof:
        # A full output block may have left some more inside the decompressor.
        out = member.decompress(b"", _READ)
        if not out:
            raise DamagedError("gzip data end early")
        yield out


def _gathered(small: Iterator[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    count = 0
    try:
        for block in small:
            held.append(block)
            count += len(block)
            if count >= _READ:
                yield b"".join(held)
                held, count = [], 0
    except DamagedError:
        yield b"".join(held)
        raise
    if held:
        yield b"".join(held)


def _unzstd(raw: Iterator[bytes]) -> Iterator[bytes]:
    context = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    frame = context.decompressobj()
    for block in raw:
        for start in range(0, len(block), _ZSTD_SLICE):
            rest = block[start : start + _ZSTD_SLICE]
            while rest:
                if frame.eof:
                    frame = context.decompressobj()
                try:
                    out = frame.decompress(rest)
                except zstandard.ZstdError as error:
                    raise DamagedError(f"broken zstd data ({error})") from error
                rest = frame.unused_data if frame.eof else b""
                if out:
                    yield out
    if not frame.eof:
        raise DamagedError("zstd data end early")
