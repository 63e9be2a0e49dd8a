"""Mutated files through the command line: an exit code that is known, and no word of a program that
did not expect them."""

from pathlib import Path

import pytest

from tests.any_bytes.command_line import NAME, STRANGE
from tests.any_bytes.test_mutations import campaign
from tests.soak_table import Tally

FEW = 10
MANY = 2_000


@pytest.mark.parametrize(
    ("said", "strange"),
    [
        ("webecho: a.csv cannot be read", False),
        ("Traceback (most recent call last):", True),
        ("x.py:3: UserWarning: odd", True),
        ("thread '<unnamed>' panicked at src/x.rs", True),
    ],
)
def test_what_a_program_says_that_did_not_expect_this(said: str, strange: bool) -> None:
    assert bool(STRANGE.search(said)) == strange


def test_some_commands_are_answered(tmp_path: Path, tally: Tally) -> None:
    campaign(FEW, tally, tmp_path / "failed", "--only", NAME)


@pytest.mark.soak
def test_many_commands_are_answered(tmp_path: Path, tally: Tally) -> None:
    campaign(MANY, tally, tmp_path / "failed", "--only", NAME, "--first", "1000")
