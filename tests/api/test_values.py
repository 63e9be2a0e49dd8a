"""What may be written in more than one way becomes one value."""

from pathlib import Path

import pytest

from webecho.api.values import as_path, as_recipe, several
from webecho.errors import SettingsError
from webecho.settings import FETTERLY_2004, WEBECHO


def test_one_value_needs_no_list_around_it() -> None:
    # A text is one value, not its letters.
    assert several("exact") == several(["exact"]) == ("exact",)
    assert several(404) == (404,)
    assert several(0.9) == (0.9,)
    assert several(Path("a.jsonl")) == (Path("a.jsonl"),)
    assert several(("b", "c")) == several(name for name in "bc") == ("b", "c")
    assert several(()) == ()


def test_a_path_may_be_a_text_or_left_out() -> None:
    assert as_path("a/b.csv") == as_path(Path("a/b.csv")) == Path("a/b.csv")
    assert as_path(None) is None


def test_a_recipe_may_be_named_and_changed() -> None:
    assert as_recipe("fetterly2004") is as_recipe(FETTERLY_2004) is FETTERLY_2004
    assert as_recipe("webecho").k == WEBECHO.k == 5
    assert as_recipe("webecho+k=3").k == 3
    with pytest.raises(SettingsError, match="no recipe is called 'mine'; there are fetterly2004"):
        as_recipe("mine")
