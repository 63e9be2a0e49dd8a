"""*Look*: what files looked like at a moment, cheap to take and to hold against a later one.

The stamp of a file (`files.stamp`) tells what was read as long as a workspace lives, and wherever
the file is moved. A look tells only whether somebody wrote to a file meanwhile: a file that was
replaced is another one, one that was appended to or truncated has another size, and whatever was
written changed its time.
"""

import errno
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from webecho.errors import ChangedError, InputError, WorkspaceError
from webecho.formats import files

# What file systems of fsspec call the version or the time of a file.
_REMOTE = ("size", "ETag", "etag", "VersionId", "LastModified", "mtime", "modified", "created")

# What a signature of a local file has at this place.
_SIZE = 2
SHARED = "give names that all machines of the cluster see, on a shared disk or s3://… or the like"

Signature = tuple[object, ...] | None


@dataclass(frozen=True)
class Look:
    """What each of some files looked like."""

    seen: tuple[tuple[str, Signature], ...] = ()

    @classmethod
    def at(cls, names: Iterable[str]) -> Self:
        """The files as they are now."""
        return cls(tuple((name, signature(name)) for name in names))

    def check(self) -> None:
        """Raises a `ChangedError` that names the first file that is not what it was."""
        for name, before in self.seen:
            now = signature(name)
            if now != before:
                what = "is gone since it was" if now is None else "has changed while it was"
                raise ChangedError(
                    f"{name} {what} read; nothing was written: give the command again when nobody "
                    "writes to it"
                )

    def check_here(self) -> None:
        """Raises an `InputError` where this machine, which may be another than the one that opened
        the files, does not see them."""
        for name, before in self.seen:
            if before is None or files.is_remote(name):
                continue
            try:
                size = Path(files.local_path(name)).stat().st_size
            except OSError as error:
                raise InputError(
                    f"{name}: {machine()} cannot read it ({error.strerror}); {SHARED}"
                ) from None
            if size != before[_SIZE]:
                raise InputError(f"{name}: {machine()} sees another file of this name; {SHARED}")

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Checks the files when the block has read them, also if it failed: a file that changes
        while it is read looks broken in any way."""
        try:
            yield
        except Exception:
            self.check()
            raise
        self.check()


def check_folder(folder: Path) -> None:
    """Raises a `WorkspaceError` where this machine does not see a folder that another has made."""
    if not folder.is_dir():
        raise WorkspaceError(f"{folder}: {machine()} does not see what was made there; {SHARED}")


def machine() -> str:
    return f"the machine {socket.gethostname()}"


# Of what stands in no file, or comes only once.
NO_FILES = Look()


def signature(name: str) -> Signature:
    """What tells a file from what it was before; None where there is none."""
    with files.reaching(name):
        try:
            if not files.is_remote(name):
                found = Path(files.local_path(name)).stat()
                return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
            filesystem, path = files.remote(name)
            entry = filesystem.info(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            # A link that leads back to itself is no file either.
            if error.errno == errno.ELOOP:
                return None
            raise
        return tuple(str(entry[key]) for key in _REMOTE if key in entry)
