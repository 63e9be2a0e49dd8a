"""Stars on Spark: of each set one page stays or goes, and the others go with it."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.stars import Removals, removals_of, stars_by
from webecho.engine.spark.components import FEW, disk_only, unite_all
from webecho.engine.spark.independent_sets import decided
from webecho.engine.spark.overlap_links import by_chunks, overlap_links
from webecho.engine.spark.pack_tasks import Links, Remove, Unite
from webecho.engine.spark.packs import PackSizes, decoded, tables
from webecho.engine.spark.searching import USUAL, Searching, problem_of
from webecho.engine.spark.sets import DigestSets, digest_sets, unite_sets
from webecho.group.columns import page_numbers
from webecho.group.rules.keys import DIGESTS, Digest, Pieces, Sets
from webecho.group.rules.rule import Rule
from webecho.group.stars import Stars
from webecho.run import Run
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What tasks had to say, the pages that go, and those they go with.
Gone = tuple[pa.Table, pa.Array, pa.Array]


@dataclass(frozen=True)
class SparkGrouping:
    """By shuffles and the kernels in executors."""

    session: "SparkSession"
    workspace: Pages
    rule: Rule
    link: str
    run: Run
    partition: pa.Array | None
    sizes: PackSizes = USUAL
    # So many pairs of large families, or ties, are gone through at once.
    few: int = FEW

    @cached_property
    def digests(self) -> tuple[Digest, ...]:
        """By which pages are told apart: all in one pass."""
        own = (self.rule.sets,) if isinstance(self.rule.sets, Digest) else ()
        return tuple(dict.fromkeys([*own, *DIGESTS]))

    @cached_property
    def same(self) -> DigestSets:
        return digest_sets(
            self.session, self.workspace, self.digests, self.run, partition=self.partition
        )

    def sets(self, sets: Sets, partition: pa.Array | None, hollow: pa.Array) -> _core.Forest:
        if isinstance(sets, Digest) and sets in self.digests:
            return self.same.forests[self.digests.index(sets)]
        asked = self.session, self.workspace, sets, self.run
        return unite_sets(*asked, partition=partition, hollow=hollow)

    def removals(
        self,
        wanted: pa.Array,
        partition: pa.Array | None,
        ranks: pa.Array,
        fixed: int,
        forest: _core.Forest,
    ) -> Removals:
        recipe = self.workspace.recipe
        if by_chunks(self.rule, recipe):
            asked = (self.session, self.workspace, self.rule, wanted, self.run, partition, ranks)
            return removals_of(overlap_links(*asked), self.link, wanted, ranks, fixed, forest)
        # Of many that share a band or a supershingle few are compared; of many with a piece all.
        every = any(isinstance(each.keys, Pieces) for each in self.rule.searches(recipe))
        found = Searching(
            self.session,
            self.workspace,
            self.rule,
            wanted,
            self.run,
            self.rule.columns,
            partition,
            ranks,
            sizes=self.sizes if every else self.sizes.by_pages,
        )
        task = Remove(found.searches, recipe, self.link, fixed)
        answers = found.packed(task).toArrow()
        large = self.large(found, ranks, fixed)
        if large is not None:
            answers = pa.concat_tables([answers, large])
        rows = tables(answers, "gone")
        if not rows:
            nothing: pa.Array = pa.array([], pa.uint32())
            return Removals(nothing, nothing, {})
        rows = pa.concat_tables(rows).sort_by("gone").combine_chunks()
        columns = {name: rows[name].combine_chunks() for name in rows.column_names}
        gone, stay = (columns.pop(name).cast(pa.uint32()) for name in ("gone", "stay"))
        return Removals(gone, stay, columns, problem_of(answers))

    def large(self, found: Searching, ranks: pa.Array, fixed: int) -> pa.Table | None:
        """What tasks answer of large families: which of their pages go, decided on their pairs, or
        on what these hold together."""
        kept = self.link == "kept"
        frame = found.blocked((Links if kept else Unite)(found.searches, self.workspace.recipe))
        if frame is None:
            return None
        if kept:
            problems, gone, stay = self.first_kept(frame, ranks, fixed)
        else:
            problems, gone, stay = self.chained(frame, ranks)
        if not len(gone):
            return problems
        by_page = pc.sort_indices(gone)
        return pa.concat_tables([problems, found.measured(gone.take(by_page), stay.take(by_page))])

    def first_kept(self, frame: "DataFrame", ranks: pa.Array, fixed: int) -> Gone:
        """By pairs: pages go with the first of those that stay."""
        frame = frame.persist(disk_only())
        problems = frame.where("what = 'problem'").toArrow()
        pairs = decoded(frame, "pairs", ("left", "right"), "`left` long, `right` long").distinct()
        decision = decided(pairs, ranks, fixed, self.workspace.path, self.few)
        if decision.rounds:
            self.run.note(f"which pages stay was decided in {decision.rounds} rounds")
        frame.unpersist()
        return problems, decision.gone, decision.stay

    def chained(self, frame: "DataFrame", ranks: pa.Array) -> Gone:
        """By ties: pages go with the first of all that a chain holds together."""
        answers = frame.toArrow()
        forest = _core.Forest(self.workspace.pages, self.run.threads)
        for ties in tables(answers, "ties"):
            unite_all(forest, ties)
        together, pages = forest.firsts(ranks), page_numbers(self.workspace.pages)
        moved = pc.not_equal(together, pages)
        problems = answers.filter(pc.equal(answers["what"], "problem"))
        return problems, pages.filter(moved), together.filter(moved)


def stars(
    session: "SparkSession",
    workspace: Pages,
    rule: Rule,
    link: str,
    ranks: pa.Array,
    run: Run,
    *,
    partition: pa.Array | None = None,
    fixed: int = 0,
    sizes: PackSizes = USUAL,
    few: int = FEW,
) -> Stars:
    """What stays and what goes: see `engine/local/stars.py`."""
    grouping = SparkGrouping(session, workspace, rule, link, run, partition, sizes, few)
    return stars_by(grouping, workspace, rule, ranks, grouping.same.hollow, partition, fixed)
