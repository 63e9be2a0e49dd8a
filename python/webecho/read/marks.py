"""*Marks*: how much of a file's bytes was read when so many of its records were, for formats that
do not tell beforehand where a record stands."""

from bisect import bisect_left
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Marks:
    """Shares of the bytes, by the number of records read until then."""

    found: list[tuple[int, float]] = field(default_factory=list)

    def add(self, records: int, share: float) -> None:
        self.found.append((records, min(1.0, share)))

    def passed(self, place: int) -> float | None:
        """About how much is read when the record of this number is; None if nothing is known."""
        if not self.found:
            return None
        at = bisect_left(self.found, (place + 1,))
        before, start = self.found[at - 1] if at else (0, 0.0)
        records, end = self.found[min(at, len(self.found) - 1)]
        if records <= before:
            return end
        return start + (end - start) * min(1.0, (place + 1 - before) / (records - before))
