"""What Spark says when it fails, as errors of ours: which file, and what to do about it."""

from collections.abc import Iterable

from webecho.errors import WebechoError, WorkspaceError
from webecho.workspace.stored import Stored


def translated(text: str, stored: Iterable[Stored]) -> WebechoError:
    """The error of ours that a failure is: `stored` are the tables that may have been read. A
    person is shown a line, not the stack of another language."""
    reason = first_line(text)
    for table in stored:
        for file in table.files:
            if str(file) in text:
                return WorkspaceError(f"{file} cannot be read by Spark ({reason}); {table.fix}")
    return WebechoError(f"a query failed in Spark ({reason}); please report this")


def first_line(text: str) -> str:
    """What a message says first, without where in Spark it was said."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line and not line.startswith("at ")), "without a word")
