"""How the pages of a workspace that was just made are had once more: from the sources, which are
still open, and their shingles from a *shelf*: a temporary file that takes them while pages are
sketched."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from webecho import _core
from webecho.read.collection import Collection
from webecho.read.pages import Source
from webecho.run import Run

# Bytes of shingles that a shelf takes while pages are sketched, some six times as many of text, if
# twice as many are free there; pages after that are read again if they turn out to be candidates.
MOST = 4 << 30


@dataclass(frozen=True)
class Reread:
    """The open sources by their numbers, and the shelf if there is one."""

    sources: Mapping[int, Source] = field(default_factory=dict)
    shelf: _core.Shelf | None = None

    @classmethod
    def of(cls, collection: Collection, shelf: _core.Shelf | None) -> Self:
        return cls(dict(enumerate(collection.sources)), shelf)


def shelf_in(folder: Path, run: Run) -> _core.Shelf | None:
    """A shelf whose file is in this folder, unless there is little room."""
    folder.mkdir(parents=True, exist_ok=True)
    enough = shutil.disk_usage(folder).free >= 2 * MOST
    return _core.Shelf(folder, run.threads) if enough else None
