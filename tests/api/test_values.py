"""What may be written in more than one way becomes one value."""

from pathlib import Path

import pytest

from webecho.api.values import as_chunkings, as_path, as_recipe, several
from webecho.chunkings import Chunking
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


def test_chunkings_may_be_one_or_several_in_a_text_or_a_list() -> None:
    two = (Chunking("lines", 4), Chunking("page"))
    assert as_chunkings("lines:4,page") == as_chunkings(["lines:4", two[1], "page"]) == two
    assert as_chunkings(two[0]) == two[:1]
    assert as_chunkings(()) == as_chunkings("") == ()
    with pytest.raises(SettingsError) as error:
        as_chunkings("lines", "chunk")
    assert str(error.value).startswith("--chunk: 'lines' is no chunking")
    assert error.value.for_python().startswith("chunk=: 'lines' is no chunking")
