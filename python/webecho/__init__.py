"""webecho finds where a web collection repeats itself.

`dedup` removes what is there more than once and tells why; `sketch` makes one small row of every
page, `clusters` and `pairs` tell which pages belong together, `overlap` which share parts, and
`passages` which parts.
Each takes paths or any Arrow-compatible table and returns Arrow tables.
`savings` tells a crawler which addresses need not be visited.
`restore` brings records back that revisits stand for.
`verify` tells whether a workspace, or what `dedup` wrote, is still what was written.
`synth` makes a web up and tells the truth about it.
`evaluate` tells from labels how precise rules are, `pair_report` what there is to say of pairs.
`study_clusters`, `study_duplicates`, `study_evolution`, `study_genealogy`, `study_graph`,
`study_growth`, `study_mirrors`, `study_querylog` and `study_replication` tell what papers tell of
their collections, of yours.
`genealogy` tells from which older pages a page has its text, and which newer ones have its own.
`why` and `diff` compare two pages by every measure and give their difference.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webecho.api.clusters import clusters
    from webecho.api.dedup import dedup
    from webecho.api.diff import diff
    from webecho.api.evaluate import evaluate
    from webecho.api.genealogy import genealogy
    from webecho.api.overlap import overlap
    from webecho.api.pair_report import pair_report
    from webecho.api.pairs import pairs
    from webecho.api.passages import passages
    from webecho.api.restore import restore
    from webecho.api.savings import savings
    from webecho.api.sketch import sketch
    from webecho.api.study_clusters import study_clusters
    from webecho.api.study_duplicates import study_duplicates
    from webecho.api.study_evolution import study_evolution
    from webecho.api.study_genealogy import study_genealogy
    from webecho.api.study_graph import study_graph
    from webecho.api.study_growth import study_growth
    from webecho.api.study_mirrors import study_mirrors
    from webecho.api.study_querylog import study_querylog
    from webecho.api.study_replication import study_replication
    from webecho.api.synth import synth
    from webecho.api.verify import verify
    from webecho.api.why import why
    from webecho.deduplication.in_memory import Deduplicated
    from webecho.errors import (
        DeviceError,
        InputError,
        MemoryBudgetError,
        SettingsError,
        WebechoError,
        WorkspaceError,
    )

__version__: str

__all__ = [
    "Deduplicated",
    "DeviceError",
    "InputError",
    "MemoryBudgetError",
    "SettingsError",
    "WebechoError",
    "WorkspaceError",
    "__version__",
    "clusters",
    "dedup",
    "diff",
    "evaluate",
    "genealogy",
    "overlap",
    "pair_report",
    "pairs",
    "passages",
    "restore",
    "savings",
    "sketch",
    "study_clusters",
    "study_duplicates",
    "study_evolution",
    "study_genealogy",
    "study_graph",
    "study_growth",
    "study_mirrors",
    "study_querylog",
    "study_replication",
    "synth",
    "verify",
    "why",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    # Imported when first used: the command line answers `--help` without loading Arrow.
    if name not in __all__:
        raise AttributeError(f"module 'webecho' has no attribute {name!r}")
    if name == "__version__":
        from importlib.metadata import version

        return version("webecho")
    from importlib import import_module

    return getattr(import_module(home_of(name)), name)


def home_of(name: str) -> str:
    """The module that has a public name: each verb has one of its own."""
    if name == "Deduplicated":
        return "webecho.deduplication.in_memory"
    return "webecho.errors" if name.endswith("Error") else f"webecho.api.{name}"
