"""`webecho diff`: two pages that are given, compared by every measure."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from webecho import _core
from webecho.api.call import public
from webecho.api.inputs import as_inputs, names_workspace
from webecho.api.reading import Reading, as_reading
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.values import as_recipe
from webecho.errors import SettingsError
from webecho.group.comparison import Comparison, compare
from webecho.group.sides import side_of
from webecho.memory import grouping
from webecho.read.collection import open_collection
from webecho.read.limits import limits_within
from webecho.read.single import only_page, pages_named
from webecho.run import Report, Run
from webecho.settings import WEBECHO, Recipe

Page = str | os.PathLike[str] | bytes


@dataclass(frozen=True)
class DiffRequest:
    """Two pages, or with `inside` the names of two that these inputs have, and what the rule
    `similar` asks for."""

    left: Page
    right: Page
    resemblance: float | None = None
    inside: tuple[Any, ...] | None = None
    recipe: Recipe = WEBECHO
    reading: Reading = field(default_factory=Reading)

    def __post_init__(self) -> None:
        if self.inside is None and self.left == self.right == "-":
            raise SettingsError("standard input is one page; give a file for the other")
        for given in self.inside or ():
            if names_workspace(given):
                raise SettingsError(f"{given} is a workspace; ask: webecho why {given} URL URL")


def run_diff(request: DiffRequest, run: Run) -> Comparison:
    """Compares the two pages."""
    run.check_memory(grouping(0), "comparing two pages")
    options = request.reading.options()
    limits = limits_within(run.memory)
    sketcher = _core.Sketcher(request.recipe.as_dict(), run.threads)
    run.begin("reading")
    pages: list[tuple[int | None, pa.RecordBatch]]
    if request.inside is None:
        pages = [(None, only_page(each, options, limits)) for each in (request.left, request.right)]
    else:
        collection = open_collection(request.inside, options, limits)
        pages = [*pages_named(collection, str(request.left), str(request.right))]
    run.begin("comparing")
    sides = [side_of(page, sketcher, number, run=run) for number, page in pages]
    return compare(sides[0], sides[1], request.recipe, request.resemblance)


@public
def diff(
    left: Page,
    right: Page,
    resemblance: float | None = None,
    *,
    inside: Any = None,
    recipe: str | Recipe = "webecho",
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
) -> Comparison:
    """Two pages, each a file, its bytes or `-` for standard input, compared by every measure.

    Arguments:
        left: the one page.
        right: the other.
        resemblance: what the rule `similar` asks for, by default 0.8.
        inside: a path, several or a table, of which these are two pages by url, id or number.

    Example:
        >>> webecho.diff(b"<p>one two three", b"<p>one two four").equal_words
        0.6666666666666666
    """
    request = DiffRequest(
        left=left,
        right=right,
        resemblance=resemblance,
        inside=None if inside is None else as_inputs(inside),
        recipe=as_recipe(recipe),
        reading=as_reading(text, html, url, id, date, statuses, types, convert, format),
    )
    with running_locally(threads, memory, report, progress, engine=engine) as run:
        return run_diff(request, run)
