"""What users may write in more than one way, as one value."""

import os
from pathlib import Path
from typing import Any

from webecho import settings
from webecho.errors import OUT, InputError
from webecho.formats import files

Name = str | os.PathLike[str]


def several(values: Any) -> tuple[Any, ...]:
    """One value may be given without a list around it."""
    return (values,) if isinstance(values, str | int | float | os.PathLike) else tuple(values)


def as_path(name: Name | None) -> Path | None:
    return None if name is None else Path(name)


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
