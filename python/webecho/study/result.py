"""*Study*: what a paper did, done with other collections: tables and figures, each by its name."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.shown import Outline, Shown
from webecho.study.figures import Figure
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True, repr=False)
class Study(Shown):
    """What a study found.

    `titles` names the tables that people are shown, in order, and `captions` the others;
    `sentences` say what the paper says in its text, with these collections' numbers; `notes` are
    warnings, `facts` are counts that stand in no table. `collections` are all that it tells of,
    and `curves` what its figures have curves of, where that is something else.
    """

    name: str
    tables: dict[str, pa.Table]
    titles: dict[str, str]
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    # The table that stands for the study where there can be only one.
    main: str = ""
    figures: dict[str, Figure] = field(default_factory=dict)
    # What people are shown of tables that are too long for a screen.
    short: dict[str, pa.Table] = field(default_factory=dict)
    captions: dict[str, str] = field(default_factory=dict)
    # What else is written, by the names of the files.
    files: dict[str, str] = field(default_factory=dict)
    collections: tuple[str, ...] = ()
    curves: tuple[str, ...] = ()
    # What the workspaces hold that it was made of, by their names.
    made_of: dict[str, str] = field(default_factory=dict)
    # The recipes by which they were sketched, with their versions, by the same names.
    recipes: dict[str, str] = field(default_factory=dict)

    def outline(self) -> Outline:
        told = {"collections": ", ".join(self.collections)} if self.collections else {}
        # Some count their collections too, which their names tell as well.
        facts = told | self.facts | told
        return Outline(f"Study of {self.name}", facts, self.tables, self.notes)


def names(workspaces: Sequence[Workspace]) -> list[str]:
    """What collections are called."""
    return names_of([workspace.path for workspace in workspaces])


def names_of(paths: Sequence[Path]) -> list[str]:
    """The names of the folders, numbered where two are the same."""
    given = [path.resolve().stem for path in paths]
    taken = {name for name in given if given.count(name) == 1}
    found = []
    for name in given:
        numbered = (f"{name}-{number}" for number in count(1))
        free = name if name in taken else next(each for each in numbered if each not in taken)
        taken.add(free)
        found.append(free)
    return found
