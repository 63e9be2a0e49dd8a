"""What the report of pairs leaves in its folder."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.show.files.figures import Span
from webecho.show.files.pair_report import differing, estimated, filled, write_report
from webecho.study.pair_report import PairReport

TABLES = {
    "degrees": pa.table({"degree": [1, 2], "pages": [10, 3]}),
    "hosts": pa.table({"pages": [1, 5], "hosts": [4, 1]}),
    "c_by_b": pa.table({"b_similarity": [2, 2], "c_similarity": [370, 372], "share": [0.5, 0.5]}),
}
COUNTS = [1, 4, 1, 2]
DIFFERENCES = pa.table(
    {
        "difference": [0, 2, 300, None],
        **dict.fromkeys(("pairs", "pairs_low", "pairs_high"), COUNTS),
        "estimated": [False] * 4,
    }
)


def test_what_was_not_found_is_nothing() -> None:
    points = filled({371: 0.25, 374: 0.75}, 370, 375)
    assert points == [(370, 0), (371, 0.25), (372, 0), (373, 0), (374, 0.75), (375, 0)]


def test_large_differences_are_not_drawn() -> None:
    report = PairReport("b-2", {}, {"differences": DIFFERENCES})
    points = differing(report, "differences")
    assert points[:4] == [(0, 1), (1, 0), (2, 4), (3, 0)]
    assert points[-1] == (200, 0)
    small = PairReport("b-2", {}, {"differences": DIFFERENCES.slice(0, 2)})
    assert differing(small, "differences") == [(0, 1), (1, 0), (2, 4)]


def test_estimates_are_drawn_with_their_intervals(tmp_path: Path) -> None:
    table = DIFFERENCES.set_column(2, "pairs_low", pa.array([0, 2, 0, 1]))
    table = table.set_column(4, "estimated", pa.array([True] * 4))
    both = {"differences": table, "differences_without_images": table}
    report = PairReport("b-2", {"pairs measured": 1_234}, TABLES | both)
    # Neither the large ones nor those above the limit are drawn.
    assert estimated(report, "differences") == [Span(0, 0, 1), Span(2, 2, 4)]
    write_report(tmp_path, report)
    assert b"pairs, estimated from 1,234" in (tmp_path / "differences.svg").read_bytes()
    counted = PairReport("b-2", {}, TABLES | dict.fromkeys(both, DIFFERENCES))
    assert estimated(counted, "differences") == []
    write_report(tmp_path, counted)
    assert b"estimated" not in (tmp_path / "differences.svg").read_bytes()


def test_a_table_and_the_figures_of_each(tmp_path: Path) -> None:
    files = write_report(tmp_path, PairReport("b-2", {}, TABLES))
    assert {file.name for file in files} == {
        f"{name}.{kind}" for name in TABLES for kind in ("parquet", "svg", "png")
    }
    assert pq.read_table(tmp_path / "degrees.parquet").equals(TABLES["degrees"])
    assert b"Near-duplicates a page, b-2" in (tmp_path / "degrees.svg").read_bytes()


def test_term_differences_without_images_are_drawn_where_they_differ(tmp_path: Path) -> None:
    both = {"differences": DIFFERENCES, "differences_without_images": DIFFERENCES.slice(0, 2)}
    write_report(tmp_path, PairReport("b-2", {}, TABLES | both))
    assert b"without image terms" in (tmp_path / "differences.svg").read_bytes()
    both["differences_without_images"] = DIFFERENCES
    write_report(tmp_path, PairReport("b-2", {}, TABLES | both))
    assert b"without image terms" not in (tmp_path / "differences.svg").read_bytes()
