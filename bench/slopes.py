"""*Slope*: how time grows with the size of an input.

It is that of the line through the logarithms of size and processor time: 1 is linear, 2 quadratic;
a fixed cost makes it less. Times are of the processors that this process had, and of the work
alone, for machines are shared; where a machine is, caches are too, so that the least of several
times tells most.
"""

import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A slope above this deserves a look: n log n and noise stay below.
STEEP = 1.35
# What is steep by chance is not steep so many times.
MOST = 5


@dataclass(frozen=True)
class Case:
    """What is made of a size in a folder, and the work that is timed."""

    name: str
    sizes: tuple[int, ...]
    make: Callable[[Path, int], Any]
    work: Callable[[Any], object]


@dataclass(frozen=True)
class Timed:
    """A case with the processor seconds of each size."""

    name: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def slope(self) -> float:
        return slope(self.sizes, self.seconds)

    @property
    def measured(self) -> list[tuple[int, float]]:
        return [*zip(self.sizes, self.seconds, strict=True)]

    @property
    def told(self) -> str:
        return ", ".join(f"{size:,}: {seconds:.2f} s" for size, seconds in self.measured)

    def best(self, other: "Timed") -> "Timed":
        """The least seconds of each size."""
        least = (min(each) for each in zip(self.seconds, other.seconds, strict=True))
        return Timed(self.name, self.sizes, tuple(least))


def slope(sizes: tuple[int, ...], seconds: tuple[float, ...]) -> float:
    """Of the straight line nearest to the logarithms."""
    x = [math.log(size) for size in sizes]
    y = [math.log(max(second, 1e-6)) for second in seconds]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return above / sum((a - middle_x) ** 2 for a in x)


def timed(case: Case, times: int = 1) -> Timed:
    """The seconds of the case, with sizes that many times as large."""
    sizes = tuple(size * times for size in case.sizes)
    seconds = []
    for size in (max(1, case.sizes[0] // 50), *sizes):  # the first only loads what is needed
        with tempfile.TemporaryDirectory(prefix="webecho-bench-") as folder:
            made = case.make(Path(folder), size)
            start = time.process_time()
            case.work(made)
            seconds.append(time.process_time() - start)
    return Timed(case.name, sizes, tuple(seconds[1:]))


def settled(case: Case, most: int = MOST) -> Timed:
    """The least seconds of each size, timed again while they are steep, so many times at the
    most."""
    found = timed(case)
    for _ in range(most - 1):
        if found.slope <= STEEP:
            break
        found = found.best(timed(case))
    return found
