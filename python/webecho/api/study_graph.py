"""`webecho study graph`: where in the web of a collection duplicates occur."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.studies import Studied, check_out, studied, workspaces_with
from webecho.api.values import Name, as_path, as_workspace, several
from webecho.group.paragraphs import Match
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.study import graph
from webecho.study.graph import GraphSettings
from webecho.study.graph_collections import study_graphs
from webecho.study.power_law import REPETITIONS, FitSettings
from webecho.study.reaching import StartSettings
from webecho.study.web import FOLLOWED, Level, LinkSettings


@dataclass(frozen=True)
class StudyGraphRequest:
    """Of which workspaces, which links are followed (see `LinkSettings`), from where (see
    `StartSettings`), and how documents are matched. With `write` tables and figures are kept, in
    `out` or, of one workspace, in it."""

    workspaces: tuple[Path, ...]
    start: str | None = None
    tries: int = StartSettings.tries
    least: float = StartSettings.least
    kinds: tuple[str, ...] = FOLLOWED
    obey_nofollow: bool = False
    edges: Path | None = None
    level: Level = "page"
    match: Match = "multiset"
    repetitions: int = REPETITIONS
    seed: int = 0
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
    def settings(self) -> GraphSettings:
        return GraphSettings(
            LinkSettings(self.kinds, self.obey_nofollow, self.edges, self.level),
            StartSettings(self.start, self.tries, self.least, self.seed),
            self.match,
            FitSettings(self.repetitions, self.seed),
        )


def run_study_graph(request: StudyGraphRequest, run: Run) -> Studied:
    """Studies the workspaces; the answer is table 4, of each of them."""
    paths, settings = request.workspaces, request.settings
    with workspaces_with(paths, graph.needed_tables(settings), run) as opened:
        run.begin("following links")
        found = study_graphs(opened, settings, run)
    answered = found.tables["table_4"].num_rows if "table_4" in found.tables else 0
    return replace(studied(found, paths, request, run), is_answered=answered == len(paths))


@public
def study_graph(
    workspaces: Name | Sequence[Name],
    *,
    start: str | None = None,
    tries: int = StartSettings.tries,
    least: float = StartSettings.least,
    kinds: str | Sequence[str] = FOLLOWED,
    obey_nofollow: bool = False,
    edges: Name | None = None,
    level: Level = "page",
    match: Match = "multiset",
    repetitions: int = REPETITIONS,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """Where in the web of a collection duplicates occur, as Pereira 2006 and Baeza-Yates 2007 tell
    it: `.tables` by name, `.sentences`, `.draw(folder)` for the figures and `.write(folder)` for
    all.

    Of several collections there is a row for each, and the means over them. If no initial document
    reaches enough, `.notes` says so, and tables 4 to 6 have nothing of that collection.

    Arguments:
        start: where following links begins: a URL, an id, a number (`"#12"`) or core; None: at
            random.
        tries: random initial documents to try.
        least: the share of the documents that a random one must reach.
        kinds: links to follow: a, area, frame, iframe, redirect, canonical.
        obey_nofollow: do not follow links that ask for that.
        edges: a CSV, TSV or Parquet file (source, target) of the links to follow instead.
        level: whether the columns of `edges` have addresses (page) or hosts (host).
        match: multiset, or paper: repeated paragraphs count once, as Pereira 2006 has it.

    Example:
        >>> found = webecho.study_graph("graph.echo", start="core", repetitions=0)
        >>> found.name
        'graph'
    """
    request = StudyGraphRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        start=start,
        tries=tries,
        least=least,
        kinds=several(kinds),
        obey_nofollow=obey_nofollow,
        edges=as_path(edges),
        level=level,
        match=match,
        repetitions=repetitions,
        seed=seed,
    )
    with running_locally(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable(run_study_graph(request, run).study)
