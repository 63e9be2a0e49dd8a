"""What the report of pairs leaves in a folder."""

from pathlib import Path

from webecho.show.files.contents import Contents, write_contents
from webecho.show.files.drawing import Drawing
from webecho.study.pair_report import PairReport


def write_report(folder: Path, report: PairReport, drawing: Drawing) -> list[Path]:
    """Writes the tables and figures of a report into a folder, and gives the files."""
    return write_contents(folder, report_contents(report), drawing)


def report_contents(report: PairReport) -> Contents:
    return Contents(report.tables, report.captions, report.figures)
