"""The *driver's folder*: where names begin that are no whole ones. Executors work in folders of
their own, and find a file by the name that the user gave, which tables and errors have too."""

import os
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path


def driver_folder() -> str:
    """The one that this process works in, as the driver tells it."""
    return os.fspath(Path.cwd())


@contextmanager
def names_from(folder: str) -> Iterator[None]:
    """Names in the block begin in this folder. A machine that has no such folder goes on in its
    own: whole names are all that it can be given, and of others it says that it sees no file."""
    if not Path(folder).is_dir():
        yield
        return
    with chdir(folder):
        yield
