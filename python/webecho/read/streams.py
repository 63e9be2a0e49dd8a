"""*Stream*: an input that can be read only once: `-`, a pipe (`/dev/stdin`, `<(…)`), a FIFO.

Whoever has to read it twice copies it first.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from webecho.errors import InputError
from webecho.formats import files

_BLOCK = 1 << 20


def is_stream(name: str) -> bool:
    """Whether what the name stands for can be read only once."""
    return name == "-" or (not files.is_remote(name) and files.kind(name) == "stream")


def copy_stream(name: str, to: Path) -> None:
    """Copies a stream into a file; raises an `InputError` if nothing comes."""
    stream = files.open_stream(name)
    # Standard input belongs to the whole process.
    with to.open("wb") as copy, nullcontext(stream) if name == "-" else stream:
        shutil.copyfileobj(stream, copy, _BLOCK)
        # What is known by its content must be there if the machine stops.
        copy.flush()
        os.fsync(copy.fileno())
        if not copy.tell():
            raise InputError(f"{name}: nothing came from it; check the command that it comes from")


@contextmanager
def readable_twice(name: str) -> Iterator[str]:
    """The name, or of a stream that of a copy, for a while."""
    if not is_stream(name):
        yield name
        return
    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        copy = Path(folder) / "stream"
        copy_stream(name, copy)
        yield str(copy)
