"""Memory: what the process holds, mapped file pages apart, and what it may hold.

A budget is a promise. What a verb needs at the least is known beforehand; below that it refuses.
"""

import ctypes
import resource
import threading
from pathlib import Path
from typing import Self

import pyarrow as pa

EVERY = 0.05  # seconds


def held() -> int:
    """Bytes that are the process's own now: mapped files, which the system can drop, apart."""
    try:
        _, resident, shared, *_ = Path("/proc/self/statm").read_text().split()
    except OSError:
        # Not Linux: the peak so far, mapped files included.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return (int(resident) - int(shared)) * resource.getpagesize()


def give_back() -> None:
    """Gives the system back what was freed and allocators still hold: up to 50 MB after pages were
    sketched."""
    pa.default_memory_pool().release_unused()
    # Of the usual C library; others have their own ways.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


# What sketching holds at the least: the libraries, the threads' buffers, the rows of a row group,
# and batches on their way, which are as small as they have to be (`read/limits.py`).
SKETCHING = 240 << 20
# What grouping holds: the libraries, what one pass sorts at the least, and for every page its place
# in the forest, its rank, its flags, the page it goes with, and one band.
GROUPING = 200 << 20
SORTING = 32 << 20
GROUPING_PAGE = 48
# What a dedup holds of every page while large pieces are spilled (`workspace/spilling.py`): flags,
# why it is dropped, and its fate. All else lies in mapped files. Measured: 182 MB with 5,000,000
# pages of which a third are copies, 210 MB with 2,000,000 of which half are near copies.
STAR_PAGE = 8
# Of what grouping holds, what clustering does while it sorts: a page's place in the forest, and
# flags.
FOREST_PAGE = 5
# What making a web up holds: each process the pages of a file, the first the plan and the truth.
# Measured with 1,000,000 pages: 280 MB in each that makes files, 985 MB at the end in the first.
MAKING = 300 << 20
MAKING_PAGE = 1000
# A document has its paragraphs and links in the plan too. Measured with 300,000: 770 MB.
MAKING_DOCUMENT = 1800


def making(pages: int, processes: int, documents: bool = False) -> int:
    """The least memory in which this many pages, or documents in a bow tie, can be made up."""
    return MAKING * (processes + 1) + (MAKING_DOCUMENT if documents else MAKING_PAGE) * pages


# A web over time has the overlapping paragraphs of all pages in a table while those that share some
# are looked for. Measured with 6,000 and 18,000 pages of 250 words: 6.9 KB a page.
MAKING_WORD = 36


def making_over_time(pages: int, words: int, processes: int) -> int:
    """The least memory in which this many pages of so many words, of all snapshots, can be made up
    and compared."""
    return making(pages, processes, documents=True) + MAKING_WORD * pages * words


def grouping(pages: int) -> int:
    """The least memory in which this many pages can be grouped."""
    return GROUPING + SORTING + GROUPING_PAGE * pages


def deduplicating(pages: int) -> int:
    """The least memory in which it can be decided which of this many pages stay."""
    return GROUPING + STAR_PAGE * pages


def sorting(allowed: int, pages: int) -> int:
    """The memory that is left for what one pass sorts."""
    return max(allowed - grouping(pages), 0) + SORTING


def sorting_in_forest(allowed: int, pages: int) -> int:
    """The same while nothing but a forest is held."""
    return allowed - GROUPING - FOREST_PAGE * pages


# What finding pairs holds beside: numbers, sites and degrees, one position sorted, and batches of
# pairs on their way.
PAIRING = 160 << 20
PAIRING_PAGE = 40
# What DuckDB needs at the least to sort them.
PAIR_SORTING = 160 << 20


def pairing(pages: int) -> int:
    """The least memory in which pairs can be found among this many pages."""
    return GROUPING + PAIRING + PAIR_SORTING + PAIRING_PAGE * pages


def sorting_pairs(allowed: int | None, pages: int) -> int | None:
    """The part of it that may be used while found pairs are sorted."""
    return None if allowed is None else allowed - PAIRING - PAIRING_PAGE * pages


# What the graph of links holds: a page's keys, its place in the table of them and what is known of
# it while the graph is gone through; and of a link, at the most, both ends of it while it is sorted
# beside the list that is made of it.
LINKING_PAGE = 160
LINKING_LINK = 12


def linking(pages: int, links: int) -> int:
    """The least memory in which the graph of so many links can be held."""
    return GROUPING + LINKING_PAGE * pages + LINKING_LINK * links


# What comparing documents by their paragraphs holds beside: for each where its paragraphs lie, its
# digest and its clusters; near-duplicates also, for each paragraph, it with its document and then
# its number twice; the paper's match and the comparison of texts take less. The paragraphs
# themselves are in a mapped file.
DOCUMENT = 160
PARAGRAPH = 48


def comparing(documents: int, paragraphs: int = 0) -> int:
    """The least memory in which this many documents, and near-duplicates among so many paragraphs,
    can be compared."""
    return GROUPING + SORTING + DOCUMENT * documents + PARAGRAPH * paragraphs


# What looking paragraphs up holds: of each paragraph of an old text it with the text while they are
# sorted, and then both again.
LOOKED_UP = 28


def looking_up(texts: int, paragraphs: int) -> int:
    """The least memory in which paragraphs can be looked up in a table of so many."""
    return GROUPING + SORTING + DOCUMENT * texts + LOOKED_UP * paragraphs


# What the words of two pages take while they are compared one by one: as text, and as Python has
# them. Measured: 370 bytes a word.
WORD = 400


def wording(words: int) -> int:
    """The least memory in which so many words, of both pages, can be compared."""
    return GROUPING + WORD * words


# What overlap holds beside what it is given room for: the libraries, batches of chunks on their
# way, and flags of pages.
OVERLAPPING = 48 << 20


def overlapping(pages: int) -> int:
    """The least memory in which the chunks of this many pages can be compared."""
    return OVERLAPPING + SORTING // 4 + pages


# What the study of replication holds of every page beside: by three chunkings the number of its
# replicas, who stands for it and whether it is skipped, and for one of them what is counted.
REPLICATING_PAGE = 100


def replicating(pages: int) -> int:
    """The least memory in which the replicas of this many pages can be counted."""
    return overlapping(pages) + REPLICATING_PAGE * pages


def mb(count: int) -> str:
    return f"{-(-count // 10**6)}MB"


class PeakMemory:
    """The most that was held at once while the block ran, looked at twenty times a second."""

    def __enter__(self) -> Self:
        self.peak = held()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="webecho-memory", daemon=True)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._stop.wait(EVERY):
            self.peak = max(self.peak, held())

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.peak = max(self.peak, held())
