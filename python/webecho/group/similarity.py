"""*B-similar*, *C-similar*: pages of which enough supershingles, or bits of the projection, agree.

The kernel brings pages together that share a supershingle, or a *piece* of their projections, and
gives each pair once. What is shared by more than `hot` pages is a *hot bucket*: its pairs are
counted, up to 2³³ comparisons, beyond that estimated, and at most `drawn` of them are given, each
with a *weight*, the number of pairs that it stands for.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import SettingsError
from webecho.group.columns import flat_lists
from webecho.group.partition import site_numbers
from webecho.group.rules import Rule, all_pieces
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.mapped import mapped_values
from webecho.workspace.union import Pages

# A hundred thousand pages in a bucket: 2³³ comparisons, some ten seconds on two cores.
COMPARISONS = 1 << 33

FOUND = pa.schema(
    [
        pa.field("left", pa.int64(), nullable=False),
        pa.field("right", pa.int64(), nullable=False),
        pa.field("b_similarity", pa.int64()),
        pa.field("c_similarity", pa.int64()),
        pa.field("same_site", pa.bool_(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
    ]
)


@dataclass(frozen=True)
class HotSettings:
    """From how many pages on a bucket is hot (None: never), how many pairs are drawn from it, and
    the seed by which they are."""

    hot: int | None = 5_000
    drawn: int = 100_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.hot is not None and self.hot < 2:
            raise SettingsError(
                f"hot = {self.hot}: a bucket with a pair has 2 pages; give 2 or more"
            )
        if self.drawn < 1:
            raise SettingsError(f"drawn = {self.drawn}: give 1 or more")

    @property
    def label(self) -> str:
        """What is not as it is unless told, to be added to the label of a rule."""
        usual, told = asdict(HotSettings()), asdict(self)
        return "".join(f"-{name}-{told[name]}" for name in usual if told[name] != usual[name])


@dataclass
class Counts:
    """What was counted while pairs were found; complete when all were given."""

    # The pairs there are, and if that had to be estimated its standard error.
    pairs: float = 0.0
    standard_error: float = 0.0
    # Those of them that the asked number of pieces does not find, which are not in `pairs`.
    missed: float = 0.0
    given: int = 0
    comparisons: int = 0
    hot_buckets: list[pa.RecordBatch] = field(default_factory=list)
    degrees: list[pa.Table] = field(default_factory=list)


def find_similar(
    sketches: "Sketches", rule: Rule, recipe: Recipe, hot: HotSettings, counts: Counts, run: Run
) -> Iterator[pa.RecordBatch]:
    """The pairs that a rule holds together, in batches of `FOUND`."""
    for settings in searches(rule, recipe):
        search = sketches.search(settings, hot, run)
        while (batch := search.next()) is not None:
            yield pa.RecordBatch.from_arrays(batch.columns, schema=FOUND)
        add(counts, search)


def unite_similar(
    workspace: Pages, rule: Rule, forest: _core.Forest, wanted: pa.Array, run: Run
) -> None:
    """Joins all pages that a chain of pairs holds together, whatever is hot."""
    sketches = Sketches.of(workspace, wanted, needed(rule), needed(rule))
    for settings in searches(rule, workspace.recipe):
        sketches.search(settings, HotSettings(hot=None), run).unite(forest)


@dataclass(frozen=True)
class Sketches:
    """What is compared of some pages; the values lie in mapped files."""

    pages: pa.Array
    sites: pa.Array
    supershingles: pa.Array | None
    projections: pa.Array | None

    @classmethod
    def of(
        cls,
        workspace: Pages,
        wanted: pa.Array,
        needed: tuple[str, ...],
        read: tuple[str, ...] = ("supershingles", "projection"),
    ) -> "Sketches":
        """Of the wanted pages what is needed, and of the rest of `read` what there is."""
        for column in needed:
            workspace.require(column)
        pages: pa.Array = pa.array([], pa.uint32())
        found: dict[str, pa.Array] = {}
        columns = workspace.pieces[-1][0].manifest.columns
        for column in (each for each in read if each in columns):
            numbers = [pa.array([], pa.uint32())]

            def values(
                column: str = column, numbers: list[pa.Array] = numbers
            ) -> Iterator[pa.Array]:
                for rows, flat in flat_lists(workspace, column, wanted):
                    numbers.append(rows.cast(pa.uint32()))
                    yield flat

            found[column] = mapped_values(values())
            pages = pa.concat_arrays(numbers)
        sites = site_numbers(workspace).take(pages)
        return cls(pages, sites, found.get("supershingles"), found.get("projection"))

    def search(self, settings: dict[str, Any], hot: HotSettings, run: Run) -> _core.Pairing:
        limits = {
            "hot": hot.hot,
            "sample": hot.drawn,
            "seed": hot.seed % 2**64,
            "comparisons": COMPARISONS,
        }
        return _core.Pairing(
            self.pages,
            self.sites,
            self.supershingles,
            self.projections,
            settings | limits,
            run.threads,
        )


def needed(rule: Rule) -> tuple[str, ...]:
    """The columns without which the rule cannot tell."""
    by_bits = rule.least_c is not None
    by_values = rule.name != "c"
    return (*(["supershingles"] if by_values else []), *(["projection"] if by_bits else []))


def searches(rule: Rule, recipe: Recipe) -> list[dict[str, Any]]:
    """What is looked for, one after the other; no pair is found twice."""

    def by_values(least_c: int, sites: str) -> dict[str, Any]:
        least = rule.least_agreeing(recipe.supershingles)
        return search | {"least_b": least, "least_c": least_c, "sites": sites}

    def by_bits(least: int, sites: str) -> dict[str, Any]:
        enough = all_pieces(least, recipe.bits)
        asked = rule.pieces if rule.pieces is not None and rule.pieces < enough else None
        more = {"pieces": max(enough, rule.pieces or 0), "asked": asked}
        return search | {"by": "projections", "least_c": least, "sites": sites} | more

    search: dict[str, Any] = {"by": "supershingles", "least_b": 0, "pieces": 0, "asked": None}
    if rule.name == "c":
        return [by_bits(rule.least_c or 0, "any")]
    if rule.name == "by-site":
        across = by_bits(rule.least_c_across or 0, "different")
        return [across, by_values(rule.least_c or 0, "same")]
    return [by_values(rule.least_c or 0, "any")]


def add(counts: Counts, search: _core.Pairing) -> None:
    """Adds what a search has counted."""
    pairs, missed, comparisons, given = search.counts
    hot = search.hot_buckets()
    counts.pairs += pairs
    counts.missed += missed
    counts.comparisons += comparisons
    counts.given += given
    errors = pc.sum(pc.multiply(hot["standard_error"], hot["standard_error"])).as_py() or 0.0
    counts.standard_error = (counts.standard_error**2 + errors) ** 0.5
    counts.hot_buckets.append(hot)
    pages, degrees = search.degrees()
    names = {"page": pages.cast(pa.int64()), "degree": degrees.cast(pa.int64())}
    counts.degrees.append(pa.table(names))
