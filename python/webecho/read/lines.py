"""Text files with a page a line or a row: what JSONL and CSV have in common.

A *form* says how the bytes of such a file are pages; `jsonl.py` and `delimited.py` hold one each.
The *place* of a page is the number of its line (JSONL) or row (CSV, the header not counted), from
0. Compressed files are read as what is in them. Standard input and pipes are streams: they are
read once, and only their beginning is held back to choose the columns by.
"""

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import Any, BinaryIO, Protocol, Self

import pyarrow as pa

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.lines import UTF16
from webecho.formats.looks import NO_FILES, Look
from webecho.formats.packing import DamagedError, unpacked
from webecho.read.batching import Cursor, cut, pick
from webecho.read.columns import Chosen, ColumnNames, Field, Path, choose
from webecho.read.limits import USUAL, Limits
from webecho.read.marks import Marks
from webecho.read.pages import Batch, Choice
from webecho.read.splits import up_to

_STAMPED = 4096  # bytes of a stream that tell it from another
# A file is read in about so many steps, of bytes between these.
_STEPS, _LEAST_STEP, _MOST_STEP = 256, 4 << 10, 1 << 20


class Form(Protocol):
    """How the bytes of a text file are pages."""

    @property
    def format(self) -> str:
        """Its name: `jsonl` or `csv`."""

    @property
    def delimiter(self) -> str | None:
        """What parts the fields of a row, where that is said; None where the header shows it, or
        records are no rows."""

    def fields(self, blocks: Iterator[bytes]) -> list[Field]:
        """The columns as the beginning of the file shows them; none if it shows no record."""

    def records(self, blocks: Iterator[bytes], chosen: Chosen, /) -> Iterator[list[Any]]:
        """All records in order, some at a time, as cheaply as they can be told apart."""

    def row_ends(self, blocks: Iterator[bytes]) -> Iterator[int] | None:
        """After how many lines the header ends, and then each row; None where each line is one."""

    def pages(self, records: list[tuple[int, Any]], chosen: Chosen) -> Batch:
        """The pages of these records, each given with its place, and what must be skipped."""


class LinesSource:
    """A text file or stream with a page a line or row."""

    in_memory = False
    table = None
    has_columns = True
    sure_breaks = True
    path_prefix = None

    def __init__(self, name: str, given: ColumnNames, form: Form, limits: Limits = USUAL) -> None:
        self.name = name
        self.limits = limits
        self.format = form.format
        self.rereadable = files.kind(name) != "stream"
        self.look = Look.at([name]) if self.rereadable else NO_FILES
        self._given = given
        self._form = form
        self._chosen: Chosen | None = None
        self._stream = None if self.rereadable else _Once(name, limits)
        self._cursor: Cursor[list[Any]] | None = None
        self._numeric_ids = False
        self._marks = Marks()
        self._read = 0.0

    @property
    def id_type(self) -> pa.DataType | None:
        """Lines declare no types: ids come as text, if there are any."""
        return pa.string() if self.chosen and self.chosen.id else None

    @property
    def numeric_ids(self) -> bool:
        return self.chosen is not None and self._numeric_ids

    @property
    def chosen(self) -> Chosen | None:
        """The columns that are read, or None when the file's beginning shows no record."""
        if self._chosen is None:
            if self._stream is not None:
                fields = self._fields(self._stream.ahead())
            else:
                with files.open_file(self.name) as file:
                    fields = self._fields(unpacked(file, self.limits.window))
            if fields:
                self._chosen = choose(fields, self._given, self.name)
                types = [field.type for field in fields if field.path == self._chosen.id]
                self._numeric_ids = types == [pa.int64()]
        return self._chosen

    def _fields(self, blocks: Iterator[bytes]) -> list[Field]:
        try:
            first = next(blocks, b"")
        except DamagedError:
            return []
        return [] if first.startswith(UTF16) else self._form.fields(chain((first,), blocks))

    @property
    def delimiter(self) -> str | None:
        """What parts the fields of a row, where that is said; None where the header shows it, or
        records are no rows."""
        return self._form.delimiter

    @property
    def id_path(self) -> Path | None:
        """Where in a record the id stands."""
        return self.chosen.id if self.chosen else None

    def choice(self) -> Choice | None:
        return Choice(self.chosen.line()) if self.chosen else None

    def row_ends(self, blocks: Iterator[bytes]) -> Iterator[int] | None:
        """After how many lines the header ends, and then each row; None where each line is one."""
        return self._form.row_ends(blocks)

    def stamp(self) -> dict[str, int | str]:
        """Size and digest; a stream's size is not known, and the digest is of its beginning."""
        if self._stream is None:
            return files.stamp(self.name)
        return {"size": 0, "digest": self._stream.digest()}

    def span(self) -> int | None:
        return None

    def passed(self, place: int) -> float | None:
        """By the bytes that are read: how long the lines are is not known beforehand."""
        return self._marks.passed(place)

    def breaks(self, _: int) -> Sequence[int]:
        return ()

    def narrowed(self, _: int, __: int | None) -> Self:
        return self

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        return up_to(cut(self._batches(after), self.limits.batch), last)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        """The pages at these places; fast if they come after those that were read last."""
        if not self.rereadable:
            raise InputError(f"{self.name}: is a stream and cannot be read again; use a file")
        chosen = self.chosen or self._guess()
        if places and (self._cursor is None or places[0] < self._cursor.first):
            blocks = unpacked(files.open_file(self.name), self.limits.window)
            self._cursor = Cursor(self._form.records(blocks, chosen))
        found = self._cursor.holding(places) if self._cursor else ()
        return pick((self._some(*each, chosen) for each in found), places, self.name)

    def close(self) -> None:
        self._cursor = None

    def _batches(self, after: int) -> Iterator[Batch]:
        chosen = self.chosen or self._guess()
        first = 0
        self._marks = Marks()
        with ExitStack() as stack:
            if self._stream is not None:
                blocks = self._stream.blocks()
            else:
                file = stack.enter_context(files.open_file(self.name))
                blocks = self._gauged(file)
            for records in self._form.records(blocks, chosen):
                end = first + len(records)
                if self._stream is None and records:
                    self._marks.add(end, self._read)
                if end > after + 1:
                    yield self._some(records, first, range(max(first, after + 1), end), chosen)
                first = end

    def _gauged(self, file: BinaryIO) -> Iterator[bytes]:
        size = max(1, files.size(self.name))
        # So that what is read ahead of the records tells next to nothing of how far they are.
        step = min(max(size // _STEPS, _LEAST_STEP), _MOST_STEP)
        for block in unpacked(file, self.limits.window, step):
            self._read = file.tell() / size
            yield block
        self._read = 1.0

    def _some(self, records: list[Any], first: int, places: Sequence[int], chosen: Chosen) -> Batch:
        return self._form.pages([(place, records[place - first]) for place in places], chosen)

    def _guess(self) -> Chosen:
        given = self._given
        body = given.html or given.text or "text"
        rest = ((given.url or "url",), (given.id or "id",), (given.date or "date",))
        by, values, ranked = (
            tuple((name,) for name in names) for names in (given.by, given.values, given.ranked)
        )
        return Chosen((body,), given.html is not None, *rest, by, values, ranked)


class _Once:
    """The blocks of a stream, of which some can be looked at ahead."""

    def __init__(self, name: str, limits: Limits) -> None:
        self._name = name
        self._limits = limits
        self._left: Iterator[bytes] | None = None
        self._ahead: deque[bytes] = deque()
        self._begun = False
        self._digest: str | None = None

    def _rest(self) -> Iterator[bytes]:
        if self._left is None:
            stream = files.open_stream(self._name)
            self._left = unpacked(stream, self._limits.window)
        return self._left

    def ahead(self) -> Iterator[bytes]:
        line = 0
        for block in self._rest():
            end = block.rfind(b"\n")
            line = line + len(block) if end < 0 else len(block) - end - 1
            # A line that is too long already does not become less so: the rest of it is not held.
            if end >= 0 or line - len(block) <= self._limits.page:
                self._ahead.append(block)
            yield block

    def blocks(self) -> Iterator[bytes]:
        if self._begun:
            raise InputError(f"{self._name}: is a stream and cannot be read again; use a file")
        self._begun = True
        while self._ahead:
            yield self._ahead.popleft()
        yield from self._rest()

    def digest(self) -> str:
        """Of the first bytes, however the stream cuts them into blocks."""
        if self._digest is None:
            held = sum(map(len, self._ahead))
            ahead = self.ahead()
            while held < _STAMPED and (block := next(ahead, b"")):
                held += len(block)
            beginning = b"".join(self._ahead)[:_STAMPED]
            self._digest = hashlib.blake2b(beginning, digest_size=16).hexdigest()
        return self._digest
