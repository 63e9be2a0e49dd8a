"""The readers in Python under a fuzzer that goes by coverage."""

import importlib.util
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.any_bytes.guided import as_input, read, seeds
from tests.faults.faults import path_of_python
from tests.soak_table import Tally

TOP = Path(__file__).parents[2]
RUNS = 20_000
MOST_SECONDS = 400
EXECUTED = re.compile(r"stat::number_of_executed_units: +(\d+)")
NAMES = [seed.file for seed in seeds()]


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_every_seed_is_read(number: int) -> None:
    # The archive that is broken has pages before its damage.
    assert (read(as_input(number)) or 0) > 0


def test_what_is_changed_is_read_or_refused() -> None:
    by = random.Random(5)
    found = []
    for _ in range(60):
        data = bytearray(as_input(by.randrange(len(NAMES))))
        for _ in range(by.randrange(1, 9)):
            data[by.randrange(1, len(data))] = by.randrange(256)
        found.append(read(bytes(data)))
    assert None in found and any(found)


@pytest.mark.soak
def test_what_a_fuzzer_finds_is_read_or_refused(tmp_path: Path, tally: Tally) -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("the readers are NOT fuzzed by coverage: pip install atheris")
    command = [sys.executable, "-m", "tests.any_bytes.fuzz_readers", str(tmp_path / "seeds")]
    options = [f"-runs={RUNS}", f"-max_total_time={MOST_SECONDS}", "-print_final_stats=1"]
    # A page that takes ten seconds hangs; what fails lies in the folder.
    options += ["-timeout=10", "-rss_limit_mb=4096", f"-artifact_prefix={tmp_path}/"]
    ended = subprocess.run(
        [*command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | {"PYTHONPATH": path_of_python()},
        cwd=TOP,
        check=False,
    )
    said = ended.stdout.decode(errors="replace")
    executed = EXECUTED.search(said)
    tally(
        "fuzzing: readers in Python (atheris)",
        int(executed[1]) if executed else 1,
        int(ended.returncode != 0),
    )
    assert ended.returncode == 0, said[-5000:]
    assert executed is not None and int(executed[1]) >= RUNS // 100, said[-2000:]
