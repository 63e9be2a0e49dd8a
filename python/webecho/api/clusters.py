"""`webecho clusters`: which pages belong together, of inputs or of a workspace."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.api.call import estimates, public, warn
from webecho.api.frames import engine_for
from webecho.api.inputs import Inputs, InputsOrWorkspace, as_pages, failure, opened, recipe_of
from webecho.api.reading import as_reading
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, running
from webecho.group.clusters import write_clusters
from webecho.group.rules.rule import Rule
from webecho.run import Report, Run
from webecho.settings import Recipe
from webecho.study.cluster_summary import summarise
from webecho.workspace.reread import Reread
from webecho.workspace.stored import read_file
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class ClustersRequest:
    """Whose clusters, and by which rule. `summary` asks for what there is to say of the largest
    `most` of them (None: of all) in the place of all pages."""

    pages: InputsOrWorkspace
    rule: RuleChoice = field(default_factory=RuleChoice)
    summary: bool = False
    most: int | None = None


@dataclass(frozen=True)
class Clustered:
    """Where the clusters were written, and the rows that were asked for; why resemblances had to be
    estimated, and what could not be read, if it was so."""

    rule: str
    file: Path
    rows: pa.Table
    summary: dict[str, Any]
    estimated: str | None
    failure: str | None


def run_clusters(request: ClustersRequest, run: Run) -> Clustered:
    """Clusters the pages, and writes `clusters/<rule>.parquet`."""
    chosen = request.rule.of(recipe_of(request.pages))
    with opened_for(chosen, request.pages, run) as (workspace, reread):
        run.begin("comparing")
        found = run.engine.clusters(workspace, chosen, run, reread)
        run.begin("writing")
        file = write_clusters(workspace, chosen, found)
        if request.summary:
            run.begin("summarising")
            summary, rows = summarise(workspace, found, request.most, run=run)
        else:
            summary, rows = {}, read_file(file)
        run.log("counts", {"rule": chosen.label} | summary)
        return Clustered(chosen.label, file, rows, summary, found.estimated, failure(workspace))


def opened_for(
    rule: Rule, pages: InputsOrWorkspace, run: Run
) -> AbstractContextManager[tuple[Workspace, Reread | None]]:
    """The workspace, or a temporary one with what the rule looks at."""
    return opened_for_all([rule], pages, run)


def opened_for_all(
    rules: Sequence[Rule], pages: InputsOrWorkspace, run: Run
) -> AbstractContextManager[tuple[Workspace, Reread | None]]:
    """The same for several rules, in which pages of the same types take part."""
    if isinstance(pages, Inputs):
        pages = replace(pages, reading=pages.reading.for_rule(rules[0]))
    return opened(
        pages,
        run,
        tuple(dict.fromkeys(column for rule in rules for column in rule.sketched)),
        shelved=any(rule.compares_shingles for rule in rules),
        tables=tuple(dict.fromkeys(table for rule in rules for table in rule.tables)),
    )


@public
def clusters(
    data: Any,
    rule: str = "similar",
    resemblance: float | None = None,
    *,
    equal_words: float | None = None,
    least_b: int | None = None,
    least_c: int | None = None,
    least_c_across: int | None = None,
    pieces: int | None = None,
    chunk: str | None = None,
    shared: int | None = None,
    most_pages: int | None = None,
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
) -> pa.Table:
    """Every page with its cluster (named by the cluster's lowest page), its size, url and id.

    Arguments:
        rule: when two pages belong together, such as similar, text or very-similar.

    Example:
        >>> found = webecho.clusters("web.echo", "very-similar")
        >>> found.column_names
        ['page', 'cluster', 'size', 'url', 'id']
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    request = ClustersRequest(
        pages=as_pages(data, recipe, reading),
        rule=RuleChoice(
            *(rule, resemblance, equal_words, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
    )
    with running(
        threads, memory, report, progress, convert=convert, engine=engine_for(data, engine)
    ) as run:
        found = run_clusters(request, run)
    warn(found.failure, estimates(found.estimated))
    return found.rows
