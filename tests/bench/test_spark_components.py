"""What the bench of components is made of."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from bench.spark_components import descendants, made, resident


def test_a_workspace_of_supershingles(tmp_path: Path) -> None:
    values = np.arange(60, dtype=np.int64).reshape(10, 6)
    workspace = made(tmp_path / "made.echo", values)
    assert workspace.pages == 10
    assert workspace.table()["supershingles"].to_pylist() == values.tolist()


def test_what_started_processes_hold() -> None:
    waiting = [sys.executable, "-c", "input()"]
    with subprocess.Popen(waiting, stdin=subprocess.PIPE) as process:
        assert process.pid in descendants(os.getpid())
        assert resident(process.pid) > 0
        process.communicate(b"\n")
    assert resident(process.pid) == 0
