"""Groups of pages by hand: pages of a group have the same number."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from tests.group.workspaces import sketched
from webecho.group.partition import NO_SITE, group_numbers, site_numbers
from webecho.workspace.union import Pages, Union
from webecho.workspace.workspace import Workspace

TABLE = pa.table(
    {
        "text": [f"page {number}" for number in range(6)],
        "url": [
            "http://www.a.org/",
            "http://news.a.org/",
            "http://b.org/1",
            None,
            "http://www.a.org/2",
            None,
        ],
        "lang": ["en", "fr", "en", None, "fr", None],
    }
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sketched(tmp_path / "pages.echo", TABLE, by=["lang"])


def numbers(pages: Pages, *within: str, by: Sequence[str] = ()) -> list[int]:
    found = group_numbers(pages, within, by)
    assert found is not None
    listed: list[int] = found.to_pylist()
    return listed


def test_a_whole_collection_is_one_group(workspace: Workspace) -> None:
    assert group_numbers(workspace, ["collection"]) is None


def test_groups_are_numbered_as_they_come(workspace: Workspace) -> None:
    # Pages without an address are a group too, and so are those without a language.
    assert numbers(workspace, "host") == [0, 1, 2, 3, 0, 3]
    assert numbers(workspace, "site") == [0, 0, 1, 2, 0, 2]
    assert numbers(workspace, "collection", by=["lang"]) == [0, 1, 0, 2, 1, 2]


def test_groups_by_both_have_both_in_common(workspace: Workspace) -> None:
    assert numbers(workspace, "site", by=["lang"]) == [0, 1, 2, 3, 1, 3]


def test_a_site_that_is_not_known_is_nobodys(workspace: Workspace) -> None:
    found = site_numbers(workspace).to_pylist()
    assert (found[0], found[3], found[5]) == (found[1], NO_SITE, NO_SITE)
    assert found[0] != found[2]


def test_two_collections_share_their_groups(tmp_path: Path, workspace: Workspace) -> None:
    more = pa.table(
        {
            "text": ["one", "two", "three"],
            "url": ["http://b.org/", "http://c.org/", "http://www.a.org/"],
            "lang": ["fr", "de", "en"],
        }
    )
    union = Union(workspace, sketched(tmp_path / "new.echo", more, by=["lang"]))
    assert numbers(union, "host") == [0, 1, 2, 3, 0, 3, 2, 4, 0]
    assert numbers(union, "collection", by=["lang"]) == [0, 1, 0, 2, 1, 2, 1, 3, 0]
    sites = site_numbers(union).to_pylist()
    assert (sites[6], sites[8]) == (sites[2], sites[0])


def test_several_columns_keep_apart(tmp_path: Path) -> None:
    table = pa.table(
        {
            "text": list("abcde"),
            "lang": ["en", "en", "de", None, None],
            "source": ["x", "y", "x", "x", "x"],
        }
    )
    workspace = sketched(tmp_path / "two.echo", table, by=["lang", "source"])
    assert numbers(workspace, by=["lang", "source"]) == [0, 1, 2, 3, 3]
    assert numbers(workspace, by=["source"]) == [0, 1, 0, 0, 0]
