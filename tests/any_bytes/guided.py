"""What a fuzzer that goes by coverage gives the readers in Python (`fuzz_readers.py`).

The first byte of an input says which format the rest is read as. Whatever it is, it is read, or
refused by an error of ours; pages read once more are what they were.
"""

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.any_bytes.seeds import Seed, collections
from tests.read.reading import everything, pages
from webecho.errors import WebechoError
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.limits import limits_within

# As much as a little memory allows: what is longer is skipped, which is a way of its own.
MEMORY = 256_000_000


@cache
def seeds() -> Sequence[Seed]:
    """A file of each format, by the byte that names it."""
    return [seed for seed in collections().values() if seed.data]


def as_input(number: int) -> bytes:
    """A seed as the fuzzer has it."""
    return bytes([number]) + seeds()[number].data


def read(data: bytes) -> int | None:
    """How many pages are read of an input; None if it is refused."""
    seed = seeds()[data[0] % len(seeds())]
    with tempfile.TemporaryDirectory(prefix="webecho-fuzz-") as folder:
        file = Path(folder, seed.file)
        file.write_bytes(data[1:])
        try:
            [source] = open_collection([str(file)], ReadOptions(), limits_within(MEMORY)).sources
            found, _ = everything(source)
            some = [row["place"] for row in found[::2]]
            again = pages(source.read(some))
        except WebechoError:
            return None
        assert again == found[::2]
        return len(found)
