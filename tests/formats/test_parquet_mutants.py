"""No bytes of a Parquet file end the process, or come out as a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.formats.parquet_mutants import seeds
from webecho.read.collection import ReadOptions, open_collection


def tried(folder: Path, seed: int, count: int) -> None:
    command = [sys.executable, "-m", "tests.formats.parquet_mutants", folder, seed, count]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"{count} tried, 0 wrong", done.stdout


def test_some_hundred_mutants(tmp_path: Path) -> None:
    # A few seconds: each is read in a process of its own.
    tried(tmp_path, 1, 300)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 20))
def test_thousands_of_mutants(tmp_path: Path, seed: int) -> None:
    tried(tmp_path, seed, 1000)


def test_what_is_changed_was_in_order(tmp_path: Path) -> None:
    for number, whole in enumerate(seeds()):
        path = tmp_path / f"{number}.parquet"
        path.write_bytes(whole)
        (source,) = open_collection([str(path)], ReadOptions()).sources
        batches = [*source.batches()]
        assert sum(batch.pages.num_rows for batch in batches) == 60
        assert not any(batch.skipped for batch in batches)
