"""*Reachable component* (Baeza-Yates 2007, Definition 4): the documents that can be reached by
following links from an initial document; all others are the *unreachable component*.

The initial document is drawn at random from the documents of more than 450 characters. If fewer
than half of them are reached, another one is drawn, and after so many none. Instead it can be
named, or be any of the core of the bow tie, from which all of the core and of out is reached
(Pereira 2006, section 4.1). Pages of at most 450 characters are no documents here, but links run
through them: a crawler follows them.
"""

from dataclasses import dataclass
from random import Random

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError, SettingsError, setting
from webecho.study.web import Web
from webecho.workspace.page_names import one_page
from webecho.workspace.workspace import Workspace

PARTS = ("core", "in", "out", "tubes", "tendrils", "disconnected")
CORE = "core"


@dataclass(frozen=True)
class StartSettings:
    """Where following begins: `start` is the name of a page, or `core`; None is random, with at
    most `tries` starts until the share `least` of the documents is reached."""

    start: str | None = None
    tries: int = 20
    least: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise SettingsError(f"with {self.tries} starts nothing is reached; try at least one")
        if not 0 <= self.least <= 1:
            raise SettingsError(
                setting("least").to(self.least), " is no share of the documents; try 0.5"
            )


@dataclass(frozen=True)
class Start:
    """An initial document, and how much was reached from it."""

    page: int
    documents: int
    pages: int


@dataclass(frozen=True)
class Reached:
    """All starts that were tried, and for each page whether it is reached from the last of them;
    None if that was not enough."""

    starts: tuple[Start, ...]
    pages: pa.BooleanArray | None


def reach(
    workspace: Workspace,
    web: Web,
    documents: pa.BooleanArray,
    parts: pa.UInt8Array,
    settings: StartSettings,
) -> Reached:
    """Follows links from the start that the settings ask for."""
    if settings.start is not None:
        page = core_page(parts) if settings.start == CORE else named_page(workspace, web, settings)
        found, pages = follow(web, documents, page)
        return Reached((found,), pages)
    total = pc.sum(documents).as_py() or 0
    candidates = pc.indices_nonzero(documents)
    drawn = Random(settings.seed).sample(range(total), min(settings.tries, total))
    starts: list[Start] = []
    for number in drawn:
        found, pages = follow(web, documents, candidates[number].as_py())
        starts.append(found)
        # The quotient decides; products are rounded otherwise.
        if found.documents / total >= settings.least:
            return Reached(tuple(starts), pages)
    return Reached(tuple(starts), None)


def follow(web: Web, documents: pa.BooleanArray, page: int) -> tuple[Start, pa.BooleanArray]:
    pages = web.graph.reached(page)
    counted = pc.sum(pc.and_(pages, documents)).as_py() or 0
    return Start(page, counted, pc.sum(pages).as_py() or 0), pages


def core_page(parts: pa.UInt8Array) -> int:
    """The first page of the core."""
    found: int = pc.index(parts, pa.scalar(PARTS.index(CORE), parts.type)).as_py()
    if found < 0:
        raise InputError("the collection has no pages, and so no core to start from")
    return found


def named_page(workspace: Workspace, web: Web, settings: StartSettings) -> int:
    """The page at an address, in whichever form it is given, or with this id or number."""
    name = settings.start or ""
    key = _core.address_keys(pa.record_batch([pa.array([name])], names=["url"]), 1)[0][0].as_py()
    page = None if key is None else web.graph.page_at(key)
    return one_page(workspace, name) if page is None else page
