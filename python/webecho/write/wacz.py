"""What stays of WACZ files: the WARC files in them, the index renewed, and all else as it was.

An index in which a line cannot be renewed is made anew, for one that lacks captures hides them.
Members keep their order, names and dates. Sizes and digests in the data package are those of the
new members; a signature no longer holds and is left out.
"""

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from webecho.formats import cdxj, files, json_text
from webecho.formats.captures import capture_lines
from webecho.formats.packing import DamagedError, unpacked
from webecho.formats.records import layout_of
from webecho.formats.scan import Judging
from webecho.formats.wacz import BROKEN, SPAN, archive_members, open_archive
from webecho.read.limits import USUAL, Limits
from webecho.write.archive import ArchiveSource, Copying, Replace
from webecho.write.replacing import Replacing
from webecho.write.selection import (
    Originals,
    Selection,
    Stretch,
    Tally,
    Written,
    from_first_gone,
    stretches,
)
from webecho.write.warc import at_hand, written

_BLOCK = 1 << 20
# A longer line of a list is not held: what is made of JSON may take twenty times as much.
_LONGEST_LINE = 1 << 20
_TOO_LONG = f"a line of over {_LONGEST_LINE} bytes"
# … and of metadata, of which a large crawl has some 300 bytes a member.
_LONGEST_JSON = 4 << 20
# The longest window of a list that is compressed.
_WINDOW = 8 << 20
_PACKAGE, _DIGEST = "datapackage.json", "datapackage-digest.json"
_MAIN_DATE = "mainPageDate"


# Given the number of an archive in a WACZ, the stretches of it, if some of it goes.
StretchesOf = Callable[[int], Iterable[Stretch] | None]


def write_wacz(
    source: ArchiveSource,
    selections: Iterable[Selection],
    out: Path,
    originals: Originals | None,
    limits: Limits = USUAL,
) -> Written:
    """Copies the WACZ to the file `out` without the records that go."""
    tally = Tally(selections)
    lost: list[str] = []
    with (
        at_hand(source.name, out.parent) as name,
        files.open_file(name) as file,
        closing(Replacing(limits)) as replacing,
    ):
        going = from_first_gone(tally)
        with out.open("wb") as made:
            if going is None:
                shutil.copyfileobj(file, made, _BLOCK)
            else:
                groups = _Groups(going, originals, replacing)
                lost = rewrite_wacz(
                    *(file, made, source.judge(), groups.of, replacing.replace), limits
                )
            size = made.tell()
    tally.finish()
    return written(source, out, size, tally, replacing, lost)


def rewrite_wacz(
    file: BinaryIO,
    out: BinaryIO,
    judge: Judging,
    stretches_of: StretchesOf,
    replace: Replace,
    limits: Limits = USUAL,
    *,
    restored: bool = False,
) -> list[str]:
    """Copies the WACZ with its archives changed; gives what could not be passed on. Where records
    are `restored`, what took the place of one is no revisit."""
    lost: list[str] = []
    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        new = _Members(file, Path(folder), lost, limits)
        new.make_archives(judge, stretches_of, replace)
        new.make_indexes(anew=restored)
        new.make_pages()
        new.make_package()
        new.zip_into(out)
    return lost


class _Groups:
    """The selections on the records of a WACZ, archive by archive."""

    def __init__(
        self, selections: Iterable[Selection], originals: Originals | None, replacing: Replacing
    ) -> None:
        self._groups = groupby(_by_archive(selections), lambda pair: pair[0])
        self._group = next(self._groups, None)
        self._originals = originals
        self._replacing = replacing

    def of(self, number: int) -> Iterator[Stretch] | None:
        """Those of the archive of this number, as stretches; it must be asked for in order."""
        while self._group is not None and self._group[0] < number:
            self._group = next(self._groups, None)
        if self._group is None or self._group[0] != number:
            return None
        some = from_first_gone(one for _, one in self._group[1])
        self._replacing.base = number * SPAN
        there = self._originals
        inside = None if there is None else _inside(there, self._replacing.base)
        return None if some is None else stretches(some, inside)


def _by_archive(selections: Iterable[Selection]) -> Iterator[tuple[int, Selection]]:
    """The selections by the number of the archive they are about, with places in that."""
    for some in selections:
        numbers = pc.divide(some.places, SPAN)
        for number in pc.unique(numbers).to_pylist():
            here = pc.equal(numbers, number)
            inside = pc.subtract(some.places.filter(here), pa.scalar(number * SPAN))
            yield number, Selection(inside, some.stays.filter(here))


def _inside(originals: Originals, base: int) -> Originals:
    """The originals by places in the archive whose first place is the base."""
    return lambda place: originals(base + place)


class _Members:
    """The members of a WACZ that change, made one after the other in a folder."""

    def __init__(self, file: BinaryIO, folder: Path, lost: list[str], limits: Limits) -> None:
        self._file = file
        self._limits = limits
        self._zip = zipfile.ZipFile(file)
        self._folder = folder
        self._lost = lost
        self._made: dict[str, Path] = {}
        self._moves = cdxj.Moves()

    def _names(self, folder: str, *endings: str) -> list[str]:
        names = (info.filename for info in self._zip.infolist())
        return [name for name in names if name.startswith(folder) and name.endswith(endings)]

    def _new(self, name: str) -> Path:
        self._made.setdefault(name, self._folder / str(len(self._made)))
        return self._made[name]

    def make_archives(self, judge: Judging, stretches_of: StretchesOf, replace: Replace) -> None:
        for number, info in enumerate(archive_members(self._zip)):
            opened = self._opened(info)
            with opened() as archive:
                layout = layout_of(archive, self._limits.window)
            with (
                self._new(info.filename).open("wb") as made,
                closing(Copying(opened, layout, judge, made, self._limits.page)) as copying,
            ):
                copying.copy(stretches_of(number), replace)
            name = info.filename.removeprefix("archive/")
            self._moves.files[name] = copying.moved
            self._moves.rewritten[name] = copying.rewritten
            self._lost += [f"{info.filename}: {what}" for what in copying.lost]

    def _opened(self, info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
        if info.compress_type == zipfile.ZIP_STORED:
            return partial(open_archive, self._file, info)
        # In a deflated file one cannot go back.
        inflated = self._folder / "inflated"
        with open_archive(self._file, info) as archive, inflated.open("wb") as copy:
            shutil.copyfileobj(archive, copy, _BLOCK)
            if archive.problem is not None:
                self._lost.append(f"{info.filename}: {archive.problem}")
        return partial(files.open_file, str(inflated))

    def make_indexes(self, *, anew: bool) -> None:
        for name in self._names("indexes/", ".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"):
            dropped = self._moves.dropped
            self._make_index(name, cdxj.renewed(self._lines(name), self._moves))
            if anew or self._moves.dropped > dropped:
                self._make_index(name, self._captures())
            with self._made[name].open("rb") as made:
                cdxj.note_kept(_lines(made), self._moves)

    def _make_index(self, name: str, lines: Iterable[bytes]) -> None:
        if name.endswith(".gz"):
            self._make_packed_index(name, lines)
            return
        with self._new(name).open("wb") as made:
            made.writelines(lines)

    def _captures(self) -> list[bytes]:
        """The lines of an index of all the archives as they are now."""
        found: list[bytes] = []
        for info in archive_members(self._zip):
            with self._made[info.filename].open("rb") as archive:
                layout = layout_of(archive)
                if layout.arc or layout.numbering == "stream":
                    self._lost.append(f"{info.filename}: has no index, for it is not in frames")
                    continue
                name = info.filename.removeprefix("archive/")
                found += capture_lines(archive, layout, name)
        return sorted(found)

    def _lines(self, name: str) -> Iterator[bytes]:
        begun = False
        try:
            with self._zip.open(name) as lines:
                for line in _lines(lines):
                    if not isinstance(line, _Piece):
                        yield line
                    elif name.startswith("pages/"):
                        # Of which capture it is cannot be told; it is as it was.
                        yield line
                    else:
                        begun = not line.endswith(b"\n")
                        self._lost += [] if begun else [f"{name}: {_TOO_LONG}"]
                # The last line may have no end.
                self._lost += [f"{name}: {_TOO_LONG}"] if begun else []
        except (DamagedError, *BROKEN) as error:
            self._lost.append(f"{name}: {error}; what comes after could not be passed on")

    def _make_packed_index(self, name: str, lines: Iterable[bytes]) -> None:
        idx = f"{name.removesuffix('.gz').rpartition('.')[0]}.idx"
        heads: list[bytes] = []
        if idx in self._zip.namelist():
            heads = [line for line in self._lines(idx) if line.startswith(b"!")]
        with self._new(name).open("wb") as made:
            for first, block in cdxj.blocks(lines):
                heads.append(cdxj.block_line(first, block, made.tell(), PurePosixPath(name).name))
                made.write(block)
            if not made.tell():
                made.write(cdxj.no_block())
        if idx in self._zip.namelist():
            self._new(idx).write_bytes(b"".join(heads))

    def make_pages(self) -> None:
        """Leaves those out whose captures went."""
        for name in self._names("pages/", ".jsonl"):
            with self._new(name).open("wb") as made:
                made.writelines(line for line in self._lines(name) if not self._is_gone(line))

    def _is_gone(self, line: bytes) -> bool:
        if isinstance(line, _Piece):
            return False
        try:
            page = json_text.parsed(line)
        except ValueError:
            return False
        if not isinstance(page, dict) or "url" not in page:
            return False
        time = json_text.text_of(page.get("ts"))
        return cdxj.is_gone(page["url"], time, self._moves)

    def make_package(self) -> None:
        """Renews the list of members with their sizes and digests, and the digest of that."""
        package = self._json(_PACKAGE)
        if package is None:
            return
        listed = package.get("resources")
        odd = not isinstance(listed, list)
        for resource in listed if isinstance(listed, list) else ():
            if not isinstance(resource, dict):
                odd = True
                continue
            path = json_text.text_of(resource.get("path"))
            made = self._made.get(path) or self._made.get(f"archive/{path}")
            if made is not None:
                resource["bytes"] = made.stat().st_size
                resource["hash"] = _hash(made, json_text.text_of(resource.get("hash")))
        if odd:
            self._lost.append(
                f"{_PACKAGE}: lists something else than resources, which is as it was"
            )
        main, date = (json_text.text_of(package.get(name)) for name in ("mainPageUrl", _MAIN_DATE))
        if main and cdxj.is_gone(main, date, self._moves):
            # What stays for it may have another address, under which no such page was loaded.
            del package["mainPageUrl"]
            package.pop(_MAIN_DATE, None)
            self._lost.append(f"{_PACKAGE}: the main page, for it was removed: {main}")
        if not self._write_json(_PACKAGE, package):
            return
        digest = self._json(_DIGEST)
        if digest is not None:
            digest["hash"] = _hash(self._made[_PACKAGE], json_text.text_of(digest.get("hash")))
            if digest.pop("signedData", None) is not None:
                self._lost.append(f"{_DIGEST}: the signature, which cannot hold for other bytes")
            self._write_json(_DIGEST, digest)

    def _write_json(self, name: str, value: dict[str, Any]) -> bool:
        """Writes a member anew, if that can be done."""
        try:
            text = json_text.as_bytes(value, indent=2)
        except ValueError as error:
            self._lost.append(f"{name}: is as it was, for it cannot be written anew ({error})")
            return False
        self._new(name).write_bytes(text)
        return True

    def _short(self, name: str) -> bytes:
        """A member that is read as a whole, if it is not too long for that."""
        with self._zip.open(name) as member:
            found = member.read(_LONGEST_JSON + 1)
        if len(found) > _LONGEST_JSON:
            raise ValueError(f"has over {_LONGEST_JSON} bytes")
        return found

    def _json(self, name: str) -> dict[str, Any] | None:
        if name not in self._zip.namelist():
            return None
        try:
            found = json_text.parsed(self._short(name))
            if not isinstance(found, dict):
                raise ValueError("no object")
        except BROKEN as error:
            self._lost.append(f"{name}: is as it was, for it is no JSON object ({error})")
            return None
        return found

    def zip_into(self, out: BinaryIO) -> None:
        with zipfile.ZipFile(out, "w") as packed:
            for info in self._zip.infolist():
                new = zipfile.ZipInfo(info.filename, info.date_time)
                new.compress_type = info.compress_type
                if info.filename.startswith("archive/"):
                    new.compress_type = zipfile.ZIP_STORED
                new.external_attr, new.comment, new.create_system = (
                    info.external_attr,
                    info.comment,
                    3,
                )
                made = self._made.get(info.filename)
                new.file_size = info.file_size if made is None else made.stat().st_size
                try:
                    with (
                        self._zip.open(info) if made is None else made.open("rb") as content,
                        packed.open(new, "w") as copy,
                    ):
                        shutil.copyfileobj(content, copy, _BLOCK)
                except BROKEN as error:
                    self._lost.append(f"{info.filename}: {error}")


class _Piece(bytes):
    """Some bytes of a line that is too long to be held."""


def _lines(file: Any) -> Iterator[bytes]:
    """The lines of a file, decompressed if need be; of one that is too long, its pieces."""
    begun: list[bytes] = []
    size = 0
    for block in unpacked(file, _WINDOW):
        first, *lines = block.split(b"\n")
        begun.append(first)
        size += len(first)
        if size > _LONGEST_LINE:
            yield _Piece(b"".join((*begun, b"\n")) if lines else b"".join(begun))
            begun = []
        elif lines:
            yield b"".join((*begun, b"\n"))
        if lines:
            yield from (line + b"\n" for line in lines[:-1])
            begun, size = [lines[-1]], len(lines[-1])
    if rest := b"".join(begun):
        yield _Piece(rest) if size > _LONGEST_LINE else rest


def _hash(file: Path, like: str) -> str:
    """The digest of the file by the algorithm that another was made by."""
    name = like.partition(":")[0]
    algorithm = (
        name if name in hashlib.algorithms_guaranteed - {"shake_128", "shake_256"} else "sha256"
    )
    with file.open("rb") as opened:
        return f"{algorithm}:{hashlib.file_digest(opened, algorithm).hexdigest()}"
