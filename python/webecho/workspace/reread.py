"""Reading pages once more: from their sources, which are opened again unless the workspace was just
made, and their tokens from a *shelf*: a temporary file that takes them while pages are sketched.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import pyarrow as pa

from webecho import _core
from webecho.errors import InputError, WorkspaceError
from webecho.read.collection import Collection, open_collection
from webecho.read.pages import Source
from webecho.read.streams import is_stream
from webecho.run import Run
from webecho.safe_text import lacks_secrets
from webecho.workspace.longest_page import limits_again
from webecho.workspace.manifest import Part
from webecho.workspace.sources import (
    check_given_again,
    check_unchanged,
    describe_source,
    is_at_home,
    known_locations,
    options_from_dict,
)
from webecho.workspace.workspace import Workspace

# Pages of about so many bytes are read again at a time.
BYTES = 8 << 20

# Bytes of tokens that a shelf takes while pages are sketched, some six times as many of text, if
# twice as many are free there; pages after that are read again if they turn out to be candidates.
MOST = 4 << 30


@dataclass(frozen=True)
class Reread:
    """What is at hand of a workspace that was just made: the open sources by their numbers, and the
    shelf if there is one."""

    sources: Mapping[int, Source] = field(default_factory=dict)
    shelf: _core.Shelf | None = None

    @classmethod
    def of(cls, collection: Collection, shelf: _core.Shelf | None) -> Self:
        return cls(dict(enumerate(collection.sources)), shelf)


def shelf_in(folder: Path, run: Run, *, words: bool = False) -> _core.Shelf | None:
    """A shelf whose file is in this folder, unless there is little room; with `words` it keeps
    those of the pages whose shingles are taken."""
    folder.mkdir(parents=True, exist_ok=True)
    enough = shutil.disk_usage(folder).free >= 2 * MOST
    try:
        return _core.Shelf(folder, run.threads, words=words) if enough else None
    except OSError as error:
        # It does not say where.
        raise WorkspaceError(
            f"{folder}: nothing can be written there: {error}; mend that and give the same command"
        ) from error


def open_input(workspace: Workspace, number: int, run: Run) -> dict[int, Source]:
    """The sources of one input by their numbers; an InputError where they cannot be read again."""
    given = workspace.manifest.inputs[number]
    first, end = given["sources"]
    before = workspace.manifest.sources[first:end]
    name = known_locations(workspace)[number] or given["name"]
    if is_stream(name) or any(source["format"] == "table" for source in before):
        raise InputError(f"{name} cannot be read twice")
    if lacks_secrets(name):
        raise InputError(
            f"{name} cannot be read again: what gave access to it is not stored; download it, and "
            "sketch that"
        )
    check_given_again(workspace, given, run.convert)
    options = options_from_dict(given["options"])
    if not is_at_home(workspace):
        run.warn(
            f"{workspace.path} was made elsewhere, or was moved; what it names is read again: "
            f"{name}"
        )

    def check(sources: Sequence[Source]) -> None:
        for source in sources:
            if not source.rereadable:
                raise InputError(f"{name} cannot be read twice")
        check_unchanged(before, [describe_source(source) for source in sources])

    opened = open_collection([name], options, limits_again(workspace, run), again=check)
    return dict(enumerate(opened.sources, first))


def read_page(
    workspace: Workspace, page: int, run: Run, sources: Mapping[int, Source] | None = None
) -> pa.RecordBatch:
    """One page of a workspace as a row of `PAGES`; an InputError where it cannot be read again."""
    row = workspace.row(page, ["source", "place"])
    number, place = row["source"][0].as_py(), row["place"][0].as_py()
    opened = sources or {}
    if number not in opened:
        part = workspace.manifest.parts[workspace.part_of(page)]
        opened = open_input(workspace, part.input, run)
    found = opened[number].read([place])
    opened[number].look.check()
    return found


class PageReader:
    """Pages of some sources read once more, in page order. At most one source holds what it has
    decoded: it goes on from there, and each of a thousand files would hold it."""

    def __init__(self, sources: Mapping[int, Source]) -> None:
        self.sources = sources
        self.last: Source | None = None
        self.used: dict[int, Source] = {}

    def read(self, rows: pa.RecordBatch, part: Part) -> Iterator[pa.RecordBatch]:
        """The pages of these rows of a part, some at a time."""
        # A page of little text may be of many bytes; how many those of the part are on average is
        # all that is known.
        average = part.counts.get("bytes", 0) // max(part.pages, 1)
        numbers, chars = rows["source"].to_pylist(), rows["chars"].to_pylist()
        start = 0
        while start < len(rows):
            end, total = start, 0
            while end < len(rows) and numbers[end] == numbers[start] and total < BYTES:
                total += max(chars[end] or 0, average)
                end += 1
            source = self.sources[numbers[start]]
            if self.last is not source:
                self.close()
            self.last = self.used[numbers[start]] = source
            yield source.read(rows["place"][start:end].to_pylist())
            start = end

    def check_unchanged(self) -> None:
        """Raises a `ChangedError` if somebody wrote to what has been read since it was opened."""
        for source in self.used.values():
            source.look.check()

    def close(self) -> None:
        if self.last is not None:
            self.last.close()
        self.last = None
