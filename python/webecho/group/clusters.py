"""*Cluster*: the pages that a chain of pairs holds together; *duplicates* are its members less one.

A cluster is named by its lowest page. A page that is alone is a cluster of size 1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.candidates import find_candidates
from webecho.group.evidence import gather
from webecho.group.identity import representatives, unite_identical
from webecho.group.lists import flat_lists, page_numbers
from webecho.group.rules import Rule
from webecho.group.similarity import unite_similar
from webecho.memory import check_budget, grouping, sorting
from webecho.read.pages import Source
from webecho.sketches.tables import write_table
from webecho.sketches.workspace import Workspace


@dataclass(frozen=True)
class Clusters:
    """Every page with its cluster: columns `page`, `cluster`, `size`."""

    table: pa.Table
    # Why resemblances had to be estimated, if they had to.
    estimated: str | None = None


def cluster(
    workspace: Workspace,
    rule: Rule,
    *,
    threads: int = 1,
    memory: int | None = None,
    sources: Mapping[int, Source] | None = None,
) -> Clusters:
    """The clusters of a workspace under a rule."""
    check_budget(memory, grouping(workspace.pages), f"clustering {workspace.path}")
    forest = unite_identical(workspace, threads, memory=memory)
    estimated = None
    if rule.name == "similar":
        wanted = representatives(forest)
        candidates = find_candidates(workspace, rule, wanted, threads=threads, memory=memory)
        evidence = gather(workspace, candidates.members(), sources, threads)
        candidates.unite(forest, rule.resemblance or 0.0, evidence.kernel)
        estimated = evidence.estimated
    elif rule.least_c is not None:
        unite_similar(workspace, rule, forest, representatives(forest), threads=threads)
    elif rule.name != "exact":
        least = rule.least_agreeing(workspace.recipe.supershingles)
        unite_agreeing(workspace, forest, least, memory)
    names, sizes = forest.clusters()
    table = pa.table(
        {
            "page": page_numbers(workspace.pages).cast(pa.int64()),
            "cluster": names.cast(pa.int64()),
            "size": sizes.cast(pa.int64()),
        }
    )
    return Clusters(table, estimated)


def unite_agreeing(
    workspace: Workspace, forest: _core.Forest, least: int, memory: int | None
) -> None:
    """Joins pages with at least `least` equal supershingles.

    Within a memory budget the sketches are gone through several times, each time for the pages
    whose first agreeing supershingle falls into one of as many classes.
    """
    count = workspace.recipe.supershingles
    wanted = representatives(forest)
    # The values, the sort keys and the page number of a row, and Arrow's copy while it is built.
    row_bytes = 2 * 8 * count + 16 + 12
    passes = 1
    if memory is not None:
        passes = -(-workspace.pages * row_bytes // sorting(memory, workspace.pages))
    for first in range(count - least + 1):
        for number in range(passes):
            pages, values = [], []
            for page, flat in flat_lists(workspace, "supershingles", wanted):
                chosen = (page, flat)
                if passes > 1:
                    chosen = of_class(page, flat, count, first, passes, number)
                pages.append(chosen[0])
                values.append(chosen[1])
            if pages:
                forest.unite_agreeing(
                    pa.concat_arrays(pages), pa.concat_arrays(values), least, first
                )


def of_class(
    pages: pa.Array, values: pa.Array, count: int, first: int, passes: int, number: int
) -> tuple[pa.Array, pa.Array]:
    """The rows whose supershingle `first` is of one class: equal ones always are."""
    rows = pa.FixedSizeListArray.from_arrays(values, count)
    key = pc.list_element(rows, first)
    # Shifted to be positive; its upper bits are as good as any.
    upper = pc.shift_right(key.view(pa.uint64()), pa.scalar(33, pa.uint64())).cast(pa.int64())
    remainder = pc.subtract(upper, pc.multiply(pc.divide(upper, passes), passes))
    chosen = pc.equal(remainder, number)
    return pages.filter(chosen), pc.list_flatten(rows.filter(chosen))


def write_clusters(workspace: Workspace, rule: Rule, clusters: Clusters) -> Path:
    """Writes `clusters/<rule>.parquet`: every page with its cluster, size, url and id."""

    def rows() -> Iterator[pa.Table]:
        none = workspace.table() if not workspace.pages else None
        named = [none.select(["url", "id"])] if none is not None else []
        start = 0
        for names in chain(named, workspace.batches(["url", "id"])):
            part = clusters.table.slice(start, len(names))
            yield part.append_column("url", names["url"]).append_column("id", names["id"])
            start += len(names)

    file = workspace.path / "clusters" / f"{rule.label}.parquet"
    write_table(file, rows())
    return file
