"""webecho finds where a web collection repeats itself.

`dedup` removes what is there more than once and tells why; `sketch` makes one small row of every
page, `clusters` and `pairs` tell which pages belong together.
Each takes paths or any Arrow-compatible table and returns Arrow tables.
`restore` brings records back that revisits stand for.
`synth` makes a web up and tells the truth about it.
`evaluate` tells from labels how precise rules are.
`study_duplicates`, `study_graph` and `study_growth` tell what papers tell of their collections, of
yours.
`why` and `diff` compare two pages by every measure and give their difference.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webecho.api.clusters import clusters
    from webecho.api.compare import diff, why
    from webecho.api.dedup import Deduplicated, dedup
    from webecho.api.evaluate import evaluate
    from webecho.api.pairs import pairs
    from webecho.api.restore import restore
    from webecho.api.sketch import sketch
    from webecho.api.study import study_duplicates, study_graph, study_growth
    from webecho.api.synth import synth
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
    "evaluate",
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
    "Deduplicated": "dedup",
    "clusters": "clusters",
    "dedup": "dedup",
    "diff": "compare",
    "evaluate": "evaluate",
    "pairs": "pairs",
    "restore": "restore",
    "sketch": "sketch",
    "study_duplicates": "study",
    "study_graph": "study",
    "study_growth": "study",
    "synth": "synth",
    "why": "compare",
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
