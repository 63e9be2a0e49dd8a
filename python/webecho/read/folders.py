"""Folders and globs of HTML and text files: one source, a page a file.

The *place* of a page is the number of its file in the order of the bytes of the paths relative to
the folder. That path, with `/`, is also its id and its url, for no better address is known. The
date stays empty: what a file system says of it changes with every copy, and the pages must not.
"""

import hashlib
import mimetypes
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple, Self

import pyarrow as pa

from webecho import _core
from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.detection import HTML_SUFFIXES, PACKED_SUFFIXES, TEXT_SUFFIXES, suffix_of
from webecho.formats.entries import Listed, shown
from webecho.formats.looks import Look
from webecho.formats.packing import DamagedError, unpacked
from webecho.formats.skipped import Skipped
from webecho.read.batching import cut, pick
from webecho.read.convert import ConvertError, convert
from webecho.read.judge import HTML_TYPES
from webecho.read.limits import USUAL, Limits
from webecho.read.pages import BATCH_PAGES, Batch, Choice, share_of
from webecho.read.rows import page_rows
from webecho.read.splits import breaks_at
from webecho.safe_text import without_secrets

_STAMPED = 64
# To open a file takes about as long as to read so many bytes.
_FILE_COST = 64 << 10
# Beside tables of pages such files tell of the tables, and are no pages themselves.
_ABOUT = re.compile(r"(readme|licen[cs]e|citation|changelog|notice)\b[^/]*", re.IGNORECASE)
# What `datasets` leaves of a filter or map in the folder of the dataset that it was made from.
_CACHE = re.compile(r"cache-[0-9a-f]+(_\d+_of_\d+)?\.arrow")


def is_page(path: str) -> bool:
    """Whether a file of this name is read as HTML or text."""
    return suffix_of(path) in HTML_SUFFIXES | TEXT_SUFFIXES


def is_cache(path: str) -> bool:
    """Whether a file of this name was made from the tables it lies with, and is none of them."""
    return _CACHE.fullmatch(PurePosixPath(path).name) is not None


def converter(path: str, converters: Mapping[str, str]) -> str | None:
    """The command for a file of this name, given by its type or by its ending."""
    if not converters:
        return None
    suffix = suffix_of(path)
    kind = _types().guess_type(f"x{suffix}")[0] or suffix
    ways = (kind, suffix, suffix.removeprefix("."))
    return next((converters[way] for way in ways if way and way in converters), None)


@cache
def _types() -> mimetypes.MimeTypes:
    # Without the files of the system, so that a type does not depend on the machine.
    return mimetypes.MimeTypes(())


class FolderSource:
    """Files of one folder or glob, each of them a page; those of other types are skipped."""

    format = "html"
    rereadable = True
    in_memory = False
    table = None
    sure_breaks = True
    numeric_ids = False

    def __init__(
        self,
        name: str,
        found: Sequence[Listed],
        converters: Mapping[str, str],
        as_html: bool = False,
        limits: Limits = USUAL,
        *,
        every: bool = False,
        beside_tables: bool = False,
    ) -> None:
        """`as_html` says that all files are HTML, whatever their endings; `every` that all are
        pages, also such as are neither HTML nor text; `beside_tables` that the folder has tables of
        pages too."""
        self.name = name
        self.listed = tuple(found)
        # What is not read may change: a link may lead to the folder to which the run itself writes.
        self.look = Look.at(file.name for file in self.listed if file.trouble is None)
        # Of a kind that can be sent elsewhere.
        self._converters = dict(converters)
        self._as_html = as_html
        self.limits = limits
        self._every = every
        self._beside_tables = beside_tables
        # The place of the first file.
        self._first = 0
        first = self.listed[0]
        # The folder, as it was given.
        self.path_prefix = without_secrets(shown(first.name.removesuffix(first.relative)))
        # The files that are read, not skipped for their type.
        self._readable = sum(
            file.trouble is None
            and not self._is_about(file)
            and (as_html or every or is_page(file.relative) or bool(self._command(file)))
            for file in self.listed
        )
        # What is only skipped, such as a note on the tables that it lies with, has no page that
        # would lack a column, or have an id of another type than the rows of the tables.
        self.has_columns = not self._readable
        self.id_type = pa.string() if self._readable else None

    def choice(self) -> Choice | None:
        """How many files are read; none at all may be."""
        words = "files of all types" if self._every else "HTML and text files"
        return Choice(words, self._readable)

    def _is_about(self, file: Listed) -> bool:
        name = PurePosixPath(file.relative).name
        return self._beside_tables and (is_cache(name) or _ABOUT.fullmatch(name) is not None)

    def _command(self, file: Listed) -> str | None:
        return None if self._as_html else converter(file.relative, self._converters)

    def stamp(self) -> dict[str, int | str]:
        """The size of all files; a digest of their paths and sizes, and of what is in some."""
        sizes = [_size(file) for file in self.listed]
        digest = hashlib.blake2b(digest_size=16)
        for file, size in zip(self.listed, sizes, strict=True):
            # A file that was given by itself is the same from wherever it is looked at.
            alone = file.relative == file.name
            path = PurePosixPath(file.relative).name if alone else file.relative
            digest.update(f"{shown(path)}\0{size}\0".encode())
        steps = min(_STAMPED, len(sizes))
        for step in range(steps):
            file = self.listed[step * (len(sizes) - 1) // max(steps - 1, 1)]
            seen = file.trouble.reason if file.trouble else files.stamp(file.name)["digest"]
            digest.update(str(seen).encode())
        return {"size": sum(sizes), "digest": digest.hexdigest()}

    def span(self) -> int | None:
        return len(self.listed)

    def passed(self, place: int) -> float | None:
        return share_of(self.span(), place)

    def breaks(self, size: int) -> Sequence[int]:
        sizes = (_FILE_COST + _size(file) for file in self.listed)
        return breaks_at(range(len(self.listed)), sizes, size)

    def narrowed(self, after: int, last: int | None) -> Self:
        """With the files of these places alone."""
        narrow = copy(self)
        end = len(self.listed) if last is None else last + 1 - self._first
        own = slice(after + 1 - self._first, end)
        narrow.listed, narrow._first = self.listed[own], after + 1
        names = {file.name for file in narrow.listed}
        narrow.look = Look(tuple(each for each in self.look.seen if each[0] in names))
        return narrow

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        end = self._first + len(self.listed) if last is None else last + 1
        return cut(self._some(range(after + 1, end)), self.limits.batch)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        there = [place for place in places if place < len(self.listed)]
        return pick(self._some(there), places, self.name)

    def close(self) -> None:
        """Holds nothing: each file is opened for itself."""

    def _some(self, places: Sequence[int]) -> Iterator[Batch]:
        held: list[_Held] = []
        skipped: list[Skipped] = []
        count = 0
        for place in places:
            page = self._page(place)
            if isinstance(page, Skipped):
                skipped.append(page)
            else:
                held.append(page)
                count += len(page.body)
            if count >= self.limits.batch // 2 or len(held) + len(skipped) >= BATCH_PAGES:
                yield self._batch(held, skipped)
                held, skipped, count = [], [], 0
        yield self._batch(held, skipped)

    def _batch(self, held: list["_Held"], skipped: list[Skipped]) -> Batch:
        paths = [shown(self.listed[each.place - self._first].relative) for each in held]
        names = pa.array(paths, pa.string())
        return page_rows(
            pa.array([each.place for each in held], pa.int64()),
            pa.array([each.body for each in held], pa.large_binary()),
            pa.array([each.markup for each in held], pa.bool_()),
            url=names,
            ids=names,
            stored_digest=pa.array([each.stored_digest for each in held], pa.binary()),
            skipped=skipped,
            limits=self.limits,
        )

    def _page(self, place: int) -> "_Held | Skipped":
        """What the file holds, or the reason why it is no page."""
        file = self.listed[place - self._first]
        url = shown(file.relative)
        if file.trouble is not None:
            trouble = file.trouble
            return Skipped(place, trouble.reason, trouble.detail, url, failed=trouble.failed)
        command = self._command(file)
        if self._is_about(file):
            return Skipped(place, "about the data", PurePosixPath(file.relative).name, url)
        if not (command or self._as_html or self._every or is_page(file.relative)):
            return Skipped(place, "type", _ending(file.relative), url)
        try:
            found = _body(file, self.limits)
            if found is None:
                return self.limits.too_long(place, f"over {self.limits.page} bytes", url)
            body, stored = found
            if command is None:
                return _Held(place, body, self._markup(file, body), stored)
            made = convert(command, body, self.limits.page)
        except ConvertError as error:
            return Skipped(place, "convert", str(error), url, failed=True)
        except (InputError, DamagedError, OSError) as error:
            return Skipped(place, "unreadable", str(error), url, failed=True)
        return _Held(place, made, made.lstrip().startswith(b"<"), stored or _core.digest(body))

    def _markup(self, file: Listed, body: bytes) -> bool | None:
        """Whether the file is HTML or text, None for what is neither."""
        if self._as_html or suffix_of(file.relative) in HTML_SUFFIXES:
            return True
        if is_page(file.relative):
            return False
        # Here, since what decodes HTTP takes a while to load, and few look at files of all types.
        from webecho.formats.http import sniff

        kind = sniff(body)
        return kind in HTML_TYPES if kind.startswith("text/") or kind in HTML_TYPES else None


class _Held(NamedTuple):
    """A page, with the digest of the bytes as they lie in its file where the body is others."""

    place: int
    body: bytes
    markup: bool | None
    stored_digest: bytes | None


def _ending(path: str) -> str:
    """What tells the type of a file; of one that is only said to be packed, that."""
    return suffix_of(path) or PurePosixPath(path).suffix.lower() or "no ending"


def _size(file: Listed) -> int:
    return 0 if file.trouble else files.size(file.name)


def _body(file: Listed, limits: Limits) -> tuple[bytes, bytes | None] | None:
    """All bytes of the file, decompressed, and then the digest of the bytes before that; None if
    they are too many for a page."""
    packed = PurePosixPath(file.relative).suffix.lower() in PACKED_SUFFIXES
    with files.open_file(file.name) as opened:
        if not packed:
            body = opened.read(limits.page + 1)
            return (body, None) if len(body) <= limits.page else None
        if files.size(file.name) > limits.page:
            return None
        parts, count = [], 0
        for block in unpacked(opened, limits.window):
            parts.append(block)
            count += len(block)
            if count > limits.page:
                return None
    with files.open_file(file.name) as opened:
        return b"".join(parts), _core.digest(opened.read())
