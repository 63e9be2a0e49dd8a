"""Labels and reasons."""

import pytest

from webecho.errors import SettingsError
from webecho.evaluation.label.reasons import REASONS, category, fitting, implied, known_label


def test_every_reason_has_a_key_and_a_code_of_its_own() -> None:
    assert len({reason.key for reason in REASONS}) == len(REASONS)
    assert len({reason.code for reason in REASONS}) == len(REASONS)
    # What the page does by other keys.
    assert not {reason.key for reason in REASONS} & set("123zgjkw+")


def test_reasons_are_kept_that_fit_the_label() -> None:
    given = ["form", "other", "time-stamp", "url", "url"]
    assert fitting("correct", given) == ("url", "time-stamp", "other")
    assert fitting("undecided", given) == ("form", "other")
    assert fitting("incorrect", given) == ("other",)
    with pytest.raises(SettingsError, match="no reason is called tiredness; there are url, "):
        fitting("correct", ["tiredness"])


def test_reasons_speak_for_a_label() -> None:
    assert implied(["url", "time-stamp"]) == "correct"
    assert implied(["url", "minor-item"]) == "undecided"
    assert implied(["url", "form", "main-item"]) == "incorrect"
    assert implied(["other"]) == "undecided"
    assert implied([]) == "undecided"


def test_rows_of_the_papers_tables() -> None:
    assert category(["url"]) == "url"
    assert category(["url", "session-id"]) == "combination"
    assert category([]) == "no reason given"


def test_labels_by_name() -> None:
    assert known_label("undecided") == "undecided"
    with pytest.raises(SettingsError, match="no label is called 'maybe'; there are correct, inc"):
        known_label("maybe")
