"""*Membership*: whether two pages are in one cluster of those found before, and by which pairs.

Clusters are chains of pairs, so two of its pages may have little in common. The shortest chain
between them is what holds them together; it is known where the rule's pairs were found too.
"""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import WorkspaceError
from webecho.run import Run
from webecho.workspace.workspace import Workspace

# The pairs within one cluster, once from either side.
PAIRS = """
SELECT "left" AS one, "right" AS other FROM pairs WHERE "left" IN (SELECT page FROM members)
UNION ALL
SELECT "right", "left" FROM pairs WHERE "left" IN (SELECT page FROM members)
"""


@dataclass(frozen=True)
class Membership:
    """The clusters of two pages under a rule, and the pages of a shortest chain of pairs."""

    rule: str
    left: int
    right: int
    left_size: int
    right_size: int
    # From the left page to the right one; None where the pairs of the rule are not there.
    chain: tuple[int, ...] | None = None

    @property
    def together(self) -> bool:
        return self.left == self.right


def memberships(workspace: Workspace, left: int, right: int, run: Run) -> tuple[Membership, ...]:
    """What each `clusters/<rule>.parquet` of the workspace says of the two."""
    files = workspace.files.found_clusters()
    return tuple(membership(workspace, file, left, right, run) for file in files)


def membership(workspace: Workspace, file: Path, left: int, right: int, run: Run) -> Membership:
    clusters = workspace.stored("clusters", file.stem)
    rows = clusters.read(["page", "cluster", "size"], pc.field("page").isin([left, right]))
    found = {row["page"]: row for row in rows.to_pylist()}
    if not {left, right} <= found.keys():
        raise WorkspaceError(f"{file} lacks pages; find the clusters again, or remove it")
    ours, theirs = found[left], found[right]
    chain = None
    if ours["cluster"] == theirs["cluster"] and workspace.files.pairs(file.stem).is_file():
        members = clusters.read(["page"], pc.field("cluster") == ours["cluster"])
        chain = shortest_chain(pairs_among(workspace, file.stem, members, run), left, right)
    return Membership(
        file.stem, ours["cluster"], theirs["cluster"], ours["size"], theirs["size"], chain
    )


def pairs_among(workspace: Workspace, label: str, members: pa.Table, run: Run) -> pa.Table:
    """The pairs of a rule among some pages."""
    with run.database() as database:
        database.add("members", members)
        database.add("pairs", workspace.stored("pairs", label))
        return database.table(PAIRS)


def shortest_chain(pairs: pa.Table, left: int, right: int) -> tuple[int, ...] | None:
    """The pages of a shortest chain of pairs, of several that with the lowest pages; breadth first,
    all pages at one distance at a time."""
    before: dict[int, int] = {left: left}
    edge = [left]
    while edge and right not in before:
        steps = pairs.filter(pc.is_in(pairs["one"], value_set=pa.array(edge, pa.int64())))
        first = steps.group_by("other").aggregate([("one", "min")])
        reached = dict(zip(first["other"].to_pylist(), first["one_min"].to_pylist(), strict=True))
        edge = [page for page in reached if page not in before]
        before |= {page: reached[page] for page in edge}
    if right not in before:
        return None
    chain = [right]
    while chain[-1] != left:
        chain.append(before[chain[-1]])
    return tuple(reversed(chain))
