"""`webecho study replication`: how much of each collection is replicated, and what that costs."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running
from webecho.api.studies import Studied, check_out, of_collections, studied, workspaces_with
from webecho.api.values import Name, as_workspace, several
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.sketches.page_tables import require_tables
from webecho.study import replication
from webecho.study.replicas import CHUNKINGS
from webecho.study.replication import ReplicationSettings
from webecho.study.result import Study
from webecho.workspace.page_tables import lacking
from webecho.workspace.run_file import read_run
from webecho.workspace.workspace import Workspace

# The half of Table 1 that is measured.
TIMES = "time"


@dataclass(frozen=True)
class StudyReplicationRequest:
    """Of which workspaces; by how much the servers of clusters must `agree` to be one collection,
    how many `pages` one has at the least, and how many `rows` of them are told. With `write` tables
    and figures are kept, in `out` or, of one workspace, in it."""

    workspaces: tuple[Path, ...]
    agree: float = ReplicationSettings.agree
    pages: int = ReplicationSettings.pages
    rows: int = ReplicationSettings.rows
    write: bool = False
    out: Path | None = None
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings, self.drawing
        if self.write:
            check_out(self.workspaces, self.out)

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> ReplicationSettings:
        return ReplicationSettings(self.agree, self.pages, self.rows)


def run_study_replication(request: StudyReplicationRequest, run: Run) -> Studied:
    """Studies the workspaces."""
    paths = request.workspaces
    reading = {str(path): reading_seconds(path, run) for path in paths}
    tables = [chunking.table for chunking, _ in CHUNKINGS]
    with workspaces_with(paths, tables, run) as opened:
        found = replication.study_replication(opened, request.settings, run, reading)
    kept = found if request.out is not None else without_times(found)
    return replace(studied(kept, paths, request, run), study=of_collections(found, paths))


def without_times(study: Study) -> Study:
    """What is kept in a workspace: nothing but its run.json, which has the times too, differs from
    run to run."""
    tables = {name: table for name, table in study.tables.items() if name != TIMES}
    return replace(study, tables=tables, titles={name: study.titles[name] for name in tables})


def times(study: Study) -> dict[str, float]:
    """The seconds of each step by each chunking, all collections together."""
    found: dict[str, float] = {}
    for row in study.tables[TIMES].to_pylist():
        for chunking, _ in CHUNKINGS:
            step = f"{row['step']}, {chunking}"
            found[step] = found.get(step, 0.0) + (row[str(chunking)] or 0.0)
    return found


def reading_seconds(path: Path, run: Run) -> dict[str, float | None]:
    """What reading the pages and making the chunks takes: now, or when they were sketched."""
    found: dict[str, float | None] = {}
    sketched = read_run(path).get("sketch", {}).get("seconds")
    for chunking, _ in CHUNKINGS:
        if lacking(Workspace.open(path), [chunking.table]):
            start = time.monotonic()
            require_tables(path, [chunking.table], run)
            found[str(chunking)] = time.monotonic() - start
        else:
            found[str(chunking)] = sketched
    return found


@public
def study_replication(
    workspaces: Name | Sequence[Name],
    *,
    agree: float = ReplicationSettings.agree,
    pages: int = ReplicationSettings.pages,
    rows: int = ReplicationSettings.rows,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """How much of each collection is replicated, and what that costs, as Shivakumar 1998 tells it:
    `.tables` by name, `.sentences`, `.draw(folder)` for the figures and `.write(folder)` for all.

    Arguments:
        agree: by how much the servers of two clusters agree (Jaccard) that are one collection.
        pages: how many pages a collection has at the least.
        rows: how many of the most replicated collections are told.

    Example:
        >>> webecho.study_replication("web.echo").name
        'replication'
    """
    request = StudyReplicationRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        agree=agree,
        pages=pages,
        rows=rows,
    )
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable(run_study_replication(request, run).study)
