"""*Annotations*: columns that tell in the data itself what was decided of each row.

| column | of each row |
| --- | --- |
| `cluster` | the number of the page that stays for it; those of an earlier collection come first |
| `size` | how many pages are in its cluster |
| `kept` | whether it stays |
| `kept_id` | the id of the page that stays for it |
| `resemblance` | to that page; none for one that stays |
| `hosts`, `first`, `last` | on how many hosts its cluster is, and when it was fetched |

Their names have a prefix, of the user's choice.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.cluster_counts import FETCHED, ClusterCounts
from webecho.group.decision import Decision
from webecho.workspace.lookup import Lookup, id_type
from webecho.workspace.workspace import Workspace

OF_ANNOTATE = ("cluster", "size", "kept", "kept_id", "resemblance")
OF_COUNTS = ("size", "hosts", "first", "last")


@dataclass(frozen=True)
class Annotations:
    """What is told of the pages of the new collection, by their numbers."""

    names: tuple[str, ...]
    prefix: str
    values: dict[str, pa.Array]
    # The ids of pages that stay for others, and which of them each page has, null for its own.
    kept_ids: pa.Array
    kept_at: pa.Array
    # The number of the first page that it tells of.
    start: int = 0

    @classmethod
    def of(
        cls, decision: Decision, counts: ClusterCounts, names: Sequence[str], prefix: str
    ) -> "Annotations":
        first, removed = decision.first, decision.stars.removed
        kept = decision.stars.kept[first:]
        total = len(kept)
        at = np.full(total, -1, np.int64)
        gone = decision.removed["page"].to_numpy()
        at[gone] = np.arange(len(gone))
        resemblance = np.full(total, np.nan)
        resemblance[gone] = pc.fill_null(removed["resemblance"], np.nan).to_numpy()
        ids = pa.nulls(len(removed), pa.string())
        if "kept_id" in names:
            stay = removed["kept_page"].combine_chunks()
            ids = Lookup.of(decision.pages, ("id",), pc.unique(stay)).take(stay)["id"]
        values = {
            "cluster": kept.cast(pa.int64()),
            "size": counts.size.take(kept),
            "kept": decision.stays,
            "resemblance": pa.array(resemblance, mask=np.isnan(resemblance)),
            "hosts": counts.hosts.take(kept),
            "first": counts.first.take(kept),
            "last": counts.last.take(kept),
        }
        given = {name: column for name, column in values.items() if name in names}
        return cls(tuple(names), prefix, given, ids, pa.array(at, mask=at < 0))

    def of_some(self, first: int, count: int) -> "Annotations":
        """The same of these pages alone, with nothing else that would be sent along."""

        def own(column: pa.Array) -> pa.Array:
            return pa.concat_arrays([column.slice(first - self.start, count)])

        at = own(self.kept_at)
        there = at.is_valid()
        # Those that are wanted, numbered anew.
        numbers = pc.subtract(pc.cumulative_sum(there.cast(pa.int64())), 1)
        return Annotations(
            self.names,
            self.prefix,
            {name: own(column) for name, column in self.values.items()},
            self.kept_ids.take(at.drop_null()),
            pc.if_else(there, numbers, None),
            first,
        )

    @property
    def schema(self) -> pa.Schema:
        """The columns, as tables have them."""
        types = {name: column.type for name, column in self.values.items()}
        types |= {"kept_id": self.kept_ids.type}
        return pa.schema([(self.prefix + name, types[name]) for name in self.names])

    def of_pages(self, pages: pa.Array, ids: pa.Array) -> pa.RecordBatch:
        """The columns of these pages, which have these ids."""
        here = pc.subtract(pages, self.start)
        found = {name: column.take(here) for name, column in self.values.items()}
        if "kept_id" in self.names:
            at = self.kept_at.take(here)
            own = ids.cast(self.kept_ids.type)
            found["kept_id"] = pc.if_else(at.is_null(), own, self.kept_ids.take(at))
        return pa.RecordBatch.from_arrays([found[name] for name in self.names], schema=self.schema)


class RowFeed:
    """The columns for the rows of a source, which are asked for in ascending order."""

    def __init__(self, schema: pa.Schema, some: Iterable[tuple[pa.Array, pa.RecordBatch]]) -> None:
        self.schema = schema
        self._rest = iter(some)
        self._places = np.array([], np.int64)
        self._columns = schema.empty_table()

    def rows(self, first: int, count: int) -> pa.Table:
        """The columns of so many rows; null for those that are no pages."""
        while not len(self._places) or self._places[-1] < first + count:
            more = next(self._rest, None)
            if more is None:
                break
            start = np.searchsorted(self._places, first)
            self._places = np.concatenate([self._places[start:], more[0].to_numpy()])
            new = pa.Table.from_batches([more[1]])
            self._columns = pa.concat_tables([self._columns.slice(start), new])
        start, end = np.searchsorted(self._places, [first, first + count])
        at = np.full(count, -1, np.int64)
        at[self._places[start:end] - first] = np.arange(start, end)
        return self._columns.take(pa.array(at, mask=at < 0))


def beside_rows(
    workspace: Workspace, sources: Sequence[int], annotations: Annotations, wanted: pa.Array
) -> Iterator[pa.Table]:
    """The same as a table by record, for sources whose records have no columns; of pages that are
    `wanted`."""
    names = pa.array(workspace.source_names, pa.string())
    fields = ["page", "source", "place", "url", "id"]
    none = pa.RecordBatch.from_pylist([], workspace.schema).select(fields)
    for batch in chain([none], workspace.batches(fields)):
        here = pc.is_in(batch["source"], value_set=pa.array(sources, pa.int32()))
        rows = batch.filter(pc.and_(here, wanted.take(batch["page"])))
        made = pa.Table.from_batches([rows])
        made = made.set_column(1, "source", names.take(rows["source"]))
        for field, column in zip(
            annotations.schema, annotations.of_pages(rows["page"], rows["id"]).columns, strict=True
        ):
            made = made.append_column(field, column)
        yield made


def count_rows(
    decision: Decision, counts: ClusterCounts, earlier: str | None, *, whole_ids: bool = False
) -> Iterator[pa.Table]:
    """A row for each page that stays, an earlier collection's first: how often it was seen;
    `whole_ids` says that ids are whole numbers, also if they are stored as text."""
    first = decision.first
    own_type = pa.int64() if whole_ids else id_type(decision.pages)
    for piece, start in decision.pages.pieces:
        own = start >= first and (first == 0 or start > 0)
        for batch in piece.batches(["page", "url", "id"]):
            number = pc.add(batch["page"], start)
            rows = pa.table(
                {
                    "page": batch["page"],
                    "kept_in": pa.repeat(
                        pa.scalar(None if own else earlier, pa.string()), len(batch)
                    ),
                    "id": batch["id"].cast(own_type),
                    "url": batch["url"],
                    "size": counts.size.take(number).cast(pa.int64()),
                    "hosts": counts.hosts.take(number).cast(pa.int64()),
                    "first": counts.first.take(number).cast(FETCHED),
                    "last": counts.last.take(number).cast(FETCHED),
                }
            )
            yield rows.filter(pc.greater(rows["size"], 0))
