"""What an evaluation leaves in a folder."""

from pathlib import Path

import pyarrow.parquet as pq

from tests.show.evaluated import evaluation
from webecho.show.files.drawing import Drawing
from webecho.show.files.evaluation import write_evaluation

KINDS = ("pdf", "svg", "png", "caption.txt")


def test_tables_and_figures_are_written(tmp_path: Path) -> None:
    found = evaluation()
    files = write_evaluation(tmp_path, found, Drawing())
    assert {file.name for file in files} == {
        *(f"{name}.{kind}" for name in found.tables for kind in ("parquet", "csv", "tex")),
        *(f"{name}.{kind}" for name in ("thresholds", "training") for kind in KINDS),
    }
    assert all(file.is_file() for file in files)
    assert pq.read_table(tmp_path / "precision.parquet").equals(found.tables["precision"])
    assert b"chosen: 355" in (tmp_path / "thresholds.svg").read_bytes()
    assert "The circle is chosen: 355." in (tmp_path / "thresholds.caption.txt").read_text()
    del found.tables["training"]
    again = write_evaluation(tmp_path / "two", found, Drawing())
    assert not any(file.suffix == ".svg" for file in again)
