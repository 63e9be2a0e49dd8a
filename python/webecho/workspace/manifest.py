"""*Manifest*: what was read, with which settings, and which parts are complete, with their
checksums; nothing in it differs from run to run.

A *part* is some thousand pages in a row; its files are written aside, checksummed and renamed, and
only then named in the manifest, so that a part is complete or absent, wherever a run was killed.
"""

import re
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from webecho.settings import SKETCH_COLUMNS, Recipe
from webecho.workspace.checksums import Checksum
from webecho.workspace.layout import LISTS
from webecho.workspace.schemas import ID_TYPES, is_beside

FORMAT = 5
# What a manifest may name: it comes with a workspace, which may come from anybody.
TABLES = {"sketches", LISTS}
REMOVED = re.compile(r"removed-[0-9a-f]{16}\.parquet")


@dataclass(frozen=True)
class Part:
    """Pages `first` to `first + pages − 1`, and how far the source was read for them."""

    first: int
    pages: int
    input: int
    source: int
    place: int
    ends_input: bool
    counts: dict[str, int]
    files: dict[str, Checksum | None]  # by table; None where nobody goes on with the workspace


@dataclass
class Manifest:
    """What was read, with which settings, and which parts are complete."""

    recipe: dict[str, Any]
    columns: list[str]
    keep_shingles: bool
    part_pages: int
    id_type: str
    inputs: list[dict[str, Any]] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    # Bytes of the longest page, where the memory was limited when the workspace was begun.
    longest_page: int | None = None
    # The file with the pages that a dedup has removed, if there was one.
    removed: str | None = None
    complete: bool = False
    format: int = FORMAT

    def as_dict(self) -> dict[str, Any]:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        if self.longest_page is None:
            # Earlier versions, which know nothing of it, can go on with such a workspace.
            del values["longest_page"]
        return values | {"parts": [asdict(part) for part in self.parts]}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The manifest that a file says; a ValueError, TypeError or KeyError where it is none."""
        parts = [
            Part(**part | {"files": {name: checksum(each) for name, each in part["files"].items()}})
            for part in values["parts"]
        ]
        found = cls(**(values | {"parts": parts}))
        found.check()
        return found

    def check(self) -> None:
        """Refuses what no manifest says: names of files outside of the workspace, numbers of what
        is not there."""
        Recipe(**self.recipe)
        for name, whole in (
            ("id_type", self.id_type in ID_TYPES),
            ("longest_page", self.longest_page is None or is_count(self.longest_page)),
            ("columns", {*self.columns} <= {*SKETCH_COLUMNS}),
            ("removed", self.removed is None or REMOVED.fullmatch(self.removed)),
            ("sources", all(is_source(each) for each in self.sources)),
            ("inputs", all(self.is_input(each) for each in self.inputs)),
            ("parts", all(self.is_part(each) for each in self.parts)),
        ):
            if not whole:
                raise ValueError(f"its {name} cannot be")

    def is_input(self, given: dict[str, Any]) -> bool:
        first, end = given["sources"]
        texts = (given["name"], *given["options"]["convert"].values())
        return 0 <= first <= end <= len(self.sources) and all(isinstance(x, str) for x in texts)

    def is_part(self, part: Part) -> bool:
        counts = (part.first, part.pages, part.input, *part.counts.values())
        return (
            all(map(is_count, counts))
            and all(table in TABLES or is_beside(table) for table in part.files)
            and part.input < len(self.inputs)
            and part.source < len(self.sources)
        )

    @property
    def pages(self) -> int:
        return sum(part.pages for part in self.parts)

    @property
    def counts(self) -> dict[str, int]:
        """How many records were what, over all complete parts."""
        total: dict[str, int] = {}
        for part in self.parts:
            for name, count in part.counts.items():
                total[name] = total.get(name, 0) + count
        return dict(sorted(total.items()))


def is_count(given: object) -> bool:
    return type(given) is int and given >= 0


def is_source(source: dict[str, Any]) -> bool:
    return isinstance(source["name"], str) and isinstance(source["stamp"], dict)


def checksum(values: dict[str, str] | None) -> Checksum | None:
    return None if values is None else Checksum(**values)
