"""What a dedup will need and about how much it will remove, by a sample that is read beforehand.

The sample is the beginning of each source, so that pages which stand together stay together: copies
mostly do. What it has of copies is the least that the whole has, for a page whose copy is not in
the sample passes for one of a kind.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.deduplication.plan import Plan
from webecho.deduplication.run import Decided, deduplicate
from webecho.group.decision import AGREEING, counts
from webecho.memory import PeakMemory, grouping
from webecho.read.collection import Collection
from webecho.read.pages import Batch, Choice, Source
from webecho.run import Run
from webecho.workspace.scratch import temporary_folder

if TYPE_CHECKING:
    from webecho.formats.looks import Look

# Pages that are read by default.
PAGES = 20_000
# Bytes a second at which what stays is copied: a cautious guess for a disk.
COPYING = 200 << 20


@dataclass
class SampledSource:
    """The first pages of a source."""

    whole: Source
    most: int
    wanted: float | None
    share: float = 0.0

    @property
    def name(self) -> str:
        return self.whole.name

    @property
    def format(self) -> str:
        return self.whole.format

    @property
    def rereadable(self) -> bool:
        return self.whole.rereadable

    @property
    def in_memory(self) -> bool:
        return self.whole.in_memory

    @property
    def table(self) -> pa.Table | None:
        return self.whole.table

    @property
    def has_columns(self) -> bool:
        return self.whole.has_columns

    @property
    def id_type(self) -> pa.DataType | None:
        # Nobody sees the sample's ids and addresses.
        return pa.string()

    @property
    def path_prefix(self) -> str | None:
        return None

    @property
    def look(self) -> "Look":
        return self.whole.look

    def choice(self) -> Choice | None:
        return self.whole.choice()

    def stamp(self) -> dict[str, int | str]:
        return self.whole.stamp()

    def span(self) -> int | None:
        return self.whole.span()

    def passed(self, place: int) -> float | None:
        return self.whole.passed(place)

    @property
    def sure_breaks(self) -> bool:
        return True

    def breaks(self, _: int) -> Sequence[int]:
        return ()

    def narrowed(self, _: int, __: int | None) -> Source:
        return self

    def batches(self, after: int = -1, _: int | None = None) -> Iterator[Batch]:
        size = int(self.stamp().get("size", 0))
        span = self.span()
        seen = pages = 0
        for batch in self.whole.batches(after):
            rows = batch.pages.slice(0, self.most - pages)
            pages += len(rows)
            seen += pc.sum(_core.byte_lengths(rows["body"])).as_py() or 0
            some = batch if len(rows) == len(batch.pages) else Batch(rows)
            reached = some.end + 1
            self.share = min(1.0, reached / span if span else seen / max(size, 1))
            yield some
            if pages >= self.most or (self.wanted is not None and self.share >= self.wanted):
                return
        self.share = 1.0

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        return self.whole.read(places)

    def close(self) -> None:
        self.whole.close()


@dataclass(frozen=True)
class SampleSink:
    """Counts of what was decided, and the bytes that the sketches take in a folder that somebody
    removes."""

    folder: Path
    temporary = False
    replaces = False

    @property
    def workspace(self) -> Path:
        return self.folder / "sample.echo"

    def already(self, _: Plan) -> None:
        return None

    def put(self, found: Decided, _: Run) -> tuple[dict[str, int], int]:
        files = (file for file in self.workspace.rglob("*") if file.is_file())
        return counts(found.workspace, found.decision), sum(file.stat().st_size for file in files)


def dry_run(
    plan: Plan, collection: Collection, limit: int | None, sample: float | None, run: Run
) -> dict[str, Any]:
    """What to expect, in words and numbers, by about `limit` pages or a share of each source."""
    sources = collection.sources
    sizes = [int(source.stamp().get("size", 0)) for source in sources]
    most = max(1, (limit or PAGES) // max(len(sources), 1))
    if sample is not None:
        most = sys.maxsize
    parts = [SampledSource(source, most, sample) for source in sources]
    some = iter(parts)
    inputs = tuple(
        replace(each, sources=tuple(next(some) for _ in each.sources)) for each in collection.inputs
    )
    start = time.monotonic()
    with temporary_folder() as folder, PeakMemory() as memory:
        begun = replace(collection, inputs=inputs)
        # The earlier workspace is compared with, and stays as it is.
        alone = replace(plan, append_kept=False)
        found, stored = deduplicate(alone, begun, SampleSink(folder), run)
    seconds = time.monotonic() - start
    total = sum(sizes)
    read = sum(part.share * size for part, size in zip(parts, sizes, strict=True))
    times = total / read if read else 1.0
    pages = round(found["read"] * times)
    kept = found["kept"] / max(found["read"], 1)
    return {
        "pages in the sample": found["read"],
        "share of the inputs": min(1.0, 1 / times),
        "pages, about": pages,
        "removed, at least about": 1 - kept,
        **{
            name.replace("removed", "removed in the sample"): found[name]
            for name in AGREEING.values()
        },
        "seconds, about": round(seconds * times + total * kept / COPYING, 1),
        "bytes of memory, about": max(memory.peak, grouping(pages)),
        "bytes of disk, about": round(stored * times + total * kept),
    }
