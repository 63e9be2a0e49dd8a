"""*Compared content*: what candidates are compared by that no sketch has: the shingles of pages, or
their words in order. It was kept from sketching, or is made of the pages again."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.resemblances import told_by_shingles, told_by_words
from webecho.group.evidence import Evidence, words_of
from webecho.group.reread_content import MISSING, Made, mapped
from webecho.group.rules.checks import EqualWords, Resemblance
from webecho.group.rules.keys import Bands
from webecho.group.rules.rule import Search
from webecho.settings import Recipe


@dataclass(frozen=True)
class ComparedContent:
    """A kind of it: the `column` of rows in which it travels, and what it is `made` by of pages
    that are read again."""

    column: str
    made: Made
    # The page table that has it where it was kept.
    kept: str | None
    # Of rows with it, the pages that members have it of, their features, the keys and the recipe.
    evidence: Callable[[pa.Table, pa.Array, pa.Array, Bands, Recipe], _core.Evidence]
    # What the kernel's counts of pairs are of.
    told: Callable[[pa.RecordBatch], dict[str, pa.Array]]

    def apart(self, rows: pa.Table) -> tuple[pa.Table, pa.Table]:
        """The rows of the members of a pack, and those with the content of pages or why there is
        none."""
        names = [self.column, "problem"]
        beside = pc.or_(*(rows[name].is_valid() for name in names))
        members = rows.filter(pc.invert(beside)).drop_columns(names)
        return members, rows.filter(beside).select(["page", *names])


def shingles(sketcher: _core.Sketcher, pages: pa.RecordBatch) -> pa.ListArray:
    return sketcher.sketch(pages, ["shingles"])["shingles"]


def shingle_evidence(
    rows: pa.Table, contents: pa.Array, features: pa.Array, _: Bands, recipe: Recipe
) -> _core.Evidence:
    shelf = _core.Shelf(Path(tempfile.gettempdir()), 1)
    shelf.add(rows["page"].combine_chunks(), rows["shingles"].combine_chunks())
    return _core.Evidence(recipe.m, features, shelf.take(contents, recipe.as_dict()))


def word_evidence(
    rows: pa.Table, contents: pa.Array, features: pa.Array, keys: Bands, recipe: Recipe
) -> _core.Evidence:
    values, *places = mapped(iter([rows["words"].combine_chunks()]))
    at = pc.index_in(contents, value_set=rows["page"].combine_chunks())
    starts, ends = (pc.fill_null(each.take(at), MISSING) for each in places)
    return _core.Evidence.of_words(recipe.m, features, (values, starts, ends), keys.least)


SHINGLES = ComparedContent("shingles", shingles, "shingles", shingle_evidence, told_by_shingles)
WORDS = ComparedContent("words", words_of, None, word_evidence, told_by_words)


def content_of(searches: Sequence[Search]) -> ComparedContent | None:
    """What the candidates of searches are compared by, if no sketch has it."""
    match searches:
        case (Search(Bands(), Resemblance()),):
            return SHINGLES
        case (Search(Bands(), EqualWords()),):
            return WORDS
    return None


@dataclass(frozen=True)
class PackContent:
    """The content of the pages that the members of a pack have it of: of each once."""

    kind: ComparedContent
    rows: pa.Table

    @classmethod
    def of(cls, kind: ComparedContent, rows: pa.Table) -> "PackContent":
        """Of rows in which pages may stand twice, or without it."""
        there = rows.filter(rows[kind.column].is_valid())
        first = pc.index_in(pc.unique(there["page"]), there["page"].combine_chunks())
        return cls(kind, there.take(first))

    def evidence(
        self, contents: pa.Array, features: pa.Array, keys: Bands, recipe: Recipe
    ) -> Evidence:
        """What members are compared by that have the content of these pages; where it is missing,
        by their features."""
        return Evidence(self.kind.evidence(self.rows, contents, features, keys, recipe))
