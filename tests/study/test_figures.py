"""Figures as values, and their captions."""

from webecho.study.figures import (
    INTERVALS,
    Band,
    Bars,
    Distribution,
    Lines,
    LogLog,
    Mark,
    Series,
    Stacked,
)
from webecho.study.fits import Fits
from webecho.study.power_law import PowerLaw

LAW = PowerLaw(-2.5, 0.1, 4, 60, 60, 0.05, 0.02, 500)
FIGURE = LogLog("Clusters by size", "documents per cluster", "clusters", {"one": Distribution({})})


def test_a_caption_tells_what_was_fitted_and_whether_it_misses() -> None:
    figure = LogLog("Clusters by size", "documents", "clusters", {"a": Distribution({}, Fits(LAW))})
    assert figure.caption.startswith("Clusters by size (a). Power law by maximum likelihood: ")
    assert "it misses its points (p below 0.1)" in figure.caption
    assert figure.caption_at_least.startswith("Numbers of clusters of at least each size. ")
    # What is counted needs no name beside it.
    hosts = LogLog("Pages per host", "pages per host", "hosts", {"hosts": Distribution({})})
    assert hosts.caption.startswith("Pages per host. Too few hosts")


def test_of_several_each_is_named_and_what_is_the_same_is_said_once() -> None:
    both = FIGURE.overlaid(
        LogLog("", "", "", {"two": Distribution({}), "three": Distribution({}, Fits(LAW))})
    )
    assert [*both.series] == ["one", "two", "three"]
    assert both.title == "Clusters by size"
    assert "one, two: Too few clusters for a power law" in both.caption
    assert "three: Power law" in both.caption


def test_a_caption_of_lines_names_the_mark_and_the_bands() -> None:
    plain = Lines("Growth", "step", "number", [Series([(1, 2)], "clusters")])
    assert plain.caption == "Growth."
    banded = Series([(1, 2)], "clusters", bands=[Band(1, 0, 3)])
    marked = Lines("Growth", "step", "number", [banded], mark=Mark(1, 2, "chosen: 1"))
    assert marked.caption == f"Growth. The circle is chosen: 1. {INTERVALS}"


def test_a_caption_of_bars_is_their_title() -> None:
    assert Bars("Pages by replicas (web)", "", "", [], {}).caption == "Pages by replicas (web)."


def test_a_caption_of_parts_tells_their_order() -> None:
    figure = Stacked("Change by size", "", "", ["1"], {"no change": [1], "small change": [0]})
    assert figure.caption == "Change by size. From the bottom: no change, small change."
