"""On made-up webs every number of Tables 2 to 6 of Pereira 2006 is the planted one."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import webecho
from tests.study.documents_made import Made, documents_made
from webecho.synthetic.truth_tables import planted_tables

Row = dict[str, Any]


@pytest.fixture(scope="module", params=[5, 11])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    return documents_made(tmp_path_factory.mktemp("planted"), seed=request.param)


@pytest.fixture(scope="module")
def planted(made: Made) -> dict[str, list[Row]]:
    return {name: table.to_pylist() for name, table in planted_tables(made.truth).items()}


def counts(row: Row) -> list[float]:
    return [row[name] for name in ("documents", "clusters", "duplicates", "share")]


def found(row: Row, what: str) -> list[float]:
    """The same of a row that a study gives."""
    return [row[name] for name in ("documents", "clusters", what, f"share of {what}")]


def test_duplicates_and_near_duplicates(made: Made, planted: dict[str, list[Row]]) -> None:
    study = webecho.study_duplicates(made.workspace)
    [row] = study.tables["duplicates"].to_pylist()
    assert found(row, "duplicates") == counts(planted["2"][0])
    assert row["unique"] == planted["6"][0]["unique"]
    near = study.tables["near_clusters"].to_pylist()
    assert [f"{row['least share']:.0%}".replace("%", " %") for row in near] == [
        row["least"] for row in planted["3"]
    ]
    assert [found(row, "near-duplicates") for row in near] == [*map(counts, planted["3"])]
    # By share these are not all the same, or nothing would be shown.
    assert len({row["duplicates"] for row in (*planted["2"], *planted["3"])}) == 4


def test_false_matches(made: Made) -> None:
    study = webecho.study_duplicates(made.workspace, match="paper", near=())
    [row] = study.tables["duplicates"].to_pylist()
    repeated = pc.sum(pc.equal(made.truth["kind"], "repeated paragraph")).as_py()
    # Each with its original, which has no copies.
    assert row["false matches"] == repeated > 0


def test_reachable_and_unreachable(made: Made, planted: dict[str, list[Row]]) -> None:
    study = webecho.study_graph(made.workspace, start="core")
    parts = study.tables["parts"].to_pylist()
    assert [row["part"] for row in parts] == [row["part"] for row in planted["4"]]
    assert [found(row, "duplicates") for row in parts] == [*map(counts, planted["4"])]
    [fourth] = study.tables["table_4"].to_pylist()
    for row in planted["4"]:
        assert fourth[row["part"]] == row["duplicates"]
        assert fourth[f"share {row['part']}"] == row["share"]
    for number in ("5", "6"):
        [row] = study.tables[f"table_{number}"].to_pylist()
        [expected] = planted[number]
        assert [*row.values()][1:] == [*expected.values()]
    useful = [planted[number][0]["in the reachable part"] for number in ("5", "6")]
    assert study.facts["useful documents reached"] == sum(useful)


def test_the_bow_tie(made: Made) -> None:
    pages = webecho.study_graph(made.workspace, start="core").tables["pages"]
    assert pages["bow_tie"].to_pylist() == made.truth["component"].to_pylist()
    assert pages["document"].to_pylist() == pc.invert(made.truth["short"]).to_pylist()
    reached = pc.is_in(made.truth["component"], value_set=pa.array(["core", "out"]))
    assert pages["reached"].to_pylist() == reached.to_pylist()


def test_what_a_random_start_reaches(made: Made) -> None:
    study = webecho.study_graph(made.workspace, seed=2)
    starts = study.tables["starts"].to_pylist()
    links = dict(enumerate(made.truth["links"].to_pylist()))
    waiting, reached = [starts[-1]["page"]], {starts[-1]["page"]}
    while waiting:
        new = set(links[waiting.pop()]) - reached
        reached |= new
        waiting += new
    flags = study.tables["pages"]["reached"].to_pylist()
    assert [page for page, flag in enumerate(flags) if flag] == sorted(reached)
    assert len(reached) == starts[-1]["pages reached"] > len(flags) / 2


def test_links_are_counted(made: Made) -> None:
    kinds = webecho.study_graph(made.workspace, start="core").tables["links"].to_pylist()
    outside = sum(page % 5 == 0 for page in range(len(made.truth)))
    planted = pc.sum(pc.list_value_length(made.truth["links"])).as_py()
    assert sum(row["links"] for row in kinds) == planted + outside
    assert {row["kind"] for row in kinds if row["links"]} == {"a", "area"}


def test_planted_sizes_of_clusters(made: Made) -> None:
    sizes = webecho.study_duplicates(made.workspace).tables["cluster_sizes"].to_pylist()
    clusters = made.truth["paragraph_cluster"].drop_null()
    counted = pc.value_counts(pc.value_counts(clusters).field("counts")).to_pylist()
    assert {row["size"]: row["clusters"] for row in sizes} == {
        row["values"]: row["counts"] for row in counted if row["values"] > 1
    }
