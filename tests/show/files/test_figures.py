"""Figures show what they are given, and the same data give the same bytes."""

from pathlib import Path

from webecho.show.files.figures import Labels, Mark, Span, lines, log_log, save
from webecho.study.power_law import fit

LABELS = Labels("A title", "sizes", "counts")


def test_points_and_the_line_through_them() -> None:
    counts = {size: 10_000 * size**-1.2 for size in range(1, 100)}
    line = fit(counts)
    assert line is not None
    [axes] = log_log(counts | {0: 5.0}, line, LABELS).axes
    points, drawn = axes.get_lines()
    # A size of 0 has no place on a logarithmic scale.
    assert [*points.get_xdata()] == [*counts]
    assert [*points.get_ydata()] == [*counts.values()]
    assert [*drawn.get_xdata()] == [1, 99]
    assert [*drawn.get_ydata()] == [line.count(1), line.count(99)]
    expected = f"exponent −{-line.exponent:.2f} ± {line.error:.2f}, spread {line.spread:.2f}"
    assert drawn.get_label() == expected
    assert (axes.get_xscale(), axes.get_title(loc="left")) == ("log", "A title")


def test_nothing_can_be_drawn_too() -> None:
    assert log_log({}, None, LABELS).axes[0].get_lines()[0].get_xdata().size == 0
    assert lines({}, LABELS).axes[0].get_lines() == []


def test_one_line_for_each_series() -> None:
    [axes] = lines({"one": [(1, 2), (2, 3)], "two": [(1, 5)]}, LABELS, (0, 200)).axes
    assert [line.get_label() for line in axes.get_lines()] == ["one", "two"]
    assert axes.get_xlim() == (0, 200)
    assert axes.get_legend() is not None


def test_estimated_points_have_their_intervals() -> None:
    series = {"one": [(1.0, 2.0)], "two": [(1.0, 5.0)]}
    [axes] = lines(series, LABELS, spans={"two": [Span(1, 4, 7)]}).axes
    one, span, two = axes.get_lines()
    assert ([*span.get_xdata()], [*span.get_ydata()]) == ([1, 1], [4, 7])
    # It has the colour of its line, and no place in the legend.
    assert span.get_color() == two.get_color() != one.get_color()
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["one", "two"]


def test_what_is_not_there_is_nothing_and_has_no_dot() -> None:
    points = [(370, 0), (371, 0.25), (372, 0), (373, 0), (374, 0.75), (375, 0)]
    [axes] = lines({"one": points}, LABELS, mark=Mark(374, 0.75, "chosen: 374")).axes
    line, mark = axes.get_lines()
    assert (line.get_marker(), line.get_markevery()) == ("o", [1, 4])
    assert ([*mark.get_xdata()], mark.get_label()) == ([374], "chosen: 374")
    assert all(float(tick).is_integer() for tick in axes.get_xticks())
    # Shares along an axis are no whole numbers.
    [axes] = lines({"one": [(0.25, 1), (0.5, 1)]}, LABELS).axes
    assert any(not float(tick).is_integer() for tick in axes.get_xticks())


def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        files = save(lines({"a": [(1, 2), (3, 4)]}, LABELS), tmp_path / name / "figure")
        assert [file.name for file in files] == ["figure.svg", "figure.png"]
        written.append([file.read_bytes() for file in files])
    assert written[0] == written[1]
    assert {file.name for file in (tmp_path / "one").iterdir()} == {"figure.svg", "figure.png"}
    assert b"A title" in written[0][0]
