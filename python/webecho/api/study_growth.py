"""`webecho study growth`: how clusters and duplicates grow step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.studies import Studied, check_out, studied, workspaces_with
from webecho.api.values import Name, as_workspace, several
from webecho.group.paragraphs import TABLE, Match
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.study import growth
from webecho.study.steps import STEPS, GrowthSettings


@dataclass(frozen=True)
class StudyGrowthRequest:
    """Of which workspaces, in how many steps, which share of them is run, and by which other
    workspace the whole is estimated (see `GrowthSettings`). With `write` tables and figures are
    kept, in `out` or, of one workspace, in it."""

    workspaces: tuple[Path, ...]
    steps: int = STEPS
    match: Match = "multiset"
    steps_run: float = 1.0
    go_on: bool = False
    estimate_from: Path | None = None
    other_steps: int | None = None
    seed: int = 0
    write: bool = False
    out: Path | None = None
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings, self.drawing
        if self.write:
            check_out(self.every, self.out)

    @property
    def every(self) -> tuple[Path, ...]:
        """The workspaces that it concerns."""
        other = () if self.estimate_from is None else (self.estimate_from,)
        return (*self.workspaces, *other)

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> GrowthSettings:
        return GrowthSettings(
            *(self.steps, self.match, self.seed),
            *(self.steps_run, self.go_on, self.other_steps),
        )


def run_study_growth(request: StudyGrowthRequest, run: Run) -> Studied:
    """Studies the workspaces."""
    paths = request.workspaces
    with workspaces_with(request.every, [TABLE], run) as opened:
        run.begin("comparing")
        own, others = opened[: len(paths)], opened[len(paths) :]
        found = growth.study_growth(own, request.settings, *others, run=run)
    return studied(found, request.every, request, run)


@public
def study_growth(
    workspaces: Name | Sequence[Name],
    *,
    steps: int = STEPS,
    match: Match = "multiset",
    steps_run: float = 1.0,
    go_on: bool = False,
    estimate_from: Name | None = None,
    other_steps: int | None = None,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """How clusters and duplicates grow step by step, as Pereira 2006 tells it: `.tables` by name,
    `.sentences`, `.draw(folder)` for the figures and `.write(folder)` for all.

    Of several collections there are rows for each, and the means over them.

    Arguments:
        steps: the parts into which the documents are cut.
        match: multiset, or paper: repeated paragraphs count once, as Pereira 2006 has it.
        steps_run: run only this share of the steps, such as 0.2, and estimate the rest.
        go_on: then run all steps, and tell the error of estimates.
        estimate_from: estimate also by the growth of this other collection.
        other_steps: its steps; None: as many.

    Example:
        >>> webecho.study_growth("web.echo", steps=4).name
        'growth'
    """
    request = StudyGrowthRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        steps=steps,
        match=match,
        steps_run=steps_run,
        go_on=go_on,
        estimate_from=None if estimate_from is None else as_workspace(estimate_from),
        other_steps=other_steps,
        seed=seed,
    )
    with running_locally(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable(run_study_growth(request, run).study)
