"""The command line as tests use it, and what it leaves in a workspace."""

import hashlib
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from webecho.cli.main import main
from webecho.workspace.checksums import Checksum, sealed_json

# As a shell would start it, with the Python that runs the tests.
WEBECHO = [sys.executable, "-m", "webecho"]


def webecho(*arguments: object, stdin: bytes = b"") -> Result:
    """Runs a command within this process, which saves a second each time."""
    result = CliRunner().invoke(main, [str(each) for each in arguments], stdin)
    if result.exception and not isinstance(result.exception, SystemExit):
        # A traceback is never an answer.
        raise result.exception
    return result


def done(*arguments: object, stdin: bytes = b"") -> Result:
    """Runs a command that must succeed."""
    result = webecho(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result


def started(*arguments: object, stdin: Any = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
    """Starts a command as a process of its own."""
    command = [*WEBECHO, *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=stdin, stdout=pipe, stderr=pipe)


def contents(workspace: Path) -> dict[str, str]:
    """The digest of every file but those that say how a run went."""
    return {
        str(file.relative_to(workspace)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(workspace.rglob("*"))
        if file.is_file() and file.relative_to(workspace).as_posix() not in ("run.json", ".lock")
    }


def manifest(workspace: Path) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((workspace / "manifest.json").read_bytes())
    return values


def write_manifest(workspace: Path, values: dict[str, Any]) -> None:
    """Writes a manifest as anybody can who knows how: with its checksum."""
    told = {name: value for name, value in values.items() if name != "checksum"}
    (workspace / "manifest.json").write_bytes(sealed_json(told, "manifest.json"))


def reseal(workspace: Path) -> None:
    """Lets the manifest say of the parts what a test has made of them."""
    values = manifest(workspace)
    for number, part in enumerate(values["parts"]):
        for table in part["files"]:
            file = workspace / table / f"part-{number:05d}.parquet"
            part["files"][table] = asdict(Checksum.of(file))
    write_manifest(workspace, values)


def counts(workspace: Path) -> dict[str, int]:
    """What was counted, over all parts."""
    total: dict[str, int] = {}
    for part in manifest(workspace)["parts"]:
        for name, count in part["counts"].items():
            total[name] = total.get(name, 0) + count
    return total


def lines(text: str) -> list[str]:
    """Without the blanks to which tables are filled up."""
    return [line.rstrip() for line in text.splitlines()]
