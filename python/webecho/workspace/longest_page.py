"""*Longest page*: how many bytes a page may have to be in a workspace, where the memory was limited
when that was begun. It is a setting of the workspace: whoever goes on with it, adds to it or reads
its pages again goes by it, whatever memory is allowed now, and is refused where that is not enough.
"""

from pathlib import Path

from webecho.errors import MEMORY, OUT, WorkspaceError
from webecho.read.limits import Limits, limits_of, limits_within, memory_for
from webecho.run import Run
from webecho.workspace.layout import Layout
from webecho.workspace.manifest import Manifest
from webecho.workspace.workspace import Workspace


def limits_in(path: Path, run: Run) -> Limits:
    """The limits by which what goes into the workspace at this path is read: those it was begun
    with, or where there is none yet what the memory allows."""
    if not Layout(path).manifest.is_file():
        return limits_within(run.memory)
    longest = Workspace.open(path, complete=False).manifest.longest_page
    told = "begun without a limit" if longest is None else f"for pages of up to {longest:,} bytes"
    # Pages that are as long as these may be would not find room in less.
    whole = ", or leave it out, as when that was begun" if longest is None else ""
    run.check_memory(memory_for(longest), f"going on with {path}, {told},", whole)
    return limits_of(longest, run.memory)


def limits_again(workspace: Workspace, run: Run) -> Limits:
    """The limits by which pages of a workspace are read again: with less memory than it was begun
    with, the longest of them cannot be."""
    longest = workspace.manifest.longest_page
    if run.memory is not None and run.memory < memory_for(longest):
        return limits_within(run.memory)
    return limits_of(longest, run.memory)


def check_longest(path: Path, found: Manifest, longest: int | None) -> None:
    """Refuses a workspace that was begun for pages of another length."""
    if found.longest_page != longest:
        raise WorkspaceError(
            f"{path} was begun for pages of other lengths, by another ",
            *(MEMORY, "; give the same, or another ", OUT),
        )
