"""Pages by their url, id or number."""

from pathlib import Path

import pytest

from tests.collections_made import Page, as_jsonl
from tests.command import done
from webecho.errors import InputError
from webecho.workspace.page_names import one_page, two_pages
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Five pages, of which the last two have the address of the first."""
    urls = ["http://a/", "http://b/", "http://c/", "http://a/", "http://a/"]
    pages = [Page(f"doc-{number}", url, "<p>x") for number, url in enumerate(urls)]
    done("sketch", as_jsonl(tmp_path / "p.jsonl", pages), "-o", tmp_path / "w.echo")
    return Workspace.open(tmp_path / "w.echo")


@pytest.mark.parametrize(("name", "number"), [("http://b/", 1), ("doc-2", 2), ("#3", 3)])
def test_a_page_has_a_url_an_id_and_a_number(workspace: Workspace, name: str, number: int) -> None:
    assert one_page(workspace, name) == number
    assert two_pages(workspace, name, "doc-0") == (number, 0, ())


def test_of_several_pages_of_one_name_the_first_are_taken_and_it_is_told(
    workspace: Workspace,
) -> None:
    left, right, notes = two_pages(workspace, "http://a/", "http://a/")
    assert (left, right) == (0, 3)
    assert notes == (
        "3 pages are called http://a/: #0, #3, #4; this is about #0, #3, give a number for another",
    )
    assert two_pages(workspace, "http://b/", "http://a/")[:2] == (1, 0)


def test_a_name_that_no_page_has_is_told_with_others_like_it(workspace: Workspace) -> None:
    with pytest.raises(InputError, match=r"no page is called 'doc'; perhaps 'doc-0' \(#0\), or"):
        one_page(workspace, "doc")
    with pytest.raises(InputError, match=r"give a url or id as the input has it, or a number bel"):
        one_page(workspace, "#5")
