"""The study of growth: its tables add up, and the estimate of section 4.2 is as worked out by
hand."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.study.documents_made import Made, documents_made
from webecho.study.cluster_sizes import Sizes
from webecho.study.figures import Lines
from webecho.study.growth import SAMPLED, estimate_rows, estimate_sentence, growth_study
from webecho.study.steps import Growth, GrowthSettings


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("growth")


@pytest.fixture(scope="module")
def made(folder: Path) -> Made:
    return documents_made(folder)


@pytest.fixture(scope="module")
def other(folder: Path) -> Made:
    return documents_made(folder, seed=6, name="other")


def by_hand(name: str, documents: int, *sizes: dict[int, int]) -> Growth:
    """A collection after each of four steps."""
    ends = [step * documents // 4 for step in range(1, 5)]
    return Growth(name, documents, 4, ends[: len(sizes)], [*map(Sizes, sizes)], pa.table({}))


# 8, 12, 15 and 16 duplicates in 2, 4, 6 and 7 clusters.
OLD = by_hand("old", 100, {5: 2}, {5: 2, 3: 2}, {5: 2, 3: 3, 2: 1}, {5: 2, 3: 3, 2: 2})
# 20 and 30 duplicates in 4 and 8 clusters after half of the steps.
HALF = ({6: 4}, {6: 4, 4: 2, 3: 2})


def test_the_estimate_of_section_4_2_by_hand() -> None:
    rows = estimate_rows(by_hand("new", 200, *HALF), 2, OLD)
    found = {(row["of"], row["by"]): row for row in rows}
    # In half of the steps the old one has 12 of 16 duplicates: 30 / 0.75 = 40 of 200 documents.
    duplicates = found["duplicates", "the growth of old"]
    assert (duplicates["found"], duplicates["estimated share"]) == (30, 0.2)
    # And 4 of 7 clusters: 8 / (4 / 7) = 14.
    assert found["clusters", "the growth of old"]["estimated share"] == pytest.approx(0.07)
    assert all("true share" not in row for row in rows)
    assert duplicates["low share"] is None
    assert estimate_sentence(duplicates) == (
        "new: duplicates by the growth of old: 20.00% of the documents."
    )


def test_the_error_is_in_percentage_points() -> None:
    # All steps find 40 duplicates, in 16 clusters: 20 % and 8 %.
    whole = by_hand("new", 200, *HALF, {6: 4, 4: 2, 3: 3, 2: 5}, {6: 4, 4: 2, 3: 4, 2: 6})
    assert (whole.sizes[-1].duplicates, whole.sizes[-1].clusters) == (40, 16)
    rows = {(row["of"], row["by"]): row for row in estimate_rows(whole, 1, OLD)}
    # After a quarter: 20 / (8 / 16) = 40, and 4 / (2 / 7) = 14.
    duplicates, clusters = (rows[what, "the growth of old"] for what in ("duplicates", "clusters"))
    assert (duplicates["true share"], duplicates["error in points"]) == (0.2, 0)
    assert clusters["true share"] == 0.08
    assert clusters["error in points"] == pytest.approx(7 - 8)
    assert estimate_sentence(clusters) == (
        "new: clusters by the growth of old: 7.00% of the documents; in truth 8.00%, an error of "
        "−1.00 percentage points."
    )


def test_a_truth_outside_the_interval_is_said() -> None:
    row = {"collection": "new", "of": "clusters", "by": SAMPLED, "estimated share": 0.00432}
    row |= {"low share": 0.00311, "high share": 0.006, "error in points": -0.17}
    assert estimate_sentence(row | {"true share": 0.00602}) == (
        f"new: clusters by {SAMPLED}: 0.43% of the documents, 95 % interval 0.31% to 0.60%; in "
        "truth 0.60%, an error of −0.17 percentage points, outside the interval."
    )
    assert "outside" not in estimate_sentence(row | {"true share": 0.00599})


def test_another_collection_without_duplicates_tells_nothing() -> None:
    nothing = by_hand("bare", 100, {}, {}, {}, {})
    rows = estimate_rows(by_hand("new", 200, *HALF), 2, nothing)
    assert [row["estimated share"] for row in rows if row["by"] != SAMPLED] == [None, None]
    assert "nothing can be estimated" in estimate_sentence(rows[0])


def test_growth_of_a_made_up_web(made: Made) -> None:
    study = webecho.study_growth(made.workspace, steps=10)
    rows = study.tables["growth"].to_pylist()
    clusters = made.truth["paragraph_cluster"].drop_null().to_pylist()
    assert [row["documents"] for row in rows] == [
        step * len(clusters) // 10 for step in range(1, 11)
    ]
    duplicates = [row["duplicates"] for row in rows]
    assert duplicates == sorted(duplicates)
    assert duplicates[-1] == len(clusters) - len(set(clusters))
    assert study.tables["clusters"]["cluster"].to_pylist() == clusters
    # The first steps find most, and of the duplicates more than of the clusters.
    for row in rows[:-1]:
        assert row["share of duplicates"] > row["share of clusters"] > row["share of steps"]
    assert rows[-1]["share of clusters"] == rows[-1]["share of duplicates"] == 1
    last = study.tables["by_sample"].to_pylist()[-1]
    share = duplicates[-1] / len(clusters)
    names = ("share of duplicates", "share of duplicates, low", "share of duplicates, high")
    assert [last[name] for name in names] == [share] * 3
    assert "estimates" not in study.tables


def test_estimates_from_a_fifth_of_the_steps(made: Made, other: Made) -> None:
    told = webecho.study_growth(
        made.workspace, steps=10, steps_run=0.2, estimate_from=other.workspace, other_steps=5
    )
    assert len(told.tables["growth"]) == 2 + 5
    first = told.tables["growth"].to_pylist()[0]
    assert first["share of duplicates"] is None
    on = webecho.study_growth(
        made.workspace,
        steps=10,
        steps_run=0.2,
        estimate_from=other.workspace,
        other_steps=5,
        go_on=True,
    )
    estimates = on.tables["estimates"].to_pylist()
    for row, alone in zip(estimates, told.tables["estimates"].to_pylist(), strict=True):
        assert alone.items() <= row.items()
        off = 100 * (row["estimated share"] - row["true share"])
        assert row["error in points"] == pytest.approx(off)
    clusters = made.truth["paragraph_cluster"].drop_null().to_pylist()
    true = (len(clusters) - len(set(clusters))) / len(clusters)
    assert {row["true share"] for row in estimates if row["of"] == "duplicates"} == {true}
    assert {row["by"] for row in estimates} == {"the growth of other", SAMPLED}


def test_means_over_collections_by_hand() -> None:
    """In half of the steps 12 of 16 duplicates and 4 of 7 clusters; in the other 30 of 40 and 8 of
    16."""
    whole = by_hand("new", 200, *HALF, {6: 4, 4: 2, 3: 3, 2: 5}, {6: 4, 4: 2, 3: 4, 2: 6})
    told = growth_study([OLD, whole], None, GrowthSettings(steps=4), {})
    assert told.tables["half"].to_pylist() == [
        {"collection": "old", "steps": 4, "share of duplicates": 0.75, "share of clusters": 4 / 7},
        {"collection": "new", "steps": 4, "share of duplicates": 0.75, "share of clusters": 0.5},
    ]
    assert told.facts == {
        "mean share of duplicates in 50% of the steps": 0.75,
        "mean share of clusters in 50% of the steps": pytest.approx((4 / 7 + 1 / 2) / 2),
    }
    assert told.sentences[-1].startswith(
        "In the mean over 2 collections 50% of the steps find 75.0% of the duplicates and 53.6% of "
        "the clusters"
    )


def test_several_collections_have_their_rows(made: Made, other: Made) -> None:
    both = [made.workspace, other.workspace]
    study = webecho.study_growth(both, steps=4)
    alone = [webecho.study_growth(path, steps=4) for path in both]
    for name in ("growth", "half", "by_sample"):
        assert study.tables[name] == pa.concat_tables(each.tables[name] for each in alone)
    for path, each in zip(both, alone, strict=True):
        assert study.tables[f"clusters-{path.stem}"] == each.tables["clusters"]
    # Both in each figure, each in its colour.
    assert study.collections == ("made", "other")
    for name in ("growth", "found", "by_sample", "shares"):
        figure = study.figures[name]
        assert isinstance(figure, Lines)
        assert {series.of for series in figure.series} == {"made", "other"}
    # The other collection is grown once, and is told once.
    estimated = webecho.study_growth(
        both, steps=4, steps_run=0.5, estimate_from=other.workspace, other_steps=3
    )
    rows = estimated.tables["growth"]["collection"].to_pylist()
    assert (rows.count("made"), rows.count("other-1"), rows.count("other-2")) == (2, 2, 3)
    assert estimated.tables["estimates"].num_rows == 2 * 4


def test_intervals_are_bands_and_the_paper_stands_beside(made: Made, other: Made) -> None:
    study = webecho.study_growth(
        made.workspace, steps=10, steps_run=0.2, go_on=True, estimate_from=other.workspace
    )
    figure = study.figures["by_sample"]
    assert isinstance(figure, Lines)
    estimate, found = figure.series
    rows = study.tables["by_sample"].to_pylist()
    assert [(band.low, band.high) for band in estimate.bands] == [
        (row["share of duplicates, low"], row["share of duplicates, high"]) for row in rows
    ]
    assert not found.bands
    # 34.4 % for 35.8 % after a fifth of the steps, by the growth of another collection alone.
    papers = study.tables["estimates"]["error in points, paper"].to_pylist()
    assert papers == [-1.4, None, None, None]
    [row] = study.tables["beside_paper"].to_pylist()
    assert (row["fact"], row["paper, low"]) == ("share of duplicates in 50% of the steps", 0.9)
    # After another share of the steps it has none.
    third = webecho.study_growth(
        made.workspace, steps=10, steps_run=0.3, go_on=True, estimate_from=other.workspace
    )
    assert "error in points, paper" not in third.tables["estimates"].column_names


def test_figures_can_be_drawn_from_python(made: Made, tmp_path: Path) -> None:
    files = webecho.study_growth(made.workspace, steps=4).draw(tmp_path)
    assert {file.name.split(".")[0] for file in files} == {"growth", "found", "by_sample", "shares"}
    assert all(file.is_file() for file in files)
