"""Lines of text files. They end at `\\n`, whatever else a line may hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class BadRecord:
    """A line or row that cannot be read, and why."""

    reason: str
    detail: str | None = None


def split(blocks: Iterator[bytes], limit: int) -> Iterator[list[bytes | None]]:
    """The lines, some at a time, without their ends; None for one longer than the limit.

    Lines end at `\\n`. When the blocks end in a `DamagedError` it is raised after the last whole
    line; the line that it cuts off is not given.
    """
    first = next(blocks, b"")
    parts: list[bytes] = []
    held = 0
    for block in chain((first.removeprefix(BOM),), blocks):
        lines: list[bytes | None] = [*block.split(b"\n")]
        head, last = lines[0], lines[-1]
        if head is not None and len(lines) > 1:
            held += len(head)
            parts.append(head)
            lines[0] = b"".join(parts) if held <= limit else None
            parts, held = [], 0
            del lines[-1]
            yield [line if line is None or len(line) <= limit else None for line in lines]
        if last:
            held += len(last)
            if held <= limit:
                parts.append(last)
            else:
                parts = []
    if held:
        yield [b"".join(parts) if held <= limit else None]
