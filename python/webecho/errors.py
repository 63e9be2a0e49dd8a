"""The one exception tree: whatever webecho raises on purpose is a `WebechoError`.

A message names the input, the place in it, and what to do about it. Where it names a setting it
holds a `Setting`, which the command line and Python's functions each call by their own name.
"""

from dataclasses import dataclass

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


class WebechoError(Exception):
    """Something webecho cannot go on with; the message says what to do.

    It is made of texts, settings and other errors. As a text it speaks as the command line does,
    and so do files that keep it.
    """

    def __init__(self, *parts: "str | Setting | WebechoError") -> None:
        # Whoever reads a message has a terminal, or a log that others read too.
        said = tuple(plain(without_secrets(p)) if isinstance(p, str) else p for p in parts)
        super().__init__(*said)
        self.parts = said

    def __str__(self) -> str:
        return self.for_command_line()

    def for_command_line(self) -> str:
        """The message with settings as options."""
        return "".join(
            part.on_command_line if isinstance(part, Setting) else str(part) for part in self.parts
        )

    def for_python(self) -> str:
        """The message with settings as arguments."""
        return "".join(map(_in_python, self.parts))

    def say_in_python(self) -> None:
        """Makes the message one for Python programs, which are to see it."""
        self.parts = self.args = (self.for_python(),)


def _in_python(part: str | Setting | WebechoError) -> str:
    if isinstance(part, Setting):
        return part.in_python
    return part.for_python() if isinstance(part, WebechoError) else part


class InputError(WebechoError):
    """An input that is missing, empty, of an unknown format, or without a needed column."""


class ChangedError(InputError):
    """An input that somebody wrote to while it was read."""


class SettingsError(WebechoError):
    """Settings that contradict each other, or that this webecho does not know."""


class WorkspaceError(WebechoError):
    """A workspace that is missing, damaged, made with other settings, or whose source changed."""


class BusyError(WorkspaceError):
    """A workspace that another process is using."""


class MemoryBudgetError(WebechoError):
    """The memory that was allowed is below what the work needs at the least."""
