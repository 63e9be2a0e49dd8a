"""The examples that `--help` shows, run as they stand."""

import shlex
from pathlib import Path

import click
import pytest

from tests.command import done
from tests.examples_made import make_inputs
from webecho.cli.examples import EXAMPLES
from webecho.cli.main import STUDIES, VERBS


def test_every_verb_has_an_example() -> None:
    names = {verb.name for verb in VERBS if verb.name != "study"}
    assert names | {f"study {verb.name}" for verb in STUDIES} == EXAMPLES.keys()


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples are about, by the names that they have there."""
    monkeypatch.chdir(tmp_path)
    make_inputs(150)


def in_order() -> list[str]:
    """The workspace is made before it is looked at, and what is written before it is read."""
    first = ("sketch", "dedup", "pairs", "label")
    return sorted(EXAMPLES, key=lambda verb: first.index(verb) if verb in first else len(first))


@pytest.mark.usefixtures("prepared")
def test_examples_do_what_they_say() -> None:
    for verb in in_order():
        for _, example in EXAMPLES[verb]:
            program, *args = shlex.split(example.split(" >> ")[0])
            assert program == "webecho"
            if verb == "label":
                # It would wait for somebody at a browser.
                args += ["--from-truth", "known"]
            if verb.startswith("study") and any(each.name == "repetitions" for each in of(verb)):
                # What drawn samples tell takes most of the time, and other tests have it.
                args += ["--repetitions", "0"]
            assert done(*args).stdout


def of(verb: str) -> list[click.Parameter]:
    return next(study.params for study in STUDIES if f"study {study.name}" == verb)
