"""*Key star*: all pages that have one key, each tied to the lowest of them. As many ties as pages,
and not a pair of each with each.

A key is a *kind* and two numbers. A task that reads pages ties those that it has itself to the
lowest of them, and hands on that one only, so that what a million pages share reaches the task that
gathers a key from as many others as read them, and no more often.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.spark.page_parts import Known, PagePart
from webecho.engine.spark.tasks import MOST_TASKS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Numbers = npt.NDArray[np.int64]

# Rows on their way: a key with how many pages it has, or a tie, which may go anywhere. Keys have
# a *label*, so that one pass can be about several things, and so have their ties.
NAMES = ("label", "kind", "k0", "k1", "page", "pages", "least")
KEY_ROWS = ", ".join(f"{name} long" for name in NAMES)
# A tie, or a key's pairs: then both are its lowest page.
TIE_NAMES = ("left", "right", "pairs", "label")
TIES = ", ".join(f"{name} long" for name in TIE_NAMES)
# A task that gathers keys has about so many rows, which take it 250 MB to sort.
TASK_ROWS = 1 << 20
# Of fewer pages the pairs are not worth a row.
MANY = 64


@dataclass(frozen=True)
class Keys:
    """Keys of pages, in columns; one page may have many."""

    label: Numbers
    kind: Numbers
    k0: Numbers
    k1: Numbers
    page: Numbers
    pages: Numbers

    @classmethod
    def of(
        cls,
        kind: int | Numbers,
        k0: Numbers,
        k1: Numbers | None,
        page: Numbers,
        label: int = 0,
    ) -> "Keys":
        """Each of one page."""
        zero = np.zeros(len(page), np.int64)
        return cls(zero + label, zero + kind, k0, zero if k1 is None else k1, page, zero + 1)

    @classmethod
    def joined(cls, parts: "list[Keys]") -> "Keys":
        none = np.empty(0, np.int64)
        columns = [[getattr(part, name) for part in parts] or [none] for name in NAMES[:-1]]
        return cls(*(np.concatenate(each) for each in columns))

    def sorted(self) -> "Keys":
        """By kind and numbers, and by page."""
        order = np.lexsort((self.page, self.k1, self.k0, self.kind, self.label))
        return Keys(*(each[order] for each in vars(self).values()))


@dataclass(frozen=True)
class Stars:
    """Keys, each once, with its lowest page; and the ties of the other pages to those, with the
    labels of the keys."""

    keys: Keys
    left: Numbers
    right: Numbers
    label: Numbers


def stars_of(keys: Keys) -> Stars:
    """The key stars of keys in any order."""
    if not len(keys.page):
        return Stars(keys, keys.page, keys.page, keys.label)
    rows = keys.sorted()
    begins = np.ones(len(rows.page), bool)
    begins[1:] = (
        (rows.label[1:] != rows.label[:-1])
        | (rows.kind[1:] != rows.kind[:-1])
        | (rows.k0[1:] != rows.k0[:-1])
        | (rows.k1[1:] != rows.k1[:-1])
    )
    starts = np.flatnonzero(begins)
    least = rows.page[starts][np.cumsum(begins) - 1]
    counts = np.add.reduceat(rows.pages, starts)
    first = replace(Keys(*(each[starts] for each in vars(rows).values())), pages=counts)
    # Lists with a page twice under one key tie it to nobody.
    tied = rows.page != least
    return Stars(first, rows.page[tied], least[tied], rows.label[tied])


KeysOf = Callable[[pa.RecordBatch, Known], Iterator[Keys]]


def keyed(
    columns: tuple[str, ...],
    wanted: str | None,
    keys_of: KeysOf,
    parts: Iterator[PagePart],
) -> Iterator[pa.RecordBatch]:
    """The keys of the parts that a task has, each once, and the ties among its pages."""
    found: list[Keys] = []
    for part in parts:
        for rows, known in part.batches(columns, wanted):
            found.extend(keys_of(rows, known))
    yield from key_rows(stars_of(Keys.joined(found)))


def key_rows(stars: Stars) -> Iterator[pa.RecordBatch]:
    """Keys and ties on their way."""
    none = pa.nulls(len(stars.keys.page), pa.int64())
    yield batch_of(NAMES, [*vars(stars.keys).values(), none])
    yield from tied_rows(stars.left, stars.right, stars.label)


def tied_rows(left: Numbers, right: Numbers, label: Numbers | int) -> Iterator[pa.RecordBatch]:
    """Ties on their way, spread by their pages, for they can be very many."""
    zero = np.zeros(len(left), np.int64)
    yield batch_of(NAMES, [zero + label, zero, left, zero, left, zero + 1, right])


def batch_of(names: tuple[str, ...], columns: list[Numbers | pa.Array]) -> pa.RecordBatch:
    arrays = [each if isinstance(each, pa.Array) else pa.array(each) for each in columns]
    return pa.RecordBatch.from_arrays(arrays, names)


def key_stars(rows: "DataFrame", most: int, many: int | None = None) -> "DataFrame":
    """The ties of `KEY_ROWS`, of which there are at `most` so many, as `TIES`; of keys with more
    than so `many` pages also how many pairs they have."""
    key = ("label", "kind", "k0", "k1")
    tasks = min(MOST_TASKS, -(-most // TASK_ROWS))
    # What is little Spark shares out as it is set to, and puts small partitions together.
    placed = rows.repartition(*key) if tasks <= 1 else rows.repartition(tasks, *key)
    return placed.mapInArrow(partial(gathered, many), TIES)


def gathered(many: int | None, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The ties of the keys that a task gathers."""
    found: list[Keys] = []
    for batch in batches:
        ties = batch["least"].is_valid()
        tied = batch.filter(ties)
        if len(tied):
            yield tie_rows(tied["page"], tied["least"], tied["label"])
        rest = batch.filter(pc.invert(ties))
        found.append(Keys(*(rest[name].to_numpy(zero_copy_only=False) for name in NAMES[:-1])))
    stars = stars_of(Keys.joined(found))
    yield tie_rows(stars.left, stars.right, stars.label)
    if many is not None:
        least, count = many_pages(stars.keys, many)
        label = np.zeros(len(least), np.int64)
        yield batch_of(TIE_NAMES, [least, least, count * (count - 1) // 2, label])


def many_pages(keys: Keys, many: int) -> tuple[Numbers, Numbers]:
    """The lowest pages of keys that more than so many have, and how many do."""
    chosen = keys.pages > many
    return keys.page[chosen], keys.pages[chosen]


def tie_rows(
    left: Numbers | pa.Array, right: Numbers | pa.Array, label: Numbers | pa.Array
) -> pa.RecordBatch:
    return batch_of(TIE_NAMES, [left, right, np.zeros(len(left), np.int64), label])
