"""*Star*: a page that stays, and the pages that go with it.

Pages are taken in keep order. By the link `kept` a page stays unless the rule holds it together
with one that stays already, and goes with the first such page: every page that goes is similar to
the one named for it. By the link `chain` all pages that a chain of pairs holds together go with the
first of them (the papers' clusters), however little they have in common with it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.columns import page_numbers, places_among
from webecho.group.rules.keys import DIGESTS, IDENTITY
from webecho.group.rules.rule import Rule
from webecho.settings import Recipe
from webecho.workspace.mapped import BLOCK, by_blocks, flagged, mapped_table

REMOVED = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("kept_page", pa.int64(), nullable=False),
        pa.field("rule", pa.string(), nullable=False),
        pa.field("agrees", pa.string(), nullable=False),
        pa.field("resemblance", pa.float64()),
        pa.field("containment", pa.float64()),
        pa.field("kept_containment", pa.float64()),
        pa.field("b_similarity", pa.int64()),
        pa.field("estimated", pa.bool_(), nullable=False),
    ]
)
# How a page that goes agrees with the one that stays: the strictest that holds.
NEAR = "near"
AGREES = (*(digest.name for digest in DIGESTS), NEAR)
# What a dedup that looks for them adds: see lost_words.py.
LOST_WORDS = pa.field("lost_words", pa.int64())
# Only rules that ask for them have these columns, after `b_similarity`.
ASKED = (
    pa.field("c_similarity", pa.int64()),
    pa.field("shared_chunks", pa.int64()),
    pa.field("equal_words", pa.float64()),
)


@dataclass(frozen=True)
class Stars:
    """For every page the one it goes with (itself if it stays), and those that go, by page."""

    kept: pa.Array
    removed: pa.Table
    # Why resemblances had to be estimated, if they had to.
    estimated: str | None = None

    def with_kept(self, pages: pa.Array) -> "Stars":
        """The same, but that these pages stay: none goes with a page that went."""
        if not len(pages):
            return self
        stay = flagged(len(self.kept), pages)
        kept = by_blocks(pc.if_else, stay, page_numbers(len(self.kept)), self.kept)
        rows = (some.filter(pc.invert(stay.take(some["page"]))) for some in blocks(self.removed))
        return replace(self, kept=kept, removed=as_table(rows, self.removed.schema))


@dataclass(frozen=True)
class Removal:
    """Pages that go although no other of their set stays, with what was measured of each and the
    page that it goes with, by the names of columns."""

    pages: pa.Array
    measures: dict[str, pa.Array]


def removed_schema(rule: Rule, recipe: Recipe) -> pa.Schema:
    """The columns of what a rule removes."""
    asked = {name for search in rule.searches(recipe) for name in search.check.asked}
    more = [field for field in ASKED if field.name in asked]
    at = REMOVED.get_field_index("estimated")
    return pa.schema([*REMOVED][:at] + more + [*REMOVED][at:])


def removed_rows(
    rule: Rule,
    recipe: Recipe,
    firsts: pa.Array,
    goes_with: pa.Array,
    same: Callable[[pa.Array, pa.Array], dict[str, pa.Array]],
    removal: Removal | None,
) -> pa.Table:
    """The rows of those that go.

    `firsts` has for every page the first of its set, and `goes_with` the page it goes with; `same`
    gives for pages and others whether they are, by the name of each digest.
    """
    schema = removed_schema(rule, recipe)
    going = by_blocks(pc.not_equal, goes_with, page_numbers(len(goes_with)))
    pages = by_blocks(pa.Array.filter, page_numbers(len(goes_with)), going)

    def rows(page: pa.Array) -> pa.Table:
        kept, first = goes_with.take(page), firsts.take(page)
        of_set = pc.equal(first, firsts.take(kept))
        agreeing = same(page, kept)
        agrees: pa.Array = pa.repeat(NEAR, len(page))
        for digest in reversed(DIGESTS):
            agrees = pc.if_else(agreeing[digest.name], digest.name, agrees)
        resemblance = pc.if_else(agreeing[IDENTITY.name], 1.0, pa.scalar(None, pa.float64()))
        columns = {
            "page": page.cast(pa.int64()),
            "kept_page": kept.cast(pa.int64()),
            "rule": pc.if_else(of_set, rule.sets.name, rule.name),
            "agrees": agrees,
            "resemblance": resemblance,
            "containment": resemblance,
            "kept_containment": resemblance,
            "b_similarity": pa.nulls(len(page), pa.int64()),
            **{field.name: pa.nulls(len(page), field.type) for field in ASKED},
            "equal_words": resemblance,
            "estimated": pa.repeat(False, len(page)),
        }
        if removal is not None:
            at = places_among(first, removal.pages)
            for name, measure in removal.measures.items():
                columns[name] = pc.if_else(of_set, columns[name], measure.take(at))
        return pa.table({name: columns[name] for name in schema.names}, schema=schema)

    starts = range(0, max(len(pages), 1), BLOCK)
    return as_table((rows(pages.slice(start, BLOCK)) for start in starts), schema)


def blocks(rows: pa.Table) -> Iterator[pa.Table]:
    """The rows, some at a time, and once where there are none."""
    for start in range(0, max(len(rows), 1), BLOCK):
        yield rows.slice(start, BLOCK)


def as_table(tables: Iterator[pa.Table], schema: pa.Schema) -> pa.Table:
    """The rows of at least one table, mapped where there is another."""
    first = next(tables)
    second = next(tables, None)
    if second is None:
        return first
    return mapped_table(chain([first, second], tables), schema)
