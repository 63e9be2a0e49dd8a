"""What users may write in more than one way, as one value."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from webecho import settings
from webecho.api.call import warn
from webecho.chunkings import Chunking, distinct, parse_chunkings
from webecho.errors import OUT, InputError, SettingsError, setting
from webecho.formats import files
from webecho.formats.entries import shown
from webecho.workspace.layout import beside_output
from webecho.workspace.mirror import workspace_path

Name = str | os.PathLike[str]


def several(values: Any) -> tuple[Any, ...]:
    """One value may be given without a list around it."""
    return (values,) if isinstance(values, str | int | float | os.PathLike) else tuple(values)


def as_path(name: Name | None) -> Path | None:
    return None if name is None else Path(name)


def as_workspace(name: Name, tell: Callable[[str], None] = warn) -> Path:
    """The path of a workspace, given by its path or its address; what a dedup wrote stands for the
    workspace beside it, which is told."""
    check_text(name)
    path = workspace_path(name)
    beside = beside_output(path)
    if beside is None:
        return path
    tell(f"{path} is what a dedup wrote; this is about its workspace, {beside}")
    return beside


def as_workspace_or_output(name: Name) -> Path:
    """The path of a workspace, given as to `as_workspace`, or of what a verb wrote."""
    check_text(name)
    return workspace_path(name)


def as_out(name: Name) -> Path:
    """The path that results go to; an address is refused, for nothing is written far away."""
    text = os.fspath(name)
    if files.is_remote(text):
        raise InputError(
            f"{text}: results are written to this machine only; give a folder with ",
            *(OUT, ", and copy it there"),
        )
    path = Path(files.local_path(text))
    # Processes that help are told of it from the root.
    check_text(path.absolute())
    return path


def check_text(path: Name) -> None:
    """Refuses a path that is not UTF-8: the libraries that write and read tables take no such."""
    name = os.fspath(path)
    if shown(name) != name:
        raise InputError(
            f"{shown(name)}: tables can lie only where the path is UTF-8; choose another folder, "
            "or rename that one"
        )


def as_share(name: str, given: str | float) -> float:
    """A share, of the setting of this name, as people write it: 50%, 0.5."""
    try:
        text = str(given).strip()
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise SettingsError(setting(name).to(given), " is no share; give one such as 50% or 0.5")
    return share


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
