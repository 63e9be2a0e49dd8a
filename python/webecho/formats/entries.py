"""*Entry*: what a name in a folder stands for: a file, a folder, or what nobody can read.

What cannot be read is listed too, with the *trouble* it has, so that it is counted and named: a
link that leads nowhere or in a circle, what we are not allowed to read, a pipe, which would be
waited for, a socket. A folder that several ways lead to is gone through once: first all folders
that lie in the one that was given, then, by the bytes of their paths, the links.
"""

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path
from typing import Literal

from webecho.formats.files import check_device
from webecho.workspace.layout import ENDING, is_workspace


@dataclass(frozen=True)
class Trouble:
    """Why an entry of a folder is not read; `failed` if somebody meant it to be."""

    reason: str
    detail: str | None = None
    failed: bool = True


@dataclass(frozen=True)
class Listed:
    """A file found in a folder: its path relative to the folder, with `/`, its full name, and why
    it cannot be read, if so."""

    relative: str
    name: str
    trouble: Trouble | None = None


Entry = Literal["file", "folder"] | Trouble
Identity = tuple[int, int]

_SPECIAL = {stat.S_ISFIFO: "pipe", stat.S_ISSOCK: "socket"}
_READABLE, _SEARCHABLE = os.R_OK, os.R_OK | os.X_OK
# What runs with the rights of another user has that one's.
_AS_WE_RUN = os.access in os.supports_effective_ids


def entry_at(path: str) -> Entry:
    """What stands at a path of this machine."""
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        return _unreached(path, error)
    if stat.S_ISDIR(mode):
        return "folder" if _may(path, _SEARCHABLE) else Trouble("not allowed", "a folder")
    if stat.S_ISREG(mode):
        return "file" if _may(path, _READABLE) else Trouble("not allowed", "a file")
    found = next((name for test, name in _SPECIAL.items() if test(mode)), "device")
    return Trouble(found, "no file", failed=False)


def _may(path: str, rights: int) -> bool:
    return os.access(path, rights, effective_ids=_AS_WE_RUN)


def _unreached(path: str, error: OSError) -> Trouble:
    check_device(path, error)
    if error.errno == errno.ELOOP:
        return Trouble("link loop", "leads back to itself")
    if error.errno in (errno.EACCES, errno.EPERM):
        return Trouble("not allowed", "what it leads to")
    if error.errno in (errno.ENOENT, errno.ENOTDIR) and Path(path).is_symlink():
        return Trouble("dangling link", "leads to what is not there")
    return Trouble("unreadable", error.strerror or str(error))


def is_left_out(name: str) -> bool:
    """Whether an entry of this name is nobody's page: hidden, or what webecho itself wrote."""
    return name.startswith(".") or name.endswith(ENDING)


def walked(root: str) -> Iterator[Listed]:
    """All files in a folder of this machine and in its folders, in no order."""
    # What lies above it would be all around it.
    seen = {identity(each) for each in Path(root).resolve().parents}
    links = [(b"", "", root)]
    while links:
        _, prefix, folder = heappop(links)
        yield from _gone_through(folder, prefix, seen, links)


def _gone_through(
    root: str, before: str, seen: set[Identity], links: list[tuple[bytes, str, str]]
) -> Iterator[Listed]:
    """The files of a folder and of those in it; the links to folders are put aside."""
    # Not by recursion: a path may have two thousand parts.
    folders = [(root, before)]
    while folders:
        folder, prefix = folders.pop()
        # What a run writes must never be what the next one reads.
        if prefix and is_workspace(Path(folder)):
            continue
        here = identity(folder)
        if here in seen:
            again = Trouble("folder read already", "by another way", failed=False)
            yield Listed(prefix.removesuffix("/"), folder, again)
            continue
        seen.add(here)
        with os.scandir(folder) as entries:
            for entry in entries:
                if is_left_out(entry.name):
                    continue
                relative = prefix + entry.name
                match entry_at(entry.path):
                    case "file":
                        yield Listed(relative, entry.path)
                    case "folder" if entry.is_symlink():
                        heappush(links, (by_bytes(relative), f"{relative}/", entry.path))
                    case "folder":
                        folders.append((entry.path, f"{relative}/"))
                    case Trouble() as trouble:
                        yield Listed(relative, entry.path, trouble)


def identity(path: str | Path) -> Identity:
    """The same for all names of one folder."""
    found = Path(path).stat()
    return found.st_dev, found.st_ino


def by_bytes(path: str) -> bytes:
    """What paths are sorted by, whatever the locale."""
    return path.encode("utf-8", "surrogateescape")


def shown(path: str) -> str:
    """The path as valid text; bytes that are not UTF-8 are written as `\\xff`."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
