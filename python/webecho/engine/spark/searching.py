"""The searches of a rule on Spark: keys bring pages together in packs, and tasks compare them."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from webecho import _core
from webecho.engine.spark.components import unite_all, unite_ties
from webecho.engine.spark.pack_rows import PackRows, ShingleRows
from webecho.engine.spark.pack_tasks import REVISITS, Sift
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
from webecho.group.rules.checks import Resemblance
from webecho.group.rules.keys import Bands, Pieces
from webecho.group.rules.rule import Rule, Search
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

USUAL = PackSizes()
PAIRS = pa.schema([("left", pa.int64()), ("pairs", pa.int64())])


@dataclass(frozen=True)
class Searching:
    """The searches of a rule among the wanted pages (a flag for each). With `partition`, a number
    for each page, only pages of the same number are compared."""

    session: "SparkSession"
    pages: Pages
    rule: Rule
    wanted: pa.Array
    run: Run
    partition: pa.Array | None = None
    sizes: PackSizes = USUAL

    @property
    def searches(self) -> tuple[Search, ...]:
        return self.rule.searches(self.pages.recipe)

    @property
    def of_shingles(self) -> bool:
        return any(isinstance(search.check, Resemblance) for search in self.searches)

    def found(
        self,
        task: Task,
        columns: tuple[str, ...],
        *,
        ranks: pa.Array | None = None,
        together: int | None = None,
    ) -> "DataFrame":
        """What a task answers of all packs; it reads these sketch columns. Families with a key of
        `together` pages or more share a pack."""
        for column in self.rule.columns:
            self.pages.require(column)
        keys = tuple(dict.fromkeys(key_column(search.keys) for search in self.searches))
        most = self.wanted.true_count * sum(
            key_count(search, self.pages.recipe) for search in self.searches
        )
        self.run.begin("finding candidates")
        ties = families(
            self.session,
            self.pages,
            keys,
            partial(search_keys, self.searches),
            self.wanted,
            self.partition,
        )
        forest = _core.Forest(self.pages.pages, self.run.threads)
        pairs = unite_ties(forest, ties, most, self.pages.path).pairs
        packs = packs_of(forest, pairs, self.sizes, together)
        known = {} if self.partition is None else {"partition": self.partition}
        if ranks is not None:
            known["rank"] = ranks
        lists = tuple(dict.fromkeys([*keys, *columns]))
        if not self.of_shingles:
            return self.compared(PackRows((*lists, "site"), tuple(known)), packs, known, task)
        packs, contents = self.sifted(packs, lists)
        rows = ShingleRows(PackRows((*lists, "revisit_of"), tuple(known)))
        return self.compared(rows, packs, known | contents, task)

    def compared(
        self,
        rows: PackRows | ShingleRows,
        packs: Packs,
        known: dict[str, pa.Array],
        task: Task,
    ) -> "DataFrame":
        self.run.begin("comparing")
        return pack_frame(self.session, self.pages, rows, rows.schema, packs, known, task)

    def sifted(self, packs: Packs, lists: tuple[str, ...]) -> tuple[Packs, dict[str, pa.Array]]:
        """The packs of the candidates that stay such by their features, and of the pages that are
        repeated by revisits among them the packs that these are in."""
        known = {} if self.partition is None else {"partition": self.partition}
        rows = PackRows((*lists, "revisit_of"), tuple(known))
        task = Sift(self.searches, self.pages.recipe)
        answers = self.compared(rows, packs, known, task).toArrow()
        forest = _core.Forest(self.pages.pages, self.run.threads)
        for ties in tables(answers, "ties"):
            unite_all(forest, ties)
        found = packs_of(forest, joined(tables(answers, "pairs"), PAIRS), self.sizes)
        revisits = joined(tables(answers, "revisits"), REVISITS)
        return found, contents_of(found, revisits)


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
