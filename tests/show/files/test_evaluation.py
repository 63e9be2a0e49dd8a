"""What an evaluation leaves in a folder."""

from pathlib import Path

import pyarrow.parquet as pq

from tests.show.evaluated import evaluation
from webecho.show.files.evaluation import write_evaluation


def test_tables_and_figures_are_written(tmp_path: Path) -> None:
    found = evaluation()
    files = write_evaluation(tmp_path, found)
    assert {file.name for file in files} == {
        *(f"{name}.parquet" for name in found.tables),
        *(f"{name}.{kind}" for name in ("thresholds", "training") for kind in ("svg", "png")),
    }
    assert all(file.is_file() for file in files)
    assert pq.read_table(tmp_path / "precision.parquet").equals(found.tables["precision"])
    assert b"chosen: 355" in (tmp_path / "thresholds.svg").read_bytes()
    del found.tables["training"]
    assert not any(file.suffix == ".svg" for file in write_evaluation(tmp_path / "two", found))
