"""`webecho why`: two pages of a collection, compared by every measure, or what one goes with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack, cast, overload

from webecho.api.call import public, warn
from webecho.api.inputs import Inputs, InputsOrWorkspace, as_pages, failure, opened
from webecho.api.reading import ReadingOptions, as_reading
from webecho.api.runs import EngineChoice, RunOptions, running_locally
from webecho.api.values import as_workspace
from webecho.errors import SettingsError
from webecho.group.companions import (
    Companion,
    Companions,
    by_dedup,
    companions,
    dedup_of_two,
    dedup_rule,
    output_of,
)
from webecho.group.comparison import Comparison, compare
from webecho.group.memberships import memberships
from webecho.group.sides import stored_side
from webecho.memory import grouping
from webecho.read.pages import Source
from webecho.run import Report, Run
from webecho.settings import Recipe
from webecho.sketches.boilerplate import sketcher_of
from webecho.workspace.layout import Layout
from webecho.workspace.page_names import first_page, is_page_here, two_pages
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class WhyRequest:
    """Two pages by their names, or one of a workspace, of which collection, and what the rule
    `similar` asks for."""

    pages: InputsOrWorkspace
    one: str
    other: str | None = None
    resemblance: float | None = None

    def __post_init__(self) -> None:
        if self.other is None and isinstance(self.pages, Inputs):
            raise SettingsError(
                "what a page goes with is known of a workspace; give that, or another page"
            )


@dataclass(frozen=True)
class Explained:
    """The comparison, and what of the inputs could not be read; of one page what it goes with, and
    its comparison with one of those, if there are any."""

    comparison: Comparison | None
    failure: str | None
    companions: Companions | None = None


def run_why(request: WhyRequest, run: Run) -> Explained:
    """Compares the two pages; `clusters` of the comparison has what the workspace knows of them."""
    if not isinstance(request.pages, Inputs):
        count = Workspace.open(request.pages).pages
        run.check_memory(grouping(count), f"comparing two pages of {request.pages}")
    with opened(request.pages, run) as (workspace, again):
        run.begin("comparing")
        if request.other is None:
            return of_one(workspace, request.one, request.resemblance, run)
        if (earlier := with_earlier(workspace, request, run)) is not None:
            return Explained(earlier, failure(workspace))
        left, right, notes = two_pages(workspace, request.one, request.other)
        sources = again.sources if again is not None else None
        found = compared(workspace, (left, right), request.resemblance, run, sources)
        return Explained(replace(found, notes=notes), failure(workspace))


def of_one(workspace: Workspace, name: str, resemblance: float | None, run: Run) -> Explained:
    """What one page goes with, and how it differs from the nearest of those."""
    page, notes = first_page(workspace, name)
    found = companions(workspace, page)
    found = replace(found, notes=(*notes, *found.notes))
    if found.kept is not None and found.kept.kept_in is not None:
        comparison, said = across(workspace, page, found.kept, resemblance, run)
        notes = (*found.notes, *said)
        return Explained(
            *(comparison, failure(workspace)), replace(found, comparison=comparison, notes=notes)
        )
    if found.nearest is None:
        return Explained(None, failure(workspace), found)
    comparison = compared(workspace, (page, found.nearest), resemblance, run)
    return Explained(comparison, failure(workspace), replace(found, comparison=comparison))


def compared(
    workspace: Workspace,
    pages: tuple[int, int],
    resemblance: float | None,
    run: Run,
    sources: Mapping[int, Source] | None = None,
) -> Comparison:
    """Two pages of a workspace, with what it knows of them."""
    sketcher = sketcher_of(workspace, run)
    left, right = (stored_side(workspace, page, sketcher, run, sources) for page in pages)
    output = output_of(workspace)
    decided = None if output is None else dedup_rule(output, workspace.recipe)
    said = None if output is None else dedup_of_two(output, *pages)
    found = compare(left, right, workspace.recipe, resemblance, decided)
    return replace(found, clusters=memberships(workspace, *pages, run), dedup=said)


def with_earlier(workspace: Workspace, request: WhyRequest, run: Run) -> Comparison | None:
    """The comparison of a page with the one of an earlier workspace that it went with, if that is
    the other that is named, and no page here is called so."""
    output, other = output_of(workspace), request.other
    if output is None or other is None or is_page_here(workspace, other):
        return None
    page, notes = first_page(workspace, request.one)
    kept, _ = by_dedup(output, page)
    if kept is None or kept.kept_in is None or other not in (kept.url, str(kept.id)):
        return None
    found, said = across(workspace, page, kept, request.resemblance, run)
    return None if found is None else replace(found, notes=(*notes, *said))


def across(
    workspace: Workspace, page: int, kept: Companion, resemblance: float | None, run: Run
) -> tuple[Comparison | None, tuple[str, ...]]:
    """A page and the one of an earlier workspace that it went with, compared if that is there, and
    else a note."""
    earlier = as_workspace(kept.kept_in or "")
    if not Layout(earlier).manifest.is_file():
        return None, (f"{earlier} is not there, so that the two pages are not compared",)
    old, output = Workspace.open(earlier), output_of(workspace)
    left, right = (
        stored_side(each, number, sketcher_of(each, run), run)
        for each, number in ((workspace, page), (old, kept.page))
    )
    decided = None if output is None else dedup_rule(output, workspace.recipe)
    found = compare(left, right, workspace.recipe, resemblance, decided)
    said = f"left was removed, and went with right, of {earlier}, by {kept.measures['rule']}"
    return replace(found, dedup=said), ()


class WhyOptions(ReadingOptions, RunOptions, total=False):
    """The keywords of `why`, which are the same for two pages and for one."""

    recipe: str | Recipe | None


@overload
def why(
    data: Any,
    one: str | int,
    other: str | int,
    resemblance: float | None = None,
    **options: Unpack[WhyOptions],
) -> Comparison: ...


@overload
def why(
    data: Any,
    one: str | int,
    other: None = None,
    resemblance: float | None = None,
    **options: Unpack[WhyOptions],
) -> Companions: ...


@public
def why(
    data: Any,
    one: str | int,
    other: str | int | None = None,
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
    report: Report | None = None,
    progress: bool = False,
) -> Comparison | Companions:
    """Two pages of a collection, by url, id or number (`"#12"`), compared by every measure; of one
    page of a workspace what it goes with: by its dedup, its clusters and its pairs.

    Of a name that several pages have the first is taken, and of one name given twice the first two;
    `notes` of the comparison tell. `clusters` has what the workspace knows of the two.

    Arguments:
        one: the one page.
        other: the other; None: all that the one goes with.
        resemblance: what the rule `similar` asks for, by default 0.8.

    Example:
        >>> pages = ["one two three four five six", "one two three four five"]
        >>> webecho.why(pages, 0, 1).resemblance
        0.5
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    second = None if other is None else str(other)
    request = WhyRequest(as_pages(data, recipe, reading), str(one), second, resemblance)
    with running_locally(threads, memory, report, progress, convert=convert, engine=engine) as run:
        found = run_why(request, run)
    warn(found.failure)
    return cast(Comparison | Companions, found.companions or found.comparison)
