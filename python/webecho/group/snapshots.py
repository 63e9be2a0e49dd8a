"""*Snapshot*: a collection as one of several crawls of the same web over time, and the documents of
it that are *considered* (Baeza-Yates 2007, section 2.2): pages of more than 450 characters with at
least three overlapping shingle paragraphs. Of an address that has several the first counts.

*Text*: what documents have in common that have the same overlapping paragraphs in the same order.
It is named by the first of them, and looked up once for all.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError, setting
from webecho.group.columns import flags
from webecho.group.paragraphs import Documents, documents, long_enough, same_paragraphs
from webecho.group.rules.paragraphs import LONGEST_LEFT_OUT
from webecho.memory import comparing
from webecho.run import Run
from webecho.workspace.lookup import Lookup
from webecho.workspace.workspace import Workspace

# The fewest overlapping paragraphs of a document that is considered.
FEWEST = 3
# The page tables that are needed.
TABLES = ("paragraphs", "sentences")


@dataclass(frozen=True)
class Snapshot:
    """The documents that are considered, in page order: their overlapping paragraphs, how long
    their sentences are, and for each the place of the first with its text."""

    name: str
    workspace: Workspace
    paragraphs: Documents
    lengths: Documents
    texts: pa.Array
    # How many pages are no documents, and why.
    too_short: int
    too_few: int
    repeated: int

    @property
    def pages(self) -> pa.Array:
        return self.paragraphs.pages.cast(pa.int64())

    def named(self, run: Run) -> pa.Table:
        """A row for each document: page, address, site, text and the cluster of its duplicates."""
        pages = self.pages
        names = Lookup.of(self.workspace, ("url", "site"), pages).take(pages)
        clusters = same_paragraphs(self.workspace, flags(self.workspace, pages), run)
        return pa.table(
            {
                "page": pages,
                **names,
                "text": pages.take(self.texts),
                "cluster": clusters.take(pages).cast(pa.int64()),
            }
        )


def snapshot(workspace: Workspace, name: str, run: Run) -> Snapshot:
    """A snapshot by its workspace, which must have the page tables."""
    long = long_enough(workspace)
    found = documents(workspace, long, run, "overlapping_paragraphs")
    enough = pc.greater_equal(found.lengths, FEWEST)
    considered = found.pages.filter(enough).cast(pa.int64())
    first = first_of_address(workspace, considered)
    wanted = flags(workspace, first)
    paragraphs = found.only(wanted)
    lengths = documents(workspace, wanted, run, "sentence_chars")
    what = f"comparing the documents of {workspace.path}"
    run.check_memory(comparing(len(first)), what)
    return Snapshot(
        name,
        workspace,
        paragraphs,
        lengths,
        paragraphs.kernel(run).identical(),
        workspace.pages - len(found.pages),
        len(found.pages) - len(considered),
        len(considered) - len(first),
    )


def first_of_address(workspace: Workspace, pages: pa.Array) -> pa.Array:
    """Those of the pages (ascending) before which none has their address."""
    urls = Lookup.of(workspace, ("url",), pages).take(pages)["url"]
    table = pa.table({"url": urls, "page": pages})
    known = table.filter(pc.is_valid(table["url"]))
    firsts = known.group_by("url").aggregate([("page", "min")])["page_min"]
    nowhere = table.filter(pc.is_null(table["url"]))["page"]
    every = [*firsts.chunks, *nowhere.chunks]
    return pa.concat_arrays([pa.array([], pa.int64()), *every]).sort()


@dataclass(frozen=True)
class SampleSettings:
    """How many documents are drawn, by which seed; None: all."""

    size: int | None = 120_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 1:
            raise SettingsError(setting("sample").to(self.size), ": give 1 or more, or all")

    def places(self, count: int) -> pa.Array:
        """Which of so many documents are drawn, ascending."""
        if self.size is None or self.size >= count:
            return pa.array(range(count), pa.int64())
        drawn = random.Random(self.seed).sample(range(count), self.size)
        return pa.array(sorted(drawn), pa.int64())


def check_comparable(snapshots: Sequence[Workspace]) -> None:
    """Refuses collections whose texts were made by different recipes."""
    first = snapshots[0]
    for other in snapshots[1:]:
        if other.recipe != first.recipe:
            raise SettingsError(
                f"{first.path} and {other.path} were sketched by different recipes; sketch one of "
                "them again by the other's"
            )


def left_out_facts(found: Snapshot) -> dict[str, int]:
    """How many pages there are, and what became of them."""
    return {
        "pages": found.workspace.pages,
        f"at most {LONGEST_LEFT_OUT} characters, or unknown": found.too_short,
        f"fewer than {FEWEST} overlapping paragraphs": found.too_few,
        "address repeated": found.repeated,
        "documents considered": len(found.pages),
    }
