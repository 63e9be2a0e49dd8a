"""A tree on the terminal."""

import pytest

from webecho.api.genealogy import Genealogy
from webecho.group.family import Branch, Family, Member, Tie, Tree
from webecho.group.kin_passages import KinPassage
from webecho.show.genealogy import CHARACTERS, lines, print_tree

ROOT = Member(1, 5, "http://a/", "a")


def branch(url: str | None, page: int, **more: object) -> Branch:
    member = Member(0, page, url, None)
    return Branch(member, Tie(ROOT, member, 12, 0.25, False), **more)  # type: ignore[arg-type]


def test_what_is_not_listed_is_counted() -> None:
    above = [branch("http://b/", 1), branch("http://c/", 2, again=True), branch(None, 3)]
    family = Family("http://a/", ("old", "new"), (1,), Tree(ROOT, above, 7), Tree(ROOT))
    assert [*lines(Genealogy(family))] == [
        "http://a/  (new)",
        "",
        "ancestors of http://a/ (new)",
        "├─ http://b/ (old)  25% of the child's text, 12 paragraphs, both there in old",
        "├─ #3 (old)  25% of the child's text, 12 paragraphs, both there in old",
        "├─ 1 that stands elsewhere in the tree",
        "└─ 7 more",
        "",
        "descendants: none",
    ]


def test_long_passages_are_cut() -> None:
    family = Family("http://a/", ("o", "n"), (1,), Tree(ROOT, [branch("http://b/", 1)]), Tree(ROOT))
    passages = {(1, 5, 0, 1): [KinPassage(3, 4, "x" * 1000)]}
    [said] = [line for line in lines(Genealogy(family, passages)) if "sentences" in line]
    assert said == f"      | 2 sentences: {'x' * CHARACTERS}…"


def test_branches_stand_beside_lines_that_are_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    tree = [
        "├─ http://b/ (old)  25% of the child's text",
        "│     | 2 sentences: some words that go on",
        "│  └─ http://c/ (old)  same site, both there",
    ]
    print_tree(tree)
    assert capsys.readouterr().out.splitlines() == [
        "├─ http://b/ (old)  25% of the",
        "│    child's text",
        "│     | 2 sentences: some",
        "│     |   words that go on",
        "│  └─ http://c/ (old)  same",
        "│       site, both there",
    ]
    # Elsewhere than on a terminal nothing is broken.
    monkeypatch.setattr("sys.stdout.isatty", lambda: False)
    print_tree(tree)
    assert capsys.readouterr().out.splitlines() == tree
