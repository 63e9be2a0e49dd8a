"""Parts are cut as the local engine cuts them, by the pages of the input alone."""

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.engine.spark.part_files import make_part, part_tasks
from webecho.engine.spark.split_files import SplitFiles
from webecho.errors import WorkspaceError
from webecho.settings import WEBECHO
from webecho.workspace.manifest import Manifest
from webecho.workspace.workspace import Workspace


def splits(pages: list[int]) -> list[tuple[int, SplitFiles]]:
    return [(number, SplitFiles(str(number), count, ())) for number, count in enumerate(pages)]


def test_parts_of_three_splits() -> None:
    found = [*part_tasks(splits([3, 0, 4]), 10, 100, 2, 5)]
    assert [(each.number, each.first, each.input, each.ends_input) for each in found] == [
        (10, 100, 2, False),
        (11, 105, 2, True),
    ]
    cut = [[(p.source, p.first, p.end, p.shift) for p in each.pieces] for each in found]
    assert cut == [[(0, 0, 5, 100), (1, 0, 2, 103), (2, 0, 2, 103)], [(2, 2, None, 103)]]


def test_a_full_last_part_is_followed_by_an_empty_one() -> None:
    found = [*part_tasks(splits([5]), 0, 0, 0, 5)]
    assert [each.ends_input for each in found] == [False, True]
    assert [(p.first, p.end) for each in found for p in each.pieces] == [(0, 5), (5, None)]
    assert [each.ends_input for each in part_tasks([], 0, 0, 0, 5)] == [True]


@given(st.lists(st.integers(0, 12), max_size=6), st.integers(1, 9))
def test_every_page_and_every_skipped_record_is_in_one_part(pages: list[int], most: int) -> None:
    """A record may be skipped before any page of a split, and after the last."""
    tasks = [*part_tasks(splits(pages), 0, 0, 0, most)]
    starts = [0, *accumulate(pages)]
    places: dict[tuple[int, int], list[int]] = {}
    for part, task in enumerate(tasks):
        for piece in task.pieces:
            for at in range(pages[piece.source] + 1):
                if piece.first <= at and (piece.end is None or at < piece.end):
                    places.setdefault((piece.source, at), []).append(part)
                    assert piece.shift == starts[piece.source]
    expected = {
        (source, at): [(starts[source] + at) // most]
        for source, count in enumerate(pages)
        for at in range(count + 1)
    }
    assert places == expected


def test_an_executor_that_does_not_see_the_workspace_says_so(tmp_path: Path) -> None:
    away = tmp_path / "away"
    workspace = Workspace(away, Manifest(WEBECHO.as_dict(), [], False, 7, "string"))
    [task] = part_tasks([], 0, 0, 0, 5)
    with pytest.raises(WorkspaceError, match="does not see what was made there"):
        make_part(workspace, task)
    assert not away.exists()
