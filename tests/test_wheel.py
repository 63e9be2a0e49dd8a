"""The wheel is installed where there is no compiler, and does there what the README shows first."""

import re
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

import webecho
from tests.built_wheel import ROOT, built_wheel, pip_of, ran
from tests.docs.block import PAGES, blocks
from tests.docs.run import Shell, run_blocks

README = ROOT / "README.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = set(PROJECT["optional-dependencies"])
NAMED = re.compile(r"webecho\[([a-z0-9,]+)\]")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of what `make test` has built already."""
    return built_wheel(tmp_path_factory.mktemp("dist"))


def test_the_first_example_where_there_is_no_compiler(wheel: Path, tmp_path: Path) -> None:
    """Only what pip installs is there."""
    there = tmp_path / "env"
    limited = ("--only-binary", ":all:", "--constraint", ROOT / "requirements.txt")
    pip = (*pip_of(there), *limited)
    ran(*pip, wheel)
    # Where it is installed an extra is a word, and nobody looks for the wheel again.
    added = ran(*pip, "--dry-run", "webecho[label]")
    assert re.search(r"^Would install .*fastapi", added, re.M)
    assert "webecho-" not in added
    path = str(there / "bin")
    for program in ("cc", "gcc", "cargo", "rustc"):
        assert shutil.which(program, path=path) is None
    (tmp_path / "here").mkdir()
    shell = Shell(tmp_path / "here", {"PATH": path, "COLUMNS": "100", "TERM": "dumb"})
    first = next(block for block in blocks(README) if block.language == "console")
    done = [*run_blocks([first], shell)]
    assert [each.command.text.split()[:2] for each in done] == [
        ["webecho", "synth"],
        ["webecho", "dedup"],
    ]
    wrong = [each.said for each in done if not each.right]
    assert not wrong, wrong[0]


def test_one_wheel_for_every_python(wheel: Path) -> None:
    assert wheel.name.startswith(f"webecho-{webecho.__version__}-cp311-abi3-")


@pytest.mark.soak
def test_the_wheel_that_is_given_to_others() -> None:
    """In its own folder of compiled crates, which takes minutes the first time."""
    ran("make", "wheel")
    [file] = (ROOT / "dist").glob("*.whl")
    assert "abi3-manylinux_2_17" in file.name


def extras_in(files: Sequence[Path]) -> dict[str, set[str]]:
    """The extras that files name."""
    return {
        str(file.relative_to(ROOT)): {
            extra for names in NAMED.findall(file.read_text()) for extra in names.split(",")
        }
        for file in files
    }


def test_extras_that_are_named_are_there() -> None:
    """In pages, and in what errors say."""
    sources = [*ROOT.glob("python/webecho/**/*.py"), *ROOT.glob("bench/**/*.py"), *PAGES]
    named = extras_in(sources)
    assert {name: extras - EXTRAS for name, extras in named.items() if extras - EXTRAS} == {}
    # Each is named by the code or the page that needs it.
    assert set().union(*named.values()) == EXTRAS


def test_the_readme_tells_of_every_extra() -> None:
    rows = re.findall(r"^\| `webecho\[([a-z0-9]+)\]` \| .*\|$", README.read_text(), re.M)
    assert sorted(rows) == sorted(EXTRAS)


# The wheel first; what an extra needs is then added to what is installed.
INSTALL = re.compile(r"pip install [^\n`#&]*")
WAY = re.compile(r"pip install (dist/webecho-\*\.whl|'webecho\[[a-z0-9,]+\]')( [a-z-]+)*\s*$")


def test_pages_agree_on_how_to_install() -> None:
    said = {
        (page.name, command.strip())
        for page in PAGES
        for command in INSTALL.findall(page.read_text())
        if re.search(r"webecho\b", command)
    }
    assert said
    assert {each for each in said if not WAY.match(each[1])} == set()


def test_a_new_environment_gets_the_wheel_first() -> None:
    """What an extra needs is added to a webecho that is there."""
    made = [line for page in PAGES for line in page.read_text().split("\n") if "-m venv " in line]
    assert made
    assert [
        line for line in made if "pip install" in line and "dist/webecho-*.whl" not in line
    ] == []
