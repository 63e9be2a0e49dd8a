from pathlib import Path

import pytest
from bench.quadratic import CASES, Case, slope, timed


def test_the_slope_is_the_power_that_time_grows_with() -> None:
    sizes = (1_000, 2_000, 4_000)
    assert slope(sizes, (1.0, 2.0, 4.0)) == pytest.approx(1.0)
    assert slope(sizes, (1.0, 4.0, 16.0)) == pytest.approx(2.0)
    assert slope(sizes, (3.0, 3.0, 3.0)) == pytest.approx(0.0)


def test_every_size_is_made_in_a_folder_of_its_own() -> None:
    seen: list[tuple[Path, int]] = []

    def make(folder: Path, size: int) -> int:
        assert folder.is_dir()
        seen.append((folder, size))
        return size

    found = timed(Case("a case", (100, 200), make, lambda size: sum(range(size))), times=2)
    assert found.sizes == (200, 400)
    assert [size for _, size in seen] == [2, 200, 400]
    assert len({folder for folder, _ in seen}) == 3


def test_there_are_many_cases_of_different_names() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 20


@pytest.mark.parametrize("name", ["jsonl: blank lines", "html: deep nesting", "many parts"])
def test_cases_run(name: str, tmp_path: Path) -> None:
    [case] = [each for each in CASES if each.name == name]
    case.work(case.make(tmp_path, 300))
