"""List columns as flat values, against the rows of the sketches."""

import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done
from webecho.errors import WorkspaceError
from webecho.group.columns import flags, flat_lists, member_lists, page_lists, page_numbers
from webecho.workspace.workspace import Workspace

# Pages without tokens have no lists.
BARE = {6, 7, 8, 9, 10}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("columns")
    source = as_jsonl(folder / "pages.jsonl", small_web())
    options = ("--part-pages", 7, "--columns", "supershingles")
    done("sketch", source, "-o", folder / "web.echo", *options)
    return Workspace.open(folder / "web.echo")


def lists(workspace: Workspace) -> dict[int, list[int]]:
    rows = workspace.table().to_pylist()
    return {row["page"]: row["supershingles"] for row in rows if row["page"] not in BARE}


def found(workspace: Workspace, wanted: pa.Array | None = None) -> dict[int, list[int]]:
    """Six values belong to each page."""
    by_page = {}
    for pages, values in flat_lists(workspace, "supershingles", wanted):
        assert len(values) == 6 * len(pages) > 0
        for at, page in enumerate(pages.to_pylist()):
            by_page[page] = values[6 * at : 6 * at + 6].to_pylist()
    return by_page


@pytest.mark.parametrize("count", [0, 1, 5])
def test_the_numbers_of_pages(count: int) -> None:
    assert page_numbers(count).equals(pa.array(range(count), pa.uint32()))


def test_flags_tell_members(workspace: Workspace) -> None:
    members = pa.array([2, 15, 3], pa.int64())
    assert flags(workspace, members).to_pylist() == [page in (2, 3, 15) for page in range(16)]
    assert not any(flags(workspace, pa.array([], pa.int64())).to_pylist())


def test_flat_values_are_those_of_the_lists(workspace: Workspace) -> None:
    expected = lists(workspace)
    assert found(workspace) == expected
    assert list(expected) == [0, 1, 2, 3, 4, 5, 11, 12, 13, 14, 15]


@pytest.mark.parametrize("pages", [[], [0], [6], [5, 6, 7, 8, 11], [*range(16)], [15, 1]])
def test_only_what_is_wanted_comes(workspace: Workspace, pages: list[int]) -> None:
    wanted = flags(workspace, pa.array(pages, pa.int64()))
    expected = {page: values for page, values in lists(workspace).items() if page in pages}
    assert found(workspace, wanted) == expected


def test_lists_of_members_one_after_the_other(workspace: Workspace) -> None:
    values = member_lists(workspace, pa.array([14, 6, 1], pa.int64()), "supershingles")
    expected = lists(workspace)
    assert values.to_pylist() == [*expected[1], *expected[14]]


def test_all_pages_with_their_lists_or_none(workspace: Workspace) -> None:
    rows = {
        page: values
        for pages, values_of in page_lists(workspace, "supershingles")
        for page, values in zip(pages.to_pylist(), values_of.to_pylist(), strict=True)
    }
    assert rows == dict.fromkeys(BARE) | lists(workspace)
    assert list(rows) == [*range(16)]


def test_a_column_that_is_not_there_is_told(workspace: Workspace) -> None:
    for read in (flat_lists, page_lists):
        with pytest.raises(WorkspaceError, match="has no column projection"):
            next(read(workspace, "projection"))
