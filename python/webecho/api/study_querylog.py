"""`webecho study querylog`: whether new pages are made from what search engines give."""

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.studies import Studied, studied
from webecho.api.values import Name, as_workspace, several
from webecho.errors import OUT, SettingsError, setting
from webecho.read.query_logs import QueryLogFile as QueryLogFile
from webecho.run import Report, Run
from webecho.show.files.cases import cases_page
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.sketches.page_tables import require_tables
from webecho.sketches.search_index import require_index
from webecho.study import querylog
from webecho.study.query_logs import LogSettings
from webecho.study.query_periods import Period
from webecho.study.querylog_pair import PairFound
from webecho.study.querylog_settings import CollectionPair, QuerylogSettings
from webecho.study.result import names
from webecho.study.reuse_passages import MarkedCase, marked_case
from webecho.study.similar_documents import TABLE
from webecho.workspace.omissions import reading_all
from webecho.workspace.workspace import Workspace

# The page that has the cases.
CASES = "cases.html"


@dataclass(frozen=True)
class StudyQuerylogRequest:
    """Of which pairs of workspaces, an old one and a new one each, by which query logs; of each
    pair a ranking made elsewhere, if there is one, and the real log, if that is said. Settings as
    of `LogSettings` and `QuerylogSettings`. With `write` tables and figures are kept in `out`."""

    pairs: tuple[tuple[Path, Path], ...]
    queries: tuple[QueryLogFile, ...]
    real: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()
    drop: int = LogSettings.drop
    take: int = LogSettings.take
    period: str = "2mo"
    period_take: int = LogSettings.period_take
    around: str = "1mo"
    answers: int = QuerylogSettings.answers
    minimal: tuple[int, ...] = QuerylogSettings.minimal
    tested: int = QuerylogSettings.tested
    permutations: int = QuerylogSettings.permutations
    cases: int = QuerylogSettings.cases
    most: int = QuerylogSettings.most
    seed: int = 0
    write: bool = False
    out: Path | None = None
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings, self.drawing
        if not self.pairs:
            raise SettingsError(
                "give the old and the new collection with ", setting("pairs", "--pair")
            )
        for old, new in self.pairs:
            if old.resolve() == new.resolve():
                raise SettingsError(
                    setting("pairs", "--pair"),
                    f": {old} is given as the old and as the new collection; give two",
                )
        if not self.queries:
            raise SettingsError("give a query log with ", setting("queries").to("NAME=FILE"))
        logs = [log.name for log in self.queries]
        if len({*logs}) < len(logs):
            raise SettingsError(setting("queries"), ": give each log a name of its own")
        self.check_for_each("real", self.real)
        self.check_for_each("ranking", self.ranking)
        if self.write and self.out is None:
            raise SettingsError(
                "what several workspaces tell together is written into none of them; give a folder "
                "for it: ",
                OUT.to("FOLDER"),
            )

    def check_for_each(self, name: str, given: Sequence[str]) -> None:
        """Refuses what is given for some pairs alone."""
        if len(given) > 1 and len(given) != len(self.pairs):
            raise SettingsError(
                setting(name),
                f" is given {len(given)} times for {len(self.pairs)} pairs; give it once, or once "
                "for each pair in their order",
            )
        if name == "ranking" and len(given) == 1 < len({old for old, _ in self.pairs}):
            raise SettingsError(
                setting(name), " is of one old collection, and there are several; give one for each"
            )

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> QuerylogSettings:
        periods = {}
        for name in ("period", "around"):
            try:
                periods[name] = Period.parse(getattr(self, name))
            except SettingsError as error:
                raise SettingsError(setting(name), ": ", error) from None
        logs = LogSettings(
            self.drop, self.take, periods["period"], self.period_take, periods["around"]
        )
        return QuerylogSettings(
            *(logs, self.answers, self.minimal, self.tested),
            *(self.permutations, self.cases, self.most, self.seed),
        )


@dataclass(frozen=True)
class StudiedQuerylog:
    """What the study found, and its cases with what their pages share, as many as asked for."""

    studied: Studied
    cases: tuple[MarkedCase, ...]


def run_study_querylog(request: StudyQuerylogRequest, run: Run) -> StudiedQuerylog:
    """Makes what the workspaces lack, and studies the pairs."""
    paths = [*dict.fromkeys(path for pair in request.pairs for path in pair)]
    if not request.ranking:
        for path in dict.fromkeys(old for old, _ in request.pairs):
            require_index(path, run)
    for path in paths:
        require_tables(path, [TABLE], run)
    with ExitStack() as stack:
        opened = {path: stack.enter_context(reading_all(path, run)) for path in paths}
        pairs = as_pairs(request, opened)
        found = querylog.study_querylog(pairs, request.queries, request.settings, run)
        run.begin("reading cases again")
        marked = tuple(marked_cases(found.found, request.cases, run))
    files = {CASES: cases_page(marked)} if marked else {}
    study = replace(found.study, files=files)
    return StudiedQuerylog(studied(study, paths, request, run), marked)


def as_pairs(
    request: StudyQuerylogRequest, opened: Mapping[Path, Workspace]
) -> list[CollectionPair]:
    """The pairs with the names of their workspaces."""
    called = dict(zip(opened, names([*opened.values()]), strict=True))

    def of(given: Sequence[str], number: int) -> str | None:
        return given[number if len(given) > 1 else 0] if given else None

    return [
        CollectionPair(
            f"{called[old]}–{called[new]}",
            opened[old],
            opened[new],
            of(request.ranking, number),
            of(request.real, number),
        )
        for number, (old, new) in enumerate(request.pairs)
    ]


def marked_cases(found: Sequence[PairFound], most: int, run: Run) -> list[MarkedCase]:
    """Cases of each pair, of its real log first, as many in all as asked for."""
    chosen = []
    for each in found:
        real = each.real.name if each.real else None
        ordered = sorted(each.cases, key=lambda case: (case.log != real, -min(case.shared)))
        seen: set[int] = set()
        for case in ordered:
            if case.new not in seen:
                seen.add(case.new)
                chosen.append((each.pair, case))
    return [marked_case(pair, case, run) for pair, case in chosen[:most]]


def refuse_unpaired(pairs: Sequence[object], queries: object) -> None:
    """Refuses what are no pairs of workspaces, such as the two of one pair, or no logs by their
    names."""
    if isinstance(pairs, str | os.PathLike) or not all(
        isinstance(each, tuple | list) and len(each) == 2 for each in pairs
    ):
        raise SettingsError(
            setting("pairs", "--pair").to(repr(pairs)),
            ": give pairs of an old and a new workspace, such as [('old.echo', 'new.echo')]",
        )
    if not isinstance(queries, Mapping):
        raise SettingsError(
            setting("queries").to(repr(queries)),
            ": give files by the names of logs, such as {'log': 'requests.tsv'}",
        )


@public
def study_querylog(
    pairs: Sequence[tuple[Name, Name]],
    queries: Mapping[str, Name],
    *,
    real: str | Sequence[str] = (),
    ranking: Name | Sequence[Name] = (),
    drop: int = LogSettings.drop,
    take: int = LogSettings.take,
    period: str = "2mo",
    period_take: int = LogSettings.period_take,
    around: str = "1mo",
    answers: int = QuerylogSettings.answers,
    minimal: Sequence[int] = QuerylogSettings.minimal,
    tested: int = QuerylogSettings.tested,
    permutations: int = QuerylogSettings.permutations,
    cases: int = QuerylogSettings.cases,
    most: int = QuerylogSettings.most,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """Whether new pages are made from what search engines give, as Baeza-Yates 2007 tells it:
    `.tables` by name, `.sentences`, `.draw(folder)` for the figures and `.write(folder)` for all.

    Arguments:
        pairs: of old and new workspaces.
        queries: the files of query logs, by their names.
        real: the log of the time between the crawls, of all pairs or of each; by default told by
            times.
        ranking: tables of query, rank and url, in the place of a search.
        drop: so many of the most frequent queries of a log, or of a period, are not used.
        take: so many of the next queries of a log are used.
        period: logs with times are also used by periods: 2mo, 3w, 1d, 6h.
        period_take: so many queries of a period are used.
        around: requests around crawls are not used: 1mo, of the months of fetching; 2mo; 0.
        answers: so many pages answer a query.
        minimal: minimal numbers of identical paragraphs.
        tested: the minimal number of tests, cases, parents and children.
        permutations: how often queries are handed out again by chance; 0: no tests.
        cases: so many new documents are shown with their sources.
        most: paragraphs on more old documents than this are not looked up.

    Example:
        >>> log = {"real": "years/queries/real.tsv"}
        >>> found = webecho.study_querylog(
        ...     [("year1.echo", "year2.echo")], log, drop=2, permutations=0
        ... )
        >>> found.name
        'querylog'
    """
    refuse_unpaired(pairs, queries)
    request = StudyQuerylogRequest(
        pairs=tuple((as_workspace(old), as_workspace(new)) for old, new in pairs),
        queries=tuple(QueryLogFile(name, str(file)) for name, file in queries.items()),
        real=several(real),
        ranking=tuple(str(each) for each in several(ranking)),
        drop=drop,
        take=take,
        period=period,
        period_take=period_take,
        around=around,
        answers=answers,
        minimal=tuple(minimal),
        tested=tested,
        permutations=permutations,
        cases=cases,
        most=most,
        seed=seed,
    )
    with running_locally(threads, memory, report, progress, convert=convert, engine=engine) as run:
        found = run_study_querylog(request, run)
    return drawable(found.studied.study)
