"""Slopes by a clock that only goes on where it is told to."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bench.slopes import MOST, STEEP, Case, Timed, settled, slope, timed

from bench import slopes


class Clock:
    """The seconds of this process, as they are told."""

    def __init__(self) -> None:
        self.now = 0.0

    def process_time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """In place of the module `time`: whoever asks for another clock than that of the processor
    gets an error."""
    made = Clock()
    monkeypatch.setattr(slopes, "time", made)
    return made


def test_the_slope_is_the_power_that_time_grows_with() -> None:
    sizes = (1_000, 2_000, 4_000)
    assert slope(sizes, (1.0, 2.0, 4.0)) == pytest.approx(1.0)
    assert slope(sizes, (1.0, 4.0, 16.0)) == pytest.approx(2.0)
    assert slope(sizes, (3.0, 3.0, 3.0)) == pytest.approx(0.0)


def case_of(clock: Clock, seconds: Callable[[int], float]) -> Case:
    """Work that takes so many seconds, of what takes longer to be made."""

    def make(_: Path, size: int) -> int:
        clock.now += 1_000.0 * size * size
        return size

    def work(size: int) -> None:
        clock.now += seconds(size)

    return Case("a case", (100, 200, 400), make, work)


def test_the_work_alone_is_timed_of_every_size(clock: Clock) -> None:
    found = timed(case_of(clock, lambda size: size / 10), times=2)
    assert found.measured == [
        (200, pytest.approx(20)),
        (400, pytest.approx(40)),
        (800, pytest.approx(80)),
    ]
    assert found.slope == pytest.approx(1.0)
    assert found.told == "200: 20.00 s, 400: 40.00 s, 800: 80.00 s"


def test_every_size_is_made_in_a_folder_of_its_own() -> None:
    seen: list[tuple[Path, int]] = []

    def make(folder: Path, size: int) -> int:
        assert folder.is_dir() and not [*folder.iterdir()]
        (folder / "made").touch()
        seen.append((folder, size))
        return size

    found = timed(Case("a case", (100, 200), make, lambda size: sum(range(size))), times=2)
    assert found.sizes == (200, 400)
    assert [size for _, size in seen] == [2, 200, 400]
    assert len({folder for folder, _ in seen}) == 3
    assert not any(folder.exists() for folder, _ in seen)


def test_the_best_of_two_is_that_of_each_size() -> None:
    one, other = (Timed("a case", (1, 2), seconds) for seconds in ((1.0, 5.0), (2.0, 3.0)))
    assert one.best(other).measured == [(1, 1.0), (2, 3.0)]


def test_what_is_steep_by_chance_is_timed_again_until_it_is_not(clock: Clock) -> None:
    runs: list[int] = []

    def seconds(size: int) -> float:
        runs.append(size)
        # Three times something else slowed the last size down.
        return size * (3.0 if size == 400 and runs.count(400) <= 3 else 1.0)

    found = settled(case_of(clock, seconds))
    assert found.slope == pytest.approx(1.0)
    assert runs.count(400) == 4


def test_what_is_quadratic_stays_steep(clock: Clock) -> None:
    runs: list[int] = []

    def seconds(size: int) -> float:
        runs.append(size)
        return float(size * size)

    found = settled(case_of(clock, seconds))
    assert found.slope == pytest.approx(2.0) and found.slope > STEEP
    assert runs.count(400) == MOST
