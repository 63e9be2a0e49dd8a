"""Two names mean one pair, or it is said why not."""

from pathlib import Path

import pytest

from tests.evaluation.made_pairs import sketched, with_pairs
from webecho.engine.local.engine import local_run
from webecho.errors import WorkspaceError
from webecho.evaluation.label.matching import (
    Match,
    Name,
    found_by,
    match,
    match_pages,
    pair_table,
)
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Five pages: 3 copies 0, and 1 and 4 have one address."""
    pages = [("a", b"<p>one"), ("b", b"<p>two"), ("c", b"<p>three"), ("d", b"<p>one")]
    found = sketched(tmp_path, [*pages, ("b", b"<p>four")])
    with_pairs(found, "b-2", [(0, 1, 2, 380, True)])
    with_pairs(found, "b-2-hot-9", [(0, 1, 2, 380, True), (1, 2, 2, 380, True)])
    # What lies beside the pairs is none.
    found.files.identity.write_bytes(b"no table")
    return found


def matched(workspace: Workspace, left: Name, right: Name) -> Match:
    [found] = match(workspace, [(left, right)], local_run())
    return found


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Name(url="a"), Name(url="b", id="doc-1")),
        (Name(id="doc-1"), Name(id="doc-0")),
        (Name(any="#1"), Name(any="d")),
        (Name(any="doc-0"), Name(any="doc-1")),
    ],
)
def test_names_are_urls_ids_or_numbers_and_a_copy_means_what_it_copies(
    workspace: Workspace, left: Name, right: Name
) -> None:
    assert matched(workspace, left, right) == Match((0, 1), ("b-2-hot-9", "b-2"))


def test_of_several_pairs_the_one_that_a_rule_found_is_meant(workspace: Workspace) -> None:
    assert matched(workspace, Name(url="a"), Name(url="b")).pair == (0, 1)
    assert matched(workspace, Name(url="c"), Name(id="doc-4")) == Match((2, 4))


@pytest.mark.parametrize(
    ("left", "right", "why"),
    [
        (Name(url="x"), Name(url="a"), "no page is called x"),
        (Name(any="#5"), Name(url="a"), "no page is called #5"),
        (Name(url="a"), Name(url="d"), "a and d are one page, or copies of one"),
    ],
)
def test_what_means_no_pair_is_told(
    workspace: Workspace, left: Name, right: Name, why: str
) -> None:
    assert matched(workspace, left, right) == Match(None, why=why)


def test_names_of_several_pairs_are_told(workspace: Workspace) -> None:
    with_pairs(workspace, "b-2", [(0, 1, 2, 380, True), (0, 4, 2, 380, True)])
    found = matched(workspace, Name(url="a"), Name(url="b"))
    assert found.pair is None
    assert found.why.startswith("a and b are the names of 2 pairs, 2 of them found by a rule;")


def test_of_several_pairs_the_one_of_the_numbers_beside_the_names_is_meant(
    workspace: Workspace,
) -> None:
    with_pairs(workspace, "b-2", [(0, 1, 2, 380, True), (0, 4, 2, 380, True)])
    a = Name(url="a", number=0)
    assert matched(workspace, Name(url="b", number=4), a) == Match((0, 4), ("b-2",))
    # A number is of the workspace that it was made in, and none by itself.
    assert matched(workspace, a, Name(url="b", number=2)).pair is None
    assert matched(workspace, Name(url="a"), Name(url="b", number=4)).pair is None
    assert matched(workspace, a, Name(url="c", number=4)).pair == (0, 2)
    # What a rule found comes first; where none has found any of them the numbers decide too.
    c, b = Name(url="c", number=2), Name(url="b", number=4)
    assert matched(workspace, c, b).pair == (1, 2)
    with_pairs(workspace, "b-2-hot-9", [])
    assert matched(workspace, c, b) == Match((2, 4))


def test_a_label_is_about_the_pages_that_it_names_where_a_sample_or_a_rule_pairs_them(
    workspace: Workspace,
) -> None:
    a, b, copy = Name(id="doc-0"), Name(id="doc-1"), Name(id="doc-3")

    def meant(sampled: set[tuple[int, int]]) -> list[tuple[int, int] | None]:
        named = [(copy, b), (a, b), (a, copy)]
        return [found.pair for found in match_pages(workspace, named, sampled, local_run())]

    # b pairs identity sets alone: a copy means what it copies, and is no pair with it.
    assert meant(set()) == [(0, 1), (0, 1), None]
    # similar pairs pages.
    with_pairs(workspace, "similar-0.8", [(0, 1, 6, 384, True), (0, 3, 6, 384, True)])
    assert meant(set()) == [(0, 1), (0, 1), (0, 3)]
    with_pairs(workspace, "similar-0.8", [(0, 1, 6, 384, True), (1, 3, 6, 384, True)])
    assert meant(set()) == [(1, 3), (0, 1), None]
    # What was sampled comes before what was found.
    assert meant({(0, 1)}) == [(0, 1), (0, 1), None]
    assert meant({(0, 1), (1, 3)}) == [(1, 3), (0, 1), None]
    # Gold pairs are of identity sets, as all rules have those.
    assert matched(workspace, copy, b).pair == (0, 1)


def test_rules_that_found_pairs(workspace: Workspace) -> None:
    wanted = [(0, 1), (1, 2), (2, 3)]
    assert found_by(workspace, wanted, local_run()) == {
        (0, 1): ["b-2-hot-9", "b-2"],
        (1, 2): ["b-2-hot-9"],
    }
    assert pair_table([(3, 4), (1, 2)]).to_pydict() == {"left": [1, 3], "right": [2, 4]}


def test_pairs_that_cannot_be_read_are_named(workspace: Workspace) -> None:
    workspace.files.pairs("b-2").write_bytes(b"dirt")
    with pytest.raises(WorkspaceError, match=r"b-2\.parquet cannot be read .*; find the pairs"):
        matched(workspace, Name(url="a"), Name(url="b"))
