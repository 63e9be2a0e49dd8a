"""Archive files with the records back that our revisits stand for.

A revisit names its original by the id of its record. The files are read twice before anything is
written: for the ids that are referred to, and for where those records stand. Only these are held.
"""

import hashlib
import os
import shutil
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import Path, PurePosixPath

from webecho.errors import FORCE, OUT, InputError
from webecho.formats import files
from webecho.formats.detection import by_ending
from webecho.formats.listing import Listed, files_named
from webecho.formats.records import Noted, headers, layout_of
from webecho.write.archive import Copying
from webecho.write.originals import RecordReader
from webecho.write.revisits import Response, fits, is_ours, parsed, undone
from webecho.write.selection import Stretch
from webecho.write.warc import at_hand

# Of records that share an id no more than so many are tried.
_NAMESAKES = 8
# A revisit may refer to one that an earlier run had made, and that to another.
_LONGEST_WAY = 32
_TO_THE_END = -1


@dataclass(frozen=True)
class Restored:
    """What was written: files, records in them, records brought back, and why others were not."""

    files: int
    records: int
    restored: int
    failed: Mapping[str, int]
    other_files: int


@dataclass
class _Archive:
    """One file: its records are counted, its revisits noted by their places and the next ones'."""

    listed: Listed
    target: Path
    records: int = 0
    spans: "array[int]" = field(default_factory=lambda: array("q"))


def restore_archives(inputs: Sequence[str], out: Path, *, force: bool = False) -> Restored:
    """Writes the WARC files of the inputs into the folder `out` with their records brought back.

    Raises `InputError` where a file is there already and `force` was not given.
    """
    archives, others = _archives(inputs, out, force)
    failed: Counter[str] = Counter()
    referred: set[int] = set()
    for archive in archives:
        _note_revisits(archive, referred, failed)
    with closing(_Originals(archives, referred)) as originals:
        restored = 0
        for archive in archives:
            archive.target.parent.mkdir(parents=True, exist_ok=True)
            restored += _write(archive, originals, failed)
    records = sum(archive.records for archive in archives)
    return Restored(len(archives), records, restored, failed, others)


def _archives(inputs: Sequence[str], out: Path, force: bool) -> tuple[list[_Archive], int]:
    found: dict[Path, Listed] = {}
    others = 0
    for name in inputs:
        listed, passed_over = _archive_files(name)
        others += passed_over
        if not listed:
            raise InputError(f"{name}: holds no WARC files; check which folder it is")
        for file in listed:
            target = out / file.relative
            if target in found:
                raise InputError(
                    f"{file.name}: would be written to {target}, and so would"
                    f" {found[target].name}; restore them one by one"
                )
            found[target] = file
    sources = {os.path.realpath(file.name) for file in found.values()}
    for target in found:
        if os.path.realpath(target) in sources:
            raise InputError(f"{target}: is an input itself; give another folder with ", OUT)
        if target.exists() and not force:
            raise InputError(f"{target}: is there already; give another folder, or ", FORCE)
    return [_Archive(file, target) for target, file in found.items()], others


def _archive_files(name: str) -> tuple[list[Listed], int]:
    """The WARC and ARC files that the name stands for, and how many others it does.

    A file that was given by its own name is one, whatever its ending.
    """
    found = files_named(name)
    if [file.name for file in found] == [name]:
        return [Listed(PurePosixPath(name).name, name)], 0
    archives = [file for file in found if by_ending(file.name) == "warc"]
    return archives, len(found) - len(archives)


def _note_revisits(archive: _Archive, referred: set[int], failed: Counter[str]) -> None:
    held: int | None = None
    with files.open_file(archive.listed.name) as file:
        layout = layout_of(file)
        for start, fields in headers(file, layout):
            archive.records += 1
            if held is not None:
                if start.clean:
                    archive.spans.extend((held, start.place))
                else:
                    failed["shares its frame with another record"] += 1
                held = None
            if fields.get(b"webecho-body") and fields.get(b"warc-type", b"").lower() == b"revisit":
                if layout.numbering == "stream":
                    failed["its file is compressed as a whole; try: warcio recompress"] += 1
                elif not start.clean:
                    failed["shares its frame with another record"] += 1
                else:
                    held = start.place
                    referred.add(_fingerprint(fields.get(b"warc-refers-to", b"")))
    if held is not None:
        archive.spans.extend((held, _TO_THE_END))


def _fingerprint(id: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(id, digest_size=8).digest(), "little")


class _Originals:
    """The records that revisits refer to."""

    def __init__(self, archives: list[_Archive], referred: set[int]) -> None:
        self._records = RecordReader()
        self._places: dict[int, list[tuple[str, int]]] = {}
        self._last: tuple[bytes, bytes] = b"", b""
        for archive in archives if referred else ():
            with files.open_file(archive.listed.name) as file:
                for start, fields in headers(file, layout_of(file)):
                    key = _fingerprint(fields.get(b"warc-record-id", b""))
                    if key in referred:
                        known = self._places.setdefault(key, [])
                        if len(known) < _NAMESAKES:
                            known.append((archive.listed.name, start.place))

    def close(self) -> None:
        self._records.close()

    def body(self, revisit: Response, way: int = 0) -> bytes | None:
        """The body that the revisit left out, if its original is there and is what it was."""
        id = revisit.value(b"warc-refers-to") or b""
        # Copies of one page often come one after the other.
        if id == self._last[0] and fits(revisit, self._last[1]):
            return self._last[1]
        for name, place in self._places.get(_fingerprint(id), ()):
            data = self._records.read(name, place) or b""
            original, earlier = parsed(data), parsed(data, b"revisit")
            body = None if original is None else original.body
            if earlier is not None and is_ours(earlier) and way < _LONGEST_WAY:
                body = self.body(earlier, way + 1)
            if body is not None and fits(revisit, body):
                self._last = id, body
                return body
        return None


def _write(archive: _Archive, originals: _Originals, failed: Counter[str]) -> int:
    """Writes one file aside and then gives it its name; gives the number of records restored."""
    restored = 0

    def replace(_: Stretch, data: bytes) -> bytes:
        nonlocal restored
        revisit = parsed(data, b"revisit")
        if revisit is None:
            failed["is not as it was written"] += 1
            return data
        body = originals.body(revisit)
        if body is None:
            failed["its original is not in the inputs, or not what it was"] += 1
            return data
        record = undone(revisit, body)
        if record is None:
            failed["is not as it was written"] += 1
            return data
        restored += 1
        return record

    aside = archive.target.with_name(f".{archive.target.name}.part")
    try:
        with at_hand(archive.listed.name, aside.parent) as name, aside.open("wb") as made:
            opened = partial(files.open_file, name)
            with opened() as file:
                layout = layout_of(file)
                file.seek(0)
                if not archive.spans:
                    shutil.copyfileobj(file, made, 1 << 20)
            if archive.spans:
                with closing(Copying(opened, layout, Noted(), made)) as copying:
                    copying.copy(_stretches(archive), replace)
        aside.replace(archive.target)
    finally:
        aside.unlink(missing_ok=True)
    return restored


def _stretches(archive: _Archive) -> Iterator[Stretch]:
    places = archive.spans.tolist()
    for place, end, upcoming in zip_longest(places[::2], places[1::2], places[2::2]):
        yield Stretch(place, place, 1, stays=False, alone=True)
        if end not in (upcoming, _TO_THE_END):
            yield Stretch(end, end, 1, stays=True)
