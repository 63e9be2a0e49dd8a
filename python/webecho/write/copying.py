"""What stays of one source, written by whoever has time: this machine or another.

It is written apart, into a folder of its own, and moved to its place by the one who asked for it:
what is written twice, since a machine was lost, is there once.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import pyarrow as pa

from webecho.errors import InputError
from webecho.formats.looks import check_folder
from webecho.group.decision import KEPT
from webecho.read.limits import USUAL, Limits
from webecho.read.pages import Source
from webecho.workspace.workspace import Workspace
from webecho.write.annotations import RowFeed
from webecho.write.decisions import TABLES, SourceDecision, page_columns, selections
from webecho.write.exact_copies import original_at
from webecho.write.kept import takes_columns, write_kept
from webecho.write.selection import Written


@dataclass(frozen=True)
class Copy:
    """A source, what is decided about it, where it goes within the output, and of copies in it that
    may become revisits the originals."""

    source: Source
    decided: SourceDecision
    path: Path
    originals: pa.Table | None = None
    # What becomes of the records that are copied.
    fate: int = KEPT
    limits: Limits = USUAL


@dataclass(frozen=True)
class Copied:
    """What was written, and the folder that it lies in apart."""

    written: Written
    folder: Path


def copy_source(workspace: Workspace, folder: Path, copy: Copy) -> Copied | None:
    """Writes what stays of a source, into a new folder within this one; of what does not stay,
    nothing where there is none."""
    check_folder(folder)
    copy.source.look.check_here()
    here, decided, stay = with_parts(workspace, copy.decided), copy.decided, copy.fate == KEPT
    if not stay and not any(some.stays.true_count for some in selections(here, decided, copy.fate)):
        return None
    own = folder / uuid4().hex
    own.mkdir()
    found = selections(here, decided, copy.fate)
    feed, notes = None, decided.notes
    if stay and notes is not None and takes_columns(copy.source.format):
        feed = RowFeed(notes.schema, page_columns(here, decided, notes))
    written = write_kept(
        copy.source,
        found,
        own / copy.path,
        originals=original_at(copy.originals),
        rest=stay,
        feed=feed,
        limits=copy.limits,
    )
    return Copied(written, own)


def with_parts(workspace: Workspace, decided: SourceDecision) -> Workspace:
    """The workspace, of which these parts were found in order by who asked."""
    files = {workspace.part_file(table, number) for number, _ in decided.parts for table in TABLES}
    return replace(workspace, checked=files)


def moved(copied: Copied, data: Path) -> Written:
    """Moves what was written to its place in the folder `data`."""
    for file in files_below(copied.folder):
        to = data / file.relative_to(copied.folder)
        if to.exists():
            raise InputError(f"{to} is there already, from another file; give the folders apart")
        to.parent.mkdir(parents=True, exist_ok=True)
        file.replace(to)
    for left in sorted(copied.folder.rglob("*"), reverse=True):
        # Folders without files: they are there in the output too, as they always were.
        (data / left.relative_to(copied.folder)).mkdir(parents=True, exist_ok=True)
    shutil.rmtree(copied.folder)
    inside = copied.written.file.relative_to(copied.folder)
    return replace(copied.written, file=data / inside)


def files_below(folder: Path) -> Iterator[Path]:
    """All files in a folder, whatever their depth, in a fixed order."""
    for each in sorted(folder.iterdir()):
        if each.is_dir() and not each.is_symlink():
            yield from files_below(each)
        else:
            yield each
