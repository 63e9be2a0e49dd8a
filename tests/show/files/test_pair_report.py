"""What the report of pairs leaves in its folder."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.show.files.drawing import Drawing
from webecho.show.files.pair_report import write_report
from webecho.study.fits import Fits
from webecho.study.pair_report import PairReport

TABLES = {
    "degrees": pa.table({"degree": [1, 2], "pages": [10, 3]}),
    "hosts": pa.table({"pages": [1, 5], "hosts": [4, 1]}),
    "c_by_b": pa.table({"b_similarity": [2, 2], "c_similarity": [370, 372], "share": [0.5, 0.5]}),
}


def report() -> PairReport:
    return PairReport("b-2", {}, TABLES, {"degrees": Fits(), "hosts": Fits()})


def test_a_table_and_the_figures_of_each(tmp_path: Path) -> None:
    files = write_report(tmp_path, report(), Drawing())
    drawn = ("degrees", "degrees-at_least", "hosts", "hosts-at_least", "c_by_b")
    assert {file.name for file in files} == {
        *(f"{name}.{kind}" for name in TABLES for kind in ("parquet", "csv", "tex")),
        *(f"{name}.{kind}" for name in drawn for kind in ("pdf", "svg", "png", "caption.txt")),
    }
    assert pq.read_table(tmp_path / "degrees.parquet").equals(TABLES["degrees"])
    text = (tmp_path / "degrees.caption.txt").read_text()
    assert text.startswith("Near-duplicates per page (b-2). ")
    assert (tmp_path / "hosts.tex").read_text().startswith("% Hosts by their number of pages (b-2)")
