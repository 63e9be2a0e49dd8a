"""The one exception tree: whatever webecho raises on purpose is a `WebechoError`.

A message names the input, the place in it, and what to do about it. It speaks of options as on the
command line; the functions of Python say it in their own words.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager


class WebechoError(Exception):
    """Something webecho cannot go on with; the message says what to do."""


class InputError(WebechoError):
    """An input that is missing, empty, of an unknown format, or without a needed column."""


class SettingsError(WebechoError):
    """Settings that contradict each other, or that this webecho does not know."""


class WorkspaceError(WebechoError):
    """A workspace that is missing, damaged, made with other settings, or whose source changed."""


class BusyError(WorkspaceError):
    """A workspace that another process is using."""


class MemoryBudgetError(WebechoError):
    """The memory that was allowed is below what the work needs at the least."""


# What is not called on the command line as it is in Python, and what is on without a value.
_NAMES = {
    "--family": "families",
    "--input-format": "format",
    "--status": "statuses",
    "--type": "types",
    "-o": "out",
}
_FLAGS = (
    "--append",
    "--append-kept",
    "--dry-run",
    "--force",
    "--keep-shingles",
    "--links",
    "--paragraphs",
    "--revisit",
)
_OPTION = re.compile(r"(?<![\w-])(--[a-z-]+|-o)\b( (?!or |and |would )(?=[\w'{]))?")


@contextmanager
def in_python() -> Iterator[None]:
    """Lets errors speak of `text=` where the command line has `--text`."""
    try:
        yield
    except WebechoError as error:
        message = str(error)
        # A whole command is one for the shell.
        if "webecho sketch" not in message:
            message = message.replace("TYPE=COMMAND", "{TYPE: COMMAND}")
            error.args = (_OPTION.sub(_argument, message),)
        raise


def _argument(option: re.Match[str]) -> str:
    name = _NAMES.get(option[1], option[1].removeprefix("--").replace("-", "_"))
    if option[1] in _FLAGS:
        return f"{name}=True{option[2] or ''}"
    return f"{name}="
