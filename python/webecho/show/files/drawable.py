"""Results as Python users have them: with their tables and figures as files at hand."""

from dataclasses import fields
from pathlib import Path

from webecho.errors import WebechoError, in_python
from webecho.evaluation.judge.evaluation import Evaluation
from webecho.show.files.contents import Contents, draw_contents, write_contents
from webecho.show.files.drawing import Drawing, Width
from webecho.show.files.evaluation import evaluation_contents
from webecho.show.files.pair_report import report_contents
from webecho.show.files.studies import study_contents
from webecho.study.pair_report import PairReport
from webecho.study.result import Study


class Drawable:
    """How a result is drawn and written."""

    def contents(self) -> Contents:
        """All that is written of it."""
        raise NotImplementedError

    def draw(self, folder: str | Path, *, width: Width = "one", title: bool = False) -> list[Path]:
        """Draws the figures into a folder, as PDF, SVG and PNG for `one` column or `two`, with
        their captions beside them, and gives the files."""
        return draw_contents(Path(folder), self.contents(), Drawing(width, title))

    def write(
        self,
        folder: str | Path,
        *,
        width: Width = "one",
        title: bool = False,
        force: bool = False,
    ) -> list[Path]:
        """Writes the tables too, as Parquet, CSV and LaTeX, as the command line does. Over a study
        of other collections it writes only with `force`."""
        try:
            return write_contents(Path(folder), self.contents(), Drawing(width, title), force=force)
        except WebechoError as error:
            error.say_in_python()
            raise


class DrawableStudy(Study, Drawable):
    """What a study found, and how to draw it."""

    def contents(self) -> Contents:
        return study_contents(self)


class DrawableReport(PairReport, Drawable):
    """What there is to say of pairs, and how to draw it."""

    def contents(self) -> Contents:
        return report_contents(self)


class DrawableEvaluation(Evaluation, Drawable):
    """What labels tell, and how to draw it."""

    def contents(self) -> Contents:
        return evaluation_contents(self)


def drawable(study: Study) -> DrawableStudy:
    """The same study, which can be drawn, with notes for Python programs."""
    values = {each.name: getattr(study, each.name) for each in fields(study)}
    return DrawableStudy(**values | {"notes": tuple(in_python(study.notes))})


def drawable_report(report: PairReport) -> DrawableReport:
    """The same report, which can be drawn."""
    return DrawableReport(**{each.name: getattr(report, each.name) for each in fields(report)})


def drawable_evaluation(found: Evaluation) -> DrawableEvaluation:
    """The same evaluation, which can be drawn, with notes for Python programs."""
    return DrawableEvaluation(found.facts, found.tables, in_python(found.notes), found.required)
