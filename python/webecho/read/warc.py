"""Pages from WARC files (and WET files, which are such) and ARC files, compressed or not."""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple, Self

import pyarrow as pa

from webecho import _core
from webecho.errors import InputError
from webecho.formats import files, http
from webecho.formats.looks import Look
from webecho.formats.records import (
    Stream,
    frames_near,
    is_stream,
    records,
    records_at,
    swift_reader,
)
from webecho.formats.scan import WantedRecord
from webecho.formats.skipped import Skipped
from webecho.read.convert import ConvertError, convert
from webecho.read.dates import timestamps
from webecho.read.judge import HTML_TYPES, WarcOptions
from webecho.read.limits import Limits
from webecho.read.pages import (
    BATCH_BYTES,
    BATCH_PAGES,
    PAGES,
    Batch,
    Choice,
    share_of,
)
from webecho.read.splits import up_to

__all__ = ["WarcOptions", "WarcSource", "batches_of", "some_pages"]

_DEFAULT = WarcOptions()
# So many bytes of pages are about what a byte of a compressed archive holds, and what is read at a
# time at the least.
_EXPANDED, _LEAST = 4, 64 << 10
_FORMAT = re.compile(r"\.(wet|arc)(?:\.\w+)?\Z")


class WarcSource:
    """One WARC, WET or ARC file; without `swift` the careful reader reads all of it."""

    rereadable = True
    in_memory = False
    table = None
    has_columns = False
    id_type = pa.string()
    path_prefix = None
    numeric_ids = False
    sure_breaks = False

    def __init__(self, name: str, options: WarcOptions = _DEFAULT, *, swift: bool = True) -> None:
        self.name = name
        self.options = options
        self.look = Look.at([name])
        self._swift = swift
        # Only where one cannot go to a place: the file, open where reading again stands.
        self._stream: Stream | None = None

    @property
    def format(self) -> str:
        found = _FORMAT.search(self.name.lower())
        return found[1] if found else "warc"

    def judge(self) -> _core.Judge:
        """What decides which of its records are pages."""
        return self.options.judge()

    def choice(self) -> Choice | None:
        return None

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.name)

    def span(self) -> int | None:
        return files.size(self.name)

    def passed(self, place: int) -> float | None:
        return share_of(self.span(), place)

    def breaks(self, size: int) -> Sequence[int]:
        """Where each record has a frame of its own, as in a `.warc.gz`."""
        end = files.size(self.name)
        if end <= size:
            return ()
        with files.open_file(self.name, scattered=True) as file:
            return frames_near(file, size, end, self.options.limits.window)

    def narrowed(self, _: int, __: int | None) -> Self:
        return self

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        with files.open_file(self.name) as file:
            # What is read beyond the last place is read for nothing.
            most = BATCH_BYTES if last is None else _EXPANDED * max(last - after, _LEAST)
            found = batches_of(file, self.options, after, swift=self._swift, most=most)
            yield from up_to(found, last)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        window = self.options.limits.window
        if self._stream is not None:
            return some_pages(self._stream.at(places), self.options, self.name, places)
        with files.open_file(self.name, scattered=True) as file:
            if not is_stream(file, window):
                found = records_at(file, self.judge(), places, window)
                return some_pages(found, self.options, self.name, places)
        self._stream = Stream(files.open_file(self.name), self.judge(), window)
        return self.read(places)

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._stream = None


class _Page(NamedTuple):
    """A page, decoded. A revisit has no body."""

    place: int
    wanted: _core.Wanted
    body: bytes | None
    type: str | None
    charset: str | None
    stored_digest: bytes | None


class _Draft:
    """A batch in the making."""

    def __init__(self, limits: Limits, most: int = BATCH_BYTES) -> None:
        self.rows = _core.PageRows(min(most, limits.batch), BATCH_PAGES)
        self.skipped: list[Skipped] = []

    def __len__(self) -> int:
        return len(self.rows) + len(self.skipped)

    def has_room(self, page: _Page | Skipped) -> bool:
        if isinstance(page, Skipped):
            return len(self.skipped) < BATCH_PAGES
        return self.rows.has_room(len(page.body or b""))

    def add(self, page: _Page | Skipped) -> None:
        if isinstance(page, Skipped):
            self.skipped.append(page)
        else:
            self.rows.add(*page)

    def take(self) -> Batch:
        rows = self.rows.take()
        columns = {field.name: pa.nulls(len(rows), field.type) for field in PAGES}
        columns |= dict(zip(rows.schema.names, rows.columns, strict=True))
        columns["fetched"] = timestamps(rows["fetched"])
        skipped, self.skipped = tuple(self.skipped), []
        return Batch(pa.RecordBatch.from_arrays(list(columns.values()), schema=PAGES), skipped)


def batches_of(
    file: BinaryIO,
    options: WarcOptions,
    after: int = -1,
    *,
    swift: bool = True,
    most: int = BATCH_BYTES,
) -> Iterator[Batch]:
    """The pages of an archive file in batches of about so many bytes at the `most`, with what is
    skipped, from beyond a place on."""
    judge = options.judge()
    draft = _Draft(options.limits, most)
    reader = swift_reader(file, judge, after, options.limits.window) if swift else None
    if reader is not None:
        after = yield from _swiftly(reader, draft, judge, options)
    for record in records(file, judge, after, options.limits.window):
        page = _page(record, judge, options)
        if not draft.has_room(page):
            yield draft.take()
        draft.add(page)
    if draft:
        yield draft.take()


def _swiftly(
    swift: _core.SwiftReader, draft: _Draft, judge: _core.Judge, options: WarcOptions
) -> Generator[Batch, None, int]:
    """What the swift reader reads; gives the place of the last such record in the end."""
    while True:
        skips: list[tuple[int, tuple[Any, ...]]] = []
        found = swift.read(draft.rows, skips, BATCH_PAGES - len(draft.skipped))
        draft.skipped += [Skipped(place, *skip) for place, skip in skips]
        if found is not None:
            page = _page(WantedRecord(*found), judge, options)
            if not draft.has_room(page):
                yield draft.take()
            draft.add(page)
        elif swift.ended:
            return swift.last
        else:
            yield draft.take()


def some_pages(
    found: Iterable[WantedRecord | Skipped], options: WarcOptions, name: str, places: Sequence[int]
) -> pa.RecordBatch:
    """The records at these places as one batch; `InputError` if one is no page any more."""
    judge = options.judge()
    draft = _Draft(options.limits)
    for record, place in zip(found, places, strict=False):
        page = _page(record, judge, options)
        if record.place != place or isinstance(page, Skipped):
            break
        draft.add(page)
    if len(draft) < len(places):
        raise InputError(
            f"{name}: no page at {places[len(draft)]} any more; the file or the options have "
            "changed since it was sketched: sketch it again"
        )
    return draft.take().pages


def _page(
    record: WantedRecord | Skipped, judge: _core.Judge, options: WarcOptions
) -> _Page | Skipped:
    """The page that the record holds, or the reason why it holds none."""
    if isinstance(record, Skipped):
        return record
    place, wanted, block = record.place, record.wanted, record.block
    kind, charset = wanted.type, wanted.charset
    if wanted.revisit:
        return _Page(place, wanted, None, kind, charset, None)
    stored = block[wanted.start :]
    try:
        body = http.decode(block, wanted, options.limits.page, options.limits.window)
        if kind is None:
            kind = http.sniff(body)
            if not judge.wants(kind):
                return Skipped(place, "type", kind, wanted.url)
        if kind in options.convert:
            body = convert(options.convert[kind], body, options.limits.page)
            kind, charset = http.sniff(body), "utf-8"
            # A command gives HTML or text, whatever that begins with.
            if not (kind.startswith("text/") or kind in HTML_TYPES):
                kind = "text/plain"
    except ConvertError as error:
        return Skipped(place, "conversion", str(error), wanted.url, failed=True)
    except http.TooLongError:
        return _too_long(record, options.limits)
    if len(body) > options.limits.page:
        return _too_long(record, options.limits)
    stored_digest = None if body == stored else _core.digest(stored)
    return _Page(place, wanted, body, kind, charset, stored_digest)


def _too_long(record: WantedRecord, limits: Limits) -> Skipped:
    return limits.too_long(record.place, f"more than {limits.page} bytes", record.wanted.url)
