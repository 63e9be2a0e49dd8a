"""Arrow and Feather files as sources. The *place* of a page is the number of its row, from 0."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Self

import pyarrow as pa

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.arrow_ipc import BROKEN, open_arrow, record_batches
from webecho.formats.arrow_messages import LargeBatch, LargeError, Sizes
from webecho.formats.looks import Look
from webecho.formats.skipped import Skipped
from webecho.read.batching import NO_PAGES, Cursor, cut, joined, pick, takeable
from webecho.read.columns import Chosen, ColumnNames, choose, fields_of
from webecho.read.limits import OVER_MEMORY, READING_TIMES, USUAL, Limits, with_enough
from webecho.read.lost_rows import lost_rows
from webecho.read.marks import Marks
from webecho.read.pages import Batch, Choice
from webecho.read.splits import up_to
from webecho.read.tables import row_pages, slices, type_at


class ArrowSource:
    """A file in the file or the stream format of Arrow, local or remote."""

    format = "arrow"
    rereadable = True
    in_memory = False
    table = None
    has_columns = True
    sure_breaks = True
    path_prefix = None
    numeric_ids = False

    def __init__(self, name: str, given: ColumnNames, limits: Limits = USUAL) -> None:
        self.name = name
        self.look = Look.at([name])
        self.limits = limits
        self._given = given
        self._chosen: Chosen | None = None
        self.id_type: pa.DataType | None = None
        self._marks = Marks()
        # Where reading again stands.
        self._cursor: Cursor[pa.RecordBatch | LargeBatch] | None = None

    @property
    def chosen(self) -> Chosen | None:
        """The columns that are read, or None when this is no Arrow file that can be read."""
        if self._chosen is None:
            with files.open_file(self.name, scattered=True) as raw:
                try:
                    self._choose(open_arrow(raw).schema)
                except BROKEN:
                    return None
        return self._chosen

    def choice(self) -> Choice | None:
        return Choice(self.chosen.line()) if self.chosen else None

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.name)

    def span(self) -> int | None:
        return None

    def passed(self, place: int) -> float | None:
        return self._marks.passed(place)

    def breaks(self, _: int) -> Sequence[int]:
        return ()

    def narrowed(self, _: int, __: int | None) -> Self:
        return self

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        apart = self.limits.bounded
        return up_to(cut(self._steps(after), self.limits.batch, apart=apart), last)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        """The pages at these places; fast if they come after those that were read last."""
        return pick(self._at(places), places, self.name)

    def close(self) -> None:
        self._cursor = None

    def _choose(self, schema: pa.Schema) -> Chosen:
        if self._chosen is None:
            fields = fields_of(schema)
            self._chosen = choose(fields, self._given, self.name)
            self.id_type = type_at(fields, self._chosen.id)
        return self._chosen

    def _steps(self, after: int) -> Iterator[Batch]:
        row = 0
        self._marks = Marks()
        size = max(1, files.size(self.name))
        with files.open_file(self.name, scattered=True) as raw:
            try:
                for rows in self._rows(raw, size):
                    first = max(after + 1 - row, 0)
                    if isinstance(rows, LargeBatch):
                        yield from self._over(row, rows, after, size)
                    elif first < rows.num_rows:
                        chosen = self._choose(rows.schema)
                        yield row_pages(rows.slice(first), row + first, chosen, self.limits)
                    row += len(rows)
                    # While the next are read these need not be held.
                    del rows
            except LargeError as error:
                if row > after:
                    yield Batch(NO_PAGES, (self.limits.over(row, f"{error}; all rows after it"),))
            except BROKEN as error:
                # What was told before is not told again.
                if row > after:
                    detail = f"rows {row} to the end: {error}"
                    yield Batch(NO_PAGES, (Skipped(row, "broken Arrow file", detail, failed=True),))

    def _over(self, row: int, batch: LargeBatch, after: int, size: int) -> Iterator[Batch]:
        detail = f"rows {row} to {row + batch.rows - 1}: a record batch of {batch.bytes:,} bytes"
        detail = with_enough(detail, -(-batch.bytes // READING_TIMES))
        return lost_rows(range(row, row + batch.rows), after, OVER_MEMORY, detail, size)

    def _rows(
        self, raw: BinaryIO, size: int | None = None
    ) -> Iterator[pa.RecordBatch | LargeBatch]:
        """The columns that are read, some rows at a time; how far that is of a file of this
        size, if it is said, is marked."""
        count = 0
        reader = open_arrow(raw)
        names = [path[0] for path in self._choose(reader.schema).paths]
        columns = [reader.schema.get_all_field_indices(name)[0] for name in dict.fromkeys(names)]
        sizes = Sizes(raw, self.limits.reading) if self.limits.bounded else None
        for batch in record_batches(reader, sizes):
            count += len(batch)
            if size is not None:
                self._marks.add(count, raw.tell() / size)
            if isinstance(batch, LargeBatch):
                yield batch
                continue
            chosen = batch.select(columns)
            del batch
            yield from slices(chosen, self.limits)

    def _at(self, places: Sequence[int]) -> Iterator[Batch]:
        if not places:
            return
        if self._cursor is None or places[0] < self._cursor.first:
            self._cursor = Cursor(self._rows(files.open_file(self.name, scattered=True)))
        try:
            held = [
                (takeable(rows).take([place - first for place in some]), some)
                for rows, first, some in self._cursor.holding(places)
                if not isinstance(rows, LargeBatch)
            ]
        except BROKEN as error:
            raise InputError(f"{self.name}: cannot be read any more ({error})") from error
        if held:
            rows = joined([rows for rows, _ in held])
            wanted = [place for _, some in held for place in some]
            yield row_pages(rows, wanted, self._choose(rows.schema), self.limits)
