"""Coverage-guided fuzzing of the kernels, below the address sanitizer (`rust/fuzz`), which needs
cargo-fuzz and a nightly toolchain."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.soak_table import Tally

FOLDER = Path(__file__).parents[2] / "rust" / "fuzz"
# By how fast each is, so that none takes much longer than others.
RUNS = {
    "addresses": 800_000,
    "agreement": 30_000,
    "candidates": 8_000,
    "charset": 1_500_000,
    "chunks": 80_000,
    "differences": 500_000,
    "documents": 150_000,
    "graph": 1_500_000,
    "html": 800_000,
    "judge": 3_000_000,
    "overlap": 80_000,
    "page": 60_000,
    "pairs": 60_000,
    "sentences": 1_000_000,
    "sketches": 500_000,
    "tokens": 500_000,
    "warc": 300_000,
}
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
    command = ["cargo", "+nightly", "fuzz", "run", "--fuzz-dir", str(FOLDER), target, str(corpus)]
    options = [f"-runs={RUNS[target]}", "-max_len=2048", "-timeout=20", "-print_final_stats=1"]
    ended = subprocess.run(
        [*command, str(FOLDER / "seeds" / target), "--", *options, f"-artifact_prefix={found}/"],
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=FOLDER.parent,
    )
    tries = EXECUTED.search(ended.stderr)
    assert tries is not None, ended.stderr[-4000:]
    tally(f"fuzzing: {target}", int(tries[1]), int(ended.returncode != 0))
    assert ended.returncode == 0, ended.stderr[-4000:]
