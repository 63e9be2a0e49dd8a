"""*Store*: a folder of another file system, and the objects in it, by their names below it.

An *object* appears whole: where the file system does not see to that itself, it is written aside
and renamed. Its *mark* is by what the store tells that it is still the same: an ETag, or a time,
and the size.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from typing import Any

from webecho.errors import InputError, WorkspaceError
from webecho.formats import files
from webecho.safe_text import without_secrets
from webecho.workspace.layout import Layout

# In these an object is what was put there, or is not there; in others a file grows.
WHOLE = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss", "oci"}
# What file systems call what changes with the content, the surest first.
CHANGES = (
    *("ETag", "etag", "md5Hash", "generation"),
    *("mtime", "LastModified", "last_modified", "modified", "created"),
)
# An upload has blocks of this size, or more, for most stores take up to 10,000 of them.
BLOCK = 8 << 20
BLOCKS = 9000


@dataclass(frozen=True)
class Mark:
    """By what an object is known to be the same."""

    size: int
    change: str


@dataclass(frozen=True)
class Store:
    """The objects below an address; `root` is its path in the file system."""

    address: str
    filesystem: Any
    root: str

    def place(self, name: str) -> str:
        return f"{self.root}/{name}"

    @contextmanager
    def reaching(self, name: str, what: str = "read") -> Iterator[None]:
        """Whatever goes wrong on the way to an object becomes an error of ours."""
        try:
            with files.reaching(f"{self.address}/{name}".rstrip("/")):
                yield
        except InputError as error:
            cause = error.__cause__
            if what == "read":
                raise WorkspaceError(error) from cause
            if isinstance(cause, FileNotFoundError):
                raise WorkspaceError(
                    f"{self.address} cannot be written: there is no such bucket; make it, or check "
                    "the spelling"
                ) from cause
            raise WorkspaceError(f"{self.address} cannot be written: ", error) from cause

    def marks(self) -> dict[str, Mark]:
        """All objects of a workspace, with their marks; of anything else what lies at its top."""
        with self.reaching(""):
            self.filesystem.invalidate_cache()
            if self.mark(Layout(Path()).manifest.name) is None:
                if not self.filesystem.exists(self.root):
                    return {}
                if self.filesystem.isfile(self.root):
                    raise WorkspaceError(f"{self.address} is a file, and no workspace")
                found = {each["name"]: each for each in self.filesystem.ls(self.root, detail=True)}
            else:
                found = self.filesystem.find(self.root, detail=True)
            names = {
                place.removeprefix(self.root).strip("/"): each for place, each in found.items()
            }
            for name in names:
                # Keys of a bucket may be anything, and these become files.
                if ".." in name.split("/") or "\0" in name:
                    raise WorkspaceError(f"{self.address}: {name!r} is no name in a workspace")
            return {name: mark_of(each) for name, each in names.items() if name}

    def mark(self, name: str) -> Mark | None:
        """That of an object, if it is there."""
        with self.reaching(name):
            self.filesystem.invalidate_cache()
            try:
                return mark_of(self.filesystem.info(self.place(name)))
            except FileNotFoundError:
                return None

    def get(self, name: str, file: Path) -> None:
        """Copies an object into a file."""
        with self.reaching(name):
            self.filesystem.get_file(self.place(name), str(file))

    def put(self, file: Path, name: str) -> None:
        """Copies a file into an object, block by block."""
        with self.reaching(name, "write"):
            place = self.place(name)
            if self.address.partition("://")[0].rpartition(":")[2] in WHOLE:
                self.copy(file, place)
            else:
                above, _, last = place.rpartition("/")
                self.filesystem.makedirs(above, exist_ok=True)
                aside = f"{above}/.{last}.put"
                self.copy(file, aside)
                self.filesystem.mv(aside, place)

    def copy(self, file: Path, place: str) -> None:
        block = max(BLOCK, file.stat().st_size // BLOCKS)
        with file.open("rb") as content:
            out = self.filesystem.open(place, "wb", block_size=block)
            try:
                copyfileobj(content, out, block)
            except BaseException:
                # To close it would make an object of what was copied so far.
                discard(out)
                raise
            out.close()

    def remove(self, name: str) -> None:
        """Removes an object, if it is there."""
        with self.reaching(name, "write"):
            try:
                self.filesystem.rm_file(self.place(name))
            except FileNotFoundError:
                return


def open_store(address: str) -> Store:
    """The store at an address."""
    if without_secrets(address) != address:
        raise InputError(
            f"{address}: a workspace is known by its address, so that must hold no secrets; give "
            "them by the environment or the configuration of the store"
        )
    with files.reaching(address):
        filesystem, root = files.remote(address)
    return Store(address.rstrip("/"), filesystem, root.rstrip("/"))


def mark_of(entry: dict[str, Any]) -> Mark:
    change = next((entry[name] for name in CHANGES if entry.get(name) is not None), "")
    return Mark(int(entry.get("size") or 0), str(change))


def discard(out: Any) -> None:
    """Ends an upload without an object."""
    from fsspec.spec import AbstractBufferedFile

    if isinstance(out, AbstractBufferedFile):
        out.discard()
        out.closed = True
