"""`webecho study mirrors`: which hosts have the same pages, and what became of that over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webecho.api.call import public
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, running
from webecho.api.studies import (
    Studied,
    check_out,
    check_snapshots,
    studied,
    workspaces_with,
)
from webecho.api.values import Name, as_workspace, several
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.study import mirrors
from webecho.study.captures import check_order
from webecho.study.mirrors import Count, MirrorSettings
from webecho.study.power_law import REPETITIONS, FitSettings
from webecho.workspace.workspace import Workspace

# The paper's clusters.
RULE = "very-similar"


@dataclass(frozen=True)
class StudyMirrorsRequest:
    """Of which snapshots, in their order, grouped by which rule, and how (see `MirrorSettings`).
    With `write` tables and figures are kept, in `out` or, of one workspace, in it."""

    workspaces: tuple[Path, ...]
    rule: RuleChoice = field(default_factory=lambda: RuleChoice(RULE))
    pages: int = MirrorSettings.pages
    count: Count = MirrorSettings.count
    most_hosts: int = MirrorSettings.most_hosts
    most_suffixes: int = MirrorSettings.most_suffixes
    sample: int = MirrorSettings.sample
    repetitions: int = REPETITIONS
    seed: int = 0
    write: bool = False
    out: Path | None = None
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings, self.drawing
        check_snapshots(self.workspaces, 1)
        if self.write:
            check_out(self.workspaces, self.out)

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> MirrorSettings:
        return MirrorSettings(
            *(self.pages, self.count, self.most_hosts, self.most_suffixes, self.sample, self.seed),
            FitSettings(self.repetitions, self.seed),
        )


def run_study_mirrors(request: StudyMirrorsRequest, run: Run) -> Studied:
    """Studies the snapshots."""
    paths = request.workspaces
    rules = [request.rule.of(Workspace.open(path).recipe) for path in paths]
    tables = dict.fromkeys(table for rule in rules for table in rule.tables)
    with workspaces_with(paths, [*tables], run) as opened:
        check_order(opened, run)
        found = mirrors.study_mirrors(opened, rules, request.settings, run)
    return studied(found, paths, request, run)


@public
def study_mirrors(
    workspaces: Name | Sequence[Name],
    rule: str = RULE,
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
    pages: int = MirrorSettings.pages,
    count: Count = MirrorSettings.count,
    most_hosts: int = MirrorSettings.most_hosts,
    most_suffixes: int = MirrorSettings.most_suffixes,
    sample: int = MirrorSettings.sample,
    repetitions: int = REPETITIONS,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """Which hosts have the same pages, as Fetterly 2004 tells it, and of several snapshots what
    became of that: `.tables` by name, `.sentences`, `.draw(folder)` for the figures and
    `.write(folder)` for all.

    Arguments:
        pages: the pages that each of two hosts has at the least in clusters with one of the other.
        count: which pairs of hosts are counted: all, or roots, those with that of the first page.
        most_hosts: the hosts of a cluster that are paired each with each; more with the largest
            alone.
        most_suffixes: the suffixes of paths that are compared exactly; more by a Bloom filter.
        sample: pairs to list of those that no path confirms.

    Example:
        >>> webecho.study_mirrors("web.echo", pages=2, repetitions=0).name
        'mirrors'
    """
    request = StudyMirrorsRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        rule=RuleChoice(
            *(rule, resemblance, equal_words, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        pages=pages,
        count=count,
        most_hosts=most_hosts,
        most_suffixes=most_suffixes,
        sample=sample,
        repetitions=repetitions,
        seed=seed,
    )
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable(run_study_mirrors(request, run).study)
