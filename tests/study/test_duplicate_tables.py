"""Tables and sentences of the study of duplicates, of numbers made up by hand."""

from dataclasses import replace

from webecho.study.cluster_sizes import SITES, Sizes
from webecho.study.duplicate_tables import (
    REACHABLE,
    UNREACHABLE,
    WHOLE,
    StudiedCollection,
    against_parts,
    figures,
    sentences,
    tables,
    zipf,
)
from webecho.study.fits import fitted
from webecho.study.power_law import FitSettings

WHOLE_SIZES = {2: 5, 3: 2}
PARTS = {REACHABLE: Sizes({2: 3}), UNREACHABLE: Sizes({2: 1, 3: 2})}


def collection(parts: dict[str, Sizes], false_matches: int | None = None) -> StudiedCollection:
    """A hundred documents, of which 16 are in clusters and 9 are duplicates."""
    return StudiedCollection(
        "mine",
        {"pages": 120},
        {WHOLE: 100, REACHABLE: 60, UNREACHABLE: 40},
        {WHOLE: Sizes(WHOLE_SIZES), **parts},
        {0.9: Sizes({2: 10}), 0.5: Sizes({4: 10})},
        SITES.empty_table(),
        SITES.empty_table(),
        false_matches,
        fits={
            part: fitted(sizes.counts, FitSettings(20))
            for part, sizes in {WHOLE: Sizes(WHOLE_SIZES), **parts}.items()
        },
    )


def test_tables_of_a_collection() -> None:
    made = {name: table.to_pylist() for name, table in tables([collection(PARTS, 3)]).items()}
    assert made["collections"] == [{"collection": "mine", "pages": 120}]
    assert made["duplicates"] == [
        {
            "collection": "mine",
            "documents": 100,
            "clusters": 7,
            "duplicates": 9,
            "share of duplicates": 0.09,
            "unique": 84,
            "false matches": 3,
        }
    ]
    assert made["near_duplicates"] == [
        {
            "collection": "mine",
            "share of duplicates": 0.09,
            "share near at 90%": 0.1,
            "share near at 50%": 0.3,
        }
    ]
    assert [row["near-duplicates"] for row in made["near_clusters"]] == [10, 30]
    assert [(row["part"], row["size"], row["clusters"]) for row in made["cluster_sizes"]] == [
        *(("complete", 2, 5), ("complete", 3, 2), ("reachable", 2, 3)),
        *(("unreachable", 2, 1), ("unreachable", 3, 2)),
    ]
    assert made["parts"] == [
        {"collection": "mine", "size": 2, "complete": 5, "reachable": 3, "unreachable": 1},
        {"collection": "mine", "size": 3, "complete": 2, "reachable": 0, "unreachable": 2},
    ]
    assert "documents-mine" in made
    assert "parts" not in tables([collection({})])


def test_what_section_4_1_says_of_it() -> None:
    said = sentences(collection({}, 3))
    assert said[0] == "mine: 84.0% of the documents are unique."
    # Five of seven clusters, five of nine duplicates.
    assert said[1] == (
        "mine: 5 clusters have two documents: 71.4% of the clusters, 55.6% of the duplicates."
    )
    assert said[-1] == "mine: 3 pairs match by repeated paragraphs alone."


def test_the_whole_against_its_parts() -> None:
    assert against_parts(collection(PARTS)) == (
        "5 clusters have two documents in the complete collection, 4 in its two parts together; "
        "up to clusters of 2 documents the whole has more than its parts."
    )
    more = {**PARTS, REACHABLE: Sizes({2: 4})}
    assert against_parts(collection(more)).endswith("the whole has no more than its parts.")


MANY = Sizes({size: round(1e5 * size**-2.5) for size in range(2, 200)})


def test_an_exponent_takes_enough_clusters() -> None:
    [few] = zipf(collection({}))
    assert few.startswith(
        "Clusters of the complete collection by size. Too few clusters for a power"
    )
    found = collection({REACHABLE: MANY})
    _, said = zipf(found)
    assert said.startswith("Clusters of the reachable collection by size. Power law by maximum")
    assert "exponent −2.5" in said
    _, row = tables([found])["power_laws"].to_pylist()
    assert row["part"] == "reachable"
    assert abs(row["exponent"] + 2.5) < 0.02
    assert abs(row["exponent of the log-log line"] + 2.5) < 0.1


def test_the_papers_shares_stand_beside_ours() -> None:
    rows = tables([collection({})])["beside_paper"].to_pylist()
    found = {row["fact"]: (row["value"], row["paper, low"], row["paper, high"]) for row in rows}
    assert found["share of duplicates"] == (0.09, 0.358, 0.431)
    assert found["share near at 50%"] == (0.3, 0.499, 0.534)
    # It has no share near at 70 % here.
    assert "share near at 70%" not in found


def test_collections_overlay_in_a_figure_for_each_part() -> None:
    one, two = collection(PARTS), replace(collection({REACHABLE: MANY}), name="yours")
    drawn = figures([one, two])
    assert [*drawn] == [
        *("cluster_sizes-complete", "cluster_sizes-reachable", "cluster_sizes-unreachable")
    ]
    assert [*drawn["cluster_sizes-complete"].series] == ["mine", "yours"]
    assert [*drawn["cluster_sizes-unreachable"].series] == ["mine"]
    assert drawn["cluster_sizes-reachable"].series["yours"].counts == MANY.counts
