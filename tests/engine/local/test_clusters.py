"""Clusters of the small web, as it was made."""

from pathlib import Path

import pytest

from tests.collections_made import EXACT, NEAR, as_jsonl, small_web
from tests.command import done
from webecho.chunkings import Chunking
from webecho.engine.local.clusters import clusters
from webecho.engine.local.engine import local_run
from webecho.errors import MemoryBudgetError
from webecho.group.clusters import Clusters
from webecho.group.rules.registry import RULES, rule
from webecho.memory import grouping
from webecho.sketches.page_tables import require_tables
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    as_jsonl(tmp_path / "web.jsonl", small_web())
    done("sketch", tmp_path / "web.jsonl", "-o", tmp_path / "web.echo", "--paragraphs")
    return Workspace.open(tmp_path / "web.echo")


def groups(found: Clusters) -> list[set[int]]:
    """The clusters of two pages and more."""
    members: dict[int, set[int]] = {}
    for page, name in enumerate(found.names.to_pylist()):
        members.setdefault(name, set()).add(page)
    for name, pages in members.items():
        assert name == min(pages)
        assert {found.sizes[page].as_py() for page in pages} == {len(pages)}
    return [pages for pages in members.values() if len(pages) > 1]


def test_sets_alone(workspace: Workspace) -> None:
    assert groups(clusters(workspace, rule("tokens"), local_run())) == EXACT


def test_sets_and_what_resembles_them(workspace: Workspace) -> None:
    found = clusters(workspace, rule("similar"), local_run())
    assert groups(found) == NEAR
    assert found.estimated is None


@pytest.mark.parametrize("name", ["b", "very-similar"])
def test_supershingles_are_joined_without_pairs(workspace: Workspace, name: str) -> None:
    rows = workspace.table()["supershingles"].to_pylist()
    expected = {0: EXACT[0], 1: {1}}
    for page, other in ((4, 0), (5, 1)):
        agree = sum(a == b for a, b in zip(rows[page], rows[other], strict=True))
        expected[other] = expected[other] | ({page} if agree >= 2 else set())
    found = groups(clusters(workspace, rule(name), local_run()))
    assert found == [*(each for each in expected.values() if len(each) > 1), *EXACT[1:]]


def test_without_the_source_resemblances_are_estimated(workspace: Workspace) -> None:
    (workspace.path.parent / "web.jsonl").unlink()
    found = clusters(workspace, rule("similar"), local_run())
    assert found.estimated is not None and "web.jsonl: no such file" in found.estimated
    # What needs no shingles needs no source.
    assert clusters(workspace, rule("combined"), local_run()).estimated is None


def test_what_shares_chunks(workspace: Workspace) -> None:
    """Pages of 204 words and a title are 203 runs of three; one changed word takes three away."""
    require_tables(workspace.path, (Chunking("words", 3, sliding=True).table,), local_run())
    there = Workspace.open(workspace.path)
    # Without words there are no chunks, and two are one chunk, which is that of another. Copies
    # are together, however few chunks they have.
    for shared, expected in (
        (1, [*NEAR[:2], {11, 13}]),
        (200, [NEAR[0], {11, 13}]),
        (201, [{0, 2, 3}, {11, 13}]),
        (204, [{0, 2, 3}, {11, 13}]),
    ):
        chosen = rule("overlap", chunk=Chunking("words", 3, sliding=True), shared=shared)
        assert groups(clusters(there, chosen, local_run())) == expected


@pytest.mark.parametrize("name", RULES)
def test_a_budget_changes_nothing_or_is_refused(workspace: Workspace, name: str) -> None:
    words = Chunking("words", 3, sliding=True)
    chosen = rule(name, **({"chunk": words, "shared": 100} if name == "overlap" else {}))
    require_tables(workspace.path, chosen.tables, local_run())
    there = Workspace.open(workspace.path)
    floor = grouping(workspace.pages) + (1 << 20)
    tight, free = (clusters(there, chosen, local_run(memory=m)) for m in (floor, None))
    assert tight.table.equals(free.table)
    assert groups(free)
    with pytest.raises(MemoryBudgetError, match=rf"^clustering {workspace.path} needs at least"):
        clusters(there, chosen, local_run(memory=grouping(workspace.pages) - 1))
