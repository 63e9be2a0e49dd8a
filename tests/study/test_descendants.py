"""Both counts of Tables 7 and 8, where they differ."""

from pathlib import Path

import pytest

import webecho
from tests.study.kin_reference import Shots, counted_all, counted_paper, written

A, B = "abcdefghijklmnop", "qrstuvwxyzABCDEF"
URL = "http://{}.example/1".format


def both(folder: Path, shots: Shots) -> dict[str, dict[str, int]]:
    folder.mkdir(exist_ok=True)
    [row] = webecho.study_genealogy(written(folder, shots)).tables["counts"].to_pylist()
    names = ("parents", "children", "equivalents")
    return {way: {name: row[f"{name}, count {way}"] for name in names} for way in ("all", "paper")}


# What the second stage of Figure 6 does, case by case.
CASES = {
    # The first pair of an old page that is there counts it, although that pair is with another; its
    # own later version is no child, but one that comes after is.
    "first pair with another": (
        [[(URL("b"), A)], [(URL("a"), A + B), (URL("b"), A), (URL("c"), B + A)]],
        {"parents": 1, "children": 1, "equivalents": 1},
    ),
    # A page whose own old version is the first of its text is a child of the next.
    "own version first": (
        [[(URL("b"), A), (URL("c"), A)], [(URL("a"), A + B), (URL("b"), A), (URL("c"), A)]],
        {"parents": 1, "children": 1, "equivalents": 2},
    ),
    # A child once, whatever its parents; and then only the first is one.
    "two parents": (
        [[(URL("a"), A), (URL("b"), B)], [(URL("c"), A + B)]],
        {"parents": 1, "children": 1, "equivalents": 0},
    ),
    # Duplicates of a child are left out.
    "duplicates": (
        [[(URL("a"), A)], [(URL("b"), A), (URL("c"), A), (URL("d"), A + B)]],
        {"parents": 1, "children": 2, "equivalents": 0},
    ),
    # An equivalent that shares nothing makes no pair.
    "rewritten": (
        [[(URL("a"), A)], [(URL("a"), B)]],
        {"parents": 0, "children": 0, "equivalents": 0},
    ),
    # The address may be that of a page that is no document.
    "too short now": (
        [[(URL("a"), A)], [(URL("a"), "abc"), (URL("b"), A)]],
        {"parents": 0, "children": 0, "equivalents": 1},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_figure_6_case_by_case(tmp_path: Path, name: str) -> None:
    shots, paper = CASES[name]
    found = both(tmp_path, shots)
    assert found["paper"] == paper == counted_paper(shots, 0, 1, 10)
    slow = counted_all(shots, 0, 1, 10)
    assert found["all"] == {each: slow[each] for each in found["all"]}
