"""`webecho savings`: what a crawler need not fetch again, and the URL rules that tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webecho.api.call import estimates, public, warn
from webecho.api.clusters import opened_for
from webecho.api.inputs import InputsOrWorkspace, as_pages, failure, names_workspace, recipe_of
from webecho.api.reading import as_reading
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.values import Name, as_out, as_workspace
from webecho.crawling.files import write_savings
from webecho.crawling.mirrors import read_mirrors
from webecho.crawling.savings import LEAST, Savings, SavingsSettings, find_savings
from webecho.errors import OUT, SettingsError
from webecho.group.keeping import keep as keep_order
from webecho.run import Report, Run
from webecho.settings import WEBECHO, Recipe
from webecho.workspace.layout import Layout

# The same visible text: a crawler should not lose what is only similar.
RULE = "text"


@dataclass(frozen=True)
class SavingsRequest:
    """Of which pages, and how (see `SavingsSettings`); `mirrors` is what the study of mirrors
    wrote; with `write` it is written to `out`, or into the workspace."""

    pages: InputsOrWorkspace
    rule: RuleChoice = field(default_factory=lambda: RuleChoice(RULE))
    keep: str = "first"
    least: float = LEAST
    mirrors: Path | None = None
    write: bool = False
    out: Path | None = None

    def __post_init__(self) -> None:
        # It is checked when it is made.
        _ = self.settings(WEBECHO)
        if self.write and self.out is None and not isinstance(self.pages, Path):
            raise SettingsError("inputs have no workspace to write to; give ", OUT.to("FOLDER"))

    def settings(self, recipe: Recipe) -> SavingsSettings:
        mirrors = () if self.mirrors is None else read_mirrors(written_study(self.mirrors))
        return SavingsSettings(self.rule.of(recipe), keep_order(self.keep), self.least, mirrors)


def written_study(given: Path) -> Path:
    """The folder of the study of mirrors, if a workspace is given in which it was written."""
    return Layout(given).study("mirrors") if names_workspace(given) else given


@dataclass(frozen=True)
class Saved:
    """What can be saved, the folder that it was written to, if it was, and what could not be read,
    if it was so."""

    savings: Savings
    folder: Path | None
    files: tuple[Path, ...]
    failure: str | None


def run_savings(request: SavingsRequest, run: Run) -> Saved:
    """Compares the pages, and finds what need not be fetched."""
    settings = request.settings(recipe_of(request.pages))
    with opened_for(settings.rule, request.pages, run) as (workspace, reread):
        found = find_savings(workspace, settings, run, reread)
        folder, files = None, []
        if request.write:
            run.begin("writing")
            folder = request.out or workspace.files.savings(settings.rule.label)
            files = write_savings(folder, found, settings)
        run.log("counts", found.facts)
        return Saved(found, folder, tuple(files), failure(workspace))


@public
def savings(
    data: Any,
    out: Name | None = None,
    *,
    rule: str = RULE,
    resemblance: float | None = None,
    equal_words: float | None = None,
    least_b: int | None = None,
    least_c: int | None = None,
    least_c_across: int | None = None,
    pieces: int | None = None,
    chunk: str | None = None,
    shared: int | None = None,
    most_pages: int | None = None,
    fingerprint: int | None = None,
    keep: str = "first",
    least: float = LEAST,
    mirrors: Name | None = None,
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
) -> Savings:
    """What a crawler need not fetch again: `.urls`, of each cluster the address to visit and those
    to leave out; `.rules`, the URL rules that these teach; `.lists`, patterns for crawlers; and
    `.facts`.

    Arguments:
        out: a folder to write all of it to.
        rule: when two pages are the same, by default `text`: a crawler should not lose what is only
            similar.
        keep: which address of a cluster is visited, as in `dedup`.
        least: URL rules whose interval begins at this or above go into the lists.
        mirrors: the folder of `study_mirrors`, or its table `crawler`, which names folders of hosts
            that are held against the pages too.

    Example:
        >>> found = webecho.savings("web.echo")
        >>> found.facts["to visit"] + found.facts["to leave out"] == found.facts["addresses"]
        True
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    request = SavingsRequest(
        pages=as_pages(data, recipe, reading),
        rule=RuleChoice(
            *(rule, resemblance, equal_words, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        keep=keep,
        least=least,
        mirrors=None if mirrors is None else as_workspace(mirrors),
        write=out is not None,
        out=None if out is None else as_out(out),
    )
    with running_locally(threads, memory, report, progress, convert=convert, engine=engine) as run:
        found = run_savings(request, run)
    warn(found.failure, estimates(found.savings.estimated))
    return found.savings
