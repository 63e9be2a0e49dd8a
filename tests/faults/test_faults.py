"""Killed, out of room, or refused by the disk at any file-system call, the same command ends with
the same bytes, and loses nothing meanwhile.

In `make test` each command goes wrong at a few calls; in `make soak` it is killed at all of them,
or at evenly spaced ones where it makes very many or takes long, and goes wrong otherwise at some.
"""

import hashlib
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.cases import CASES, SLOW, make_ready
from tests.faults.faults import Action, Faults, Outcome, fresh_copy, lose
from tests.soak_table import Tally

# How a run went, and what is none of the result.
APART = ("run.json", ".lock")
# Temporary files, and what tantivy calls by chance (see `sketches/search_index.py`).
ELSEWHERE = ("temporary", "tantivy")
ENDED = {Action.KILL: -signal.SIGKILL, Action.TERM: -signal.SIGTERM}
# Calls at which each command goes wrong, in the short form and in the long one.
FEW = 2
MANY = {Action.KILL: 250, Action.TERM: 20, Action.FULL: 56, Action.FAILS: 44}
POWER = 40
# As the table of attacks calls them.
ATTACKS = {
    Action.KILL: "killed",
    Action.TERM: "asked to end (SIGTERM)",
    Action.FULL: "out of room (ENOSPC)",
    Action.FAILS: "refused (EIO)",
}
POWER_FAILS = "killed while the power fails"


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faults]:
    with Faults(tmp_path_factory.mktemp("faults")) as server:
        yield server


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults") / "ready"
    make_ready(folder)
    return folder


def contents(folder: Path) -> dict[str, str]:
    """The digest of every file that lasts."""
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        and file.name not in APART
        and not {*file.relative_to(folder).parts}.intersection(ELSEWHERE)
    }


class Trial:
    """A command on its own copy of what is ready, and what it gives when nothing goes wrong."""

    def __init__(self, faults: Faults, ready: Path, folder: Path, name: str) -> None:
        self.faults = faults
        self.ready = ready
        self.folder = folder / "here"
        self.log = folder / "log"
        self.arguments = CASES[name].arguments
        self.before = contents(ready)
        whole = self.begin()
        assert whole.code == 0, whole.stderr
        self.whole = contents(self.folder)

    def begin(self, action: Action = Action.NOTHING, call: int = -1) -> Outcome:
        """Runs it on a fresh copy."""
        fresh_copy(self.ready, self.folder)
        self.log.unlink(missing_ok=True)
        return self.faults.run(self.folder, self.arguments, action, call, self.log)

    def calls(self, action: Action) -> int:
        """How many calls can go wrong so."""
        found = self.begin(action).calls
        assert found is not None
        return found

    def check(self, action: Action, call: int, power_fails: bool = False) -> None:
        """Lets this call go wrong, and runs the command again."""
        said = f"{action.name} at call {call}: "
        outcome = self.begin(action, call)
        self.check_end(action, outcome, said)
        if power_fails:
            lose(self.log)
        left = contents(self.folder)
        lost = [
            name
            for name, digest in self.before.items()
            if self.whole.get(name) == digest != left.get(name)
        ]
        assert not lost, f"{said}{lost} changed, though the command does not change it"
        again = self.faults.run(self.folder, self.arguments)
        found = contents(self.folder)
        names = {*found, *self.whole}
        differ = {name for name in names if found.get(name) != self.whole.get(name)}
        assert not differ, f"{said}{sorted(differ)}\n{outcome.stderr}\n{again.stderr}"
        assert again.code == 0 or left == self.whole, f"{said}{again.stderr}"

    def check_end(self, action: Action, outcome: Outcome, said: str) -> None:
        """A command that is not killed says why it cannot go on, in a line of its own."""
        if action in ENDED:
            assert outcome.code in (0, ENDED[action]), said + outcome.stderr
            return
        assert outcome.code in (0, 1), f"{said}{outcome.code}, {outcome.stderr}"
        for word in ("Traceback", "Exception ignored", "panicked"):
            assert word not in outcome.stderr, said + outcome.stderr
        if outcome.code:
            assert outcome.stderr.splitlines()[-1].startswith("webecho: "), said + outcome.stderr


def spaced(count: int, most: int) -> list[int]:
    """So many of the calls, evenly spaced, the last among them."""
    return sorted({(place + 1) * count // most - 1 for place in range(most)} - {-1})


ACTIONS = [Action.KILL, Action.TERM, Action.FULL, Action.FAILS]
# Of what is written in ways of its own, for the short form.
SHORT = ("sketch by parts", "dedup", "dedup against", "restore", "label", "pairs 2", "genealogy")


@pytest.mark.parametrize("name", SHORT)
def test_commands_may_fail_at_some_calls(
    faults: Faults, ready: Path, tmp_path: Path, tally: Tally, name: str
) -> None:
    trial = Trial(faults, ready, tmp_path, name)
    for action in ACTIONS:
        calls = spaced(trial.calls(action), FEW)
        assert calls, "none that could go wrong: the shim sees nothing of it"
        for call in calls:
            with tally.trying(ATTACKS[action]):
                trial.check(action, call)
    for call in spaced(trial.calls(Action.KILL), FEW):
        with tally.trying(POWER_FAILS):
            trial.check(Action.KILL, call, power_fails=True)


def test_slow_commands_are_known() -> None:
    assert {*SLOW} <= {*CASES}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.soak
def test_every_command_may_fail_anywhere(
    faults: Faults, ready: Path, tmp_path: Path, tally: Tally, name: str, action: Action
) -> None:
    trial = Trial(faults, ready, tmp_path, name)
    for call in spaced(trial.calls(action), CASES[name].most(MANY[action])):
        with tally.trying(ATTACKS[action]):
            trial.check(action, call)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.soak
def test_the_power_may_fail_anywhere(
    faults: Faults, ready: Path, tmp_path: Path, tally: Tally, name: str
) -> None:
    trial = Trial(faults, ready, tmp_path, name)
    for call in spaced(trial.calls(Action.KILL), CASES[name].most(POWER)):
        with tally.trying(POWER_FAILS):
            trial.check(Action.KILL, call, power_fails=True)
