"""The ancestors and descendants of a page."""

from pathlib import Path

import pytest

import webecho
from tests.study.kin_reference import written
from webecho.errors import InputError, SettingsError
from webecho.group.family import FamilySettings

A, B, C, D = "abcdefghijklmnop", "qrstuvwxyzABCDEF", "GHIJKLMNOPQRSTUV", "WXYZ0123456789!?"
URL = "http://{}.example/1".format
# A goes from a to b, from there to c and d; e has B, which is on b too.
SHOTS = [
    [(URL("a"), A), (URL("e"), B)],
    [(URL("a"), A), (URL("b"), A + B), (URL("e"), B)],
    [(URL("b"), A + B), (URL("c"), A + C), (URL("d"), A[:12] + D)],
]


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return written(tmp_path_factory.mktemp("family"), SHOTS)


def test_ancestors_and_descendants(paths: list[Path]) -> None:
    found = webecho.genealogy(paths, URL("b")).family
    assert found.versions == (1, 2)
    # Those of the newest version, each in the oldest version that is one.
    above = {(each.member.url, each.member.snapshot) for each in found.ancestors.branches}
    assert above == {(URL("a"), 0), (URL("e"), 0)}
    below = [(each.member.url, each.tie.shared) for each in found.descendants.branches]
    assert below == [(URL("c"), 14), (URL("d"), 10)]
    shares = [each.tie.share for each in found.descendants.branches]
    assert shares == [0.5, 12 / 28]
    assert all(each.tie.new_address for each in found.descendants.branches)


def test_generations_follow_one_another(paths: list[Path]) -> None:
    found = webecho.genealogy(paths, URL("a")).family
    assert not found.ancestors.branches
    # b is its child in the second snapshot, c and d in the third; those of b stand there already.
    [b, c, d] = found.descendants.branches
    assert [each.member.url for each in (b, c, d)] == [URL("b"), URL("c"), URL("d")]
    assert [(each.member.url, each.again) for each in b.branches] == [
        (URL("c"), True),
        (URL("d"), True),
    ]
    ties = {(tie.parent.url, tie.child.url) for tie in found.ties()}
    assert (URL("b"), URL("d")) in ties and len(ties) == 5
    shallow = webecho.genealogy(paths, URL("a"), depth=1).family
    assert not shallow.descendants.branches[0].branches


def test_the_rest_is_counted(paths: list[Path]) -> None:
    found = webecho.genealogy(paths, URL("a"), most=1).family
    assert [each.member.url for each in found.descendants.branches] == [URL("b")]
    assert found.descendants.more == 2


def test_what_was_there_before_is_said(paths: list[Path]) -> None:
    """e is on b, which is older than the version of e that has it for a parent; e was there."""
    shots = [[(URL("a"), A), (URL("b"), A)], [(URL("a"), A), (URL("b"), A)]]
    folder = paths[0].parent / "both"
    folder.mkdir()
    found = webecho.genealogy(written(folder, shots), URL("a")).family
    [parent], [child] = found.ancestors.branches, found.descendants.branches
    assert (parent.member.url, parent.tie.new_address) == (URL("b"), False)
    assert (child.member.url, child.tie.new_address) == (URL("b"), False)


def test_an_unknown_address_is_an_error(paths: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is in none of the snapshots"):
        webecho.genealogy(paths, "http://nowhere.example/")
    short = written(tmp_path, [[(URL("a"), "abc")], [(URL("b"), A)]])
    with pytest.raises(InputError, match="is in shot0, but no document there"):
        webecho.genealogy(short, URL("a"))
    with pytest.raises(SettingsError, match="0: give 1 or more"):
        FamilySettings(depth=0)
