"""Recipes and their changes: the open questions of Henzinger 2006 as settings."""

import re
from pathlib import Path

import pytest

import webecho
from tests.collections_made import as_jsonl, page, prose
from tests.command import done, manifest
from webecho import SettingsError
from webecho.settings import HENZINGER_2006, RECIPES, WEBECHO, Recipe, recipe


def test_changes_stand_in_the_name() -> None:
    found = recipe("henzinger2006+k=5,bits=192,frequency=true,project=shingles")
    assert (found.k, found.bits, found.frequency, found.project) == (5, 192, True, "shingles")
    assert found.name == "henzinger2006+bits=192,frequency,k=5,project=shingles"
    assert recipe(found.name) == found
    assert recipe("webecho+symbols").symbols
    assert recipe("webecho+symbols") == recipe("webecho+symbols=true") != WEBECHO
    assert recipe("henzinger2006", k=5) == recipe("henzinger2006+k=5")
    # What is as it was is no change.
    assert recipe("henzinger2006+k=8,frequency=false") is HENZINGER_2006


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("webecho+k", "'k' is no change of a recipe"),
        ("webecho+colour=red", "'colour=red' is no change of a recipe"),
        ("webecho+k=five", "k is a whole number, not 'five'"),
        ("webecho+frequency=7", "frequency is true or false, not '7'"),
        ("webecho+project=words", "project = words: it is one of tokens, shingles"),
        ("webecho+bits=100", "a multiple of 64 bits"),
        ("webecho+name=mine", "no change of a recipe"),
        ("other+k=5", "no recipe is called 'other'"),
    ],
)
def test_changes_that_cannot_be(name: str, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        recipe(name)


def test_settings_that_came_later_are_told_only_where_they_are_used() -> None:
    """So that workspaces made before them are still those of the same recipe."""
    for known in RECIPES.values():
        assert not {"frequency", "project", "symbols"} & known.as_dict().keys()
        assert Recipe(**known.as_dict()) == known
    changed = recipe("webecho", frequency=True)
    assert changed.as_dict() == WEBECHO.as_dict() | {"frequency": True, "name": changed.name}


def resemblance(left: str, right: str, name: str) -> float:
    found = webecho.diff(left.encode(), right.encode(), recipe=name).resemblance
    assert found is not None
    return found


def test_shingles_can_be_weighed_by_frequency() -> None:
    """A list that one page repeats and the other does not: the paper's pairs above 200."""
    words, listed = " ".join(prose(1, 100)), " ".join(prose(2, 50))
    once, often = f"{words} {listed}", f"{words} {listed} {listed} {listed}"
    # Only the four shingles over the seams are new: 146 of 150.
    assert resemblance(once, often, "webecho") == pytest.approx(146 / 150)
    # 146 of the 246 that stand there if each counts as often as it does.
    assert resemblance(once, often, "webecho+frequency=true") == pytest.approx(146 / 246)


def test_the_projection_can_be_of_shingles() -> None:
    """Of tokens it does not tell their order, of shingles it does."""
    words = prose(1, 200)
    other = [word for pair in zip(words[1::2], words[::2], strict=True) for word in pair]
    left, right = " ".join(words).encode(), " ".join(other).encode()
    assert webecho.diff(left, right).c_similarity == 384
    found = webecho.diff(left, right, recipe="webecho+project=shingles").c_similarity
    assert found is not None and found < 250
    assert webecho.diff(left, left, recipe="webecho+project=shingles").c_similarity == 384


@pytest.mark.parametrize(
    "name", ["webecho+frequency=true", "henzinger2006+project=shingles,k=5,bits=128"]
)
def test_a_changed_recipe_goes_all_the_way(tmp_path: Path, name: str) -> None:
    words = prose(1, 1500)
    pages = [page(number, " ".join([*words, f"end{number}"])) for number in range(3)]
    source = as_jsonl(tmp_path / "pages.jsonl", pages)
    done("sketch", source, "-o", tmp_path / "w.echo", "--recipe", name)
    assert manifest(tmp_path / "w.echo")["recipe"]["name"] == recipe(name).name
    for rule in ("b", "c", "combined", "by-site"):
        rows = webecho.pairs(str(tmp_path / "w.echo"), rule, measure=["resemblance"]).to_pylist()
        assert [(row["left"], row["right"]) for row in rows] == [(0, 1), (0, 2), (1, 2)]
        assert all(row["resemblance"] > 0.99 for row in rows)
