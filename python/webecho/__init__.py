"""webecho finds where a web collection repeats itself.

`sketch` makes one small row of every page, `clusters` and `pairs` tell which pages belong together.
Each takes paths or any Arrow-compatible table and returns Arrow tables. `why` and `diff` compare
two pages by every measure and give their difference.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webecho.api import clusters, diff, pairs, sketch, why
    from webecho.errors import (
        InputError,
        MemoryBudgetError,
        SettingsError,
        WebechoError,
        WorkspaceError,
    )

__all__ = [
    "InputError",
    "MemoryBudgetError",
    "SettingsError",
    "WebechoError",
    "WorkspaceError",
    "clusters",
    "diff",
    "pairs",
    "sketch",
    "why",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    # Imported when first used: the command line answers `--help` without loading Arrow.
    if name not in __all__:
        raise AttributeError(f"module 'webecho' has no attribute {name!r}")
    from importlib import import_module

    home = "webecho.errors" if name.endswith("Error") else "webecho.api"
    return getattr(import_module(home), name)
