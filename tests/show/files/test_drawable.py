"""Results as Python users have them."""

from dataclasses import fields
from pathlib import Path

import pyarrow as pa
import pytest

from tests.show.evaluated import evaluation
from tests.show.files.test_pair_report import report
from webecho.errors import SettingsError
from webecho.show.files.drawable import (
    Drawable,
    drawable,
    drawable_evaluation,
    drawable_report,
)
from webecho.study.figures import Lines, Series
from webecho.study.result import Study

FIGURE = Lines("Growth", "step", "number", [Series([(1, 2), (2, 3)], "clusters")])
STUDY = Study("growth", {"growth": pa.table({"step": [1]})}, {}, figures={"growth": FIGURE})


def test_figures_are_drawn_and_all_else_is_the_same(tmp_path: Path) -> None:
    found = drawable(STUDY)
    assert vars(found) == vars(STUDY)
    files = found.draw(tmp_path, width="two", title=True)
    assert [file.name for file in files] == [
        f"growth.{kind}" for kind in ("pdf", "svg", "png", "caption.txt")
    ]
    assert b"Growth" in (tmp_path / "growth.svg").read_bytes()


def test_all_is_written_as_on_the_command_line(tmp_path: Path) -> None:
    files = drawable(STUDY).write(str(tmp_path))
    assert {"growth.parquet", "growth.csv", "growth.tex", "growth.pdf", "study.json"} <= {
        file.name for file in files
    }


def test_reports_and_evaluations_likewise(tmp_path: Path) -> None:
    made = drawable_report(report())
    for field in fields(report()):
        assert getattr(made, field.name) == getattr(report(), field.name)
    assert tmp_path / "degrees.pdf" in made.draw(tmp_path)
    found = drawable_evaluation(evaluation())
    assert tmp_path / "thresholds.tex" in found.write(tmp_path)


def test_a_width_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="width"):
        drawable(STUDY).draw(tmp_path, width="three")  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError):
        Drawable().contents()
