"""*Omission*: a record that is no page: skipped with a reason, or failed with a place.

Whoever is told what a collection holds is told what of it was not read, how much for which reason,
and where each of these records is listed.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.errors import Message
from webecho.run import Run, unheard
from webecho.safe_text import plain
from webecho.workspace.locks import reading
from webecho.workspace.workspace import Workspace

FAILED, SKIPPED = "failed", "skipped"
# The table of a workspace, and of what a dedup wrote, that lists them.
TABLE = "skipped"
# Of these every archive has some, and they tell of others: that they are there is no news.
ORDINARY = {"warcinfo", "request", "metadata"}
# Reasons and files that are named; the others are counted.
REASONS = 8
NAMED = 5
# The format of sources whose records are files.
FILES = "html"


@dataclass(frozen=True)
class Omissions:
    """How many records of a collection failed and were skipped, by reason, the most frequent
    first, and where they are listed, if they are."""

    failed: Mapping[str, int]
    skipped: Mapping[str, int]
    listed_in: str | None = None

    def __bool__(self) -> bool:
        return bool(self.failed or self.skipped)

    def as_dict(self) -> dict[str, Any]:
        """For files and logs."""
        listed = {} if self.listed_in is None else {"listed in": self.listed_in}
        return {FAILED: {**self.failed}, SKIPPED: {**self.skipped}} | listed

    def message(self, name: str) -> Message:
        """What is said of them, in a line that begins with what the collection is called."""
        said = [
            f"{sum(reasons.values()):,} {kind} ({counted(reasons.items())})"
            for kind, reasons in ((FAILED, self.failed), (SKIPPED, self.skipped))
            if reasons
        ]
        where = "" if self.listed_in is None else f"; listed in {self.listed_in}"
        return Message(f"{name}: records that are no pages: {', '.join(said)}{where}")


def omissions(counts: Mapping[str, int], listed_in: str | None = None) -> Omissions:
    """Those that a manifest counts."""
    return Omissions(by_reason(counts, FAILED), by_reason(counts, SKIPPED), listed_in)


def by_reason(counts: Mapping[str, int], kind: str) -> dict[str, int]:
    return {
        name.partition(": ")[2]: count
        for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        if name.startswith(f"{kind}: ") and count
    }


def omitted(workspace: Workspace) -> Omissions:
    """Those of a workspace, with the files in it that list them unless it goes away."""
    found = omissions(workspace.manifest.counts)
    if not found or workspace.temporary:
        return found
    return Omissions(found.failed, found.skipped, f"{workspace.files.every_part(TABLE)}")


def tell_omissions(workspace: Workspace, run: Run) -> None:
    """Says what of a workspace was not read."""
    found = omitted(workspace)
    if found:
        run.log("not read", {"workspace": workspace.name, **found.as_dict()})
        if not found.failed and found.skipped.keys() <= ORDINARY:
            return
        # Who hears no notes, as programs do, is warned of what failed.
        told = run.warn if found.failed and run.note is unheard else run.note
        told(found.message(workspace.name))


@contextmanager
def reading_all(path: str | Path, run: Run) -> Iterator[Workspace]:
    """A complete workspace to which nothing is added as long as the block runs; what of it was not
    read is said."""
    with reading(path) as workspace:
        tell_omissions(workspace, run)
        yield workspace


def omitted_files(workspace: Workspace) -> tuple[list[str], list[str]]:
    """What is said of the files in folders that were not read, by what they are: of those that
    failed, and of the others."""
    sources = {
        number: workspace.source_names[number]
        for number, source in enumerate(workspace.manifest.sources)
        if source["format"] == FILES
    }
    if not sources:
        return [], []
    found: dict[tuple[bool, int, str], list[str]] = {}
    names = ["source", "reason", "detail", "url", "failed"]
    for batch in workspace.batches(names, TABLE):
        for row in pa.Table.from_batches([batch]).to_pylist():
            if row["source"] in sources:
                of_type = row["reason"] == "type"
                what = f"type {row['detail']}" if of_type else row["reason"]
                key = row["failed"], row["source"], what
                found.setdefault(key, []).append(row["url"])
    failed, others = (
        [
            f"{name}: files not read: {'; '.join(kinds)}"
            for number, name in sources.items()
            if (kinds := named_files(found, of, number))
        ]
        for of in (True, False)
    )
    return failed, others


def named_files(found: Mapping[tuple[bool, int, str], list[str]], *of: object) -> list[str]:
    """dangling link 2 (a.html, b.html): the files of a source that failed or not, by what they are,
    the most frequent first."""
    kinds = {key[-1]: files for key, files in found.items() if key[:-1] == of}
    said = []
    for what, files in sorted(kinds.items(), key=lambda each: (-len(each[1]), each[0])):
        more = f", and {len(files) - NAMED:,} more" if len(files) > NAMED else ""
        said.append(f"{what} {len(files):,} ({', '.join(map(plain, files[:NAMED]))}{more})")
    more_kinds = [f"{len(said) - REASONS} more kinds"] if len(said) > REASONS else []
    return said[:REASONS] + more_kinds


def counted(reasons: Iterable[tuple[str, int]]) -> str:
    """bad JSON 3, too long 2."""
    told = [f"{reason} {count:,}" for reason, count in reasons]
    more = [f"{len(told) - REASONS} more reasons"] if len(told) > REASONS else []
    return ", ".join(told[:REASONS] + more)
