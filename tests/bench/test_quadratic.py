import sys
import threading
from collections.abc import Callable, Sized
from pathlib import Path

import pytest
from bench.quadratic import CASES
from bench.slopes import STEEP, Case, settled, slope

from tests.soak_table import Tally

# As the table of attacks calls it.
QUADRATIC = "more than linear time (slopes)"


def test_there_are_many_cases_of_different_names() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 20


def calls(work: Callable[[], object]) -> int:
    """How many functions of Python are called meanwhile, in all threads."""
    seen = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal seen
        seen += event in ("call", "c_call")

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return seen


def growth(case: Case, sizes: tuple[int, ...], folder: Path) -> float:
    """The power that the calls of a case grow with."""
    counted = []
    for size in (1, *sizes):  # the first only loads what is needed
        (folder / f"{size}").mkdir()
        made = case.make(folder / f"{size}", size)
        counted.append(float(calls(lambda made=made: case.work(made))))
    return slope(sizes, tuple(counted[1:]))


def test_calls_tell_what_is_quadratic(tmp_path: Path) -> None:
    def each_with_each(size: int) -> None:
        for one in range(size):
            for other in range(size):
                divmod(one, other + 1)

    grown = growth(Case("a case", (), lambda _, size: size, each_with_each), (50, 100), tmp_path)
    assert grown == pytest.approx(2.0, abs=0.05)


# With the pages that are there when it is made of 50.
COUNTED = {"jsonl: blank lines": 1, "html: deep nesting": 1, "folder of many files": 50}


@pytest.mark.parametrize("name", COUNTED)
def test_cases_run_and_call_no_more_than_they_grow(name: str, tmp_path: Path) -> None:
    [case] = [each for each in CASES if each.name == name]
    found = case.work(case.make(tmp_path, 50))
    assert isinstance(found, Sized) and len(found) == COUNTED[name]
    assert growth(case, (20, 40), tmp_path) <= STEEP


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_time_grows_as_the_input_does(case: Case, tally: Tally) -> None:
    found = settled(case)
    steep = found.slope > STEEP
    told = f"{case.name} {found.slope:.2f}" + (f" ({found.told})" if steep else "")
    tally(QUADRATIC, 1, int(steep), told)
    print(f"{case.name}: slope {found.slope:.2f} ({found.told})")
    assert not steep, told
