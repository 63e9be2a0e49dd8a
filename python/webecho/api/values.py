"""What users may write in more than one way, as one value."""

import os
from pathlib import Path
from typing import Any

from webecho import settings
from webecho.chunkings import Chunking, distinct, parse_chunkings
from webecho.errors import OUT, InputError, SettingsError, setting
from webecho.formats import files
from webecho.workspace.mirror import workspace_path

Name = str | os.PathLike[str]


def several(values: Any) -> tuple[Any, ...]:
    """One value may be given without a list around it."""
    return (values,) if isinstance(values, str | int | float | os.PathLike) else tuple(values)


def as_path(name: Name | None) -> Path | None:
    return None if name is None else Path(name)


def as_workspace(name: Name) -> Path:
    """The path of a workspace, given by its path or its address."""
    return workspace_path(name)


def as_out(name: Name) -> Path:
    """The path that results go to; an address is refused, for nothing is written far away."""
    text = os.fspath(name)
    if files.is_remote(text):
        raise InputError(
            f"{text}: results are written to this machine only; give a folder with ",
            *(OUT, ", and copy it there"),
        )
    return Path(files.local_path(text))


def as_recipe(recipe: str | settings.Recipe) -> settings.Recipe:
    return settings.recipe(recipe) if isinstance(recipe, str) else recipe


def as_chunkings(chunks: Any, name: str = "chunks") -> tuple[Chunking, ...]:
    """Chunkings, each once, of the setting of this name: one, or several in a text or a list."""
    given = [chunks] if isinstance(chunks, str | Chunking) else list(chunks)
    found: list[Chunking] = []
    for each in given:
        if not isinstance(each, str | Chunking):
            raise SettingsError(setting(name), f" takes chunkings such as lines:4, not {each!r}")
        try:
            found += [each] if isinstance(each, Chunking) else parse_chunkings(each)
        except SettingsError as error:
            raise SettingsError(setting(name), ": ", error) from None
    return distinct(found)
