"""Pages that agree in enough supershingles, in any room, against every page with every other."""

import pyarrow as pa
import pytest

from tests.collections_made import edited, prose
from tests.group.workspaces import sketched
from webecho import _core
from webecho.engine.local.agreement import ROW_BYTES, find_repeats, unite_agreeing, unite_by_class
from webecho.engine.local.engine import local_run
from webecho.workspace.workspace import Workspace

PAGES = 51
# What a page takes: six supershingles, and what a row takes beside.
ROW = 6 * 8 + ROW_BYTES


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Texts that are edited further and further, two copies, and a page without tokens."""
    texts = [
        " ".join(edited(prose(seed, 150), *range(5, 5 + 9 * edits, 9)))
        for edits in range(12)
        for seed in range(4)
    ]
    folder = tmp_path_factory.mktemp("agreement")
    table = pa.table({"text": [*texts, texts[0], texts[9], ""]})
    return sketched(folder / "pages.echo", table, columns=["supershingles"])


def slow(workspace: Workspace, least: int, wanted: frozenset[int] | None = None) -> list[int]:
    """For every page the lowest that a chain leads to."""
    rows = workspace.table()["supershingles"].to_pylist()
    names = [*range(PAGES)]
    for right in range(PAGES):
        for left in range(right):
            if rows[left] is None or rows[right] is None:
                continue
            if wanted is not None and not {left, right} <= wanted:
                continue
            agree = sum(a == b for a, b in zip(rows[left], rows[right], strict=True))
            if agree >= least and names[left] != names[right]:
                low, high = sorted((names[left], names[right]))
                names = [low if name == high else name for name in names]
    return names


def names(forest: _core.Forest) -> list[int]:
    found: list[int] = forest.clusters()[0].to_pylist()
    return found


@pytest.mark.parametrize("least", [2, 3, 6])
# All rows, all but one, a third of them, and less than one.
@pytest.mark.parametrize("room", [None, PAGES * ROW, (PAGES - 1) * ROW, 16 * ROW, 1])
def test_room_changes_nothing(workspace: Workspace, least: int, room: int | None) -> None:
    forest = _core.Forest(PAGES, 1)
    unite_agreeing(workspace, forest, least, local_run(), room=room)
    assert names(forest) == slow(workspace, least)


def test_the_example_has_chains_at_every_number(workspace: Workspace) -> None:
    clusters = [len(set(slow(workspace, least))) for least in (2, 3, 6)]
    assert clusters == sorted(set(clusters))
    assert clusters[-1] < PAGES


def test_what_is_joined_already_stays_so(workspace: Workspace) -> None:
    """Only the lowest page of a set is compared."""
    forest = _core.Forest(PAGES, 1)
    forest.unite(pa.array([0], pa.int64()), pa.array([50], pa.int64()))
    unite_agreeing(workspace, forest, 6, local_run())
    expected = slow(workspace, 6)
    expected[50] = expected[0]
    assert names(forest) == expected


@pytest.mark.parametrize("classes", [1, 2, 5])
def test_classes_together_join_what_all_join(workspace: Workspace, classes: int) -> None:
    wanted = frozenset(range(0, PAGES, 2))
    forest = _core.Forest(PAGES, 1)
    flags = pa.array([page in wanted for page in range(PAGES)])
    unite_by_class(workspace, forest, 2, flags, classes)
    assert names(forest) == slow(workspace, 2, wanted)


def test_no_page_that_repeats_is_missed(workspace: Workspace) -> None:
    """However few bytes tell which supershingles repeat."""
    wanted = pa.array([True] * PAGES)
    rows = workspace.table()["supershingles"].combine_chunks()
    for cells in (8, 600, 100_000):
        repeats = find_repeats(workspace, wanted, cells, local_run())
        held = _core.Rows(6, PAGES, PAGES)
        held.add(pa.array(range(PAGES), pa.uint32()), rows, wanted, repeats, 2)
        forest = _core.Forest(PAGES, 1)
        forest.unite_agreeing(held, 2, 0, 5)
        assert names(forest) == slow(workspace, 2)
