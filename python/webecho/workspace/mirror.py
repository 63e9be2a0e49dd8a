"""*Mirror*: a folder on this machine that stands for a workspace in a store far away: a bucket, or
another file system that fsspec knows.

What lies in the store has its name and its size in the mirror from the beginning; its content is
fetched when it is first read, and what a verb wrote is put into the store when that verb saves or
ends, the manifest last. So a verb works on a workspace far away as on one that lies here. Paths in
a mirror are of a type of their own: in messages they are called as the store calls them.

Stores have no locks. Whoever puts something looks first whether the manifest there, or the labels,
are still those that it fetched or put last, and gives up if somebody else wrote them meanwhile.
"""

import os
import re
import shutil
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path, PosixPath
from typing import ClassVar, TypeAlias

from webecho.errors import BusyError, WorkspaceError
from webecho.formats import files
from webecho.workspace.objects import Mark, Store, open_store
from webecho.workspace.scratch import temporary_folder

# What stands for a file that is like this one: it was written at that time.
Seen: TypeAlias = tuple[int, int, int]

# Files that are fetched at once: they are small, and read without being asked for.
AT_ONCE = (".json", ".jsonl")
APART = "search/tantivy/"
# Files that several processes add to, or that say what the others are: never put over another's.
GUARDED = ("manifest.json", ".jsonl")
# The files of a folder are put before the list of their checksums, and all before the manifest.
LATER = ("checksums.json", "run.json", "manifest.json")
PART = re.compile(r"[^/]+/part-\d+\.parquet")
# Files that are fetched, and put, at the same time; of each of these some blocks are in memory.
FETCHES = 8
PUTS = 4


class MirrorPath(PosixPath):
    """A path in a mirror. `str` and opening know it as the file here, messages (`f"{path}"`) as
    what it stands for."""

    # Paths that are made of a path are of its type, and have what that has.
    mirror: ClassVar["Mirror"]

    def __format__(self, form: str) -> str:
        return format(self.mirror.address(self), form)

    def __reduce__(self) -> tuple[Callable[..., Path], tuple[str, ...]]:
        """To another process it goes by its address, and is opened there anew."""
        if not self.is_relative_to(self.mirror.folder):
            return Path, (str(self),)
        name = str(self)[len(str(self.mirror.folder)) + 1 :]
        return detached, (self.mirror.store.address, name)


@dataclass
class Mirror:
    """The files of a workspace in a store, as far as they are here."""

    store: Store
    folder: Path
    # What is in the store alone, and how what stands for it here looks.
    absent: dict[str, Seen] = field(default_factory=dict)
    # How each file looked here when it was last the same in the store.
    same: dict[str, Seen] = field(default_factory=dict)
    # The marks in the store of files that nobody else may have written.
    marks: dict[str, Mark | None] = field(default_factory=dict)
    # Whether it is one of several that write to the store for another, which alone writes what is
    # guarded; what the store has it learns when it is asked for.
    detached: bool = False
    lock: threading.RLock = field(default_factory=threading.RLock)

    def address(self, path: Path) -> str:
        """What the store calls a file of the mirror; a path that leads elsewhere is that path."""
        here, folder = str(path), str(self.folder)
        inside = here == folder or here.startswith(f"{folder}/")
        return f"{self.store.address}{here.removeprefix(folder)}" if inside else here

    def refresh(self) -> None:
        """Gives a name here to all that the store has and is not known yet."""
        for name, mark in self.store.marks().items():
            try:
                if (self.folder / name).exists():
                    continue
                self.stand_in(name, mark.size)
            except OSError as error:
                raise WorkspaceError(
                    f"{self.address(self.folder / name)}: cannot be a file of a workspace ({error})"
                ) from error
            # Listings and single objects tell of changes in two ways, and these are asked again.
            if name.endswith(GUARDED):
                self.marks[name] = self.store.mark(name)
        small = [name for name in self.absent if plain(name) and name.endswith(AT_ONCE)]
        self.fetch(self.folder / name for name in small if not name.startswith(APART))

    def stand_in(self, name: str, size: int) -> None:
        """Makes a file of this size, whose content no checksum takes for what was written."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        aside = file.with_name(f".{file.name}.stands")
        with aside.open("wb") as empty:
            empty.truncate(size)
        aside.replace(file)
        self.same[name] = self.absent[name] = seen(file)

    def fetch(self, wanted: Iterable[Path]) -> None:
        """Brings the contents of these files here, as far as they are not."""
        with self.lock:
            names = [str(file).removeprefix(f"{self.folder}/") for file in wanted]
            for name in names if self.detached else ():
                if not (self.folder / name).exists() and (mark := self.store.mark(name)):
                    self.stand_in(name, mark.size)
            names = [name for name in names if self.is_absent(name)]
            self.check_room(names)
            at_once(self.fetch_one, names, FETCHES)

    def is_absent(self, name: str) -> bool:
        """Whether its content is in the store alone: it was not fetched, nor written anew."""
        file = self.folder / name
        return name in self.absent and file.is_file() and seen(file) == self.absent[name]

    def is_same(self, file: Path) -> bool:
        """Whether a file here is, or stands for, what is in the store."""
        name = str(file).removeprefix(f"{self.folder}/")
        return file.is_file() and self.same.get(name) == seen(file)

    def check_room(self, names: Iterable[str]) -> None:
        needed = sum(self.absent[name][1] for name in names)
        free = shutil.disk_usage(self.folder.parent).free
        if needed > free:
            raise WorkspaceError(
                f"{self.address(self.folder)}: {needed >> 20:,} MB of it are to be read, and "
                f"{self.folder.parent} has room for {free >> 20:,}; set TMPDIR to a folder that "
                "has more"
            )

    def fetch_one(self, name: str) -> None:
        file = self.folder / name
        beside = file.with_name(f".{file.name}.fetched")
        self.store.get(name, beside)
        if beside.stat().st_size != self.absent[name][1]:
            raise WorkspaceError(
                f"{self.address(file)} has changed since it was listed; give the command again"
            )
        beside.replace(file)
        self.same[name] = seen(file)
        del self.absent[name]

    def push(self) -> None:
        """Puts what was written here into the store, and removes there what was removed here."""
        with self.lock:
            here = dict(self.written())
            changed = [name for name, looks in here.items() if self.same.get(name) != looks]
            gone = [name for name in self.same if name not in here]
            if not changed and not gone:
                return
            if not self.detached:
                self.check_unchanged({*changed, *gone})
            # What was found among fewer pages is wrong as soon as the manifest names more; but what
            # waits for its name must be there until the file of that name is.
            for name in sorted(filter(plain, gone), key=lambda name: name != "manifest.json"):
                self.remove(name)
            for _, names in groupby(sorted(changed, key=rank), key=rank):
                self.put(names, here)
            for name in gone:
                if not plain(name):
                    self.remove(name)

    def put(self, names: Iterable[str], here: Mapping[str, Seen]) -> None:
        """Puts files, of which none need be there before another."""

        def put_one(name: str) -> None:
            if name.endswith(GUARDED):
                self.check_unchanged({name})
            self.store.put(self.folder / name, name)
            if name.endswith(GUARDED):
                self.marks[name] = self.store.mark(name)
            self.same[name] = here[name]
            self.absent.pop(name, None)
            if PART.fullmatch(name):
                # A collection may be larger than the disk here, and who reads it fetches it again.
                self.stand_in(name, here[name][1])

        at_once(put_one, list(names), PUTS)

    def remove(self, name: str) -> None:
        self.store.remove(name)
        for known in (self.same, self.marks, self.absent):
            known.pop(name, None)

    def written(self) -> Iterator[tuple[str, Seen]]:
        """The files that belong into the store, and how they look."""
        for above, folders, names in os.walk(self.folder):
            folders[:] = sorted(each for each in folders if not each.startswith("."))
            for each in sorted(names):
                file = Path(above, each)
                name = file.relative_to(self.folder).as_posix()
                # Of what is hidden only what is to take the place of a file that is there.
                waits = each.endswith(".new") and file.with_name(each[1:-4]).is_file()
                if plain(name) or waits:
                    yield name, seen(file)

    def check_unchanged(self, names: set[str]) -> None:
        """Refuses to go on if somebody else has written to the workspace."""
        for name in {"manifest.json", *names}:
            if name.endswith(GUARDED) and self.store.mark(name) != self.marks.get(name):
                raise BusyError(
                    f"another process has written {self.address(self.folder / name)} meanwhile; "
                    "give the command again when that has ended"
                )


def new_mirror(address: str, *, detached: bool = False) -> Mirror:
    """A mirror that goes away with the last path in it."""
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder()).resolve()
        store = open_store(address)
        name = store.root.rpartition("/")[2] or "workspace"
        mirror = Mirror(store, folder / name, detached=detached)
        weakref.finalize(mirror, stack.pop_all().close)
    return mirror


def path_in(mirror: Mirror) -> MirrorPath:
    """The path of the whole mirror."""
    # A type for each mirror: so paths have it that are made of others, in any version of Python.
    kind: type[MirrorPath] = type(MirrorPath.__name__, (MirrorPath,), {"mirror": mirror})
    return kind(mirror.folder)


def mirrored(address: str) -> MirrorPath:
    """The workspace at an address."""
    mirror = new_mirror(address)
    mirror.refresh()
    return path_in(mirror)


def detached(address: str, name: str) -> Path:
    """A path of the workspace at an address, for a process that helps another to write it."""
    return path_in(new_mirror(address, detached=True)) / name


def workspace_path(given: str | os.PathLike[str]) -> Path:
    """The path of a workspace that is given by its path or its address."""
    if isinstance(given, Path):
        return given
    name = os.fspath(given)
    return mirrored(name) if files.is_remote(name) else Path(files.local_path(name))


def fetch(*wanted: Path) -> None:
    """Sees to it that the contents of files of one workspace are on this machine."""
    mirrors = [file for file in wanted if isinstance(file, MirrorPath)]
    if mirrors:
        mirrors[0].mirror.fetch(mirrors)


def push(path: Path) -> None:
    """Puts what was written to a workspace to where it lies, if that is not this machine."""
    if isinstance(path, MirrorPath):
        path.mirror.push()


def push_helping(file: Path) -> None:
    """Puts a file that is complete to where it belongs, if another process is to name it."""
    if isinstance(file, MirrorPath) and file.mirror.detached:
        file.mirror.push()


def refresh(path: Path) -> None:
    """Learns of what other processes have put meanwhile."""
    if isinstance(path, MirrorPath):
        path.mirror.refresh()


def is_put(file: Path) -> bool:
    """Whether a file lies in a store as it is here."""
    return isinstance(file, MirrorPath) and file.mirror.is_same(file)


def is_away(path: Path) -> bool:
    """Whether a workspace lies in a store."""
    return isinstance(path, MirrorPath)


def beside(path: Path, where: str) -> str:
    """What a path that is seen from a workspace leads to: if that lies in a store, in the store."""
    if not isinstance(path, MirrorPath) or Path(where).is_absolute():
        return str((path / where).resolve())
    protocol, sign, place = path.mirror.address(path).partition("://")
    return f"{protocol}{sign}{os.path.normpath(f'{place}/{where}')}"


def address(path: Path) -> str:
    """By what other machines know a file: its address, or its path where they share a folder."""
    return path.mirror.address(path) if isinstance(path, MirrorPath) else str(path.resolve())


def seen(file: Path) -> Seen:
    found = file.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def plain(name: str) -> bool:
    """Whether a file is not hidden, nor in a hidden folder: those are being written, or are
    locks."""
    return not any(part.startswith(".") for part in name.split("/"))


def rank(name: str) -> int:
    """After which others a file is put."""
    last = name.rpartition("/")[2]
    return LATER.index(last) + 1 if last in LATER else 0


def at_once(work: Callable[[str], None], names: Sequence[str], threads: int) -> None:
    """Does it for all names, several at a time."""
    if len(names) < 2:
        for name in names:
            work(name)
        return
    with ThreadPoolExecutor(threads, "webecho-store") as workers:
        for _ in workers.map(work, names):
            pass
