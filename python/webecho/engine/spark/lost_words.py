"""Lost words on Spark: executors read the pages again, those of some removed pages meet in a pack,
and a task counts what the pages that stay lack."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.lost_words import vocabulary
from webecho.engine.spark.pack_rows import PAIR, batch_of, content_rows, schema_of, with_readers
from webecho.engine.spark.pack_tasks import problems
from webecho.engine.spark.packs import Answer, joined, pack_frame, tables
from webecho.engine.spark.page_parts import PagePart
from webecho.engine.spark.searching import problem_of
from webecho.group.lost_words import content_pairs
from webecho.group.reread_content import mapped
from webecho.run import Run
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# So many pairs are a pack's: their words are some 100 MB.
PAIRS = 1 << 13
LOST = pa.schema([("page", pa.int64()), ("stay", pa.int64()), ("lost", pa.int64())])
NAMES = ("pack", "page", "stay", "words", "problem")


def lost_words(
    session: "SparkSession",
    pages: Pages,
    page: pa.Array,
    kept: pa.Array,
    run: Run,
    size: int = PAIRS,
) -> tuple[pa.Array, str | None]:
    """Of removed pages, and those that stay for them: see `Engine.lost_words`."""
    run.begin("counting words that are lost")
    contents = pa.table([*content_pairs(pages, page, kept)], ["page", "stay"])
    pairs = contents.group_by(["page", "stay"]).aggregate([]).sort_by([("stay", "ascending")])
    known, chosen = meetings(pairs, pages.pages, size)
    rows = WordRows(dict(run.convert))
    answers = pack_frame(session, pages, rows, known, chosen, count_lost).toArrow()
    found = joined(tables(answers, "lost"), LOST)
    asked = contents.append_column("at", pa.array(np.arange(len(contents))))
    counts = asked.join(found, ["page", "stay"]).sort_by("at")["lost"].combine_chunks()
    return counts, problem_of(answers)


def meetings(pairs: pa.Table, pages: int, size: int) -> tuple[dict[str, pa.Array], pa.Array]:
    """For every page the packs in which it meets another, as pairs follow each other: `packs`, each
    once, and where it is the removed one, `pairs_packs` and `stays`; and whether there are any."""
    left, right = (pairs[name].to_numpy() for name in ("page", "stay"))
    number = np.arange(len(left)) // size + 1
    both = np.stack([np.concatenate([left, right]), np.concatenate([number, number])])
    members, packs = np.unique(both, axis=1)
    by_page = np.argsort(left, kind="stable")
    lists = {
        "packs": (members, packs),
        "pairs_packs": (left[by_page], number[by_page]),
        "stays": (left[by_page], right[by_page]),
    }
    known = {name: listed(of, values, pages) for name, (of, values) in lists.items()}
    return known, pc.greater(pc.list_value_length(known["packs"]), 0)


def listed(of: np.ndarray, values: np.ndarray, pages: int) -> pa.ListArray:
    """For every page the values that are of it; `of` ascends."""
    offsets = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=pages))])
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(values))


@dataclass(frozen=True)
class WordRows:
    """Rows of the removed pages with the page that stays, and of all of both with their words."""

    convert: Mapping[str, str] = field(default_factory=dict)
    names = NAMES

    @property
    def schema(self) -> str:
        return schema_of(NAMES)

    def __call__(self, parts: Iterator[PagePart]) -> Iterator[pa.RecordBatch]:
        for part, reader in with_readers(parts, self.convert):
            pairs = unlisted(part, "pairs_packs")
            columns = dict(zip(PAIR.names, pairs.columns, strict=True))
            columns["stay"] = pc.list_flatten(part.known["stays"])
            yield batch_of(NAMES, columns, len(pairs))
            wanted = pa.Table.from_batches([unlisted(part, "packs")])
            yield from content_rows(NAMES, part, reader, wanted, "words", vocabulary)


def unlisted(part: PagePart, name: str) -> pa.RecordBatch:
    """The packs that are listed for the pages of a part, and these."""
    lists = part.known[name]
    page = pc.add(pc.list_parent_indices(lists).cast(pa.int64()), part.first)
    return pa.RecordBatch.from_arrays([pc.list_flatten(lists), page], schema=PAIR)


def count_lost(rows: pa.Table) -> Iterator[Answer]:
    """Of each removed page of a pack how many of its words the page that stays lacks."""
    yield from problems(rows)
    there = rows.filter(rows["words"].is_valid())
    pairs = rows.select(["page", "stay"]).filter(rows["stay"].is_valid()).combine_chunks()
    members = there["page"].combine_chunks()
    values, starts, ends = mapped(iter([there["words"].combine_chunks()]))
    at = [pc.index_in(pairs[name].combine_chunks(), members) for name in ("page", "stay")]
    known = pc.and_(at[0].is_valid(), at[1].is_valid())
    left, right = (each.filter(known).cast(pa.int64()) for each in at)
    lost = _core.lost_words((values, starts, ends), left, right, 1)
    yield Answer("lost", pairs.filter(known).append_column("lost", lost))
