"""*Case*: commands that are given one after the other in a folder of their own.

A command is a line of shell. `webecho` is the code under test, `python` the interpreter that runs
it, `python_calls` the script beside this file, and `in/` holds the inputs of `inputs.py`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A name that is also a file's, and commands. Those that are `pinned` have their answers in
    `expected/`; the others are only for comparing two trees."""

    name: str
    commands: tuple[str, ...]
    pinned: bool = True


def case(name: str, session: str, pinned: bool = True) -> Case:
    """A case of a session's lines; a line that ends in a backslash goes on in the next."""
    joined = session.replace("\\\n", " ")
    lines = (" ".join(line.split()) for line in joined.splitlines())
    return Case(name, tuple(line for line in lines if line), pinned)
