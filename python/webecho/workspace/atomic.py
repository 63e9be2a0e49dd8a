"""Folders that appear at once: written aside, and given their name when they are complete; and
folders beside them, for what is written to be moved there.
"""

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
    for left in (aside, before):
        # A run that was killed may have left them.
        if left.exists():
            shutil.rmtree(left)
    aside.mkdir(parents=True)
    try:
        yield aside
        if out.exists():
            out.replace(before)
        aside.replace(out)
        if before.exists():
            shutil.rmtree(before)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


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
