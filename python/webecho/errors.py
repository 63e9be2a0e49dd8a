"""The one exception tree: whatever webecho raises on purpose is a `WebechoError`.

A message names the input, the place in it, and what to do about it. Where it names a setting it
holds a `Setting`, which the command line and Python's functions each call by their own name. So do
notes, which results hold.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from webecho.safe_text import plain, without_secrets


@dataclass(frozen=True)
class Setting:
    """What a user can set, as each face calls it: `--keep` on the command line, `keep=` in Python.

    A whole command for the shell names none: it is the same for everybody.
    """

    on_command_line: str
    in_python: str

    def to(self, value: object, in_python: object = None) -> "Setting":
        """The setting with a value, which Python may write in another way."""
        other = value if in_python is None else in_python
        return Setting(f"{self.on_command_line} {value}", f"{self.in_python}{other}")


def setting(name: str, option: str = "") -> Setting:
    """A setting by its name in Python; the option is spelt alike unless it is given."""
    return Setting(option or option_of(name), f"{name}=")


def flag(name: str) -> Setting:
    """A setting that is on without a value."""
    return Setting(option_of(name), f"{name}=True")


def option_of(name: str) -> str:
    """What the command line calls what Python calls by this name."""
    return f"--{name.replace('_', '-')}"


# Those that messages of several rooms name.
OUT = setting("out", "-o")
FORCE = flag("force")
FORMAT = setting("format", "--input-format")
MEMORY = setting("memory")


class Message(str):
    """What people are told, made of texts, settings and errors.

    As a text it speaks as the command line does, and so do files that keep it.
    """

    parts: "tuple[str | Setting | WebechoError, ...]"

    def __new__(cls, *parts: "str | Setting | WebechoError") -> Self:
        # Whoever reads it has a terminal, or a log that others read too.
        said = tuple(plain(without_secrets(p)) if type(p) is str else p for p in parts)
        made = super().__new__(cls, "".join(map(_on_command_line, said)))
        made.parts = said
        return made

    def for_python(self) -> str:
        """The message with settings as arguments."""
        return "".join(map(_in_python, self.parts))


class WebechoError(Exception):
    """Something webecho cannot go on with; the message says what to do."""

    def __init__(self, *parts: "str | Setting | WebechoError") -> None:
        self.message = Message(*parts)
        super().__init__(*self.message.parts)

    def __str__(self) -> str:
        return self.for_command_line()

    def for_command_line(self) -> str:
        """The message with settings as options."""
        return str(self.message)

    def for_python(self) -> str:
        """The message with settings as arguments."""
        return self.message.for_python()

    def say_in_python(self) -> None:
        """Makes the message one for Python programs, which are to see it."""
        self.message = Message(self.for_python())
        self.args = (self.message,)


def in_python(notes: Iterable[str]) -> list[str]:
    """Notes as Python programs are to see them."""
    return [_in_python(note) for note in notes]


def _on_command_line(part: str | Setting | WebechoError) -> str:
    return part.on_command_line if isinstance(part, Setting) else str(part)


def _in_python(part: str | Setting | WebechoError) -> str:
    if isinstance(part, Setting):
        return part.in_python
    return part.for_python() if isinstance(part, Message | WebechoError) else part


class InputError(WebechoError):
    """An input that is missing, empty, of an unknown format, or without a needed column."""


class ChangedError(InputError):
    """An input that somebody wrote to while it was read."""


class DeviceError(WebechoError):
    """A disk that fails: what lies there may be in good order, and cannot be had now."""


class SettingsError(WebechoError):
    """Settings that contradict each other, or that this webecho does not know."""


class WorkspaceError(WebechoError):
    """A workspace that is missing, damaged, made with other settings, or whose source changed."""


class BusyError(WorkspaceError):
    """A workspace that another process is using."""


class LossError(WebechoError):
    """A decision by which something loses more than was allowed."""


class MemoryBudgetError(WebechoError):
    """The memory that was allowed is below what the work needs at the least."""
