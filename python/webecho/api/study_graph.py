"""`webecho study graph`: where in the web of a collection duplicates occur."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import as_run
from webecho.api.studies import Studied, workspaces_with, write_into
from webecho.api.values import Name, as_path, several
from webecho.group.paragraphs import Match
from webecho.run import Run
from webecho.show.files.drawable_study import DrawableStudy, drawable
from webecho.study import graph
from webecho.study.graph import GraphSettings
from webecho.study.reaching import StartSettings
from webecho.study.web import FOLLOWED, Level, LinkSettings


@dataclass(frozen=True)
class StudyGraphRequest:
    """Of which workspace, which links are followed (see `LinkSettings`), from where (see
    `StartSettings`), and how documents are matched. With `write` tables and figures are kept, in
    `out` or in the workspace."""

    workspace: Path
    start: str | None = None
    tries: int = StartSettings.tries
    least: float = StartSettings.least
    kinds: tuple[str, ...] = FOLLOWED
    obey_nofollow: bool = False
    edges: Path | None = None
    level: Level = "page"
    match: Match = "multiset"
    seed: int = 0
    write: bool = False
    out: Path | None = None

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings

    @property
    def settings(self) -> GraphSettings:
        return GraphSettings(
            LinkSettings(self.kinds, self.obey_nofollow, self.edges, self.level),
            StartSettings(self.start, self.tries, self.least, self.seed),
            self.match,
        )


def run_study_graph(request: StudyGraphRequest, run: Run) -> Studied:
    """Studies the workspace."""
    path, settings = request.workspace, request.settings
    with workspaces_with([path], graph.needed_tables(settings), run) as [workspace]:
        run.begin("following links")
        found = graph.study_graph(workspace, settings, run)
    folder = write_into(found, path, request.out, run) if request.write else None
    return Studied(found, folder, "table_4" in found.tables)


@public
def study_graph(
    workspace: Name,
    *,
    start: str | None = None,
    tries: int = StartSettings.tries,
    least: float = StartSettings.least,
    kinds: str | Sequence[str] = FOLLOWED,
    obey_nofollow: bool = False,
    edges: Name | None = None,
    level: Level = "page",
    match: Match = "multiset",
    seed: int = 0,
    threads: int | None = None,
    memory: int | str | None = None,
) -> DrawableStudy:
    """Where in the web of a collection duplicates occur, as Pereira 2006 and Baeza-Yates 2007 tell
    it: `.tables` by name, `.sentences`, and `.draw(folder)` for the figures.

    Options as of `webecho study graph`. If no initial document reaches enough, `.notes` says so and
    there are no tables 4 to 6.
    """
    request = StudyGraphRequest(
        workspace=Path(workspace),
        start=start,
        tries=tries,
        least=least,
        kinds=several(kinds),
        obey_nofollow=obey_nofollow,
        edges=as_path(edges),
        level=level,
        match=match,
        seed=seed,
    )
    return drawable(run_study_graph(request, as_run(threads, memory)).study)
