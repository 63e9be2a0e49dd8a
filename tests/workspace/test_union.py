"""Two workspaces as one."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl, many_pages, page
from tests.command import done
from webecho.errors import WorkspaceError
from webecho.workspace.removed import save_removed
from webecho.workspace.union import Beside, Union, shifted
from webecho.workspace.workspace import Workspace


@pytest.fixture
def two(tmp_path: Path) -> tuple[Workspace, Workspace]:
    """Workspaces of four pages and of two."""
    as_jsonl(tmp_path / "old.jsonl", many_pages(4))
    as_jsonl(tmp_path / "new.jsonl", [page(number, "<p>new") for number in range(2)])
    for name in ("old", "new"):
        done("sketch", tmp_path / f"{name}.jsonl", "-o", tmp_path / f"{name}.echo")
    return Workspace.open(tmp_path / "old.echo"), Workspace.open(tmp_path / "new.echo")


def pages(union: Beside) -> list[int]:
    return [row for batch in union.batches(["page"]) for row in batch["page"].to_pylist()]


def test_pages_of_the_new_are_numbered_on(two: tuple[Workspace, Workspace]) -> None:
    union = Union(*two)
    assert union.pages == 6
    assert pages(union) == [0, 1, 2, 3, 4, 5]
    assert [(workspace.path.stem, first) for workspace, first in union.pieces] == [
        ("old", 0),
        ("new", 4),
    ]
    assert union.path == two[1].path


def test_removed_pages_are_left_out_and_the_rest_keep_their_numbers(
    two: tuple[Workspace, Workspace],
) -> None:
    old, new = two
    for gone in ([1, 2], [3]):
        save_removed(old, pa.array(gone, pa.int64()))
        opened = Workspace.open(old.path)
        assert pages(Union(opened, new)) == [page for page in range(6) if page not in gone]


def test_beside_another_all_pages_are_there(two: tuple[Workspace, Workspace]) -> None:
    """Also what a dedup removed, and a workspace beside itself."""
    old, new = two
    save_removed(old, pa.array([1, 2], pa.int64()))
    both = Beside(Workspace.open(old.path), new)
    assert (both.pages, pages(both)) == (6, [0, 1, 2, 3, 4, 5])
    assert (both.left.path, both.right.path, both.path) == (old.path, new.path, new.path)
    assert [first for _, first in both.pieces] == [0, 4]
    assert pages(Beside(old, old)) == [*range(8)]
    # A column that nobody needs to shift.
    urls = [url for batch in both.batches(["url"]) for url in batch["url"].to_pylist()]
    assert urls[4:] == [f"http://www.example.org/{number}.html" for number in range(2)]


def test_of_another_recipe_nothing_can_be_beside(
    two: tuple[Workspace, Workspace], tmp_path: Path
) -> None:
    other = tmp_path / "other.echo"
    done("sketch", tmp_path / "new.jsonl", "-o", other, "--recipe", "henzinger2006")
    with pytest.raises(WorkspaceError, match="recipe"):
        Beside(two[0], Workspace.open(other))


def test_an_input_that_is_there_already_is_refused(two: tuple[Workspace, Workspace]) -> None:
    with pytest.raises(WorkspaceError, match=r"is in .* already; leave it out"):
        Union(two[0], two[0])


def test_numbers_are_raised_and_the_rest_is_not() -> None:
    batch = pa.record_batch({"page": [0, 1], "revisit_of": [None, 0], "source": [3, 3]})
    assert shifted(batch, {"page": 10, "revisit_of": 10}).to_pydict() == {
        "page": [10, 11],
        "revisit_of": [None, 10],
        "source": [3, 3],
    }
