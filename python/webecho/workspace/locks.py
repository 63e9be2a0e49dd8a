"""Locks on a workspace: one process writes, or several read."""

import contextlib
import errno
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from webecho.errors import BusyError
from webecho.workspace.layout import Layout
from webecho.workspace.mirror import push
from webecho.workspace.scratch import remove_unfinished
from webecho.workspace.workspace import Workspace

READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


@contextlib.contextmanager
def locked(path: Path, *, shared: bool = False) -> Iterator[None]:
    """Keeps a second process from writing a workspace at the same time; `shared`, also those that
    sketch into it, but not others that only read what was sketched."""
    with opened(Layout(path).lock, shared=shared) as file:
        try:
            if file is not None:
                fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            doing = "writing" if shared else "writing or reading"
            raise BusyError(f"another process is {doing} {path}; wait until it ends") from None
        if not shared:
            remove_unfinished(path)
        yield
    push(path)


@contextlib.contextmanager
def opened(lock: Path, *, shared: bool) -> Iterator[IO[str] | None]:
    """The file of a lock. Where nothing can be written a shared one may be that of others, or none:
    then no process here writes."""
    try:
        file = lock.open("a")
    except OSError as error:
        if not shared or error.errno not in READ_ONLY:
            raise
        if not lock.is_file():
            yield None
            return
        file = lock.open()
    with file:
        yield file


def clean(path: Path) -> None:
    """Removes what killed runs left in a workspace, unless another process uses it, or nothing can
    be written there."""
    try:
        with contextlib.suppress(BusyError), locked(path):
            pass
    except OSError as error:
        if error.errno not in READ_ONLY:
            raise


@contextlib.contextmanager
def reading(path: str | Path) -> Iterator[Workspace]:
    """A complete workspace to which nothing is added as long as the block runs."""
    # Before a lock is made there: it may be no workspace at all.
    path = Workspace.open(path).path
    clean(path)
    with locked(path, shared=True):
        yield Workspace.open(path)
