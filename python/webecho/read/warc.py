"""Pages from WARC files (and WET files, which are such) and ARC files, compressed or not.

A revisit record becomes a page without a body that refers to the page it repeats, by the
*fingerprints* of that page's record id, of its address and date, and of its payload's digest, as
far as the record tells them.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import accumulate
from typing import Any, NamedTuple

import pyarrow as pa

from webecho.errors import InputError
from webecho.read import files, http
from webecho.read.convert import ConvertError, convert
from webecho.read.dates import timestamps
from webecho.read.judge import Fields, WarcOptions, is_markup, is_wanted, judge
from webecho.read.pages import BATCH_BYTES, BATCH_PAGES, MAX_PAGE_BYTES, PAGES, Batch, Skipped
from webecho.read.records import Stream, is_stream, records, records_at
from webecho.read.scan import TOO_LONG, Found

__all__ = ["WarcOptions", "WarcSource", "in_batches", "some_pages"]

_DEFAULT = WarcOptions()
_OTHERS = {field.name: field.type for field in PAGES if field.name != "body"}
_OTHERS["fetched"] = pa.string()
_FORMAT = re.compile(r"\.(wet|arc)(?:\.\w+)?\Z")
_YEAR_OR_MONTH = re.compile(r"\d{4}(?:-\d\d)?\Z")


class WarcSource:
    """One WARC, WET or ARC file."""

    rereadable = True

    def __init__(self, name: str, options: WarcOptions = _DEFAULT) -> None:
        self.name = name
        self.options = options
        # Only where one cannot go to a place: the file, open where reading again stands.
        self._stream: Stream | None = None

    @property
    def format(self) -> str:
        found = _FORMAT.search(self.name.lower())
        return found[1] if found else "warc"

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.name)

    def span(self) -> int | None:
        return files.size(self.name)

    def batches(self, after: int = -1) -> Iterator[Batch]:
        with files.open_file(self.name) as file:
            found = records(file, partial(judge, self.options), after)
            yield from in_batches(found, self.options)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        if self._stream is not None:
            return some_pages(self._stream.at(places), self.options, self.name, places)
        with files.open_file(self.name, scattered=True) as file:
            if not is_stream(file):
                found = records_at(file, partial(judge, self.options), places)
                return some_pages(found, self.options, self.name, places)
        self._stream = Stream(files.open_file(self.name), partial(judge, self.options))
        return self.read(places)


class _Page(NamedTuple):
    """A page's body, and its row: the other columns of `PAGES`, the date as it was written."""

    body: bytes | memoryview | None
    row: tuple[Any, ...]


class _Rows:
    """Pages on their way into a batch."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._bodies: list[bytes | memoryview | None] = []
        self._size = 0

    def __len__(self) -> int:
        return len(self._rows)

    def have_room(self, page: _Page | Skipped) -> bool:
        if isinstance(page, Skipped) or not self._rows:
            return True
        size = self._size + len(page.body or b"")
        return size <= BATCH_BYTES and len(self._rows) < BATCH_PAGES

    def add(self, page: _Page) -> None:
        self._rows.append(page.row)
        self._bodies.append(page.body)
        self._size += len(page.body or b"")

    def batch(self) -> pa.RecordBatch:
        columns = dict(zip(_OTHERS, zip(*self._rows, strict=True), strict=False))
        arrays = {name: pa.array(columns.get(name, ()), type_) for name, type_ in _OTHERS.items()}
        arrays["fetched"] = timestamps(arrays["fetched"])
        # Joined in one go: Arrow's builder, as anything that grows, would copy the bodies again
        # and again.
        present = pa.array([body is not None for body in self._bodies], pa.bool_())
        bodies = [body or b"" for body in self._bodies]
        ends = array("q", accumulate(map(len, bodies), initial=0))
        buffers = [present.buffers()[1], pa.py_buffer(ends), pa.py_buffer(b"".join(bodies))]
        arrays["body"] = pa.Array.from_buffers(pa.large_binary(), len(bodies), buffers)
        return pa.RecordBatch.from_arrays([arrays[name] for name in PAGES.names], schema=PAGES)


def in_batches(found: Iterable[Found | Skipped], options: WarcOptions) -> Iterator[Batch]:
    """The records as pages in batches, with those that are skipped."""
    rows = _Rows()
    skipped: list[Skipped] = []
    for record in found:
        page = record if isinstance(record, Skipped) else _page(record, options)
        if len(skipped) >= BATCH_PAGES or not rows.have_room(page):
            yield Batch(rows.batch(), tuple(skipped))
            rows, skipped = _Rows(), []
        if isinstance(page, Skipped):
            skipped.append(page)
        else:
            rows.add(page)
    if rows or skipped:
        yield Batch(rows.batch(), tuple(skipped))


def some_pages(
    found: Iterable[Found | Skipped], options: WarcOptions, name: str, places: Sequence[int]
) -> pa.RecordBatch:
    """The records at these places as one batch; `InputError` if one is no page any more."""
    rows = _Rows()
    for record, place in zip(found, places, strict=False):
        page = record if isinstance(record, Skipped) else _page(record, options)
        if record.place != place or isinstance(page, Skipped):
            break
        rows.add(page)
    if len(rows) < len(places):
        raise InputError(
            f"{name}: no page at {places[len(rows)]} any more; the file or the options have "
            "changed since it was sketched: sketch it again"
        )
    return rows.batch()


def _page(record: Found, options: WarcOptions) -> _Page | Skipped:
    """The page that the record holds, or the reason why it holds none."""
    place, wanted = record.place, record.wanted
    fields = wanted.fields
    body: bytes | memoryview | None = None
    kind, charset = wanted.type, wanted.charset
    keys = _fingerprints(fields, b"warc-record-id", b"warc-target-uri", b"warc-date")
    refers = None
    if wanted.revisit:
        refers = _fingerprints(
            fields, b"warc-refers-to", b"warc-refers-to-target-uri", b"warc-refers-to-date"
        ) + _payload(fields)
    else:
        keys += _payload(fields)
        try:
            body = _decoded(record)
            if kind is None:
                kind = http.sniff(bytes(body))
                if not is_wanted(options, kind):
                    return Skipped(place, "type", kind, wanted.url)
            if kind in options.convert:
                body = convert(options.convert[kind], bytes(body))
                kind, charset = http.sniff(body), "utf-8"
        except ConvertError as error:
            return Skipped(place, "conversion", str(error), wanted.url, failed=True)
        except http.TooLongError:
            body = None
        if body is None or len(body) > MAX_PAGE_BYTES:
            return Skipped(place, TOO_LONG, None, wanted.url, failed=True)
    ip = _text(fields, b"warc-ip-address")
    row = (
        _text(fields, b"warc-trec-id") or _text(fields, b"warc-record-id"),
        wanted.url,
        None if ip == "-" else ip,
        _date(_text(fields, b"warc-date")),
        place,
        is_markup(kind or "text/html"),
        charset,
        keys,
        refers,
    )
    return _Page(body, row)


def _decoded(record: Found) -> bytes | memoryview:
    response = record.wanted.response
    return record.block if response is None else http.decode(record.block, response, MAX_PAGE_BYTES)


def _text(fields: Fields, name: bytes) -> str | None:
    value = fields.get(name)
    return http.text(value) if value else None


def _date(date: str | None) -> str | None:
    # WARC 1.1 allows to leave out what is not known.
    if date is None or len(date) >= len("2020-01-31") or not _YEAR_OR_MONTH.match(date):
        return date
    return date + "-01-01"[len(date) - len("2020") :]


def _fingerprints(fields: Fields, id_: bytes, address: bytes, date: bytes) -> list[int]:
    found = []
    if value := fields.get(id_):
        found.append(_fingerprint(b"id", value.strip(b"<> ")))
    if (value := fields.get(address)) and (fetched := fields.get(date)):
        found.append(_fingerprint(b"at", value.strip(b"<> ") + b" " + fetched))
    return found


def _payload(fields: Fields) -> list[int]:
    # By its payload a revisit refers to others and is not referred to: it holds none.
    value = fields.get(b"warc-payload-digest")
    return [_fingerprint(b"payload", value)] if value else []


def _fingerprint(kind: bytes, value: bytes) -> int:
    # The kind goes first, so that an id never equals an address or a digest.
    digest = blake2b(kind + b" " + value, digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
