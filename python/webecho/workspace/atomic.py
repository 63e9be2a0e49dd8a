"""Folders that appear at once: written aside, and given their name when they are complete and on
the disk; and folders beside them, for what is written to be moved there.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_folder(out: Path) -> Iterator[Path]:
    """A folder that gets the name `out` when the block ends well, in place of what had it before,
    and is gone when it does not."""
    aside = out.with_name(f".{out.name}.new")
    before = out.with_name(f".{out.name}.old")
    # A run that was killed may have left them.
    if before.exists() and not out.exists():
        before.replace(out)
    for left in (aside, before):
        if left.exists():
            shutil.rmtree(left)
    aside.mkdir(parents=True)
    try:
        yield aside
        sync_below(aside)
        if out.exists():
            out.replace(before)
        aside.replace(out)
        if before.exists():
            shutil.rmtree(before)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def sync_below(folder: Path) -> None:
    """Waits until all files in a folder are on the disk: a name must not outlive what it names."""
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink():
            opened = os.open(file, os.O_RDONLY)
            try:
                os.fsync(opened)
            finally:
                os.close(opened)


@contextmanager
def folder_beside(out: Path) -> Iterator[Path]:
    """A folder beside `out` that is gone when the block ends. Who was asked to write there may not
    know yet that it is of no use any more: that must not fail, nor get into `out`."""
    made = out.with_name(f".{out.name}.apart")
    if made.exists():
        shutil.rmtree(made)
    made.mkdir(parents=True)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
