"""Similar pages against every page with every other."""

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import edited, prose
from tests.group.workspaces import sketched
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.engine.local.similarities import (
    Similarities,
    Sketches,
    kernel_settings,
    similar_pairs,
)
from webecho.errors import WorkspaceError
from webecho.group.hot_buckets import ALL_PAIRS, HotSettings, PairCounts
from webecho.group.pair_columns import SIMILARITIES
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO
from webecho.workspace.workspace import Workspace

COLUMNS = ("supershingles", "projection")
RULES = ("b", "c", "combined", "by-site")
PAGES = 40


def table() -> pa.Table:
    """Texts of a few words changed, some of them on no site; the last has no tokens."""
    chance = random.Random(3)
    texts = [
        " ".join(edited(prose(number % 4, 300), *chance.sample(range(300), chance.randrange(8))))
        for number in range(PAGES - 1)
    ]
    urls = [chance.choice([None, "http://a.org/", "http://b.org/"]) for _ in range(PAGES)]
    return pa.table({"text": [*texts, ""], "url": urls})


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("similarities")
    return sketched(folder / "pages.echo", table(), columns=COLUMNS)


def measured(workspace: Workspace) -> dict[tuple[int, int], tuple[int, int, bool]]:
    """What agrees of every two pages with tokens."""
    rows = [row for row in workspace.table().to_pylist() if row["projection"] is not None]
    found = {}
    for one, other in combinations(rows, 2):
        both = zip(one["supershingles"], other["supershingles"], strict=True)
        words = zip(one["projection"], other["projection"], strict=True)
        bits = 384 - sum(((a ^ b) & (2**64 - 1)).bit_count() for a, b in words)
        same = one["site"] is not None and one["site"] == other["site"]
        found[one["page"], other["page"]] = (sum(a == b for a, b in both), bits, same)
    return found


def together(name: str, b: int, c: int, same: bool) -> bool:
    """By the definitions of Henzinger 2006."""
    combined = b >= 2 and c >= 355
    by_site = combined if same else c >= 372
    return {"b": b >= 2, "c": c >= 372, "combined": combined, "by-site": by_site}[name]


def expected(workspace: Workspace, name: str) -> dict[tuple[int, int], tuple[int, int, bool]]:
    return {pair: each for pair, each in measured(workspace).items() if together(name, *each)}


def sketches(workspace: Workspace, wanted: list[bool] | None = None) -> Sketches:
    return Sketches.of(workspace, pa.array(wanted or [True] * PAGES), COLUMNS)


@pytest.mark.parametrize("name", RULES)
def test_pairs_are_those_of_the_definitions(workspace: Workspace, name: str) -> None:
    counts = PairCounts()
    searches = rule(name).searches(WEBECHO)
    batches = [*similar_pairs(sketches(workspace), searches, ALL_PAIRS, counts, local_run())]
    rows = pa.Table.from_batches(batches, SIMILARITIES).to_pylist()
    found = {
        (row["left"], row["right"]): (row["b_similarity"], row["c_similarity"], row["same_site"])
        for row in rows
    }
    assert found == expected(workspace, name)
    assert len(rows) == len(found) == counts.pairs == counts.given > 5
    assert {row["weight"] for row in rows} == {1.0}
    assert (counts.standard_error, counts.missed) == (0, 0)
    degrees = {page: sum(page in pair for pair in found) for pair in found for page in pair}
    told: dict[int, int] = {}
    for row in pa.concat_tables(counts.degrees).to_pylist():
        told[row["page"]] = told.get(row["page"], 0) + row["degree"]
    assert {page: degree for page, degree in told.items() if degree} == degrees


def test_what_is_drawn_stands_for_all(workspace: Workspace) -> None:
    counts = PairCounts()
    hot = HotSettings(hot=2, drawn=1)
    searches = rule("b").searches(WEBECHO)
    batches = similar_pairs(sketches(workspace), searches, hot, counts, local_run())
    rows = pa.Table.from_batches(batches, SIMILARITIES).to_pylist()
    pairs = expected(workspace, "b")
    assert {(row["left"], row["right"]) for row in rows} < pairs.keys()
    assert counts.given == len(rows) < counts.pairs == len(pairs)
    assert sum(row["weight"] for row in rows) == pytest.approx(len(pairs))


@pytest.mark.parametrize("name", RULES)
def test_chains_join_pages(workspace: Workspace, name: str) -> None:
    forest = _core.Forest(PAGES, 1)
    Similarities(sketches(workspace), rule(name).searches(WEBECHO), local_run()).unite(forest)
    names = [*range(PAGES)]
    for left, right in expected(workspace, name):
        low, high = sorted((names[left], names[right]))
        names = [low if each == high else each for each in names]
    assert forest.clusters()[0].to_pylist() == names


@pytest.mark.parametrize("name", RULES)
def test_pages_go_with_the_first_that_stays(workspace: Workspace, name: str) -> None:
    found = Similarities(sketches(workspace), rule(name).searches(WEBECHO), local_run())
    pairs, goes = expected(workspace, name), {}
    for page in range(PAGES):
        near = [other for other in range(page) if (other, page) in pairs and other not in goes]
        if near:
            goes[page] = near[0]
    gone, stay = found.stars(pa.array(range(PAGES), pa.uint32()), 0)
    assert dict(zip(gone.to_pylist(), stay.to_pylist(), strict=True)) == goes
    measures = found.measures(gone, stay)
    every = measured(workspace)
    assert [*zip(*(each.to_pylist() for each in measures.values()), strict=True)] == [
        every[kept, page][:2] for page, kept in zip(gone.to_pylist(), stay.to_pylist(), strict=True)
    ]


def test_only_what_is_wanted_and_has_tokens_is_compared(workspace: Workspace) -> None:
    wanted = [page >= 35 for page in range(PAGES)]
    assert sketches(workspace, wanted).pages.to_pylist() == [35, 36, 37, 38]


def test_only_pages_of_one_partition_make_pairs(workspace: Workspace) -> None:
    whole = sketches(workspace)
    partition = pa.array([page % 3 for page in whole.pages.to_pylist()], pa.uint32())
    searches = rule("b").searches(WEBECHO)
    parted = replace(whole, partition=partition)
    batches = similar_pairs(parted, searches, ALL_PAIRS, PairCounts(), local_run())
    rows = pa.Table.from_batches(batches, SIMILARITIES).to_pylist()
    assert {(row["left"], row["right"]) for row in rows} == {
        (left, right) for left, right in expected(workspace, "b") if left % 3 == right % 3
    }
    assert 0 < len(rows) < len(expected(workspace, "b"))


def test_what_is_needed_must_be_there_and_the_rest_need_not(tmp_path: Path) -> None:
    few = sketched(tmp_path / "few.echo", table(), columns=["supershingles"])
    wanted = pa.array([True] * PAGES)
    assert Sketches.of(few, wanted, ["supershingles"]).projections is None
    with pytest.raises(WorkspaceError, match="has no column projection"):
        Sketches.of(few, wanted, COLUMNS)


def test_what_the_kernel_is_asked_for() -> None:
    across, same = (kernel_settings(each) for each in rule("by-site").searches(WEBECHO))
    assert across == {
        "by": "projections",
        "least_b": 0,
        "least_c": 372,
        "sites": "different",
        "pieces": 13,
        "asked": None,
    }
    assert same == {
        "by": "supershingles",
        "least_b": 2,
        "least_c": 355,
        "sites": "same",
        "pieces": 0,
        "asked": None,
    }
    with pytest.raises(TypeError, match="is not about similarities"):
        kernel_settings(rule("similar").searches(WEBECHO)[0])
