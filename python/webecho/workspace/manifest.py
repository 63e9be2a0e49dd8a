"""*Manifest*: what was read, with which settings, and which parts are complete, with their
checksums; nothing in it differs from run to run.

A *part* is some thousand pages in a row; its files are written aside, checksummed and renamed, and
only then named in the manifest, so that a part is complete or absent, wherever a run was killed.
"""

from dataclasses import dataclass, field, fields
from typing import Any, Self

FORMAT = 4


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
    files: dict[str, str]  # table → checksum


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
    # The file with the pages that a dedup has removed, if there was one.
    removed: str | None = None
    complete: bool = False
    format: int = FORMAT

    def as_dict(self) -> dict[str, Any]:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return values | {"parts": [vars(part) for part in self.parts]}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        parts = [Part(**part) for part in values["parts"]]
        return cls(**(values | {"parts": parts}))

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
