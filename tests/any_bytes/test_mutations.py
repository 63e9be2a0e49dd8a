"""Files of all formats that were changed by chance, through the functions of the verbs and through
the command line: read or refused, never a traceback, a crash or a hang, and the counts add up."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.any_bytes.attacks import Ready, Trial, Use, attacks, of_file, uses_of
from tests.any_bytes.seeds import beside, collections
from tests.faults.faults import path_of_python
from tests.soak_table import Tally

TOP = Path(__file__).parents[2]
# In all, and of each attack.
FEW = 340
MANY = 102_000
MADE = "wacz metadata"


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Ready:
    made = Ready(tmp_path_factory.mktemp("ready") / "ready")
    made.make()
    return made


def campaign(tries: int, tally: Tally, saved: Path, *options: str) -> list[dict[str, Any]]:
    """Tries so many in processes of their own, and counts what fails."""
    command = [sys.executable, "-m", "tests.any_bytes.campaign", "--tries", str(tries)]
    ended = subprocess.run(
        [*command, "--saved", str(saved), *options],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path_of_python()},
        cwd=TOP,
        check=True,
    )
    found: list[dict[str, Any]] = [json.loads(line) for line in ended.stdout.splitlines()]
    for each in found:
        kinds = ", ".join(f"{each['ended'].get(kind, 0):,} {kind}" for kind in ("read", "refused"))
        tally(f"mutations: {each['attack']}", each["tries"], len(each["failures"]), kinds)
    failed = {each["attack"]: each["failures"] for each in found if each["failures"]}
    assert not failed, f"{json.dumps(failed, indent=1)}\nsaved in {saved}"
    return found


USES = [
    (name, use)
    for name, seed in {**collections(), **beside()}.items()
    if name != MADE
    for use in dict.fromkeys(uses_of(name, seed))
]


@pytest.mark.parametrize(("name", "use"), USES, ids=[f"{n}, {use.__name__}" for n, use in USES])
def test_what_is_not_changed_is_read(ready: Ready, tmp_path: Path, name: str, use: Use) -> None:
    seed = {**collections(), **beside()}[name]
    same = replace(seed, change=lambda data, _: data)
    of_file(same, (use,))(Trial(random.Random(1), tmp_path, ready))


def test_all_formats_are_attacked() -> None:
    assert len(attacks()) == len(collections()) + len(beside()) + 2


def test_any_change_is_read_or_refused(tmp_path: Path, tally: Tally) -> None:
    found = campaign(FEW, tally, tmp_path / "failed")
    # Else the changes would be too harmless, or too harmful to get far.
    for kind in ("read", "refused"):
        assert sum(each["ended"].get(kind, 0) for each in found) > FEW // 5


# What once failed: a footer that ended the process, and rows of which a column could not be copied.
FAILED_ONCE = {"parquet": (90086, 90629, 91103, 91483)}


@pytest.mark.parametrize("name", FAILED_ONCE)
def test_what_once_failed(tmp_path: Path, tally: Tally, name: str) -> None:
    seeds = FAILED_ONCE[name]
    found = campaign(1, tally, tmp_path / "failed", "--only", name, "--seeds", *map(str, seeds))
    assert [each["tries"] for each in found] == [len(seeds)]


@pytest.mark.soak
def test_very_many_changes_are_read_or_refused(tmp_path: Path, tally: Tally) -> None:
    campaign(MANY, tally, tmp_path / "failed", "--first", "1000")
