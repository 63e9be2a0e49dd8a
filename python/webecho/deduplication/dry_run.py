"""What a dedup will need and about how much it will remove, by a sample that is read beforehand:
see sample.py for what is read, extrapolation.py for what it tells of the whole."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from webecho.deduplication.extrapolation import (
    GROUPS,
    Blocks,
    Clustered,
    Numbers,
    pages_in_all,
    share_removed,
)
from webecho.deduplication.plan import Output, Plan
from webecho.deduplication.run import Decided, deduplicate
from webecho.deduplication.sample import (
    SampledSource,
    extent,
    in_words,
    records_in,
    sampled,
)
from webecho.errors import Message, setting
from webecho.group.decision import AGREEING, counts
from webecho.memory import PeakMemory, deduplicating
from webecho.read.collection import Collection
from webecho.read.pages import Source
from webecho.run import Run
from webecho.workspace.scratch import temporary_folder

# Pages that are read by default.
PAGES = 20_000
# Of which kind the extent of a source is.
RECORDS, BYTES = range(2)
TRY = setting("sample").to(0.1)
# Into how many blocks stretches are cut together that were begun.
BEGUN = GROUPS
# Bytes a second at which what stays is copied: a cautious guess for a disk.
COPYING = 200 << 20


@dataclass(frozen=True)
class Foreseen:
    """What was decided of a sample: the counts, the pages by blocks, and the bytes of the
    sketches."""

    counts: dict[str, int]
    # By how pages came into the sample together, and by stretches.
    blocks: Blocks
    stretches: Blocks
    pages: Clustered
    stored: int


@dataclass(frozen=True)
class SampleSink:
    """What was decided of the sample; the sketches go to a folder that somebody removes."""

    folder: Path
    sources: list[SampledSource]
    temporary = False
    replaces = False

    @property
    def workspace(self) -> Path:
        return self.folder / "sample.echo"

    def already(self, _: Plan) -> None:
        return None

    def put(self, found: Decided, _: Run) -> Foreseen:
        files = (file for file in self.workspace.rglob("*") if file.is_file())
        decision = found.decision
        own = decision.stars.kept[decision.first :].to_numpy().astype(np.int64) - decision.first
        blocks, stretches, block = blocks_of(self.sources, *places_of(found))
        return Foreseen(
            counts(found.workspace, decision, found.plan.settings.dropping),
            blocks,
            stretches,
            Clustered(block, np.maximum(own, -1), decision.dropped.is_valid().to_numpy(False)),
            sum(file.stat().st_size for file in files),
        )


def places_of(found: Decided) -> tuple[Numbers, Numbers, Numbers]:
    """The source of each page, its place there, and how many characters it has."""
    rows = [*found.workspace.batches(["source", "place", "chars"])]
    source, place, chars = (
        np.concatenate(
            [np.zeros(0, np.int64), *(pc.fill_null(batch[name], 0).to_numpy() for batch in rows)]
        )
        for name in ("source", "place", "chars")
    )
    return source, place, chars


def blocks_of(
    sources: list[SampledSource], source: Numbers, place: Numbers, chars: Numbers
) -> tuple[Blocks, Blocks, Numbers]:
    """The blocks of a sample, its stretches, and the block of each page.

    A stretch that was read whole is one, or several if there are few. Of stretches that were begun
    what is as far from their beginnings is one together: pages of snapshots in the same order, say,
    come into the sample with their copies.
    """
    begun = [BEGUN * kind for kind in range(2)]
    kind = [at // BEGUN for at in range(2 * BEGUN)]
    extents, pages = [0.0] * len(kind), [0] * len(kind)
    whole = sum(stretch.share >= 1 for each in sources for stretch in each.stretches)
    parts = -(-GROUPS // max(whole, 1))
    block = np.zeros(len(place), np.int64)
    totals = [0.0, 0.0]
    read: list[tuple[int, float, int]] = []
    for number, each in enumerate(sources):
        here = np.flatnonzero(source == number)
        size, of = extent(each.whole), RECORDS if records_in(each.whole) is not None else BYTES
        totals[of] += size
        for stretch, (start, end) in zip(each.stretches, each.reached, strict=True):
            last = stretch.split.last
            inside = here[
                (place[here] > stretch.split.after) & (last is None or place[here] <= last)
            ]
            read.append((of, size * (end - start), len(inside)))
            count = parts if stretch.share >= 1 else BEGUN
            # How far each page is: where lines stand in a file is only known of some.
            far = np.cumsum(np.ones(len(inside)) if of == RECORDS else 1 + chars[inside])
            cut = np.minimum((far / max(far[-1:].sum(), 1) * count).astype(np.int64), count - 1)
            if stretch.share >= 1:
                first = len(pages)
                kind += [of] * count
                extents += [0.0] * count
                pages += [0] * count
            else:
                first = begun[of]
            block[inside] = first + cut
            for at, many in enumerate(np.bincount(cut, minlength=count).tolist()):
                part = many / len(inside) if of == RECORDS and len(inside) else 1 / count
                extents[first + at] += size * (end - start) * part
                pages[first + at] += many
    made = Blocks(np.array(kind), np.array(extents), np.array(pages), (*totals,))
    own = [np.array(column) for column in zip(*read, strict=True)] or [np.zeros(0)] * 3
    return made, Blocks(own[0], own[1], own[2], (*totals,)), block


def dry_run(
    plan: Plan, collection: Collection, limit: int | None, sample: float | None, run: Run
) -> dict[str, Any]:
    """What to expect, in words and numbers, by about `limit` pages or a share of the inputs."""
    total = sum(int(source.stamp().get("size", 0)) for source in collection.sources)
    share = sample if sample is not None else min(1.0, (limit or PAGES) / guess(collection))
    some, parts = sampled(collection, share)
    start = time.monotonic()
    with temporary_folder() as folder, PeakMemory() as memory:
        # The earlier workspace is compared with, and stays as it is.
        alone = replace(plan, append_kept=False, output=Output(lost_words=False))
        found = deduplicate(alone, some, SampleSink(folder, parts), run)
    seconds = time.monotonic() - start
    many = len(found.stretches.pages) >= GROUPS
    pages = pages_in_all(found.stretches if many else found.blocks)
    read = found.counts["read"]
    removed = share_removed(found.blocks, found.pages)
    if removed.about is None:
        run.note(Message("so small a sample tells only bounds of what is removed; try ", TRY))
    times = (pages.about or 0.0) / read if read else 1.0
    dropped = found.counts.get("dropped", 0)
    # By so small a sample only the bounds are known.
    likely = (removed.least + removed.most) / 2 if removed.about is None else removed.about
    kept = 1.0 if plan.output.annotate else 1 - likely
    kept -= dropped / max(read, 1)
    return {
        "pages in the sample": read,
        "share of the inputs": round(min(1.0, 1 / times), 4) if times else 1.0,
        "sampled": in_words(parts),
        "pages, about": round(pages.about or 0),
        "pages, at least": round(pages.least),
        "pages, at most": round(pages.most),
        **({} if removed.about is None else {"removed, about": round(removed.about, 4)}),
        "removed, at least": round(removed.least, 4),
        "removed, at most": round(removed.most, 4),
        "removed in the sample": found.counts["removed"],
        **{
            name.replace("removed", "removed in the sample"): found.counts[name]
            for name in AGREEING.values()
        },
        **({"dropped in the sample": dropped} if dropped else {}),
        "seconds, about": round(seconds * times + total * kept / COPYING, 1),
        "bytes of memory, about": max(memory.peak, deduplicating(round(pages.about or 0))),
        "bytes of disk, about": round(found.stored * times + total * kept),
    }


def guess(collection: Collection) -> float:
    """Roughly how many pages there are: rows where they are counted, and else by the first batch of
    what has bytes alone."""
    pages = rest = 0.0
    rate: float | None = None
    for source in collection.sources:
        records = records_in(source)
        if records is not None:
            pages += records
            continue
        size = int(source.stamp().get("size", 0))
        rest += size
        if rate is None and size and source.rereadable:
            rate = first_rate(source, size)
    return max(1.0, pages + rest * (rate or 0.0))


def first_rate(source: Source, size: int) -> float | None:
    """How many pages there are to a byte at the beginning of a source."""
    for batch in source.batches():
        read = (source.passed(batch.end) or 1.0) * size
        source.close()
        return len(batch.pages) / read if len(batch.pages) and read else None
    return None
