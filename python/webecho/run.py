"""*Run*: how a run is to be run: by which engine, on how many threads, within how much memory, to
whom it reports how far it has come, and whom it tells what it notices and what is not as it should
be; and which commands it may start for documents that are read again.

It travels as one value from the door to whoever does the work. Nothing in it changes a result, but
that a workspace which is begun with little memory takes no pages that are too long for it, which is
then a setting of that workspace: what does, a seed too, is in the settings.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from webecho.errors import MEMORY, MemoryBudgetError
from webecho.memory import mb

if TYPE_CHECKING:
    from webecho.engine.protocol import Database, Engine


@dataclass(frozen=True)
class Progress:
    """How far a *phase* of a run has come: reading, comparing, writing and the like.

    `share` is the part of it that is done, None where that is not known; `start` is the share that
    was done before the run began. Where pages are read there are `pages` and `bytes`.
    """

    phase: str
    share: float | None = None
    pages: int = 0
    bytes: int = 0
    start: float = 0.0


Report = Callable[[Progress], None]
# Takes what a person should know before the work is done, in a line.
Note = Callable[[str], None]
# Takes what happened, by its name, with what there is to say of it, for programs.
Log = Callable[[str, Mapping[str, Any]], None]


def silent(_: Progress) -> None:
    """Reports to nobody."""


def unheard(_: str) -> None:
    """Says it to nobody."""


def unlogged(_: str, __: Mapping[str, Any]) -> None:
    """Keeps it nowhere."""


@dataclass(frozen=True)
class Run:
    """How a run is to be run."""

    engine: "Engine"
    threads: int = 1
    memory: int | None = None
    report: Report = silent
    note: Note = unheard
    warn: Note = unheard
    log: Log = unlogged
    # By type, as the user gave them: what a workspace says is never run.
    convert: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def database(self) -> AbstractContextManager["Database"]:
        """Where the run's SQL is done."""
        return self.engine.database(self)

    def begin(self, phase: str) -> None:
        """Reports that a phase begins of which it is not known how long it takes."""
        self.report(Progress(phase))

    def check_memory(self, needed: int, what: str, otherwise: str = "") -> None:
        """Refuses a budget below what the work needs at the least, and says what else can be
        done."""
        if self.memory is not None and self.memory < needed:
            raise MemoryBudgetError(
                f"{what} needs at least {mb(needed)} of memory, and only {mb(self.memory)} is "
                "allowed; give ",
                *(MEMORY.to(mb(needed)), f" or more{otherwise}"),
            )
