"""Rows of one attack are added up, shown and kept."""

import json
from pathlib import Path

import pytest

from tests.soak_table import FILE, Row, Tally, as_markdown, keep, together


def test_what_raises_is_a_failure() -> None:
    properties: list[tuple[str, object]] = []
    tally = Tally(properties)
    with tally.trying("killed"):
        pass
    with pytest.raises(ValueError, match="no"), tally.trying("killed"):
        raise ValueError("no")
    assert [value for _, value in properties] == [["killed", 1, 0, ""], ["killed", 1, 1, ""]]


def test_attacks_are_added_up_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = together([Row("a", 1000, 0), Row("b", 2, 1, "x"), Row("a", 500, 1, "y")])
    assert rows == [Row("a", 1500, 1, "y"), Row("b", 2, 1, "x")]
    assert as_markdown(rows).splitlines()[2] == "| a | 1,500 | 1 | y |"
    monkeypatch.setenv(FILE, str(tmp_path / "table"))
    keep(rows)
    keep(rows[:1])
    kept = [json.loads(line) for line in (tmp_path / "table").read_text().splitlines()]
    assert [(each["attack"], each["tries"]) for each in kept] == [
        ("a", 1500),
        ("b", 2),
        ("a", 1500),
    ]
