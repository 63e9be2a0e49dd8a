"""What stays of a folder of HTML and text files: the same files under the same relative paths."""

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.entries import Listed
from webecho.read.folders import is_cache
from webecho.write.selection import Selection, Written, gone_rows


class FilesSource(Protocol):
    """A source whose pages are files."""

    @property
    def listed(self) -> Sequence[Listed]: ...


def write_folder(
    source: FilesSource, selections: Iterable[Selection], out: Path, *, rest: bool = True
) -> Written:
    """Copies the files that stay into the folder `out`, and with the `rest` those that are not
    listed: no pages."""
    gone = gone_rows(selections, rest)
    going = next(gone, None)
    out.mkdir(parents=True, exist_ok=True)
    size = kept = 0
    for place, file in enumerate(source.listed):
        while going is not None and place >= going.stop:
            going = next(gone, None)
        if going is not None and place in going:
            continue
        # What could not be read has nothing to copy; it is counted and named as failed.
        if file.trouble is not None:
            continue
        # Of rows that are no longer the same; `datasets` would take it for theirs.
        if is_cache(file.relative):
            continue
        to = out / _inside(file)
        if to.exists():
            raise InputError(
                f"{file.name}: {to} is there already, from another file; give the folders apart"
            )
        to.parent.mkdir(parents=True, exist_ok=True)
        with files.open_file(file.name) as opened, to.open("wb") as copy:
            shutil.copyfileobj(opened, copy, 1 << 20)
            size += copy.tell()
        kept += 1
    return Written(out, size, kept, len(source.listed) - kept)


def _inside(file: Listed) -> PurePosixPath:
    """The relative path, which for a file that was given by itself is its name."""
    path = PurePosixPath(file.relative)
    if file.relative == file.name:
        return PurePosixPath(path.name)
    return PurePosixPath(*(part for part in path.parts if part not in ("..", "/")))
