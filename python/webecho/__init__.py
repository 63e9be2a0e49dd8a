"""webecho finds where a web collection repeats itself.

`dedup` removes what is there more than once and tells why; `sketch` makes one small row of every
page, `clusters` and `pairs` tell which pages belong together.
Each takes paths or any Arrow-compatible table and returns Arrow tables.
`restore` brings records back that revisits stand for.
`synth` makes a web up and tells the truth about it.
`evaluation` tells from labels how precise rules are.
`study_duplicates`, `study_graph` and `study_growth` tell what papers tell of their collections, of
yours.
`why` and `diff` compare two pages by every measure and give their difference.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webecho.api.comparing import diff, why
    from webecho.api.deduplicating import Deduplicated, dedup
    from webecho.api.evaluating import evaluation
    from webecho.api.grouping import clusters
    from webecho.api.making import synth
    from webecho.api.pairing import pairs
    from webecho.api.restoring import restore
    from webecho.api.sketching import sketch
    from webecho.api.studying import study_duplicates, study_graph, study_growth
    from webecho.errors import (
        InputError,
        MemoryBudgetError,
        SettingsError,
        WebechoError,
        WorkspaceError,
    )

__all__ = [
    "Deduplicated",
    "InputError",
    "MemoryBudgetError",
    "SettingsError",
    "WebechoError",
    "WorkspaceError",
    "clusters",
    "dedup",
    "diff",
    "evaluation",
    "pairs",
    "restore",
    "sketch",
    "study_duplicates",
    "study_graph",
    "study_growth",
    "synth",
    "why",
]

# Where each is to be found.
HOMES = {
    "Deduplicated": "deduplicating",
    "clusters": "grouping",
    "dedup": "deduplicating",
    "diff": "comparing",
    "evaluation": "evaluating",
    "pairs": "pairing",
    "restore": "restoring",
    "sketch": "sketching",
    "study_duplicates": "studying",
    "study_graph": "studying",
    "study_growth": "studying",
    "synth": "making",
    "why": "comparing",
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    # Imported when first used: the command line answers `--help` without loading Arrow.
    if name not in __all__:
        raise AttributeError(f"module 'webecho' has no attribute {name!r}")
    from importlib import import_module

    home = f"webecho.api.{HOMES[name]}" if name in HOMES else "webecho.errors"
    return getattr(import_module(home), name)
