"""`webecho study clusters`: how large the clusters of each collection are, and what is in the
largest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running
from webecho.api.studies import Studied, check_out, studied, workspaces_with
from webecho.api.values import Name, as_workspace, several
from webecho.group.rules.registry import rules_named
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.study import clusters
from webecho.study.clusters import CLUSTER_RULES, ClusterSettings
from webecho.study.largest_clusters import Sampling
from webecho.study.power_law import REPETITIONS, FitSettings


@dataclass(frozen=True)
class StudyClustersRequest:
    """Of which workspaces, by which rules (names or labels, such as `similar-0.9`); how many `rows`
    of the largest clusters are told; from how many `times` the fitted clusters on a size is
    outlying, and by how much hosts `agree` that are one set; how many `members` of a cluster are
    held against the one that stands for it, and of how large a `sample` of the others it is told
    apart; how often drawn sizes tell how good power laws are, and the seed of all that is drawn.
    With `write` tables and figures are kept, in `out` or, of one workspace, in it."""

    workspaces: tuple[Path, ...]
    rules: tuple[str, ...] = CLUSTER_RULES
    rows: int = ClusterSettings.rows
    times: float = ClusterSettings.times
    agree: float = ClusterSettings.agree
    members: int = Sampling.members
    sample: int = Sampling.sample
    repetitions: int = REPETITIONS
    seed: int = 0
    write: bool = False
    out: Path | None = None
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings, self.drawing, rules_named(self.rules)
        if self.write:
            check_out(self.workspaces, self.out)

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> ClusterSettings:
        return ClusterSettings(
            self.rows,
            self.times,
            self.agree,
            Sampling(self.members, self.sample, self.seed),
            FitSettings(self.repetitions, self.seed),
        )


def run_study_clusters(request: StudyClustersRequest, run: Run) -> Studied:
    """Studies the workspaces."""
    paths = request.workspaces
    needed = [table for rule in rules_named(request.rules) for table in rule.tables]
    with workspaces_with(paths, [*dict.fromkeys(needed)], run) as opened:
        found = clusters.study_clusters(opened, request.rules, request.settings, run)
    return studied(found, paths, request, run)


@public
def study_clusters(
    workspaces: Name | Sequence[Name],
    *,
    rules: str | Sequence[str] = CLUSTER_RULES,
    rows: int = ClusterSettings.rows,
    times: float = ClusterSettings.times,
    agree: float = ClusterSettings.agree,
    members: int = Sampling.members,
    sample: int = Sampling.sample,
    repetitions: int = REPETITIONS,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """How large the clusters of each collection are and what is in the largest, as Fetterly 2004
    tells it: `.tables` by name, `.sentences`, `.draw(folder)` for the figures and `.write(folder)`
    for all.

    Arguments:
        rules: by which pages are clustered, by their names or labels, such as `similar-0.9`.
        rows: how many of the largest clusters are told.
        times: from how many times the fitted clusters on a size is outlying.
        agree: by how much the hosts of two clusters agree (Jaccard) that lie on one set of hosts.
        members: how many pages of a cluster are read, and held against the one that stands for it.
        sample: how many other pages are read, to tell which words set a cluster apart.

    Example:
        >>> found = webecho.study_clusters("web.echo", repetitions=0)
        >>> "largest" in found.tables
        True
    """
    request = StudyClustersRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        rules=several(rules),
        rows=rows,
        times=times,
        agree=agree,
        members=members,
        sample=sample,
        repetitions=repetitions,
        seed=seed,
    )
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable(run_study_clusters(request, run).study)
