"""A family drawn."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from webecho.errors import SettingsError
from webecho.group.family import Branch, Family, Member, Tie, Tree
from webecho.show.files.family_tree import addresses, draw_family, drawn_branches

ROOT = Member(1, 5, "http://a/", "a")


def family(url: str = "http://b/$x^2$?<script>") -> Family:
    parent, child = Member(0, 1, url, "b"), Member(2, 2, "http://c/", "c")
    up = Branch(parent, Tie(ROOT, parent, 12, 0.25, True))
    down = Branch(child, Tie(child, ROOT, 20, 1.0, False))
    again = Branch(parent, Tie(parent, child, 9, 0.5, False), again=True)
    down.branches.append(again)
    return Family("http://a/", ("2013", "2014", "2015"), (1,), Tree(ROOT, [up]), Tree(ROOT, [down]))


def test_a_line_for_each_address() -> None:
    made = family("http://b/")
    assert addresses(made) == {"http://b/": 0, "http://a/": 1, "http://c/": 2}
    assert len(drawn_branches(made)) == 2


def test_addresses_are_text_and_nothing_else(tmp_path: Path) -> None:
    file = draw_family(family("http://b/$x^2$?<script>\x1b"), tmp_path / "tree.svg")
    top = ElementTree.fromstring(file.read_bytes())
    texts = {
        "".join(each.itertext()).strip() for each in top.iter("{http://www.w3.org/2000/svg}text")
    }
    assert {"http://b/$x^2$?<script>\N{REPLACEMENT CHARACTER}  25%", "http://a/", "2014"} <= texts
    assert not [*top.iter("{http://www.w3.org/2000/svg}script")]


def test_the_name_says_the_format(tmp_path: Path) -> None:
    assert draw_family(family(), tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")
    first = draw_family(family(), tmp_path / "tree.svg").read_bytes()
    assert first == draw_family(family(), tmp_path / "again.svg").read_bytes()
    with pytest.raises(SettingsError, match="a tree is drawn as pdf, svg, png"):
        draw_family(family(), tmp_path / "tree.txt")
