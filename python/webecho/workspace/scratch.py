"""*Scratch*: temporary folders and files of a run, and what killed runs have left of theirs.

Who makes one holds a lock on it as long as it is needed, so that the next run can tell what nobody
needs any more; numbers of processes would not do, for containers share folders but not numbers.
"""

import atexit
import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

PREFIX = "webecho-"
LOCK = ".lock"
# A file that is younger may belong to a process that is about to lock it; in seconds.
YOUNG = 60
# A file that is being written, and the process that does it: see `own` in table_files.py.
UNFINISHED = re.compile(r"\..+\.[a-z]+\.(\d{1,9})")


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is gone when the block ends; so is what killed runs left."""
    remove_abandoned(Path(tempfile.gettempdir()))
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX) as folder,
        (Path(folder) / LOCK).open("w") as lock,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(folder)


def lasting_folder() -> Path:
    """A folder that is gone when the process ends, for what others may read until then."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(temporary_folder())


@contextmanager
def temporary_file() -> Iterator[IO[bytes]]:
    """A file that has a name until the block ends."""
    with tempfile.NamedTemporaryFile(prefix=PREFIX) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def remove_abandoned(folder: Path) -> None:
    """Removes the temporary folders and files in a folder that no process holds any more."""
    for left in folder.glob(f"{PREFIX}*"):
        # Somebody else's, or gone meanwhile: then it is not ours to remove.
        with suppress(OSError):
            if left.lstat().st_uid != os.getuid() or left.is_symlink():
                continue
            if left.is_dir() and is_abandoned(left / LOCK):
                shutil.rmtree(left)
            elif left.is_file() and is_old(left) and is_abandoned(left):
                left.unlink()


def is_old(file: Path) -> bool:
    return time.time() - file.stat().st_mtime > YOUNG


def is_abandoned(held: Path) -> bool:
    """Whether no process holds a lock on this file."""
    with held.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def remove_unfinished(workspace: Path) -> None:
    """Removes files of a workspace that killed processes began to write; nobody else uses it."""
    for left in workspace.glob("**/.*.*.*"):
        remove_if_unfinished(left)


def remove_if_unfinished(left: Path) -> None:
    """Removes a file that a killed process began to write; others stay."""
    named = UNFINISHED.fullmatch(left.name)
    # Gone meanwhile, or somebody else's: then it is not ours to remove.
    with suppress(FileNotFoundError, PermissionError):
        if named and not is_running(int(named[1])) and is_abandoned(left):
            left.unlink()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
