"""Ctrl-C in every phase: the command says so, ends with 130, and given again it ends as if nothing
had been."""

import hashlib
import shutil
from pathlib import Path

import pytest
from bench.interrupted import PHASES, Phase, inputs, interrupt, started
from bench.quadratic import templates

import webecho
from tests.command import done

# What may differ from run to run.
VOLATILE = {"run.json", "summary.json", "checksums.json"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of one template, and a workspace of them."""
    folder = tmp_path_factory.mktemp("templates")
    webecho.sketch(templates(folder, 600), folder / "made.echo", chunks="lines:4")
    return folder


def content(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in VOLATILE)
    found = {str(path.relative_to(folder)): hashlib.md5(path.read_bytes()) for path in files}
    return {name: digest.hexdigest() for name, digest in sorted(found.items())}


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_a_command_is_stopped_and_given_again(phase: Phase, made: Path, tmp_path: Path) -> None:
    left: dict[str, dict[str, str]] = {}
    for name in ("stopped", "whole"):
        # The same place: a study tells of which workspace it is.
        folder = tmp_path / "here"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copytree(made / "made.echo", folder / "made.echo")
        given = inputs(phase, made / "pages.parquet", folder / "made.echo", folder / "out")
        if name == "stopped":
            process = started(phase, given)
            _, said = interrupt(process)
            assert process.returncode == 130, said
            assert "webecho: stopped; the same command" in said
            assert "Traceback" not in said
        done(*phase.command, *given)
        left[name] = content(folder)
    assert left["stopped"] == left["whole"]
    assert any("parquet" in file for file in left["whole"])
