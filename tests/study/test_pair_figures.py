"""The figures of the report of pairs."""

import pyarrow as pa

from webecho.study.figures import Band, Lines, LogLog
from webecho.study.fits import Fits
from webecho.study.pair_figures import by_size, differing, estimated, figures, filled

FITS = {"degrees": Fits(), "hosts": Fits()}
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


def lines(name: str, tables: dict[str, pa.Table], measured: int | None = None) -> Lines:
    figure = figures("b-2", TABLES | tables, FITS, measured)[name]
    assert isinstance(figure, Lines)
    return figure


def test_counts_by_size_per_page_and_per_host() -> None:
    found = figures("b-2", TABLES, FITS, None)
    degrees, hosts = found["degrees"], found["hosts"]
    assert isinstance(degrees, LogLog) and isinstance(hosts, LogLog)
    assert (degrees.x, degrees.y) == ("near-duplicates per page", "pages")
    assert (hosts.title, hosts.x, hosts.y) == ("Pages per host", "pages per host", "hosts")
    assert (
        degrees.series["b-2"].counts
        == {1: 10, 2: 3}
        == by_size(TABLES["degrees"], "degree", "pages")
    )
    assert "differences" not in found


def test_what_was_not_found_is_nothing() -> None:
    points = filled({371: 0.25, 374: 0.75}, 370, 375)
    assert points == [(370, 0), (371, 0.25), (372, 0), (373, 0), (374, 0.75), (375, 0)]
    [series] = lines("c_by_b", {}).series
    assert series.of == "B-similarity 2"
    assert [*series.points] == [(369, 0), (370, 0.5), (371, 0), (372, 0.5)]


def test_large_differences_are_not_drawn() -> None:
    points = differing(DIFFERENCES)
    assert points[:4] == [(0, 1), (1, 0), (2, 4), (3, 0)]
    assert points[-1] == (200, 0)
    assert differing(DIFFERENCES.slice(0, 2)) == [(0, 1), (1, 0), (2, 4)]


def test_estimates_are_drawn_with_their_intervals() -> None:
    table = DIFFERENCES.set_column(2, "pairs_low", pa.array([0, 2, 0, 1]))
    table = table.set_column(4, "estimated", pa.array([True] * 4))
    both = {"differences": table, "differences_without_images": table}
    # Neither the large ones nor those above the limit are drawn.
    assert estimated(table) == [Band(0, 0, 1), Band(2, 2, 4)]
    figure = lines("differences", both, 1_234)
    assert figure.y == "pairs, estimated from 1,234"
    assert [*figure.series[0].bands] == estimated(table)
    assert estimated(DIFFERENCES) == []
    assert lines("differences", dict.fromkeys(both, DIFFERENCES)).y == "pairs"


def test_term_differences_without_images_are_drawn_where_they_differ() -> None:
    both = {"differences": DIFFERENCES, "differences_without_images": DIFFERENCES.slice(0, 2)}
    drawn = [series.of for series in lines("differences", both).series]
    assert drawn == ["all terms", "without image terms"]
    both["differences_without_images"] = DIFFERENCES
    assert [series.of for series in lines("differences", both).series] == ["all terms"]
