"""*Cluster*: the pages that a chain of pairs holds together; *duplicates* are its members less one.

A cluster is named by its lowest page. A page that is alone is a cluster of size 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.columns import page_numbers
from webecho.group.rules.rule import Rule
from webecho.workspace.prefetch import prefetch
from webecho.workspace.workspace import Workspace


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


def write_clusters(workspace: Workspace, rule: Rule, clusters: Clusters) -> Path:
    """Writes `clusters/<rule>.parquet`: every page with its cluster, size, url and id."""

    def rows() -> Iterator[pa.Table]:
        # Where there are no pages the table still has its columns.
        none = workspace.schema.empty_table().select(["url", "id"])
        start = 0
        for names in chain([none], workspace.batches(["url", "id"])):
            part = clusters.rows(start, len(names))
            yield part.append_column("url", names["url"]).append_column("id", names["id"])
            start += len(names)

    file = workspace.files.clusters(rule.label)
    workspace.write(file, prefetch(rows()))
    return file
