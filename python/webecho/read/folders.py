"""Folders and globs of HTML and text files: one source, a page a file.

The *place* of a page is the number of its file in the order of the bytes of the paths relative to
the folder. That path, with `/`, is also its id and its url, for no better address is known. The
date stays empty: what a file system says of it changes with every copy, and the pages must not.
"""

import hashlib
import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath

import pyarrow as pa

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.detection import HTML_SUFFIXES, PACKED_SUFFIXES, TEXT_SUFFIXES, suffix_of
from webecho.formats.listing import Listed
from webecho.formats.looks import Look
from webecho.formats.packing import DamagedError, unpacked
from webecho.formats.skipped import Skipped
from webecho.read.batching import cut, pick
from webecho.read.convert import ConvertError, convert
from webecho.read.pages import BATCH_BYTES, BATCH_PAGES, MAX_PAGE_BYTES, Batch, Choice, share_of
from webecho.read.rows import page_rows
from webecho.safe_text import without_secrets

_STAMPED = 64


def is_page(path: str) -> bool:
    """Whether a file of this name is read as HTML or text."""
    return suffix_of(path) in HTML_SUFFIXES | TEXT_SUFFIXES


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
    has_columns = False
    id_type = pa.string()

    def __init__(
        self,
        name: str,
        found: Sequence[Listed],
        converters: Mapping[str, str],
        as_html: bool = False,
        longest: int = MAX_PAGE_BYTES,
    ) -> None:
        """`as_html` says that all files are HTML, whatever their endings."""
        self.name = name
        self.listed = tuple(found)
        self.look = Look.at(file.name for file in self.listed)
        self._converters = converters
        self._as_html = as_html
        self._longest = longest

    @property
    def path_prefix(self) -> str:
        """The folder, as it was given."""
        first = self.listed[0]
        return without_secrets(_shown(first.name.removesuffix(first.relative)))

    def choice(self) -> Choice | None:
        """The files that are read, not skipped for their type."""
        readable = sum(
            self._as_html or is_page(file.relative) or bool(self._command(file))
            for file in self.listed
        )
        return Choice("HTML and text files", readable) if readable else None

    def _command(self, file: Listed) -> str | None:
        return None if self._as_html else converter(file.relative, self._converters)

    def stamp(self) -> dict[str, int | str]:
        """The size of all files; a digest of their paths and sizes, and of what is in some."""
        sizes = [files.size(file.name) for file in self.listed]
        digest = hashlib.blake2b(digest_size=16)
        for file, size in zip(self.listed, sizes, strict=True):
            digest.update(f"{_shown(file.relative)}\0{size}\0".encode())
        steps = min(_STAMPED, len(sizes))
        for step in range(steps):
            file = self.listed[step * (len(sizes) - 1) // max(steps - 1, 1)]
            digest.update(str(files.stamp(file.name)["digest"]).encode())
        return {"size": sum(sizes), "digest": digest.hexdigest()}

    def span(self) -> int | None:
        return len(self.listed)

    def passed(self, place: int) -> float | None:
        return share_of(self.span(), place)

    def batches(self, after: int = -1) -> Iterator[Batch]:
        return cut(self._some(range(after + 1, len(self.listed))))

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        there = [place for place in places if place < len(self.listed)]
        return pick(self._some(there), places, self.name)

    def close(self) -> None:
        """Holds nothing: each file is opened for itself."""

    def _some(self, places: Sequence[int]) -> Iterator[Batch]:
        held: list[tuple[int, bytes, bool]] = []
        skipped: list[Skipped] = []
        count = 0
        for place in places:
            page = self._page(place)
            if isinstance(page, Skipped):
                skipped.append(page)
            else:
                held.append((place, *page))
                count += len(page[0])
            if count >= BATCH_BYTES // 2 or len(held) + len(skipped) >= BATCH_PAGES:
                yield self._batch(held, skipped)
                held, skipped, count = [], [], 0
        yield self._batch(held, skipped)

    def _batch(self, held: list[tuple[int, bytes, bool]], skipped: list[Skipped]) -> Batch:
        paths = pa.array([_shown(self.listed[place].relative) for place, _, _ in held], pa.string())
        return page_rows(
            pa.array([place for place, _, _ in held], pa.int64()),
            pa.array([body for _, body, _ in held], pa.large_binary()),
            pa.array([markup for _, _, markup in held], pa.bool_()),
            url=paths,
            ids=paths,
            skipped=skipped,
        )

    def _page(self, place: int) -> tuple[bytes, bool] | Skipped:
        """The bytes of the file and whether they are HTML."""
        file = self.listed[place]
        url = _shown(file.relative)
        command = self._command(file)
        if not (command or self._as_html or is_page(file.relative)):
            return Skipped(place, "type", suffix_of(file.relative) or "no ending", url)
        try:
            body = _body(file, self._longest)
            if body is None:
                detail = f"over {self._longest} bytes"
                return Skipped(place, "too long", detail, url, failed=True)
            if command is None:
                return body, self._as_html or suffix_of(file.relative) in HTML_SUFFIXES
            made = convert(command, body)
        except ConvertError as error:
            return Skipped(place, "convert", str(error), url, failed=True)
        except (InputError, DamagedError, OSError) as error:
            return Skipped(place, "unreadable", str(error), url, failed=True)
        return made, made.lstrip().startswith(b"<")


def _body(file: Listed, longest: int) -> bytes | None:
    """All bytes of the file, decompressed; None if they are too many for a page."""
    with files.open_file(file.name) as opened:
        packed = PurePosixPath(file.relative).suffix.lower() in PACKED_SUFFIXES
        if not packed:
            body = opened.read(longest + 1)
            return body if len(body) <= longest else None
        parts, count = [], 0
        for block in unpacked(opened):
            parts.append(block)
            count += len(block)
            if count > longest:
                return None
        return b"".join(parts)


def _shown(path: str) -> str:
    """The path as valid text; bytes that are not UTF-8 are written as `\\\\xff`."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
