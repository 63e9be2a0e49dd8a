"""Inputs that can be read only once, copied beside the output: what stays of them is copied from
there, and a run that was stopped goes on with the same bytes.

One run at a time: the lock is taken before the first byte is copied, and a copy that a workspace
was made of is not replaced by another.
"""

import fcntl
import filecmp
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from webecho.errors import OUT, BusyError, InputError, WorkspaceError
from webecho.read.collection import ReadOptions, identity
from webecho.read.streams import copy_stream, is_stream
from webecho.workspace.layout import Layout
from webecho.workspace.locks import locked
from webecho.write.layout import spool_name


@contextmanager
def spooled(
    inputs: Sequence[str], options: ReadOptions, out: Path, workspace: Path, *, force: bool
) -> Iterator[list[str]]:
    """The inputs with copies in the place of streams, which nobody else replaces meanwhile."""
    streams = [each for each in inputs if is_stream(each)]
    if not streams:
        yield list(inputs)
        return
    if len({identity(each) for each in streams}) < len(streams):
        raise InputError(f"{streams[-1]}: was given before; leave one of them out")
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.with_name(f".{out.name}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError(f"another process is writing {out}; wait until it ends") from None
        copies = {
            each: spool(each, out.with_name(spool_name(each, out.name, number, options.format)))
            for number, each in enumerate(streams, 1)
        }
        for each, copy in copies.items():
            settle(each, copy, workspace, force=force)
        yield [str(copies.get(each, each)) for each in inputs]


def spool(name: str, copy: Path) -> Path:
    """Copies a stream aside, and gives the name that the copy is to have."""
    try:
        copy_stream(name, aside(copy))
    except BaseException:
        aside(copy).unlink(missing_ok=True)
        raise
    return copy


def aside(copy: Path) -> Path:
    return copy.with_name(f"{copy.name}.new")


def settle(name: str, copy: Path, workspace: Path, *, force: bool) -> None:
    """Gives a copy its name, unless another that has it is what a workspace was made of."""
    made = Layout(workspace).manifest.is_file() and copy.is_file()
    try:
        if made and not force and not filecmp.cmp(copy, aside(copy), shallow=False):
            raise WorkspaceError(
                f"{workspace} was made of something else than what comes from {name}; give ",
                *("another ", OUT, ", or remove that workspace first"),
            )
        if made:
            # Somebody may be reading it.
            with locked(workspace):
                aside(copy).replace(copy)
        else:
            aside(copy).replace(copy)
    finally:
        aside(copy).unlink(missing_ok=True)
