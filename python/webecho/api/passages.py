"""`webecho overlap --show`: the passages that two pages share, as they stand on both."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from webecho import _core
from webecho.api.call import public, warn
from webecho.api.inputs import InputsOrWorkspace, as_pages, failure, opened, recipe_of
from webecho.api.overlap import overlap_rule
from webecho.api.reading import as_reading
from webecho.api.runs import EngineChoice, running_locally
from webecho.chunkings import Chunking
from webecho.errors import SettingsError, setting
from webecho.group.rules.parameters import FINGERPRINTS
from webecho.group.shared_passages import SharedPassage, shared_passages, shortened
from webecho.run import Report, Run
from webecho.settings import Recipe
from webecho.shown import Outline, Shown
from webecho.sketches import passages as kernel
from webecho.sketches.boilerplate import content, sketcher_of
from webecho.workspace.page_names import one_page, two_pages
from webecho.workspace.reread import Reread, read_page
from webecho.workspace.workspace import Workspace

CHUNKING = Chunking("lines", 4)
Opened = tuple[Workspace, Reread | None]


@dataclass(frozen=True)
class PassagesRequest:
    """Two pages by url, id or number, of one collection, or the second of another."""

    pages: InputsOrWorkspace
    one: str
    other: str
    chunk: Chunking = CHUNKING
    bits: int = FINGERPRINTS[0]
    beside: InputsOrWorkspace | None = None

    def __post_init__(self) -> None:
        if self.bits not in FINGERPRINTS:
            raise SettingsError(
                setting("fingerprint").to(self.bits), ": give 64, or the paper's 32"
            )
        if self.beside is not None and recipe_of(self.pages) != recipe_of(self.beside):
            raise SettingsError("the two collections are sketched by different recipes")


@dataclass(frozen=True, repr=False)
class Passages(Shown):
    """What the two are called, the passages that they share, in the order of the first, how many
    different chunks that are and each has, and what there is to say of their names."""

    left: dict[str, Any]
    right: dict[str, Any]
    shared: tuple[SharedPassage, ...]
    shared_chunks: int
    left_chunks: int
    right_chunks: int
    notes: tuple[str, ...]
    failure: str | None

    def outline(self) -> Outline:
        facts = {
            "left": self.left["url"] or f"#{self.left['page']}",
            "right": self.right["url"] or f"#{self.right['page']}",
            "chunks of left": self.left_chunks,
            "chunks of right": self.right_chunks,
            "chunks of both": self.shared_chunks,
        }
        return Outline("Passages", facts, {"shared": [each.left_text for each in self.shared]})


def run_passages(request: PassagesRequest, run: Run) -> Passages:
    """Reads both pages again, and finds the chunks that they share."""
    with opened(request.pages, run) as first, beside(request, run) as another:
        run.begin("comparing")
        second = another or first
        notes: tuple[str, ...] = ()
        if another is None:
            one, other, notes = two_pages(first[0], request.one, request.other)
        else:
            one, other = one_page(first[0], request.one), one_page(second[0], request.other)
        left, left_passages = page_passages(*first, one, request.chunk, run)
        right, right_passages = page_passages(*second, other, request.chunk, run)
        ours, theirs = (
            np.unique(shortened(side.chunks, request.bits))
            for side in (left_passages, right_passages)
        )
        return Passages(
            left,
            right,
            tuple(shared_passages(left_passages, right_passages, request.bits)),
            len(np.intersect1d(ours, theirs, assume_unique=True)),
            len(ours),
            len(theirs),
            notes,
            failure(first[0]),
        )


def beside(request: PassagesRequest, run: Run) -> AbstractContextManager[Opened | None]:
    """The other collection, if there is one."""
    return nullcontext(None) if request.beside is None else opened(request.beside, run)


def page_passages(
    workspace: Workspace, again: Reread | None, page: int, chunking: Chunking, run: Run
) -> tuple[dict[str, Any], kernel.Passages]:
    """What a page is called, and its passages."""
    row: pa.RecordBatch = workspace.row(page, ["url", "id", "revisit_of"])
    called = {name: row[name][0].as_py() for name in ("page", "url", "id")}
    revisited = row["revisit_of"][0].as_py()
    original = page if revisited is None else revisited
    found = read_page(workspace, original, run, None if again is None else again.sources)
    sketcher: _core.Sketcher = sketcher_of(workspace, run)
    body = content(found, workspace.recipe)
    return called, kernel.passages(sketcher, body, chunking)[0]


@public
def passages(
    data: Any,
    one: str | int,
    other: str | int,
    chunk: str = "lines:4",
    *,
    beside: Any = None,
    fingerprint: int | None = None,
    recipe: str | Recipe | None = None,
    text: str | None = None,
    html: str | None = None,
    url: str | None = None,
    id: str | None = None,
    date: str | None = None,
    statuses: int | Sequence[int] | None = None,
    types: str | Sequence[str] | None = None,
    convert: Mapping[str, str] | None = None,
    format: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> Passages:
    """The passages that two pages of a collection share, by url, id or number (`"#12"`): `.shared`,
    in the order of the first, with their lines and their text on both.

    Arguments:
        one: the one page.
        other: the other, of the same collection or of `beside`.
        chunk: what pages are cut into, such as `lines:4` or `words:8:sliding`.
        beside: another collection, of which the second page is.
        fingerprint: the bits of a chunk's fingerprint, 64 or the paper's 32.

    Example:
        >>> pages = ["one two three four five", "now one two three four five six"]
        >>> webecho.passages(pages, 0, 1, "words:4:sliding").shared[0].left_text
        'one two three four five'
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    # It is checked as where pages are compared.
    _ = overlap_rule(chunk, 1, None, fingerprint)
    request = PassagesRequest(
        pages=as_pages(data, recipe, reading),
        one=str(one),
        other=str(other),
        chunk=Chunking.parse(chunk),
        bits=fingerprint or FINGERPRINTS[0],
        beside=None if beside is None else as_pages(beside, recipe, reading),
    )
    with running_locally(threads, memory, report, progress, convert=convert, engine=engine) as run:
        found = run_passages(request, run)
    warn(found.failure)
    return found
