"""How inputs are read, as Python programs say it."""

from pathlib import Path

import pytest

import webecho
from tests.api.refusals import on_command_line
from tests.collections_made import (
    as_warc,
    small_web,
)
from webecho.api.reading import Reading
from webecho.group.rules.registry import rule


def test_one_value_needs_no_list(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "in.warc", small_web())
    one = webecho.sketch(file, statuses=200, types="text/html", columns="features")
    assert one == webecho.sketch(file, statuses=[200], types=["text/html"], columns=["features"])
    assert one.num_rows == 16


@pytest.mark.parametrize("kind", ["html", "text/", "/html", "text/html; charset=utf-8", "text/h*"])
def test_what_is_no_media_type_is_refused(kind: str) -> None:
    """It would match nothing, and every page be skipped."""
    with pytest.raises(
        webecho.SettingsError, match=r"is no media type; give one such as text/html"
    ):
        webecho.sketch("in.warc", types=kind)


def test_media_types_have_no_case(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "in.warc", small_web())
    for kind in ("Text/HTML", "text/*", "*/*"):
        assert webecho.sketch(file, types=kind).num_rows == 16


def test_what_is_no_status_is_refused() -> None:
    assert on_command_line(lambda: Reading(statuses=(20,))).startswith(
        "20 is no HTTP status; give one such as 200"
    )


def test_all_types() -> None:
    assert Reading(types=("*",)).options().types == ("*/*",)
    assert Reading(types=("Text/HTML", "*")).options().takes_all
    assert not Reading(types=("text/*",)).options().takes_all
    # All take part in the rule `payload`, unless types are named.
    assert Reading().for_rule(rule("payload")).options().takes_all
    named = Reading(types=("text/html",))
    assert named.for_rule(rule("payload")) == named
    assert Reading().for_rule(rule("text")) == Reading()
