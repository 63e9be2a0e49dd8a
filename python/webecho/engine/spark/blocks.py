"""*Block*: pages of a large family that share some keys, and are compared in one task.

A family may be too large for one task: by a chain of templates, or by one key that very many pages
have. Then its keys are shared out to blocks. All pages that have a key are in one block, so that
each of its pairs meets somewhere, and many in several blocks. The pages of a key that is too large
itself are cut into slices, and there is a block for every two of them: the square of its pairs,
shared out to tasks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.spark.key_stars import KEY_ROWS, Keys, Numbers, keyed
from webecho.engine.spark.pack_rows import PackRows, batch_of
from webecho.engine.spark.page_parts import PagePart, part_frame
from webecho.engine.spark.search_keys import key_column, mixed, search_keys
from webecho.group.rules.rule import Search
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Blocks:
    """So many blocks for usual keys; and the large keys, as fingerprints, ascending, each with the
    slices that its pages are cut into."""

    count: int
    large: Numbers
    slices: Numbers

    def of(self, keys: Keys) -> tuple[Numbers, Numbers]:
        """Rows of keys, and the blocks that they are in; a row may be in several."""
        marks = fingerprints(keys.kind, keys.k0)
        at = np.searchsorted(self.large, marks)
        at[at == len(self.large)] = 0
        is_large = self.large[at] == marks if len(self.large) else np.zeros(len(marks), bool)
        (usual,) = np.nonzero(~is_large)
        rows, blocks = [usual], [np.abs(marks[usual] % self.count)]
        (cut,) = np.nonzero(is_large)
        slices = self.slices[at[cut]] if len(self.large) else cut
        own = np.abs(mixed(keys.page[cut, None]) % np.maximum(slices, 1))
        for other in range(int(slices.max()) if len(slices) else 0):
            here = other < slices
            low, high = np.minimum(own[here], other), np.maximum(own[here], other)
            place = mixed(np.stack([marks[cut[here]], low, high], axis=1))
            rows.append(cut[here])
            # Below zero, so that none is that of usual keys.
            blocks.append(-1 - np.abs(place >> 1))
        return np.concatenate(rows), np.concatenate(blocks)


def fingerprints(kind: Numbers, key: Numbers) -> Numbers:
    return mixed(np.stack([kind, key], axis=1))


def blocks_of(
    session: "SparkSession",
    pages: Pages,
    searches: Sequence[Search],
    large: pa.Array,
    partition: pa.Array | None,
    size: int,
    keys: int,
) -> Blocks:
    """Blocks of about so many pages for the pages of large families (a flag for each page), which
    have so many keys each."""
    from pyspark.sql import functions as sql

    known = {"wanted": large} | ({} if partition is None else {"partition": partition})
    columns = tuple(dict.fromkeys(key_column(search.keys) for search in searches))
    made = partial(keyed, columns, "wanted", partial(search_keys, searches))
    rows = part_frame(session, pages, made, KEY_ROWS, known, large).where("least IS NULL")
    counted = rows.groupBy("kind", "k0").agg(sql.sum("pages").alias("pages"))
    found = counted.where(sql.col("pages") > size).toArrow()
    columns_found = (found[name].to_numpy() for name in ("kind", "k0", "pages"))
    kind, key, count = columns_found
    marks = fingerprints(kind, key)
    order = np.argsort(marks)
    # Two slices make a block.
    slices = -(-2 * count[order] // size)
    return Blocks(max(1, large.true_count * keys // size), marks[order], slices)


@dataclass(frozen=True)
class BlockRows:
    """Rows of the pages of large families, as those of packs are, once for each block."""

    rows: PackRows
    searches: tuple[Search, ...]
    blocks: Blocks

    @property
    def names(self) -> tuple[str, ...]:
        return self.rows.names

    @property
    def schema(self) -> str:
        return self.rows.schema

    def __call__(self, parts: Iterator[PagePart]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            yield from self.of(part)

    def of(self, part: PagePart) -> Iterator[pa.RecordBatch]:
        for batch, known in part.batches(self.rows.columns, "large"):
            first = batch[self.rows.columns[0]].is_valid()
            rows = batch.filter(first)
            if not len(rows):
                continue
            here = {name: values.filter(first) for name, values in known.items()}
            at, block = self.places(rows, here)
            columns = {name: rows[name] for name in ("page", *self.rows.columns)} | here
            taken = {
                name: columns[name].take(at) for name in self.names if name not in ("pack", "large")
            }
            yield batch_of(self.names, taken | {"pack": block}, len(at))

    def places(self, rows: pa.RecordBatch, known: dict[str, pa.Array]) -> tuple[pa.Array, pa.Array]:
        """Rows and their blocks, each two once."""
        pairs = [np.empty((2, 0), np.int64)]
        for keys in search_keys(self.searches, rows, known):
            at, block = self.blocks.of(keys)
            pairs.append(np.stack([keys.page[at], block]))
        both = np.unique(np.concatenate(pairs, axis=1), axis=1)
        places = pc.index_in(pa.array(both[0]), value_set=rows["page"])
        return places, pa.array(both[1])
