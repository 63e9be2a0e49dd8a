"""Pages from WACZ files: zip files with WARC files in their `archive` folder.

The place of a page is the number of its WARC file in the WACZ, in the order of the names' bytes,
times 2⁴², plus its place in that file; that the zip is damaged there has the last of its places.
"""

import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, groupby
from typing import BinaryIO, Self

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.formats import files
from webecho.formats.looks import Look
from webecho.formats.records import Stream, is_stream, records_at
from webecho.formats.scan import WantedRecord
from webecho.formats.skipped import Skipped
from webecho.formats.wacz import BROKEN, SPAN, ZippedArchive, archive_members, open_archive
from webecho.read.judge import WarcOptions
from webecho.read.pages import PAGES, Batch, Choice
from webecho.read.splits import breaks_at, up_to
from webecho.read.warc import batches_of, some_pages

_DEFAULT = WarcOptions()


class WaczSource:
    """One WACZ file."""

    format = "wacz"
    rereadable = True
    in_memory = False
    table = None
    has_columns = False
    sure_breaks = True
    id_type = pa.string()
    path_prefix = None
    numeric_ids = False

    def __init__(self, name: str, options: WarcOptions = _DEFAULT) -> None:
        self.name = name
        self.options = options
        self.look = Look.at([name])
        # Where reading again stands: what opens the WARC files, and the one that is open.
        self._archives: list[Callable[[], ZippedArchive]] | None = None
        self._again: tuple[int, ZippedArchive, Stream | None] | None = None
        # Of each WARC file the bytes that those before it take in the zip, that it takes there, and
        # that it has in itself.
        self._sizes: list[tuple[int, int, int]] = []

    def judge(self) -> _core.Judge:
        """What decides which of its records are pages."""
        return self.options.judge()

    def choice(self) -> Choice | None:
        return None

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.name)

    def span(self) -> int | None:
        return None

    def passed(self, place: int) -> float | None:
        """By the bytes of the archives before, and of this one as far as it is read."""
        if not self._measured():
            return None
        number, inside = divmod(max(0, place), SPAN)
        before, packed, size = self._sizes[min(number, len(self._sizes) - 1)]
        within = min(1.0, inside / max(1, size)) if number < len(self._sizes) else 1.0
        last, last_packed, _ = self._sizes[-1]
        return (before + packed * within) / max(1, last + last_packed)

    def breaks(self, size: int) -> Sequence[int]:
        """The WARC files are what can be read by itself."""
        measured = self._measured()
        ends = [number * SPAN + SPAN - 1 for number in range(len(measured))]
        return breaks_at(ends, (packed for _, packed, _ in measured), size)

    def _measured(self) -> list[tuple[int, int, int]]:
        if not self._sizes:
            with files.open_file(self.name, scattered=True) as file:
                try:
                    members = archive_members(zipfile.ZipFile(file))
                except BROKEN:
                    return []
            before = accumulate((each.compress_size for each in members), initial=0)
            self._sizes = [
                (start, each.compress_size, each.file_size)
                for start, each in zip(before, members, strict=False)
            ]
        return self._sizes

    def narrowed(self, _: int, __: int | None) -> Self:
        return self

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        return up_to(self._batches(after), last)

    def _batches(self, after: int) -> Iterator[Batch]:
        with files.open_file(self.name) as file:
            try:
                archives = _archives(file)
            except BROKEN as error:
                archives, problem = [], str(error)
            else:
                problem = "no WARC file in its archive folder"
            if not archives and after < 0:
                yield _damage(0, problem)
            for number in range((after + 1) // SPAN, len(archives)):
                base = number * SPAN
                end = base + SPAN - 1
                with archives[number]() as archive:
                    inside = max(-1, after - base)
                    for batch in batches_of(archive, self.options, inside):
                        yield _moved(batch, base)
                    if archive.problem is not None and after < end:
                        yield _damage(end, archive.problem)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        """The pages at these places; fast if they come after those that were read last."""
        return some_pages(self._records_at(places), self.options, self.name, places)

    def close(self) -> None:
        self._again = self._archives = None

    def _records_at(self, places: Sequence[int]) -> Iterator[WantedRecord | Skipped]:
        for number, group in groupby(places, lambda place: place // SPAN):
            base = number * SPAN
            inside = [place - base for place in group]
            for record in self._inside(number, inside):
                yield replace(record, place=base + record.place)

    def _inside(self, number: int, places: Sequence[int]) -> Iterator[WantedRecord | Skipped]:
        if self._archives is None:
            try:
                self._archives = _archives(files.open_file(self.name, scattered=True))
            except BROKEN:
                self._archives = []
        if number >= len(self._archives):
            return iter(())
        if self._again is None or self._again[0] != number:
            archive = self._archives[number]()
            forward = archive.deflated or is_stream(archive, self.options.limits.window)
            stream = Stream(archive, self.judge(), self.options.limits.window) if forward else None
            self._again = number, archive, stream
        _, archive, stream = self._again
        if stream is not None:
            return stream.at(places)
        return records_at(archive, self.judge(), places, self.options.limits.window)


def _moved(batch: Batch, base: int) -> Batch:
    column = PAGES.get_field_index("place")
    places = pc.add(batch.pages["place"], base)
    pages = batch.pages.set_column(column, PAGES.field(column), places)
    return Batch(pages, tuple(replace(skip, place=base + skip.place) for skip in batch.skipped))


def _damage(place: int, problem: str) -> Batch:
    nothing = pa.RecordBatch.from_pylist([], schema=PAGES)
    return Batch(nothing, (Skipped(place, "corrupt zip", problem, failed=True),))


def _archives(file: BinaryIO) -> list[Callable[[], ZippedArchive]]:
    """What opens the WARC files in the zip, in their order."""
    return [partial(open_archive, file, info) for info in archive_members(zipfile.ZipFile(file))]
