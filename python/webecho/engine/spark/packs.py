"""*Pack*: candidates that are compared in one task: some whole *families*, of pages that a chain of
shared keys holds together. No page of a pack has a candidate in another, so that what the local
kernels find in each is together what they find in all.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from webecho import _core
from webecho.engine.spark.key_stars import KEY_ROWS, KeysOf, key_stars, keyed
from webecho.engine.spark.page_parts import Known, part_frame, table_bytes, table_of
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from webecho.engine.spark.pack_rows import Rows


@dataclass(frozen=True)
class PackSizes:
    """So many pages are a pack's; a family with more pages or pairs than these is *large*."""

    pages: int = 1 << 15
    most_pages: int = 1 << 20
    # 2³² comparisons: some ten seconds.
    most_pairs: int = 1 << 32

    @property
    def by_pages(self) -> "PackSizes":
        """The same for tasks that list no pairs, and compare far fewer than there are: a family is
        large by its pages alone."""
        return replace(self, most_pairs=(1 << 63) - 1)


@dataclass(frozen=True)
class Packs:
    """For every page the number of its pack, from 1 on, or 0; and whether its family is larger
    than a pack may be, and it has no number for that."""

    numbers: pa.Array
    large: pa.Array

    @property
    def packed(self) -> pa.Array:
        return pa.compute.greater(self.numbers, 0)


def families(
    session: "SparkSession",
    pages: Pages,
    columns: tuple[str, ...],
    keys_of: KeysOf,
    most: int,
    wanted: pa.Array,
    partition: pa.Array | None,
    many: int,
) -> "DataFrame":
    """Ties among the wanted pages that share a key, and of keys with more than so `many` pages how
    many pairs they have; pages have at `most` so many keys in all."""
    known = {"wanted": wanted} | ({} if partition is None else {"partition": partition})
    made = partial(keyed, columns, "wanted", keys_of)
    return key_stars(part_frame(session, pages, made, KEY_ROWS, known, wanted), most, many)


def packs_of(
    forest: _core.Forest,
    pairs: pa.Table,
    sizes: PackSizes,
    *,
    together: int | None = None,
    whole: bool = False,
) -> Packs:
    """The packs of a forest of families, of which keys with very many pages have so many `pairs`
    (`left`, `pairs`). Families with a key of more than `together` pages share a pack. With `whole`,
    a large family is a pack, and else in none."""
    names, counts = (each.to_numpy() for each in forest.clusters())
    pages = np.arange(len(names), dtype=names.dtype)
    weights = np.zeros(len(names), np.int64)
    lowest = names[pairs["left"].to_numpy()]
    np.add.at(weights, lowest, pairs["pairs"].to_numpy())
    roots = np.flatnonzero((names == pages) & (counts > 1))
    large = (counts[roots] > sizes.most_pages) | (weights[roots] > sizes.most_pairs)
    hot = np.zeros(len(names), bool)
    if together is not None:
        many = pairs["pairs"].to_numpy() > together * (together - 1) // 2
        hot[lowest[many]] = True
        # Their pairs are counted as far as there is time, and never all written.
        large &= ~hot[roots]
    usual = ~large & ~hot[roots]
    # Pairs weigh as pages do that take as long to be brought there.
    weight = np.where(usual, counts[roots] + weights[roots] // 1000, 0)
    number = np.zeros(len(names), np.uint32)
    number[roots] = np.where(usual, (np.cumsum(weight) - weight) // sizes.pages + 2, 0)
    number[roots[hot[roots]]] = 1
    oversize = np.zeros(len(names), bool)
    if whole:
        number[roots[large]] = number.max(initial=0) + 1 + np.arange(large.sum())
    else:
        oversize[roots[large]] = True
    return Packs(pa.array(number[names]), pa.array(oversize[names]))


# What tasks answer: rows of a table as bytes, and what they are; `at` says which come first.
ANSWERS = "what string, at long, rows binary"
ANSWER = pa.schema([("what", pa.string()), ("at", pa.int64()), ("rows", pa.binary())])
# Answers are cut into so many bytes: a value of Spark ends at 2 GB, and so does what Java and
# Python hand each other at a time.
PIECE = 8 << 20


@dataclass(frozen=True)
class Answer:
    what: str
    rows: pa.Table
    at: int = 0


Task = Callable[[pa.Table], Iterator[Answer]]


def pack_frame(
    session: "SparkSession",
    pages: Pages,
    made: "Rows",
    known: Known,
    chosen: pa.Array,
    task: Task,
) -> "DataFrame":
    """What a task answers of each pack: of rows that are made of the parts with `chosen` pages (a
    flag for each), by page."""
    rows = part_frame(session, pages, made, made.schema, known, chosen)

    # By its types it is told what it takes.
    def of_pack(rows: pa.Table) -> pa.Table:
        return answered(task, rows)

    return rows.groupBy("pack").applyInArrow(of_pack, ANSWERS)


def decoded(answers: "DataFrame", what: str, names: Sequence[str], schema: str) -> "DataFrame":
    """The rows of answers of one kind."""
    chosen = answers.where(answers["what"] == what).select("rows")
    return chosen.mapInArrow(partial(decode, list(names)), schema)


def decode(names: list[str], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for content in batch["rows"].to_pylist():
            yield from table_of(content).select(names).to_batches()


def answered(task: Task, rows: pa.Table, piece: int = PIECE) -> pa.Table:
    """What a task answers, in pieces of about so many bytes, each a batch of its own."""
    batches = [
        pa.RecordBatch.from_pylist(
            [{"what": answer.what, "at": answer.at, "rows": table_bytes(part)}], ANSWER
        )
        # One answer after the other, for all of them may be more than there is room for.
        for answer in task(rows.sort_by("page").combine_chunks())
        for part in pieces(answer.rows, piece)
    ]
    return pa.Table.from_batches(batches, ANSWER)


def pieces(table: pa.Table, size: int) -> Iterator[pa.Table]:
    """The rows of a table by about so many bytes; of an empty one it alone."""
    rows = max(1, len(table) * size // max(1, table.nbytes))
    for start in range(0, max(1, len(table)), rows):
        yield table.slice(start, rows)


def tables(answers: pa.Table, what: str) -> list[pa.Table]:
    """The tables of one kind, in their order: sorting is stable, so that pieces stay in theirs."""
    chosen = answers.filter(pa.compute.equal(answers["what"], what)).sort_by("at")
    return [table_of(content) for content in chosen["rows"].to_pylist()]


def joined(found: Sequence[pa.Table], empty: pa.Schema) -> pa.Table:
    return pa.concat_tables([empty.empty_table(), *(each.cast(empty) for each in found)])
