"""*Cluster*: the pages that a chain of pairs holds together; *duplicates* are its members less one.

A cluster is named by its lowest page. A page that is alone is a cluster of size 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.candidates import find_candidates
from webecho.group.evidence import gather
from webecho.group.identity import representatives, unite_identical
from webecho.group.lists import page_lists, page_numbers
from webecho.group.rules import Rule
from webecho.memory import check_budget, grouping, sorting_in_forest
from webecho.sketches.again import Again
from webecho.sketches.ahead import read_ahead
from webecho.sketches.tables import write_table
from webecho.sketches.workspace import Workspace


@dataclass(frozen=True)
class Clusters:
    """For every page its cluster and how many pages that has."""

    names: pa.Array
    sizes: pa.Array
    # Why resemblances had to be estimated, if they had to.
    estimated: str | None = None

    @property
    def table(self) -> pa.Table:
        """All pages with columns `page`, `cluster`, `size`."""
        return self.rows(0, len(self.names))

    def rows(self, start: int, count: int) -> pa.Table:
        """The same of some pages."""
        pages = pc.add(page_numbers(count).cast(pa.int64()), start)
        names, sizes = self.names.slice(start, count), self.sizes.slice(start, count)
        columns = {"page": pages, "cluster": names.cast(pa.int64()), "size": sizes.cast(pa.int64())}
        return pa.table(columns)


def cluster(
    workspace: Workspace,
    rule: Rule,
    *,
    threads: int = 1,
    memory: int | None = None,
    again: Again | None = None,
) -> Clusters:
    """The clusters of a workspace under a rule."""
    check_budget(memory, grouping(workspace.pages), f"clustering {workspace.path}")
    forest = unite_identical(workspace, threads, memory=memory)
    estimated = None
    if rule.name == "similar":
        wanted = representatives(forest)
        candidates = find_candidates(workspace, rule, wanted, threads=threads, memory=memory)
        evidence = gather(workspace, candidates.members(), again, threads)
        candidates.unite(forest, rule.resemblance or 0.0, evidence.kernel)
        estimated = evidence.estimated
    elif rule.name != "exact":
        least = rule.least_agreeing(workspace.recipe.supershingles)
        room = None if memory is None else sorting_in_forest(memory, workspace.pages)
        unite_agreeing(workspace, forest, least, threads=threads, room=room)
    names, sizes = forest.clusters()
    return Clusters(names, sizes, estimated)


# Cells for a supershingle that tell whether it repeats, four to a byte: one in eight seems to
# although it does not, and so two in the sketch of one page in six that agrees with nobody.
CELL_BYTES = 2
# What a row takes beside its values: its page, its place while rows are grouped, and maybe that it
# is a copy.
ROW_BYTES = 4 + 8 + 4


def unite_agreeing(
    workspace: Workspace,
    forest: _core.Forest,
    least: int,
    *,
    threads: int = 1,
    room: int | None = None,
) -> None:
    """Joins pages with at least `least` equal supershingles, in so many bytes.

    The sketches are gone through once to see which supershingles repeat, and again for the pages of
    which enough do. If there is no room for these, the sketches are gone through several times
    more, each time for the pages whose first agreeing supershingle falls into one of some classes.
    """
    count, wanted = workspace.recipe.supershingles, representatives(forest)
    row_bytes = 8 * count + ROW_BYTES
    cell_bytes = CELL_BYTES * count * workspace.pages
    if room is None:
        room = cell_bytes + row_bytes * workspace.pages
    cell_bytes = min(cell_bytes, room // 3)
    repeats = _core.Repeats(count, cell_bytes, threads)
    for pages, lists in page_lists(workspace, "supershingles"):
        repeats.add(pages, lists, wanted)
    rows = _core.Rows(count, workspace.pages, (room - cell_bytes) // row_bytes)
    for pages, lists in page_lists(workspace, "supershingles"):
        rows.add_repeating(pages, lists, wanted, repeats, least)
    del repeats
    if rows.complete:
        forest.unite_agreeing(rows, least, 0, count - least + 1)
        return
    wanted, classes = rows.pages(), -(-rows.seen * row_bytes // room)
    for first in range(count - least + 1):
        for number in range(classes):
            rows = _core.Rows(count, workspace.pages, workspace.pages)
            for pages, lists in page_lists(workspace, "supershingles"):
                rows.add_class(pages, lists, wanted, first, classes, number)
            forest.unite_agreeing(rows, least, first, first + 1)


def write_clusters(workspace: Workspace, rule: Rule, clusters: Clusters) -> Path:
    """Writes `clusters/<rule>.parquet`: every page with its cluster, size, url and id."""

    def rows() -> Iterator[pa.Table]:
        none = workspace.table() if not workspace.pages else None
        named = [none.select(["url", "id"])] if none is not None else []
        start = 0
        for names in chain(named, workspace.batches(["url", "id"])):
            part = clusters.rows(start, len(names))
            yield part.append_column("url", names["url"]).append_column("id", names["id"])
            start += len(names)

    file = workspace.path / "clusters" / f"{rule.label}.parquet"
    write_table(file, read_ahead(rows()))
    return file
