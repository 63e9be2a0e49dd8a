"""Pairs by the kernels, among the pages that are wanted, by hand."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.collections_made import edited, prose
from tests.group.workspaces import sketched
from webecho.engine.local.engine import local_run
from webecho.engine.local.pairs import pairs
from webecho.group.hot_buckets import ALL_PAIRS
from webecho.group.pair_columns import RESEMBLANCES, SIMILARITIES
from webecho.group.pairs import FoundPairs
from webecho.group.rules.registry import rule
from webecho.settings import SKETCH_COLUMNS
from webecho.workspace.workspace import Workspace

WORDS = prose(1, 1004)
# 1 and 2 differ from 0 in one word each, and 3 is another text.
TEXTS = [" ".join(edited(WORDS, *places)) for places in ((), (300,), (600,))]
TEXTS += [" ".join(prose(2, 1004))]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    table = pa.table({"text": TEXTS})
    return sketched(tmp_path / "pages.echo", table, columns=SKETCH_COLUMNS)


def found(workspace: Workspace, name: str, *pages: int) -> FoundPairs:
    wanted = pa.array([page in pages for page in range(4)])
    return pairs(workspace, rule(name), wanted, ALL_PAIRS, local_run())


def rows(found: FoundPairs) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = found.batches.read_all().to_pylist()
    return sorted(listed, key=lambda row: (row["left"], row["right"]))


def test_shingles_are_counted(workspace: Workspace) -> None:
    told = found(workspace, "similar", 0, 1, 2, 3)
    assert told.estimated is None
    assert told.batches.schema.equals(RESEMBLANCES)
    # A change replaces five of a thousand shingles.
    sizes = {"left_size": 1000, "right_size": 1000, "estimated": False}
    assert rows(told) == [
        {"left": 0, "right": 1, "shared": 995} | sizes,
        {"left": 0, "right": 2, "shared": 995} | sizes,
        {"left": 1, "right": 2, "shared": 990} | sizes,
    ]


@pytest.mark.parametrize("name", ["b", "c", "combined", "by-site"])
def test_both_similarities_are_told_of_pairs_of_sets(workspace: Workspace, name: str) -> None:
    told = found(workspace, name, 0, 1, 2, 3)
    assert told.batches.schema.equals(SIMILARITIES)
    listed = rows(told)
    assert [(row["left"], row["right"]) for row in listed] == [(0, 1), (0, 2), (1, 2)]
    for row in listed:
        assert row["b_similarity"] >= 2
        assert 372 <= row["c_similarity"] < 384
        assert row["same_site"] is False
    # Counts are complete when all pairs were given.
    assert told.counts.pairs == told.counts.given == 3


@pytest.mark.parametrize("name", ["similar", "b", "c"])
def test_only_wanted_pages_make_pairs(workspace: Workspace, name: str) -> None:
    listed = rows(found(workspace, name, 1, 2, 3))
    assert [(row["left"], row["right"]) for row in listed] == [(1, 2)]
    assert rows(found(workspace, name, 0, 3)) == []


def test_a_rule_that_searches_nothing_finds_nothing(workspace: Workspace) -> None:
    assert rows(found(workspace, "exact", 0, 1, 2, 3)) == []
