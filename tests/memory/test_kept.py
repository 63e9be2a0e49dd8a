"""`--memory` is kept: the peak of every case is within what it was allowed."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.command import done
from tests.memory.cases import CASES, DEDUP, MB, Case
from tests.memory.limited import run_limited
from tests.soak_table import Tally

# As the table of attacks calls it.
MEMORY = "memory, within the limit"
SHORT = [case for case in CASES if case.short is not None]
# What all small pages are to fit in, real ones too.
REAL = 256 * MB


@pytest.mark.parametrize("case", SHORT, ids=lambda case: case.name)
def test_a_command_keeps_within_its_memory(case: Case, tmp_path: Path, tally: Tally) -> None:
    assert case.short is not None
    with tally.trying(MEMORY):
        check(case, case.short, case.short_memory, tmp_path)


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    [
        "debian_html",
        pytest.param("debian_docs", marks=pytest.mark.soak),
        pytest.param("snapshots/3", marks=pytest.mark.soak),
        pytest.param("policies/6", marks=pytest.mark.soak),
    ],
)
def test_real_pages_are_kept_within_memory(
    data: Path, name: str, tmp_path: Path, tally: Tally
) -> None:
    case = Case(name, lambda _: data / f"{name}.parquet", DEDUP, {})
    with tally.trying(MEMORY):
        check(case, case.long, REAL, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_command_keeps_within_its_memory_at_any_size(
    case: Case, tmp_path: Path, tally: Tally
) -> None:
    with tally.trying(MEMORY):
        check(case, case.long, case.memory, tmp_path)


def check(case: Case, size: Any, allowed: int, folder: Path) -> None:
    (folder / "in").mkdir()
    made = case.make(folder / "in", **size)
    stdin = () if isinstance(made, Path) else made
    where = {"IN": str(made), "OUT": str(folder / "out"), "WORK": str(folder / "work.echo")}

    def filled(command: tuple[str, ...]) -> list[str]:
        for name, path in where.items():
            command = tuple(
                path + word.removeprefix(name) if word.startswith(name) else word
                for word in command
            )
        return [*command]

    for command in case.before:
        done(*filled(command))
    try:
        ended = run_limited([*filled(case.command), "--memory", allowed], allowed, stdin=stdin)
    finally:
        shutil.rmtree(folder / "in")
    memory = f"{ended.peak >> 20} of {allowed >> 20} MiB"
    print(f"{case.name}: {memory}, {ended.seconds:.1f} s, code {ended.code}\n{ended.said[-1500:]}")
    assert "Traceback" not in ended.said, ended.said[-3000:]
    assert ended.code in case.codes, ended.said[-3000:]
    assert case.said in ended.said
    assert ended.peak <= allowed, memory
