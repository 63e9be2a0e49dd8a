"""What chains of pairs join, of few things; of pages the kernel does it (`_core.Forest`)."""

from collections.abc import Iterable


def lowest_joined(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """For each of the numbers below `count` the lowest that a chain of pairs joins it with."""
    first = list(range(count))

    def root(number: int) -> int:
        while first[number] != number:
            first[number] = first[first[number]]
            number = first[number]
        return number

    for one, other in pairs:
        low, high = sorted((root(one), root(other)))
        first[high] = low
    return [root(number) for number in range(count)]
