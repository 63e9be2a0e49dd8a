"""Rows of one attack are added up, shown and kept."""

import json
from pathlib import Path

import pytest

from tests.soak_table import (
    FILE,
    LEAST,
    Row,
    Tally,
    as_markdown,
    keep,
    main,
    summary,
    together,
)


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


def enough() -> list[Row]:
    return [Row(f"{starts[0]}x", least, 0) for starts, _, least in LEAST.values()]


def test_what_is_promised_is_told_with_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = enough()
    found = {row.attack: row for row in summary([*rows, Row("mutations: command line", 3)])}
    assert found["mutations, by the command line"].tries == 2_003
    assert found["mutations, by the functions"].tries == 100_000
    assert not any(row.remark for row in found.values())
    short = summary(rows[1:])
    assert short[0] == Row("killed", 0, 0, "5,000 fewer than promised")
    for number, (some, code) in enumerate(
        [(rows, 0), (rows[1:], 1), ([*rows, Row("something else", 9, 1)], 1)]
    ):
        file = tmp_path / f"{number}"
        monkeypatch.setenv(FILE, str(file))
        keep(some)
        assert main(str(file)) == code
    assert "| fuzzing | 10,000,000 | 0 |  |" in capsys.readouterr().out
