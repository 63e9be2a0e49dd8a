"""Archive files with the records back that revisits stand for, ours and those of others.

The files are read twice before anything is written: for what revisits refer to, and for where those
records stand.
"""

import os
import shutil
import zipfile
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from webecho.errors import FORCE, OUT, InputError
from webecho.formats import files
from webecho.formats.detection import by_ending
from webecho.formats.entries import Listed
from webecho.formats.headers import Fields
from webecho.formats.listing import files_named
from webecho.formats.records import Noted, headers, layout_of
from webecho.formats.scan import Start
from webecho.formats.wacz import BROKEN, SPAN, archive_members, is_zip, open_archive
from webecho.shown import Outline, Shown
from webecho.write.archive import Copying
from webecho.write.referred import Referred, names_referred
from webecho.write.revisits import parsed
from webecho.write.selection import Stretch
from webecho.write.wacz import rewrite_wacz
from webecho.write.warc import at_hand

_TO_THE_END = -1
_ENDINGS = ("warc", "wacz")
_NOT_FOUND = "its original is not in the inputs, or not what it was"
_ODD = "the revisit is not in good order"


@dataclass(frozen=True, repr=False)
class Restored(Shown):
    """What was written: files, records in them, records brought back, why others were not, and in
    words which ones' originals were not found, in which files (by their revisits) these are, which
    files could not be read, where records are damaged, which are copied as they are, and which
    revisits are not in good order."""

    files: int
    records: int
    restored: int
    failed: Mapping[str, int]
    other_files: int
    not_found: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    named: Mapping[str, int] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()

    @property
    def facts(self) -> dict[str, int]:
        """What there is to say in numbers."""
        found = {name: getattr(self, name) for name in ("files", "records", "restored")}
        found["not restored"] = sum(self.failed.values())
        found |= {f"not restored: {reason}": number for reason, number in self.failed.items()}
        if self.damaged:
            found["damaged, copied as they are"] = len(self.damaged)
        if self.other_files:
            found["other files, not copied"] = self.other_files
        return found

    def outline(self) -> Outline:
        facts = {name: getattr(self, name) for name in ("files", "records", "restored")}
        failed = {f"not restored: {why}": count for why, count in self.failed.items()}
        failed |= {"damaged": len(self.damaged)} if self.damaged else {}
        other = {"other files": self.other_files} if self.other_files else {}
        return Outline("Restored", facts | failed | other, notes=(*self.not_found, *self.unread))


@dataclass
class _Archive:
    """One file: its records are counted, and of each archive in it, which is one but in a WACZ, the
    revisits noted by their places and the next ones'."""

    listed: Listed
    target: Path
    records: int = 0
    damaged: list[int] = field(default_factory=list)
    spans: "dict[int, array[int]]" = field(default_factory=dict)

    @property
    def revisits(self) -> bool:
        return any(self.spans.values())


@dataclass
class _Outcome:
    """What became of the revisits."""

    restored: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    not_found: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    named: Counter[str] = field(default_factory=Counter)


def restore_archives(inputs: Sequence[str], out: Path, *, force: bool = False) -> Restored:
    """Writes the archives of the inputs into the folder `out` with their records brought back.

    Raises `InputError` where a file is there already and `force` was not given.
    """
    archives, others = _archives(inputs, out, force)
    outcome = _Outcome()
    with closing(Referred()) as referred:
        for archive in archives:
            _note_revisits(archive, referred)
            _check_archive(archive)
        for archive in archives if referred.names else ():
            for place, _, fields in _headers(archive.listed.name):
                referred.note(fields, archive.listed.name, place)
        for archive in archives:
            archive.target.parent.mkdir(parents=True, exist_ok=True)
            _write(archive, referred, outcome)
    records = sum(archive.records for archive in archives)
    restored, failed = outcome.restored, outcome.failed
    unread = [f"{each.name}: {each.trouble.reason}" for each in others if each.trouble]
    return Restored(
        *(len(archives), records, restored, failed, len(others)),
        *(tuple(outcome.not_found), tuple(unread), outcome.named),
        tuple(
            f"{each.listed.name}: at {place % SPAN}" for each in archives for place in each.damaged
        ),
        tuple(outcome.odd),
    )


def _check_archive(archive: _Archive) -> None:
    """Refuses a file that is called otherwise than archives are and holds no record."""
    name = archive.listed.name
    if archive.records == len(archive.damaged) and by_ending(name) not in _ENDINGS:
        raise InputError(f"{name}: is no archive, for it holds no record of one; leave it out")


def _archives(inputs: Sequence[str], out: Path, force: bool) -> tuple[list[_Archive], list[Listed]]:
    given: list[list[Listed]] = []
    others: list[Listed] = []
    for name in inputs:
        listed, passed_over = _archive_files(name)
        others += passed_over
        if not listed:
            raise InputError(f"{name}: holds no archives; check which folder it is")
        given.append(listed)
    found = _targets(given, out)
    sources = {os.path.realpath(file.name) for file in found.values()}
    for target in found:
        if os.path.realpath(target) in sources:
            raise InputError(f"{target}: is an input itself; give another folder with ", OUT)
        if target.exists() and not force:
            raise InputError(f"{target}: is there already; give another folder, or ", FORCE)
    return [_Archive(file, target) for target, file in found.items()], others


def _targets(given: Sequence[Sequence[Listed]], out: Path) -> dict[Path, Listed]:
    """Where the files of each input go; where two would meet, each input under its number."""
    every = [file for listed in given for file in listed]
    seen: dict[str, str] = {}
    for file in every:
        if (real := os.path.realpath(file.name)) in seen:
            raise InputError(f"{file.name}: was given already, as {seen[real]}; leave one out")
        seen[real] = file.name
    meet = len({file.relative for file in every}) < len(every)
    return {
        (out / f"{number}" if meet else out) / file.relative: file
        for number, listed in enumerate(given, 1)
        for file in listed
    }


def _archive_files(name: str) -> tuple[list[Listed], list[Listed]]:
    """The archives that the name stands for, and the other files that it does.

    A file that was given by its own name is one, whatever its ending.
    """
    found = files_named(name)
    if [file.name for file in found] == [name]:
        return [Listed(PurePosixPath(name).name, name)], []
    archives = [file for file in found if not file.trouble and by_ending(file.name) in _ENDINGS]
    return archives, [file for file in found if file not in archives]


def _headers(name: str) -> Iterator[tuple[int, Start, Fields]]:
    """The places of all records of a file, where they begin, and their headers."""
    with files.open_file(name) as file:
        inside = [file]
        if is_zip(file):
            try:
                members = archive_members(zipfile.ZipFile(file))
            except BROKEN:
                members = []
            inside = [open_archive(file, info) for info in members]
        for number, archive in enumerate(inside):
            for start, fields in headers(archive, layout_of(archive)):
                yield number * SPAN + start.place, start, fields


def _note_revisits(archive: _Archive, referred: Referred) -> None:
    held: int | None = None
    for place, start, fields in _headers(archive.listed.name):
        archive.records += 1
        if not start.sound:
            archive.damaged.append(place)
        number = place // SPAN
        archive.spans.setdefault(number, array("q"))
        if held is not None:
            known = archive.spans[held // SPAN]
            end = start.place if held // SPAN == number else _TO_THE_END
            known.extend((held % SPAN, end))
            held = None
        if fields.get(b"warc-type", b"").lower() == b"revisit" and start.sound:
            held = place
            referred.names.update(names_referred(fields))
    if held is not None:
        archive.spans[held // SPAN].extend((held % SPAN, _TO_THE_END))


def _write(archive: _Archive, referred: Referred, outcome: _Outcome) -> None:
    """Writes one file aside and then gives it its name."""

    def replace(stretch: Stretch, data: bytes | None) -> bytes | None:
        revisit = parsed(data or b"", b"revisit")
        if revisit is None:
            outcome.failed[_ODD] += 1
            outcome.odd.append(f"{archive.listed.name}: at {stretch.first}")
            return data
        record = referred.restored(revisit)
        if record is None:
            outcome.failed[_NOT_FOUND] += 1
            said = (revisit.value(name) or b"?" for name in (b"warc-target-uri", b"warc-date"))
            url, date = (value.decode("utf-8", "replace") for value in said)
            outcome.not_found.append(f"{archive.listed.name}: {url} of {date}")
            container = revisit.value(b"warc-refers-to-container")
            if container is not None:
                outcome.named[unquote(container.decode("utf-8", "replace"))] += 1
            return data
        outcome.restored += 1
        return record

    aside = archive.target.with_name(f".{archive.target.name}.part")
    try:
        with at_hand(archive.listed.name, aside.parent) as name, aside.open("wb") as made:
            opened = partial(files.open_file, name)
            with opened() as file:
                if not archive.revisits:
                    shutil.copyfileobj(file, made, 1 << 20)
                elif is_zip(file):
                    there = partial(_stretches, archive)
                    rewrite_wacz(file, made, Noted(), there, replace, restored=True)
                else:
                    layout = layout_of(file)
                    with closing(Copying(opened, layout, Noted(), made)) as copying:
                        copying.copy(_stretches(archive, 0), replace)
            made.flush()
            os.fsync(made.fileno())
        aside.replace(archive.target)
    finally:
        aside.unlink(missing_ok=True)


def _stretches(archive: _Archive, number: int) -> Iterator[Stretch] | None:
    places = archive.spans.get(number, array("q")).tolist()
    return _spans(places) if places else None


def _spans(places: list[int]) -> Iterator[Stretch]:
    for place, end, upcoming in zip_longest(places[::2], places[1::2], places[2::2]):
        yield Stretch(place, place, 1, stays=False, alone=True)
        if end not in (upcoming, _TO_THE_END):
            yield Stretch(end, end, 1, stays=True)
