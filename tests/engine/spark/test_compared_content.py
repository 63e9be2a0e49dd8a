"""What candidates are compared by that no sketch has: shingles, or words in order."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl
from tests.engine.spark.grouped import check_clusters, check_pairs, check_stars, repeating
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.engine.local.engine import local_run
from webecho.engine.spark.compared_content import (
    SHINGLES,
    WORDS,
    ComparedContent,
    PackContent,
    content_of,
)
from webecho.engine.spark.engine import spark_run
from webecho.group.rules.keys import Bands
from webecho.group.rules.registry import RULES, rule
from webecho.settings import WEBECHO
from webecho.workspace.schemas import LIST
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BANDS = Bands(bands=16, width=5, least=42)


def test_which_rules_compare_it() -> None:
    found = {name: content_of(rule(name).searches(WEBECHO)) for name in RULES}
    there = {name: content for name, content in found.items() if content is not None}
    assert there == {"similar": SHINGLES, "edited": WORDS}


def rows_of(kind: ComparedContent) -> pa.Table:
    """Page 7 is a member and stands in two packs; page 3 is gone."""
    rows = {
        "page": [7, 7, 7, 2, 3],
        "features": [[1], None, None, None, None],
        kind.column: [None, [4, 9, 4, 6, 5], [4, 9, 4, 6, 5], [6, 4, 9, 4], None],
        "problem": [None, None, None, None, "gone"],
    }
    types = {"page": pa.int64(), "problem": pa.string()}
    return pa.table({name: pa.array(each, types.get(name, LIST)) for name, each in rows.items()})


@pytest.mark.parametrize("kind", [SHINGLES, WORDS], ids=lambda kind: kind.column)
def test_rows_with_it_stand_beside_those_of_members(kind: ComparedContent) -> None:
    members, beside = kind.apart(rows_of(kind))
    assert members.to_pylist() == [{"page": 7, "features": [1]}]
    assert beside.column_names == ["page", kind.column, "problem"]
    assert beside["page"].to_pylist() == [7, 7, 2, 3]
    assert PackContent.of(kind, beside).rows["page"].to_pylist() == [7, 2]


@pytest.mark.parametrize(
    ("kind", "counted"),
    # Of {4, 5, 6, 9} and {4, 6, 9}; and of 4 9 4 6 5 and 6 4 9 4, of which 4 9 4 is in order.
    [(SHINGLES, (3, 4, 3)), (WORDS, (3, 5, 4))],
    ids=lambda each: each.column if isinstance(each, ComparedContent) else "",
)
def test_members_are_compared_by_it_and_by_features_where_it_is_missing(
    kind: ComparedContent, counted: tuple[int, int, int]
) -> None:
    """The second repeats page 2; what the last has is gone. Of their features 63 are equal."""
    content = PackContent.of(kind, kind.apart(rows_of(kind))[1])
    features = pa.array([*range(84), *range(63), *range(100, 121), *range(84)], pa.int64())
    evidence = content.evidence(pa.array([7, 2, 3], pa.int64()), features, BANDS, WEBECHO)
    members, left, right = (pa.array(each, pa.uint32()) for each in ([0, 1, 2], [0, 1], [1, 2]))
    both, one = evidence.kernel.measure(members, left, right, 1).to_pylist()
    assert (both["shared"], both["left_size"], both["right_size"]) == counted
    assert (both["estimated"], one["estimated"], one["shared"]) == (False, True, 63)


def test_of_no_pages_there_is_none() -> None:
    for kind in (SHINGLES, WORDS):
        content = PackContent.of(kind, kind.apart(rows_of(kind).slice(0, 0))[1])
        nothing: pa.Array = pa.array([], pa.int64())
        found = content.evidence(nothing, nothing, BANDS, WEBECHO).kernel
        none: pa.Array = pa.array([], pa.uint32())
        assert len(found.measure(none, none, none, 1)) == 0


@pytest.fixture(scope="module")
def partly_gone(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Of three inputs, with pages that repeat those of the others, two are gone."""
    folder = tmp_path_factory.mktemp("gone")
    pages = repeating()
    inputs = [as_jsonl(folder / f"{at}.jsonl", pages[at::3]) for at in range(3)]
    request = SketchRequest(tuple(map(str, inputs)), folder / "web.echo", part_pages=20)
    run_sketch(request, local_run())
    for file in inputs[1:]:
        file.unlink()
    return Workspace.open(folder / "web.echo")


@pytest.mark.spark
@pytest.mark.parametrize("name", ["similar", "edited"])
def test_where_some_is_gone_both_engines_estimate_the_same(
    name: str, partly_gone: Workspace, spark: "SparkSession"
) -> None:
    asked, run = rule(name), spark_run(spark)
    why = run.engine.clusters(partly_gone, asked, run).estimated
    assert why is not None and "1.jsonl: no such file" in why
    assert check_clusters(partly_gone, asked, spark) < partly_gone.pages
    assert check_pairs(partly_gone, asked, spark) > 0
    for large in (False, True):
        for link in ("kept", "chain"):
            assert check_stars(partly_gone, asked, link, spark, large=large) > 0
