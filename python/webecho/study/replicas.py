"""*Replica*: a page that shares enough chunks with another, or has the same content or the same
chunks, however few (Shivakumar 1998, section 3). Each page is a replica of itself. That is not
transitive."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from webecho.chunkings import Chunking
from webecho.group.overlaps import FOUND, OverlapSearch
from webecho.group.rules.overlap import SHARED
from webecho.group.rules.parameters import FINGERPRINTS
from webecho.run import Run
from webecho.workspace.workspace import Workspace

# The paper's, each with how many chunks must be shared.
CHUNKINGS = tuple((Chunking.parse(name), SHARED[name]) for name in ("page", "lines:4", "lines:2"))
PAGE = str(CHUNKINGS[0][0])
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Replicas:
    """What one chunking tells: for each page how many replicas it has, whether a crawler may skip
    it, and who stands for its copies; what each step took."""

    replicas: Numbers
    skipped: npt.NDArray[np.bool_]
    stands: Numbers
    seconds: Mapping[str, float]


def by_chunking(workspace: Workspace, run: Run) -> dict[str, Replicas]:
    """The replicas of the pages of a workspace by each chunking, whole pages first."""
    found: dict[str, Replicas] = {}
    for chunking, shared in CHUNKINGS:
        first = found[PAGE].stands if found else None
        found[str(chunking)] = replicas(workspace, chunking, shared, run, first)
    return found


def replicas(
    workspace: Workspace, chunking: Chunking, shared: int, run: Run, first: Numbers | None = None
) -> Replicas:
    """The replicas of each page by one chunking; `first` has for each the first page with the same
    content, unless that is what the chunking tells. Pages with the same chunks have the same
    content, but the same content may be in other lines."""
    run.begin(f"comparing {chunking}")
    # What scripts write is not known: such pages may have nothing in common but the scripts.
    search = OverlapSearch(chunking, shared, FINGERPRINTS[0], least_copy=1, hollow=False)
    found = run.engine.overlaps(workspace, search, run)
    batches = [batch.select(["left", "right"]) for batch in found.pairs()]
    pairs = pa.Table.from_batches(batches, pa.schema([FOUND.field("left"), FOUND.field("right")]))
    left, right = (pairs[side].to_numpy() for side in ("left", "right"))
    stands = np.arange(workspace.pages, dtype=np.int64)
    for batch in found.copies():
        stands[batch["right"].to_numpy()] = batch["left"].to_numpy()
    first = stands if first is None else first
    total = counted(left, right, stands, first)
    return Replicas(total, skipped(left, right, stands, first), stands, found.seconds)


def counted(left: Numbers, right: Numbers, stands: Numbers, first: Numbers) -> Numbers:
    """How many pages are replicas of each: those of the same content, and the copies of those that
    it makes a pair with."""
    pages = len(stands)
    copies = np.bincount(stands, minlength=pages)
    other = first[left] != first[right]
    left, right = left[other], right[other]
    beside = np.bincount(left, copies[right], pages) + np.bincount(right, copies[left], pages)
    same = np.bincount(first, minlength=pages)
    total: Numbers = same[first] + beside.astype(np.int64)[stands]
    return total


def skipped(
    left: Numbers, right: Numbers, stands: Numbers, first: Numbers
) -> npt.NDArray[np.bool_]:
    """Which pages a crawler may skip, in page order; the pairs are sorted, so of each page all that
    it makes with earlier ones come before its own."""
    pages = np.arange(len(stands))
    gone: npt.NDArray[np.bool_] = stands != pages
    kept = np.zeros(len(stands), np.bool_)
    # Whom content or a pair brings together with another, and who is no copy.
    alone = np.bincount(first[~gone], minlength=len(stands))[first] == 1
    deciding = np.union1d(left, pages[~gone & ~alone])
    starts, ends = (np.searchsorted(left, deciding, side) for side in ("left", "right"))
    for page, start, end in zip(deciding, starts, ends, strict=True):
        if gone[page] or kept[first[page]]:
            gone[page] = True
        else:
            kept[first[page]] = True
            gone[right[start:end]] = True
    return gone
