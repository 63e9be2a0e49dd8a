"""`webecho label`: a sample of the pairs of a workspace, labelled by hand in a browser.

Instead of that labels can be guessed, or taken in from a file or a truth, or the sample be written
to a file to be labelled elsewhere, or the agreement of labellers be counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho import _core
from webecho.errors import Setting, SettingsError, flag, setting
from webecho.evaluation.guess.differences import guess
from webecho.evaluation.guess.guesses import write_guesses
from webecho.evaluation.judge.breakdown import BREAKDOWN, breakdown
from webecho.evaluation.judge.derived import of_sample
from webecho.evaluation.judge.labelled import labelled
from webecho.evaluation.label.exporting import IMPORT, check_export, export_sample
from webecho.evaluation.label.importing import Imported, import_labels, labels_of
from webecho.evaluation.label.labellers import LabellerAgreement, agreement
from webecho.evaluation.label.labels import Label, Lines, by_labeller
from webecho.evaluation.label.page_text import PageTextReader
from webecho.evaluation.label.planted import label_from_truth
from webecho.evaluation.label.session import Session, pairs_of
from webecho.evaluation.sample.drawing import SamplePlan, draw, sample_file
from webecho.group.rule_names import rule_label, sampling
from webecho.run import Progress, Run
from webecho.workspace.lookup import NAMES, page_values
from webecho.workspace.omissions import reading_all
from webecho.workspace.workspace import Workspace

SAMPLE = 500


@dataclass(frozen=True)
class LabelRequest:
    """Which pairs of which workspace are labelled, by whom, into which file (None: that of the
    workspace), and where the page is served; at most one of the others is done instead."""

    workspace: Path
    labeller: str
    rules: tuple[str, ...] = ()
    # Of so many pairs; None: `SAMPLE`.
    sample: int | None = None
    labels: Path | None = None
    seed: int = 0
    host: str = "127.0.0.1"
    port: int = 0
    imported: Path | None = None
    exported: Path | None = None
    from_truth: Path | None = None
    guess: bool = False
    agreement: bool = False
    # Whether guesses are kept from whoever labels.
    blind: bool = False

    def __post_init__(self) -> None:
        instead: list[tuple[Setting, object]] = [
            (IMPORT, self.imported),
            (setting("exported", "--export"), self.exported),
            (setting("from_truth"), self.from_truth),
            (flag("guess"), self.guess),
            (flag("agreement"), self.agreement),
        ]
        given = [part for name, value in instead if value for part in (" and ", name)][1:]
        if len(given) > 1:
            raise SettingsError(
                *given, ": each is done instead of labelling; give one after the other"
            )
        if given and self.blind:
            raise SettingsError(
                *(flag("blind"), " is for labelling by hand, in whose place "),
                *(given[0], " is done; leave one out"),
            )
        unused = [setting("rules", "--rule")] if self.rules else []
        unused += [] if self.sample is None else [setting("sample")]
        if self.agreement and unused:
            raise SettingsError(
                *(
                    flag("agreement"),
                    " is of all labels that are there, and draws no sample; leave ",
                ),
                *(unused[0], " out"),
            )
        if self.imported is not None and self.sample is not None and not self.rules:
            raise SettingsError(
                setting("sample"), f": say whose pairs to draw {self.sample:,} of, such as --rule b"
            )
        if self.exported is not None:
            check_export(self.exported)


@dataclass(frozen=True)
class LabellingPage:
    """Where the page is served, to whom, and the file that labels are added to."""

    url: str
    is_loopback: bool
    file: Path


@dataclass(frozen=True)
class Served:
    """The page was served until it was stopped."""


@dataclass(frozen=True)
class Nothing:
    """These rules have no pairs, so that there is nothing to label."""

    rules: tuple[str, ...]


@dataclass(frozen=True)
class TakenIn:
    """What became of the rows of a file of labels, and the file that they were added to."""

    rows: Imported
    file: Path


@dataclass(frozen=True)
class Exported:
    """How many pairs a sample has, and the file that was written to be labelled."""

    pairs: int
    file: Path


@dataclass(frozen=True)
class FromTruth:
    """How many pairs a sample has, and how many of them were labelled now."""

    pairs: int
    labelled: int


@dataclass(frozen=True)
class Guessed:
    """Which reasons are the guesses for a sample, as shares of the rules' pairs (see breakdown.py),
    and the file of the guesses."""

    rules: tuple[str, ...]
    pairs: int
    file: Path
    reasons: pa.Table


@dataclass(frozen=True)
class Agreed:
    """How far labellers agree, and the pairs on which they do not: a row each with the names of
    its pages, and what each labeller said of it."""

    agreement: LabellerAgreement
    disputed: tuple[dict[str, Any], ...]


Labelled = Served | Nothing | TakenIn | Exported | FromTruth | Guessed | Agreed


def run_label(
    request: LabelRequest, run: Run, announce: Callable[[LabellingPage], None]
) -> Labelled:
    """Does what is asked for; where pairs are labelled, `announce` is called once the page is
    there, which is then served until the process is stopped."""
    with reading_all(request.workspace, run) as workspace:
        file = request.labels or workspace.files.labels
        lines = labels_of(workspace, file, run)
        for line in lines.broken:
            run.warn(f"{line}; the line is left out")
        if request.imported is not None:
            if request.rules:
                # First, for a label on a copy may be one of a pair of the sample.
                draw_sample(workspace, planned(workspace, request), run)
            run.begin("importing")
            found = import_labels(workspace, request.imported, file, request.labeller, run)
            return TakenIn(found, file)
        if request.agreement:
            return agreed(workspace, lines)
        plan = planned(workspace, request)
        sample = draw_sample(workspace, plan, run)
        pairs = pairs_of(sample)
        if request.exported is not None:
            export_sample(pairs, request.exported)
            return Exported(len(pairs), request.exported)
        if request.from_truth is not None:
            return from_truth(pairs, request.from_truth, file, lines.labels)
        sketcher = _core.Sketcher(workspace.recipe.as_dict(), run.threads)
        reader = PageTextReader(workspace, sketcher, run)
        if request.guess:
            return guessed(workspace, plan, sample, reader, run)
        if not pairs:
            return Nothing(plan.rules)
        guesser = None if request.blind else guess
        serve(Session(pairs, reader, file, request.labeller, guesser), request, announce)
        return Served()


def planned(workspace: Workspace, request: LabelRequest) -> SamplePlan:
    """What sample is to be drawn."""
    if not request.rules:
        raise SettingsError(f"say whose pairs to label, such as: {sampling(workspace)}")
    labels = dict.fromkeys(rule_label(workspace, name) for name in request.rules)
    return SamplePlan(tuple(labels), request.sample or SAMPLE, request.seed)


def draw_sample(workspace: Workspace, plan: SamplePlan, run: Run) -> pa.Table:
    """Draws a sample, and says where it lies and how large it is."""
    run.begin("drawing a sample")
    sample = draw(workspace, plan, run)
    run.note(f"sample: {sample_file(workspace, plan)}, {counted(len(pairs_of(sample)))}")
    return sample


def counted(pairs: int) -> str:
    return f"{pairs:,} pair{'' if pairs == 1 else 's'}"


def agreed(workspace: Workspace, lines: Lines) -> Agreed:
    """How far labellers agree, and on which pairs they do not."""
    said = list(by_labeller(lines.labels))
    labellers = sorted({labeller for _, labeller, _ in said})
    if len(labellers) < 2:
        alone = f"{labellers[0]} alone has" if labellers else "nobody has"
        raise SettingsError(
            f"{alone} labelled pairs here, and to agree takes two; another labels with: "
            f"{sampling(workspace)} --labeller NAME"
        )
    found = agreement(said)
    names = page_values(workspace, [page for each in found.disputed for page in each.pair])
    disputed = (
        {"left": left, "right": right}
        | {
            f"{side}_{name}": names[page][name]
            for name in NAMES
            for side, page in (("left", left), ("right", right))
        }
        | {"said": dict(each.said)}
        for each in found.disputed
        for left, right in [each.pair]
    )
    return Agreed(found, tuple(disputed))


def from_truth(
    pairs: Sequence[dict[str, Any]], truth: Path, file: Path, known: Sequence[Label]
) -> FromTruth:
    """Labels a sample as the truth of a made-up web has it."""
    return FromTruth(len(pairs), label_from_truth(pairs, truth, file, known))


def guessed(
    workspace: Workspace, plan: SamplePlan, sample: pa.Table, reader: PageTextReader, run: Run
) -> Guessed:
    """Guesses all pairs of a sample."""
    pairs = pairs_of(sample)
    file = workspace.files.guesses(plan.name)

    def done(number: int) -> None:
        run.report(Progress("guessing", number / len(pairs)))

    found = write_guesses(pairs, reader, file, done)
    if not found:
        return Guessed(plan.rules, 0, file, BREAKDOWN.empty_table())
    known = labelled(workspace, [sample_file(workspace, plan)], found, run)
    rules = [(rule, of_sample(known, rule)) for rule in plan.rules]
    return Guessed(plan.rules, len(pairs), file, breakdown(known, rules))


def serve(
    session: Session, request: LabelRequest, announce: Callable[[LabellingPage], None]
) -> None:
    """Tells the address of the page, and answers until it is stopped."""
    try:
        from webecho.evaluation.label.server import bind, server_of
    except ImportError as error:
        raise SettingsError(
            f"labelling needs {error.name}, which is not installed: pip install 'webecho[label]'"
        ) from error
    listening, address = bind(request.host, request.port)
    announce(LabellingPage(address.url, address.is_loopback, session.file))
    server_of(session, address).run(sockets=[listening])
