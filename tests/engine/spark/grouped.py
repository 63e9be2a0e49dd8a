"""Whether Spark groups pages as the local engine does, row for row."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tests.collections_made import (
    Page,
    as_jsonl,
    edited,
    many_pages,
    markup,
    page,
    prose,
    small_web,
)
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.engine.local.engine import local_run
from webecho.engine.spark.engine import spark_run
from webecho.engine.spark.packs import PackSizes, tables
from webecho.engine.spark.searching import Searching
from webecho.engine.spark.session import sibling
from webecho.engine.spark.stars import SparkGrouping, stars
from webecho.group.columns import page_numbers
from webecho.group.hot_buckets import ALL_PAIRS, HotSettings, PairCounts
from webecho.group.rules.registry import RULES
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.workspace.union import Pages
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Of chunks, which are another search's.
BY_CHUNKS = "overlap"
GROUPED = [name for name in RULES if name != BY_CHUNKS]
BY_PAGES = [("left", "ascending"), ("right", "ascending")]


def repeating() -> list[Page]:
    """Every kind of page that stages treat differently, many that repeat others, and long ones of
    which all but a word is the same."""
    long = prose(9, 2000)
    alike = [page(1000 + at, markup(edited(long, 150 * at))) for at in range(1, 9)]
    return [*small_web(), *many_pages(120), *alike]


def workspace_of(folder: Path, pages: Sequence[Page], part_pages: int = 20) -> Workspace:
    """The pages in parts of a few, with all that rules go by."""
    source = as_jsonl(folder / "web.jsonl", pages) if pages else folder / "none.parquet"
    if not pages:
        pq.write_table(pa.table({"html": pa.array([], pa.string())}), source)
    request = SketchRequest(
        (str(source),), folder / "web.echo", paragraphs=True, part_pages=part_pages
    )
    run_sketch(request, local_run())
    return Workspace.open(folder / "web.echo")


# With these most families are large, and keys too.
SMALL = PackSizes(pages=8, most_pages=3, most_pairs=10)


def shuffled(count: int, seed: int = 1) -> pa.Array:
    """Ranks that are not the order of the pages."""
    ranks = [*range(count)]
    random.Random(seed).shuffle(ranks)
    return pa.array(ranks, pa.uint32())


def with_partitions(session: "SparkSession", partitions: int) -> "SparkSession":
    """A session that shuffles to so many partitions, few rows too."""
    own = session.newSession()
    own.conf.set("spark.sql.shuffle.partitions", partitions)
    own.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
    return own


def check_clusters(workspace: Workspace, rule: Rule, session: "SparkSession") -> int:
    """How many clusters there are."""
    found, expected = (
        run.engine.clusters(workspace, rule, run) for run in (spark_run(session), local_run())
    )
    assert found.table.equals(expected.table), rule
    assert found.estimated == expected.estimated
    return len(pc.unique(expected.names))


def check_pairs(
    workspace: Workspace, rule: Rule, session: "SparkSession", hot: HotSettings = ALL_PAIRS
) -> int:
    """How many pairs there are among the pages that stand for sets."""
    alone = local_run().engine.clusters(workspace, rule.without_searches, local_run())
    wanted = pc.equal(alone.names, page_numbers(workspace.pages))

    def asked(run: Run) -> tuple[pa.Table, PairCounts, str | None]:
        found = run.engine.pairs(workspace, rule, wanted, hot, run)
        return found.batches.read_all().sort_by(BY_PAGES), found.counts, found.estimated

    (found, counts, why), (expected, counted, reason) = map(
        asked, (spark_run(session), local_run())
    )
    assert found.equals(expected), rule
    assert why == reason
    for name in ("pairs", "standard_error", "missed", "given", "comparisons"):
        assert getattr(counts, name) == getattr(counted, name), (rule, name)
    if "features" not in rule.columns:
        assert hot_buckets(counts) == hot_buckets(counted)
        assert degrees(counts) == degrees(counted)
    return len(expected)


def hot_buckets(counts: PairCounts) -> list[dict[str, int]]:
    return [row for batch in counts.hot_buckets for row in batch.to_pylist()]


def degrees(counts: PairCounts) -> list[dict[str, int]]:
    """For each page in how many pairs it is."""
    if not counts.degrees:
        return []
    whole = pa.concat_tables(counts.degrees).group_by("page").aggregate([("degree", "sum")])
    rows: list[dict[str, int]] = whole.sort_by("page").to_pylist()
    return rows


@contextmanager
def recorded(kind: type, name: str) -> Iterator[list[Any]]:
    """What a method gives, call by call, while the block runs."""
    method, given = getattr(kind, name), []

    def recording(self: object, *asked: object) -> object:
        given.append(method(self, *asked))
        return given[-1]

    with patch.object(kind, name, recording):
        yield given


def check_stars(
    pages: Pages,
    rule: Rule,
    link: str,
    session: "SparkSession",
    *,
    ranks: pa.Array | None = None,
    partition: pa.Array | None = None,
    fixed: int = 0,
    large: bool = False,
    revisits: bool = False,
) -> int:
    """How many pages go; with `large`, some of them are of families that are large, and what stays
    of those is decided in rounds, or if some are `revisits`, only sifted in blocks."""
    order = shuffled(pages.pages) if ranks is None else ranks
    given = {"partition": partition, "fixed": fixed}
    expected = local_run().engine.stars(pages, rule, link, order, local_run(), **given)
    notes: list[str] = []
    run = spark_run(session, note=notes.append)
    if large:
        more = given | {"sizes": SMALL, "few": 5}
        with (
            recorded(SparkGrouping, "large") as answers,
            recorded(Searching, "block_answers") as frames,
        ):
            found = stars(sibling(session), pages, rule, link, order, run, **more)
        if revisits:
            assert [frame is None for frame in frames] == [False, True]
        elif rule.searches(pages.recipe):
            [answer] = answers
            assert answer is not None and tables(answer, "gone"), (rule, link)
            assert any("rounds" in note for note in notes) == (link == "kept"), (rule, link)
    else:
        found = run.engine.stars(pages, rule, link, order, run, **given)
    assert found.kept.equals(expected.kept), (rule, link)
    assert found.removed.equals(expected.removed), (rule, link)
    assert found.estimated == expected.estimated
    return len(expected.removed)
