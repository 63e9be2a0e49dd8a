"""What users may write in more than one way, as one value."""

import os
from pathlib import Path
from typing import Any

from webecho import settings

Name = str | os.PathLike[str]


def several(values: Any) -> tuple[Any, ...]:
    """One value may be given without a list around it."""
    return (values,) if isinstance(values, str | int | float | os.PathLike) else tuple(values)


def as_path(name: Name | None) -> Path | None:
    return None if name is None else Path(name)


def as_recipe(recipe: str | settings.Recipe) -> settings.Recipe:
    return settings.recipe(recipe) if isinstance(recipe, str) else recipe
