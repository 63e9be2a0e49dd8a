"""`webecho why`: two pages of a collection, compared by every measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webecho.api.call import public, warn
from webecho.api.inputs import Inputs, InputsOrWorkspace, as_pages, failure, opened
from webecho.api.reading import as_reading
from webecho.api.runs import EngineChoice, as_local_run
from webecho.group.comparison import Comparison, compare
from webecho.group.memberships import memberships
from webecho.group.sides import stored_side
from webecho.memory import grouping
from webecho.run import Run
from webecho.settings import Recipe
from webecho.sketches.boilerplate import sketcher_of
from webecho.workspace.page_names import two_pages
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class WhyRequest:
    """Two pages by their names, of which collection, and what the rule `similar` asks for."""

    pages: InputsOrWorkspace
    one: str
    other: str
    resemblance: float | None = None


@dataclass(frozen=True)
class Explained:
    """The comparison, and what of the inputs could not be read."""

    comparison: Comparison
    failure: str | None


def run_why(request: WhyRequest, run: Run) -> Explained:
    """Compares the two pages; `clusters` of the comparison has what the workspace knows of them."""
    if not isinstance(request.pages, Inputs):
        count = Workspace.open(request.pages).pages
        run.check_memory(grouping(count), f"comparing two pages of {request.pages}")
    with opened(request.pages, run) as (workspace, again):
        run.begin("comparing")
        left, right, notes = two_pages(workspace, request.one, request.other)
        sketcher = sketcher_of(workspace, run)
        sources = again.sources if again is not None else None
        sides = [stored_side(workspace, page, sketcher, run, sources) for page in (left, right)]
        found = compare(sides[0], sides[1], workspace.recipe, request.resemblance)
        known = memberships(workspace, left, right, run)
        return Explained(replace(found, clusters=known, notes=notes), failure(workspace))


@public
def why(
    data: Any,
    one: str | int,
    other: str | int,
    resemblance: float | None = None,
    *,
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
) -> Comparison:
    """Two pages of a collection, by url, id or number (`"#12"`), compared by every measure.

    Of a name that several pages have the first is taken, and of one name given twice the first two;
    `notes` of the comparison tell. `clusters` has what the workspace knows of the two. Inputs are
    read as by `sketch`.
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    request = WhyRequest(as_pages(data, recipe, reading), str(one), str(other), resemblance)
    found = run_why(request, as_local_run(threads, memory, convert=convert, engine=engine))
    warn(found.failure)
    return found.comparison
