"""Where duplicates occur in several collections: the paper's means, and rows worked out by hand."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.study.drawn_web import drawn_web
from webecho.study.graph_collections import higher, mean_ratios, mean_sentence

# Baeza-Yates 2007, Table 4: shares of duplicates of the complete collection, the reachable and the
# unreachable component.
TABLE_4 = {
    "2002": (0.319, 0.189, 0.382),
    "2003": (0.389, 0.259, 0.430),
    "2004": (0.431, 0.293, 0.504),
    "2005": (0.358, 0.260, 0.411),
}


def fourth(shares: dict[str, tuple[float, float, float]]) -> pa.Table:
    parts = ("complete", "reachable", "unreachable")
    return pa.Table.from_pylist(
        [
            {"collection": name}
            | {f"share {part}": share for part, share in zip(parts, each, strict=True)}
            for name, each in shares.items()
        ]
    )


def test_the_means_of_the_paper_come_from_its_table() -> None:
    found = higher(fourth(TABLE_4))
    # Of 2002 it says 68.8 % in its text.
    assert found["share complete higher"][0].as_py() == pytest.approx(0.688, abs=5e-4)
    means = mean_ratios(found)
    assert means == pytest.approx({"complete": 0.509, "unreachable": 0.746}, abs=5e-4)
    assert mean_sentence("unreachable", means["unreachable"], found).startswith(
        "In the mean over 4 collections the share of duplicates of the unreachable component is "
        "74.6% higher"
    )


def test_a_collection_without_duplicates_in_its_reachable_part_is_left_out_and_told() -> None:
    found = higher(fourth({"a": (0.3, 0.2, 0.4), "b": (0.3, 0.0, 0.4)}))
    means = mean_ratios(found)
    assert means == pytest.approx({"complete": 0.5, "unreachable": 1.0})
    assert "over 1 collections (1 without duplicates there left out)" in (
        mean_sentence("complete", means["complete"], found)
    )
    none = higher(fourth({"b": (0.3, 0.0, 0.4)}))
    assert mean_ratios(none) == {"complete": None, "unreachable": None}
    assert mean_sentence("complete", None, none).startswith("No collection has duplicates")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same web twice."""
    return [drawn_web(tmp_path_factory.mktemp(name)) for name in ("one", "other")]


def test_a_row_for_each_collection_and_the_means(two: list[Path]) -> None:
    found = webecho.study_graph(two, start="core")
    alone = webecho.study_graph(two[0], start="core")
    rows = found.tables["table_4"].to_pylist()
    assert [row["collection"] for row in rows] == ["crawl-1", "crawl-2"]
    # As in test_graph.py: 4 of 10, 1 of 4 and 2 of 6 are duplicates.
    for row in rows:
        assert [row[f"share {part}"] for part in ("complete", "reachable", "unreachable")] == (
            pytest.approx([4 / 10, 1 / 4, 2 / 6])
        )
    assert found.facts["mean share complete higher"] == pytest.approx(0.6)
    assert found.facts["mean share unreachable higher"] == pytest.approx(1 / 3)
    assert found.sentences[-2].startswith("In the mean over 2 collections the share of duplicates")
    for name in ("crawl-1", "crawl-2"):
        assert found.tables[f"pages-{name}"] == alone.tables["pages"]
        bow_tie = [row for row in found.tables["bow_tie"].to_pylist() if row["collection"] == name]
        assert [row | {"collection": None} for row in bow_tie] == [
            {"collection": None} | row for row in alone.tables["bow_tie"].to_pylist()
        ]
    assert found.tables["collections"]["useful documents reached"].to_pylist() == [3, 3]


def test_of_one_that_is_not_reached_the_others_are_told(two: list[Path]) -> None:
    found = webecho.study_graph(two, least=0.7)
    assert "table_4" not in found.tables
    assert [note.split(":")[0] for note in found.notes] == ["crawl-1", "crawl-2"]
