"""`webecho study evolution`: how clusters and pages change from snapshot to snapshot."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from webecho.api.call import public
from webecho.api.clusters import opened_for
from webecho.api.inputs import recipe_of
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, running
from webecho.api.studies import Studied, check_out, check_snapshots, studied
from webecho.api.values import Name, as_workspace, several
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.study import evolution
from webecho.study.captures import check_order
from webecho.study.cluster_coefficients import Missing
from webecho.study.evolution import EvolutionSettings
from webecho.study.power_law import REPETITIONS, FitSettings

# The paper's.
RULE = "very-similar"


@dataclass(frozen=True)
class StudyEvolutionRequest:
    """Of which snapshots, in their order, and by which rule they are clustered; how addresses are
    taken that are `missing` in one; how many `rows` of each event and how many `addresses` are
    listed; how often drawn sizes tell how good power laws are, and their seed. With `write` tables
    and figures are kept in `out`."""

    workspaces: tuple[Path, ...]
    rule: RuleChoice = field(default_factory=lambda: RuleChoice(RULE))
    missing: Missing = "cluster"
    rows: int = EvolutionSettings.rows
    addresses: int = EvolutionSettings.addresses
    repetitions: int = REPETITIONS
    seed: int = 0
    write: bool = False
    out: Path | None = None
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings, self.drawing
        check_snapshots(self.workspaces, 2)
        if self.write:
            check_out(self.workspaces, self.out)

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> EvolutionSettings:
        fits = FitSettings(self.repetitions, self.seed)
        return EvolutionSettings(self.missing, self.rows, self.addresses, fits)


def run_study_evolution(request: StudyEvolutionRequest, run: Run) -> Studied:
    """Studies the snapshots."""
    paths = request.workspaces
    chosen = request.rule.of(recipe_of(paths[0]))
    with ExitStack() as stack:
        opened = [stack.enter_context(opened_for(chosen, path, run)) for path in paths]
        check_order([workspace for workspace, _ in opened], run)
        found = evolution.study_evolution(opened, chosen, request.settings, run)
    return studied(found, paths, request, run)


@public
def study_evolution(
    workspaces: Sequence[Name],
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
    missing: Missing = "cluster",
    rows: int = EvolutionSettings.rows,
    addresses: int = EvolutionSettings.addresses,
    repetitions: int = REPETITIONS,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """How clusters and pages change from one snapshot to the next, as Fetterly 2004 tells it:
    `.tables` by name, `.sentences`, `.draw(folder)` for the figures and `.write(folder)` for all.

    Arguments:
        missing: addresses that a snapshot has not are a cluster of what could not be downloaded, as
            in the paper, or with `drop` left out.
        rows: how many births, deaths, growths, splits and merges of each step are listed.
        addresses: how many addresses are listed that may be visited less often.

    Example:
        >>> years = ["year1.echo", "year2.echo", "year3.echo"]
        >>> webecho.study_evolution(years, repetitions=0).name
        'evolution'
    """
    request = StudyEvolutionRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        rule=RuleChoice(
            *(rule, resemblance, equal_words, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        missing=missing,
        rows=rows,
        addresses=addresses,
        repetitions=repetitions,
        seed=seed,
    )
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable(run_study_evolution(request, run).study)
