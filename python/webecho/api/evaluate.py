"""`webecho evaluate`: what labels tell of the rules of a workspace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.values import Name, as_path, as_workspace, several
from webecho.errors import SettingsError, setting
from webecho.evaluation.judge.evaluation import Evaluation, EvaluationSettings
from webecho.evaluation.judge.evaluation import evaluate as judge
from webecho.evaluation.judge.precision_curves import WANTED
from webecho.evaluation.judge.thresholds import LEAST_R
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableEvaluation, drawable_evaluation
from webecho.show.files.drawing import Drawing, Width
from webecho.workspace.omissions import reading_all

FOLDER = "evaluation"


@dataclass(frozen=True)
class EvaluateRequest:
    """Of which workspace, and what is asked (see `EvaluationSettings`); `write` keeps the tables
    and figures there."""

    workspace: Path
    rules: tuple[str, ...] = ()
    labels: Path | None = None
    samples: tuple[Path, ...] = ()
    compare: tuple[str, str] | None = None
    equal_recall: str | None = None
    least_r: float = LEAST_R
    measure: bool = False
    truth: Path | None = None
    precision: float = WANTED
    require_precision: float | None = None
    seed: int = 0
    write: bool = False
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        if self.compare is not None and (isinstance(self.compare, str) or len(self.compare) != 2):
            raise SettingsError(
                setting("compare").to(repr(self.compare)),
                ": give two rules, such as ('b', 'combined')",
            )
        # They are checked when they are made.
        _ = self.settings, self.drawing

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> EvaluationSettings:
        return EvaluationSettings(
            rules=self.rules,
            labels=self.labels,
            samples=self.samples,
            least_r=self.least_r,
            seed=self.seed,
            equal_recall=self.equal_recall,
            compare=self.compare,
            measure=self.measure,
            truth=self.truth,
            precision=self.precision,
            require_precision=self.require_precision,
        )


@dataclass(frozen=True)
class Evaluated:
    """What was found, and the folder in which it was written, if it was."""

    evaluation: Evaluation
    folder: Path | None


def run_evaluate(request: EvaluateRequest, run: Run) -> Evaluated:
    """Judges rules by labels."""
    with reading_all(request.workspace, run) as workspace:
        run.begin("judging")
        found = judge(workspace, request.settings, run)
        run.log("counts", found.facts)
        if not request.write:
            return Evaluated(found, None)
        # Drawing takes a second to load.
        from webecho.show.files.evaluation import write_evaluation

        run.begin("writing")
        folder = workspace.files.study(FOLDER)
        write_evaluation(folder, found, request.drawing)
        return Evaluated(found, folder)


@public
def evaluate(
    workspace: Name,
    *,
    rules: str | Sequence[str] = (),
    labels: Name | None = None,
    samples: Name | Sequence[Name] = (),
    compare: tuple[str, str] | None = None,
    equal_recall: str | None = None,
    least_r: float = LEAST_R,
    measure: bool = False,
    truth: Name | None = None,
    precision: float = WANTED,
    require_precision: float | None = None,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableEvaluation:
    """What labels tell of the rules of a workspace: `.facts`, `.tables` by name and `.notes`,
    `.draw(folder)` for the figures and `.write(folder)` for all.

    Nothing is written into the workspace.

    Arguments:
        workspace: that has the pairs, and by default the labels and the samples.
        rules: those that are judged; by default all that can be.
        labels: the file of labels, if it is not the workspace's.
        samples: the samples that were labelled, if they are not the workspace's.
        compare: two rules to put side by side.
        equal_recall: find the C threshold at which `c` has as many correct pairs as this rule.
        least_r: what a chosen threshold must leave of the correct pairs of `b`.
        measure: measure term differences where nobody did.
        truth: a made-up web, or a file of correct pairs.
        precision: for this a threshold is chosen of each rule that goes by one measure.
        require_precision: `.required` then has what was found of each rule, and `.met` whether the
            lower ends of all intervals are as high.

    Example:
        >>> found = webecho.evaluate("web.echo", require_precision=0.5)
        >>> found.met
        True
        >>> [file.suffix for file in found.draw("figures")][:3]
        ['.pdf', '.svg', '.png']
    """
    request = EvaluateRequest(
        workspace=as_workspace(workspace),
        rules=several(rules),
        labels=as_path(labels),
        samples=tuple(Path(sample) for sample in several(samples)),
        compare=compare,
        equal_recall=equal_recall,
        least_r=least_r,
        measure=measure,
        truth=as_path(truth),
        precision=precision,
        require_precision=require_precision,
        seed=seed,
    )
    with running_locally(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable_evaluation(run_evaluate(request, run).evaluation)
