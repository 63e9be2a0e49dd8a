"""The program as it is started, and its help."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import done


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("verb", ["sketch", "clusters", "pairs", "synth", "why", "diff"])
def test_help_names_every_option(verb: str) -> None:
    shown = done(verb, "--help").stdout
    assert shown.startswith(f"Usage: main {verb} [OPTIONS] ")
    for option in ("--threads", "--memory", "--quiet", "--format", "--strict"):
        assert option in shown
    assert done(verb, "-h").stdout == shown
    own = {
        "sketch": ("--out", "--recipe", "--columns", "--append", "--keep-shingles", "--convert"),
        "clusters": ("--rule", "--resemblance"),
        "pairs": ("--rule", "--resemblance"),
        "synth": ("--pages", "--as", "--words", "--power", "--duplicates", "--force"),
        "why": ("--resemblance", "--unified", "--side-by-side", "--context"),
        "diff": ("--in", "--recipe", "--resemblance", "--unified", "--side-by-side", "--context"),
    }
    assert all(option in shown for option in own[verb])


def test_the_overview_names_the_verbs() -> None:
    shown = done("--help").stdout
    for verb in ("dedup", "sketch", "clusters", "pairs", "synth", "why", "diff", "restore"):
        assert f"  {verb}  " in shown
    assert done("--version").stdout.strip().endswith("0.1.0")


# Says whether pandas was loaded.
PROGRAM = """
import sys
import pyarrow
from webecho.__main__ import run
try:
    run()
finally:
    print("pandas" in sys.modules, file=sys.stderr)
"""


def test_the_command_line_does_not_load_pandas(tmp_path: Path) -> None:
    """Which is installed here, and which Arrow loads for any list that becomes an array."""
    (tmp_path / "page.html").write_text("<p>some words that are here")
    command = [sys.executable, "-c", PROGRAM, "sketch", "page.html", "-o", "w.echo", "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.split()[-1] == "False"
    loads = [sys.executable, "-c", "import pyarrow, sys; pyarrow.array([1]); print(*sys.modules)"]
    assert "pandas" in subprocess.run(loads, capture_output=True, text=True, check=True).stdout


# Help that a user waits for, and what makes it slow.
HELP = """
import sys
from webecho.cli.main import main
try:
    main([*sys.argv[1:], "--help"])
finally:
    print(*(name for name in ("pyarrow", "duckdb", "rich", "matplotlib") if name in sys.modules))
"""


@pytest.mark.parametrize("verb", [(), ("dedup",), ("study", "graph")])
def test_help_loads_nothing_that_is_slow(verb: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", HELP, *verb]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert shown.startswith("Usage: ")
    assert shown.endswith("\n\n")


LAST_WORDS = """
import os, sys
from webecho.__main__ import run

class Leaking:
    def __del__(self, write=os.write):
        write(2, b"leaked 27 instances")

sys.leaking = Leaking()
sys.argv = ["webecho", *sys.argv[1:]]
run()
"""


def test_what_libraries_print_at_the_end_is_not_heard() -> None:
    def called(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", LAST_WORDS, *args]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert called("verify", "nowhere.echo").stderr.startswith("webecho: nowhere.echo")
    for args in (["--version"], ["verify", "nowhere.echo"], ["nothing"]):
        assert "leaked" not in called(*args).stderr
    # It would be heard otherwise.
    loud = LAST_WORDS.replace("run()", "")
    done = subprocess.run([sys.executable, "-c", loud], capture_output=True, text=True, check=True)
    assert done.stderr == "leaked 27 instances"


@pytest.mark.parametrize("loaded", ["webecho.cli.main", "webecho.cli.command", "pyarrow"])
def test_stopped_while_libraries_are_loaded(loaded: str) -> None:
    """Ctrl-C may come at any time."""
    code = f"""
import sys
class Stopping:
    @staticmethod
    def find_spec(name, *_):
        if name == {loaded!r}:
            raise KeyboardInterrupt
from webecho.__main__ import run
sys.meta_path.insert(0, Stopping())
sys.argv = ["webecho", "clusters", "none.echo"]
run()
"""
    command = [sys.executable, "-c", code]
    stopped = subprocess.run(command, check=False, capture_output=True, text=True)
    assert stopped.returncode == 130
    assert stopped.stderr.startswith("\nwebecho: stopped")
    assert len(stopped.stderr.splitlines()) == 2
