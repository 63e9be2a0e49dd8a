"""What a shell needs to complete verbs and options, read by a real one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import done, webecho

# As bash has it when somebody presses the tabulator behind these words.
PRESSED = """
eval "$(webecho completion bash)"
COMP_WORDS=({words}); COMP_CWORD={last}
_webecho_completion webecho
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def program(tmp_path: Path) -> dict[str, str]:
    """An environment in which the program is found by its name."""
    script = tmp_path / "webecho"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m webecho "$@"\n')
    script.chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["webecho", "ded"], ["dedup"]),
        (["webecho", "clusters", "--resem"], ["--resemblance"]),
        (["webecho", "clusters", "--rule", "very"], ["very-similar"]),
        (["webecho", "study", "gr"], ["graph", "growth"]),
    ],
)
def test_bash_completes(words: list[str], completed: list[str], program: dict[str, str]) -> None:
    pressed = PRESSED.format(words=" ".join(words), last=len(words) - 1)
    command = ["bash", "-c", pressed]
    found = subprocess.run(command, env=program, capture_output=True, text=True, check=True)
    assert found.stdout.split() == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_own(shell: str) -> None:
    said = done("completion", shell).stdout
    assert f"_WEBECHO_COMPLETE={shell}_complete" in said


def test_other_shells_are_refused() -> None:
    assert webecho("completion", "cmd").exit_code == 2
