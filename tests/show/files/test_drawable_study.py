"""A study as Python users have it."""

from pathlib import Path

import pyarrow as pa
from webecho.show.files.drawable_study import drawable

from webecho.study.result import Lines, Study


def test_figures_are_drawn_and_all_else_is_the_same(tmp_path: Path) -> None:
    figure = Lines("Growth", "step", "number", {"clusters": [(1, 2), (2, 3)]})
    study = Study("growth", {"growth": pa.table({"step": [1]})}, {}, figures={"growth": figure})
    found = drawable(study)
    assert vars(found) == vars(study)
    assert found.draw(tmp_path) == [tmp_path / "growth.svg", tmp_path / "growth.png"]
    assert b"Growth" in (tmp_path / "growth.svg").read_bytes()
