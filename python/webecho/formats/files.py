"""Files by their names: local paths, remote addresses, streams.

A *name* is what a person types: a local path, an address that fsspec knows (`s3://…`, `memory://…`),
or `-` for standard input. A *stream* is a name that can be read only once: `-`, a pipe, a socket.
"""

import errno
import hashlib
import io
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from webecho.errors import DeviceError, InputError, WebechoError
from webecho.safe_text import without_secrets

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?:::[A-Za-z0-9+.:-]*)?://")
_WEB = re.compile(r"\bhttps?://")
_QUERY = re.compile(r"[?#].*", re.DOTALL)
_EXTRAS = {"s3": "webecho[s3]", "s3a": "webecho[s3]"}

# To notice that a source changed must not cost reading it a second time: a file of up to 16 MiB
# is digested whole, a larger one by its size and as many bytes, evenly spread, both ends included.
_STAMP_BLOCK = 256 << 10
_STAMP_BLOCKS = 64
# The longest name that is told where it is none.
_TOLD = 60
# What is read of a local file at a time.
_BUFFER = 64 << 10


def is_remote(name: str) -> bool:
    """Whether the name is an address for fsspec, not a local path."""
    return _ADDRESS.match(name) is not None and not name.startswith("file://")


def local_path(name: str) -> str:
    """The path of a name that is not remote."""
    return name.removeprefix("file://")


def path_of(name: str) -> str:
    """The name without what an address has after its path: on the web, or where secrets are in
    it."""
    has_query = _WEB.search(name) or (is_remote(name) and without_secrets(name) != name)
    return _QUERY.sub("", name) if has_query else name


@contextmanager
def reaching(name: str) -> Iterator[None]:
    """Turns whatever goes wrong on the way to a file into an `InputError` that names the fix."""
    protocol = name.partition("://")[0].partition("::")[0] if is_remote(name) else ""
    try:
        yield
    except WebechoError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file; check the spelling") from error
    except PermissionError as error:
        fix = "check your credentials" if protocol else f"try: chmod u+r {local_path(name)}"
        raise InputError(f"{name}: not allowed to read it; {fix}") from error
    except IsADirectoryError as error:
        raise InputError(f"{name}: is a folder, not a file") from error
    except ImportError as error:
        fix = f"pip install '{_EXTRAS[protocol]}'" if protocol in _EXTRAS else str(error)
        raise InputError(f"{name}: {protocol}:// needs a package; {fix}") from error
    except ValueError as error:
        raise InputError(f"{_shortened(name)}: not a name of a file ({error})") from error
    except Exception as error:
        if not protocol and isinstance(error, OSError):
            check_device(name, error)
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            raise InputError(
                f"{_shortened(name)}: is too long for the name of a file; texts are given in a "
                "list or a table, and those of two pages as bytes"
            ) from error
        # Every fsspec backend raises errors of its own library's making.
        if not protocol and not isinstance(error, OSError):
            raise
        fix = "check the address and your credentials" if protocol else "check the file"
        what = f"{type(error).__name__}: {error}"
        # What libraries say of an address they say with all that is in it.
        cause = error if without_secrets(name) == name else None
        raise InputError(f"{name}: cannot be reached ({what}); {fix}") from cause


def _shortened(name: str) -> str:
    """A text may be given for a name, and is not printed whole."""
    return name if len(name) <= _TOLD else f"{name[:_TOLD]}…"


def check_device(name: str, error: OSError) -> None:
    """Raises `DeviceError` where it is the disk that fails: nothing is known then of what lies
    there, neither that it is not there nor that it is damaged."""
    if error.errno == errno.EIO:
        raise DeviceError(
            f"{name}: cannot be read: {error.strerror}; check the disk, or copy what is on it, and "
            "run the same again"
        ) from error


def remote(name: str) -> tuple[Any, str]:
    """The file system of a remote name, and the path in it."""
    # Loaded for remote names only: it takes a while.
    import fsspec

    filesystem, path = fsspec.core.url_to_fs(name)
    # A listing remembered from before would hide that a file is new, or has changed.
    filesystem.invalidate_cache()
    return filesystem, path


class _Disk(io.FileIO):
    """A local file. Where the disk fails that is an error, and not damage of what is in the file,
    which readers count and go on."""

    def __init__(self, name: str) -> None:
        super().__init__(local_path(name))
        self._name = name

    def readinto(self, buffer: Any) -> int | None:
        with reaching(self._name):
            return super().readinto(buffer)

    def readall(self) -> bytes:
        with reaching(self._name):
            return super().readall()


def open_file(name: str, *, scattered: bool = False) -> BinaryIO:
    """The file, open for reading bytes, seekable; `scattered` if not read from front to back."""
    with reaching(name):
        if not is_remote(name):
            # To open a FIFO would wait for somebody to write to it.
            if kind(name) == "stream":
                raise InputError(f"{name}: can be read only once; save it to a file first")
            return io.BufferedReader(_Disk(name), _BUFFER)
        filesystem, path = remote(name)
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
    with reaching(name):
        if is_remote(name):
            filesystem, path = remote(name)
            try:
                entry = filesystem.info(path)
            except FileNotFoundError:
                return None
            return "folder" if entry["type"] == "directory" else "file"
        try:
            mode = Path(local_path(name)).stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "stream"


def open_stream(name: str) -> BinaryIO:
    """The file or stream, open for reading bytes once, from front to back."""
    if name == "-":
        return _standard_input()
    if is_remote(name) or kind(name) != "stream":
        return open_file(name)
    with reaching(name):
        return Path(local_path(name)).open("rb", buffering=0)


def _standard_input() -> BinaryIO:
    # Unbuffered: a thread that waits in a buffered read holds a lock that the interpreter needs
    # when it ends, and an interrupted run would crash.
    buffered = sys.stdin.buffer
    return cast(BinaryIO, getattr(buffered, "raw", buffered))


def size(name: str) -> int:
    """The number of bytes in the file."""
    with reaching(name):
        if not is_remote(name):
            return Path(local_path(name)).stat().st_size
        filesystem, path = remote(name)
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
    with reaching(name):
        if is_remote(name):
            filesystem, path = remote(name)
            for start, end in ranges:
                if end > start:
                    digest.update(filesystem.cat_file(path, start=start, end=end))
        else:
            with Path(local_path(name)).open("rb") as file:
                for start, end in ranges:
                    file.seek(start)
                    digest.update(file.read(end - start))
    return {"size": count, "digest": digest.hexdigest()}
