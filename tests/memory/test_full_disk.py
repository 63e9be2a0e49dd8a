"""A full folder for temporary files is an error in words: what is mapped has its blocks before it
is written to, else the system would kill the process (SIGBUS)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import WEBECHO
from tests.memory import made

# The folders have so much room: less than the numbers of the pages take, more than the rest does.
ROOM = 1 << 20
PAGES = 300_000
# Pairs of units that lie far apart, so that other pages of the mapping are written to.
WRITING = """
import pyarrow as pa
from webecho import _core
stars = _core.OverlapStars(2_000_000)
left = pa.array(range(0, 1_000_000, 500), pa.int64())
right = pa.array(range(1_000_000, 2_000_000, 500), pa.int64())
stars.add(left, right, pa.array([3] * 2000, pa.int64()))
"""


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A folder with little room."""
    folder = tmp_path / "full"
    folder.mkdir()
    options = f"size={ROOM}"
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "none", folder], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip(f"no file system can be mounted here: {made.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def ended(command: list[str], full: Path) -> tuple[int, str]:
    """How a command ends that has this folder for its temporary files."""
    found = subprocess.run(
        command,
        env=os.environ | {"TMPDIR": str(full)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return found.returncode, found.stdout


def test_numbers_that_are_mapped(full: Path) -> None:
    code, said = ended([sys.executable, "-c", WRITING], full)
    assert code == 1, said
    assert "No space left on device" in said
    assert str(full) in said


@pytest.mark.soak
def test_a_dedup_of_many_pages(full: Path, tmp_path: Path) -> None:
    pages = made.small_pages(tmp_path, PAGES * 100, each=100)
    code, said = ended([*WEBECHO, "dedup", str(pages), "-o", str(tmp_path / "out")], full)
    assert code == 1, said
    assert "Traceback" not in said
    assert "No space left on device" in said
