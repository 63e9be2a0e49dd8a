"""The searches of a rule on Spark: keys bring pages together in packs, or in blocks, where families
are large, and tasks compare them."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.spark.blocks import BlockRows, blocks_of
from webecho.engine.spark.compared_content import ComparedContent, content_of
from webecho.engine.spark.components import unite_all, unite_ties
from webecho.engine.spark.key_stars import MANY
from webecho.engine.spark.pack_rows import ContentRows, ListedRows, MemberRows, PackRows, Rows
from webecho.engine.spark.pack_tasks import REVISITS, Measure, Sift
from webecho.engine.spark.packs import (
    Packs,
    PackSizes,
    Task,
    families,
    joined,
    pack_frame,
    packs_of,
    tables,
)
from webecho.engine.spark.search_keys import key_column, search_keys
from webecho.group.rules.keys import Bands, Pieces
from webecho.group.rules.rule import Rule, Search
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

USUAL = PackSizes()
PAIRS = pa.schema([("left", pa.int64()), ("pairs", pa.int64())])


@dataclass(frozen=True)
class Searching:
    """The searches of a rule among the wanted pages (a flag for each), by these sketch columns.

    With `partition`, a number for each page, only pages of the same number are compared. Families
    with a key of more than `together` pages share a pack; with `whole`, a large one is a pack.
    """

    session: "SparkSession"
    pages: Pages
    rule: Rule
    wanted: pa.Array
    run: Run
    columns: tuple[str, ...]
    partition: pa.Array | None = None
    ranks: pa.Array | None = None
    together: int | None = None
    whole: bool = False
    sizes: PackSizes = USUAL

    @cached_property
    def searches(self) -> tuple[Search, ...]:
        return self.rule.searches(self.pages.recipe)

    @property
    def content(self) -> ComparedContent | None:
        """What is compared that the sketches do not have, if something is."""
        return content_of(self.searches)

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that keys are made of."""
        return tuple(dict.fromkeys(key_column(search.keys) for search in self.searches))

    @property
    def key_count(self) -> int:
        """How many keys a page has."""
        return sum(key_count(search, self.pages.recipe) for search in self.searches)

    @property
    def apart(self) -> dict[str, pa.Array]:
        """What keeps pages apart."""
        return {} if self.partition is None else {"partition": self.partition}

    @property
    def known(self) -> dict[str, pa.Array]:
        return self.apart | ({} if self.ranks is None else {"rank": self.ranks})

    def rows(self, *known: str) -> PackRows:
        beside = "site" if self.content is None else "revisit_of"
        return PackRows((*dict.fromkeys([*self.keys, *self.columns]), beside), known)

    @cached_property
    def candidates(self) -> Packs:
        """The packs of pages that share a key."""
        for column in self.rule.columns:
            self.pages.require(column)
        self.run.begin("finding candidates")
        most = self.wanted.true_count * self.key_count
        ties = families(
            self.session,
            self.pages,
            self.keys,
            partial(search_keys, self.searches),
            most,
            self.wanted,
            self.partition,
            min(MANY, self.together or MANY),
        )
        forest = _core.Forest(self.pages.pages, self.run.threads)
        pairs = unite_ties(forest, ties, most, self.pages.path).pairs
        return packs_of(forest, pairs, self.sizes, together=self.together, whole=self.whole)

    @cached_property
    def compared(self) -> tuple[Packs, dict[str, pa.Array]]:
        """The packs of those that are compared, which by their content are the candidates that stay
        such by their features; and which packs have revisits of pages."""
        return (self.candidates, {}) if self.content is None else self.sifted()

    def sifted(self) -> tuple[Packs, dict[str, pa.Array]]:
        task = Sift(self.searches, self.pages.recipe)
        rows = self.rows(*self.apart)
        answers = self.answers(rows, self.candidates, self.apart, task).toArrow()
        large = self.block_answers(self.candidates.large, rows, self.apart, task)
        if large is not None:
            answers = pa.concat_tables([answers, large.toArrow()])
        forest = _core.Forest(self.pages.pages, self.run.threads)
        for ties in tables(answers, "ties"):
            unite_all(forest, ties)
        pairs = joined(tables(answers, "pairs"), PAIRS)
        revisits = joined(tables(answers, "revisits"), REVISITS)
        found = packs_of(forest, pairs, self.sizes, whole=self.whole)
        if pc.any(found.large.take(revisits["page"].combine_chunks())).as_py():
            # Only packs are known to who reads what revisits repeat.
            found = packs_of(forest, pairs, self.sizes, whole=True)
        return found, contents_of(found, revisits)

    def packed(self, task: Task) -> "DataFrame":
        """What a task answers of all packs."""
        packs, contents = self.compared
        rows = self.rows(*self.known)
        chosen = self.with_content(rows)
        self.run.begin("comparing")
        return self.answers(chosen, packs, self.known | contents, task)

    def blocked(self, task: Task) -> "DataFrame | None":
        """What a task answers of all blocks, if there are any."""
        packs, _ = self.compared
        return self.block_answers(packs.large, self.rows(*self.known), self.known, task)

    def with_content(self, rows: MemberRows) -> Rows:
        """The rows, and the content of their pages, if it is compared."""
        if self.content is None:
            return rows
        return ContentRows(rows, self.content, dict(self.run.convert))

    def answers(
        self, rows: Rows, packs: Packs, known: dict[str, pa.Array], task: Task
    ) -> "DataFrame":
        numbers = known | {"pack": packs.numbers}
        chosen = packs.packed
        if "content" in known:
            # What revisits repeat is read too, in whichever part it lies.
            chosen = pc.or_(chosen, pc.greater(pc.list_value_length(known["content"]), 0))
        return pack_frame(self.session, self.pages, rows, numbers, chosen, task)

    def block_answers(
        self, large: pa.Array, rows: PackRows, known: dict[str, pa.Array], task: Task
    ) -> "DataFrame | None":
        if not large.true_count:
            return None
        blocks = blocks_of(
            self.session,
            self.pages,
            self.searches,
            large,
            self.partition,
            self.sizes.pages,
            self.key_count,
        )
        members = BlockRows(rows, self.searches, blocks)
        made = members if isinstance(task, Sift) else self.with_content(members)
        return pack_frame(self.session, self.pages, made, known | {"large": large}, large, task)

    def measured(self, gone: pa.Array, stay: pa.Array) -> pa.Table:
        """What the tasks answer that measure pages and those they go with (`gone` ascends)."""
        packs, stays = star_packs(gone, stay, self.pages.pages, self.sizes.pages)
        rows = ListedRows(self.rows("stay"))
        known = {"packs": packs, "stay": stays}
        task = Measure(self.searches, self.pages.recipe)
        chosen = pc.greater(pc.list_value_length(packs), 0)
        made = self.with_content(rows)
        return pack_frame(self.session, self.pages, made, known, chosen, task).toArrow()


def is_local_alone(pages: Pages, rule: Rule, reread: Reread | None) -> bool:
    """Whether only this process can do what a rule asks for: what it compares of tables in memory
    is nowhere else."""
    content = content_of(rule.searches(pages.recipe))
    return content is not None and reread is not None and are_in_memory(pages, content.kept)


def are_in_memory(pages: Pages, kept: str | None = None) -> bool:
    """Whether some are of tables in memory, and the table `kept` does not have them."""
    manifest = pages.pieces[-1][0].manifest
    return any(
        part.pages and kept not in part.files and manifest.sources[part.source]["format"] == "table"
        for part in manifest.parts
    )


def star_packs(gone: pa.Array, stay: pa.Array, pages: int, size: int) -> tuple[pa.Array, pa.Array]:
    """For every page the packs in which it is measured, and the page that it goes with: one that
    goes is in a pack with the one that stays for it, which may be in several."""
    left, right = gone.to_numpy().astype(np.int64), stay.to_numpy().astype(np.int64)
    order = np.argsort(right, kind="stable")
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order)) // size + 1
    both = np.unique(
        np.concatenate([np.stack([left, number]), np.stack([right, number])], axis=1), axis=1
    )
    counts = np.bincount(both[0], minlength=pages)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    lists = pa.ListArray.from_arrays(pa.array(offsets), pa.array(both[1]))
    goes = np.zeros(pages, np.int64)
    goes[left] = right
    going = np.ones(pages, bool)
    going[left] = False
    return lists, pa.array(goes, mask=going)


def contents_of(packs: Packs, revisits: pa.Table) -> dict[str, pa.Array]:
    """For every page the packs, each once, in which there are revisits of it."""
    if not len(revisits):
        return {}
    pairs = pa.table(
        {
            "content": revisits["content"],
            "pack": packs.numbers.take(revisits["page"].combine_chunks()),
        }
    )
    pairs = pairs.group_by(["content", "pack"]).aggregate([]).sort_by("content")
    counts = np.bincount(pairs["content"].to_numpy(), minlength=len(packs.numbers))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    lists = pa.ListArray.from_arrays(pa.array(offsets), pairs["pack"].combine_chunks())
    return {"content": lists}


def key_count(search: Search, recipe: Recipe) -> int:
    """How many keys a page has by a search."""
    match search.keys:
        case Bands(bands, _, _):
            return bands
        case Pieces(count):
            return count
    return recipe.supershingles


def problem_of(answers: pa.Table) -> str | None:
    """Why resemblances had to be estimated, if they had to."""
    found = tables(answers, "problem")
    return found[0]["problem"][0].as_py() if found else None
