"""Coverage-guided fuzzing of the kernels, below the address sanitizer (`rust/fuzz`), which needs
cargo-fuzz and a nightly toolchain."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.soak_table import Tally

FOLDER = Path(__file__).parents[2] / "rust" / "fuzz"
# By how fast each is, so that none takes much longer than others: two minutes or three, and never
# more seconds than these.
MOST_SECONDS = 500
RUNS = {
    "addresses": 750_000,
    "agreement": 70_000,
    "candidates": 20_000,
    "charset": 1_000_000,
    "chunks": 70_000,
    "differences": 650_000,
    "documents": 60_000,
    "graph": 1_500_000,
    "html": 1_000_000,
    "judge": 2_600_000,
    "overlap": 70_000,
    "page": 45_000,
    "pairs": 45_000,
    "sentences": 1_400_000,
    "sketches": 600_000,
    "tokens": 300_000,
    "warc": 180_000,
}
# Numbers as sketches: each page is compared with each other one, so that there are to be few.
OF_NUMBERS = {"agreement", "candidates", "differences", "documents", "graph", "overlap", "pairs"}
SHORT, LONG = 256, 1024
# As the Makefile builds them. What would be told of each comparison makes those that compare much
# four times as slow.
BUILT = ("--no-trace-compares",)
# One thread, for others fuzz meanwhile, and temporary files in memory where there is room for them.
SHARED = "/dev/shm"
ALONE = {"RAYON_NUM_THREADS": "1"} | ({"TMPDIR": SHARED} if os.access(SHARED, os.W_OK) else {})
EXECUTED = re.compile(r"stat::number_of_executed_units: +(\d+)")


def missing() -> str | None:
    """What there is not."""
    if shutil.which("cargo-fuzz") is None:
        return "no cargo-fuzz: cargo install cargo-fuzz"
    asked = ["rustup", "toolchain", "list"]
    known = subprocess.run(asked, check=False, capture_output=True, text=True).stdout
    return None if "nightly" in known else "no nightly: rustup toolchain install nightly"


def test_every_target_has_a_number_of_runs_and_seeds() -> None:
    assert {path.stem for path in (FOLDER / "targets").iterdir()} == {*RUNS}
    assert {path.name for path in (FOLDER / "seeds").iterdir()} == {*RUNS}
    assert sum(RUNS.values()) >= 10_000_000


@pytest.mark.soak
@pytest.mark.parametrize("target", RUNS)
def test_no_input_that_a_fuzzer_finds_breaks_a_promise(
    target: str, tmp_path: Path, tally: Tally
) -> None:
    if reason := missing():
        pytest.skip(reason)
    corpus, found = tmp_path / "corpus", tmp_path / "found"
    corpus.mkdir()
    found.mkdir()
    command = ["cargo", "+nightly", "fuzz", "run", "--fuzz-dir", str(FOLDER), *BUILT, target]
    length = SHORT if target in OF_NUMBERS else LONG
    options = [f"-runs={RUNS[target]}", f"-max_len={length}", "-timeout=20"]
    options += [f"-max_total_time={MOST_SECONDS}"]
    options += ["-print_final_stats=1", f"-artifact_prefix={found}/"]
    ended = subprocess.run(
        [*command, str(corpus), str(FOLDER / "seeds" / target), "--", *options],
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=FOLDER.parent,
        env=os.environ | ALONE,
    )
    tries = EXECUTED.search(ended.stderr)
    assert tries is not None, ended.stderr[-4000:]
    tally(f"fuzzing: {target}", int(tries[1]), int(ended.returncode != 0))
    assert ended.returncode == 0, ended.stderr[-4000:]
