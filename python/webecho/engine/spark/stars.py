"""Stars on Spark: of each set one page stays or goes, and the others go with it."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.sets import unite_sets as unite_locally
from webecho.engine.local.stars import Removals, stars_by
from webecho.engine.local.stars import stars as stars_locally
from webecho.engine.spark.components import FEW, disk_only, unite_ties
from webecho.engine.spark.independent_sets import decided
from webecho.engine.spark.pack_tasks import Pairs, Remove
from webecho.engine.spark.packs import PackSizes, decoded, tables
from webecho.engine.spark.searching import USUAL, Searching, problem_of
from webecho.engine.spark.sets import DigestSets, digest_sets
from webecho.group.columns import page_numbers
from webecho.group.hot_buckets import ALL_PAIRS
from webecho.group.rules.keys import DIGESTS, Digest, SameChunks, Sets
from webecho.group.rules.rule import Rule
from webecho.group.stars import Stars
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


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
        return unite_locally(self.workspace, sets, self.run, partition=partition, hollow=hollow)

    def removals(
        self,
        wanted: pa.Array,
        partition: pa.Array | None,
        ranks: pa.Array,
        fixed: int,
        _: _core.Forest,
    ) -> Removals:
        recipe = self.workspace.recipe
        found = Searching(
            self.session,
            self.workspace,
            self.rule,
            wanted,
            self.run,
            self.rule.columns,
            partition,
            ranks,
            sizes=self.sizes,
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
        """What tasks answer of large families: which of their pages go, decided on their pairs."""
        frame = found.blocked(Pairs(found.searches, self.workspace.recipe, ALL_PAIRS))
        if frame is None:
            return None
        frame = frame.persist(disk_only())
        problems = frame.where("what = 'problem'").toArrow()
        pairs = decoded(frame, "pairs", ("left", "right"), "`left` long, `right` long").distinct()
        if self.link == "kept":
            decision = decided(pairs, ranks, fixed, self.workspace.path, self.few)
            gone, stay = decision.gone, decision.stay
            if decision.rounds:
                self.run.note(f"which pages stay was decided in {decision.rounds} rounds")
        else:
            forest = _core.Forest(self.workspace.pages, self.run.threads)
            ties = pairs.selectExpr("`left`", "`right`", "0L AS pairs")
            most = self.few + 1
            unite_ties(forest, ties, most, self.workspace.path, self.few)
            together, pages = forest.firsts(ranks), page_numbers(self.workspace.pages)
            moved = pc.not_equal(together, pages)
            gone, stay = pages.filter(moved), together.filter(moved)
        frame.unpersist()
        if not len(gone):
            return problems
        by_page = pc.sort_indices(gone)
        return pa.concat_tables([problems, found.measured(gone.take(by_page), stay.take(by_page))])


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
    reread: Reread | None = None,
    sizes: PackSizes = USUAL,
    few: int = FEW,
) -> Stars:
    """What stays and what goes: see `engine/local/stars.py`."""
    if isinstance(rule.sets, SameChunks):
        return stars_locally(
            workspace, rule, link, ranks, run, partition=partition, fixed=fixed, reread=reread
        )
    grouping = SparkGrouping(session, workspace, rule, link, run, partition, sizes, few)
    return stars_by(grouping, workspace, rule, ranks, grouping.same.hollow, partition, fixed)
