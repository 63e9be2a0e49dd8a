"""*Budget* of an executor: what its Java side and its Python workers hold together.

Most is Java's heap, in which Spark sorts and joins; the rest is for what Java takes beside it and
for the Python workers with the kernels, which cluster managers call the overhead. Spark can limit
the address space of Python workers, but not what they hold, and Arrow maps far more than it holds.
"""

from dataclasses import dataclass

from webecho.errors import MEMORY, MemoryBudgetError
from webecho.memory import mb

HEAP_SHARE = 0.6
# Spark starts with no smaller heap; a Python worker with the kernels holds 200 MB before it works.
LEAST_HEAP = 480 << 20
LEAST_BESIDE = 400 << 20


@dataclass(frozen=True)
class Budget:
    """Bytes of Java's heap, and bytes beside it."""

    heap: int
    beside: int

    def settings(self, local: bool) -> dict[str, str]:
        """What says so to Spark. On one machine the driver is the only executor."""
        if local:
            return {"spark.driver.memory": mib(self.heap)}
        return {
            "spark.executor.memory": mib(self.heap),
            "spark.executor.memoryOverhead": mib(self.beside),
        }


def budget(memory: int) -> Budget:
    """How the memory of an executor is divided."""
    if memory < LEAST_HEAP + LEAST_BESIDE:
        least = mb(LEAST_HEAP + LEAST_BESIDE)
        raise MemoryBudgetError(
            f"an executor of Spark needs at least {least} of memory, and only {mb(memory)} is "
            "allowed; give ",
            *(MEMORY.to(least), " or more"),
        )
    heap = max(LEAST_HEAP, min(int(memory * HEAP_SHARE), memory - LEAST_BESIDE))
    return Budget(heap, memory - heap)


def task_room(memory: int | None, tasks: int, most: int) -> int:
    """What the kernel of one of so many tasks of an executor may hold: half of what is beside the
    heap is Python's own and Arrow's."""
    return most if memory is None else min(most, budget(memory).beside // (2 * tasks))


def mib(count: int) -> str:
    """Bytes as Spark and Java write them."""
    return f"{count >> 20}m"
