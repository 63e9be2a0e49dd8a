"""*Replica*: a page that shares enough chunks with another, or has the same content or the same
chunks, however few (Shivakumar 1998, section 3). Each page is a replica of itself. That is not
transitive."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from webecho.chunkings import Chunking
from webecho.group.overlaps import OverlapSearch
from webecho.group.rules.overlap import SHARED
from webecho.group.rules.parameters import FINGERPRINTS
from webecho.memory import overlapping, replicating
from webecho.run import Run
from webecho.workspace.workspace import Workspace

# The paper's, each with how many chunks must be shared.
CHUNKINGS = tuple((Chunking.parse(name), SHARED[name]) for name in ("page", "lines:4", "lines:2"))
PAGE = str(CHUNKINGS[0][0])
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Replicas:
    """What one chunking tells: for each page how many replicas it has, whether a crawler may skip
    it, and who stands for its copies; what each step took."""

    replicas: Numbers
    skipped: Flags
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
    found = run.engine.overlaps(workspace, search, counting(workspace, run))
    stands = np.arange(workspace.pages, dtype=np.int64)
    for batch in found.copies():
        stands[batch["right"].to_numpy()] = batch["left"].to_numpy()
    counts = ReplicaCounts(stands, stands if first is None else first)
    for batch in found.pairs():
        counts.add(batch["left"].to_numpy(), batch["right"].to_numpy())
    return Replicas(counts.replicas(), counts.skipped(), stands, found.seconds)


def counting(workspace: Workspace, run: Run) -> Run:
    """The run with the memory that is left beside what is known of every page."""
    if run.memory is None:
        return run
    run.check_memory(replicating(workspace.pages), f"counting the replicas in {workspace.path}")
    own = replicating(workspace.pages) - overlapping(workspace.pages)
    return replace(run, memory=run.memory - own)


class ReplicaCounts:
    """What pairs tell of pages as they come, sorted: none is held. `stands` has for each page the
    one that stands for its copies, `first` the first of the same content."""

    def __init__(self, stands: Numbers, first: Numbers) -> None:
        self.stands, self.first = stands, first
        pages = np.arange(len(stands))
        self.copies = np.bincount(stands, minlength=len(stands))
        self.beside = np.zeros(len(stands), np.int64)
        self.gone: Flags = stands != pages
        # By the first page of a content, whether a page that has it is kept.
        self.kept = np.zeros(len(stands), np.bool_)
        # Pages are decided on in their order: of those that no pair is about these are left, whose
        # content others have in other lines.
        contents = np.bincount(first[~self.gone], minlength=len(stands))
        self.undecided = pages[~self.gone & (contents[first] > 1)]
        self.at = 0
        self.last = -1

    def add(self, left: Numbers, right: Numbers) -> None:
        """Takes in the next pairs."""
        other = self.first[left] != self.first[right]
        one, two = left[other], right[other]
        np.add.at(self.beside, one, self.copies[two])
        np.add.at(self.beside, two, self.copies[one])
        lefts, starts = np.unique(left, return_index=True)
        for page, start, end in zip(lefts, starts, [*starts[1:], len(left)], strict=False):
            # The pairs of a page may come in several turns.
            if page != self.last:
                self.decide_before(page)
                self.decide(page)
                self.last = page
            if not self.gone[page]:
                self.gone[right[start:end]] = True

    def decide(self, page: int) -> None:
        content = self.first[page]
        if self.gone[page] or self.kept[content]:
            self.gone[page] = True
        else:
            self.kept[content] = True

    def decide_before(self, page: int) -> None:
        """Decides on pages before this one; it is the next itself."""
        end = int(np.searchsorted(self.undecided, page))
        for other in self.undecided[self.at : end]:
            self.decide(other)
        self.at = end + int(end < len(self.undecided) and self.undecided[end] == page)

    def replicas(self) -> Numbers:
        """How many pages are replicas of each: those of the same content, and the copies of those
        that it makes a pair with."""
        same = np.bincount(self.first, minlength=len(self.first))
        total: Numbers = same[self.first] + self.beside[self.stands]
        return total

    def skipped(self) -> Flags:
        """Which pages a crawler may skip, when all pairs have come."""
        self.decide_before(len(self.stands))
        return self.gone
