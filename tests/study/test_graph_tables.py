"""Tables of the study of the graph, of a few pages worked out by hand."""

import pyarrow as pa
import pytest

from webecho.engine.local.engine import local_run
from webecho.study.cluster_sizes import SITES, Sizes
from webecho.study.duplicate_tables import REACHABLE, UNREACHABLE, WHOLE, StudiedCollection
from webecho.study.graph_tables import bow_tie_table, compared, duplicate_tables, useful


def collection(clusters: list[int], sizes: dict[str, dict[int, int]]) -> StudiedCollection:
    """Documents 0, 2, 4, … in these clusters; four of them are reachable."""
    documents = {WHOLE: len(clusters), REACHABLE: 4, UNREACHABLE: len(clusters) - 4}
    pages = pa.array(range(0, 2 * len(clusters), 2), pa.int64())
    return StudiedCollection(
        "mine",
        {},
        documents,
        {part: Sizes(counts) for part, counts in sizes.items()},
        {},
        SITES.empty_table(),
        pa.table({"page": pages, "cluster": pa.array(clusters, pa.int64())}),
    )


def test_pages_and_documents_by_their_place_in_the_bow_tie() -> None:
    parts = pa.array([0, 0, 2, 5, 5, 5, 5, 2], pa.uint8())
    documents = pa.array([True, False, True, True, False, False, True, False])
    found = bow_tie_table(parts, documents, local_run())
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        ("core", 2, 0.25, 1, 0.25),
        ("in", 0, 0.0, 0, 0.0),
        ("out", 2, 0.25, 1, 0.25),
        ("tubes", 0, 0.0, 0, 0.0),
        ("tendrils", 0, 0.0, 0, 0.0),
        ("disconnected", 4, 0.5, 2, 0.5),
    ]
    nothing = bow_tie_table(pa.array([], pa.uint8()), pa.array([], pa.bool_()), local_run())
    assert nothing.schema == found.schema
    assert {*nothing["share of pages"].to_pylist(), *nothing["pages"].to_pylist()} == {0}


def test_clusters_and_unique_documents_in_the_reachable_part() -> None:
    # Of the cluster of three one is reached, of that of two none; of three unique ones one.
    found = collection(
        [0, 0, 0, 6, 6, 10, 12, 14], {WHOLE: {3: 1, 2: 1}, REACHABLE: {2: 1}, UNREACHABLE: {2: 1}}
    )
    reached = pa.array([page in (2, 12) for page in range(16)])
    tables = duplicate_tables(found, reached, local_run())
    share = "share in the reachable part"
    assert tables["table_5"].to_pylist() == [
        {"collection": "mine", "clusters": 2, "in the reachable part": 1, share: 0.5}
    ]
    assert tables["table_6"].to_pylist() == [
        {"collection": "mine", "unique": 3, "in the reachable part": 1, share: 1 / 3}
    ]
    # 3 of 8 are duplicates, and of the 5 that are left one of two is reached.
    assert useful(tables) == {
        "useful documents": 5,
        "useful documents reached": 2,
        "share of useful documents reached": 0.4,
    }
    [row] = tables["table_4"].to_pylist()
    assert (row["complete"], row["share complete"]) == (3, 3 / 8)


def test_parts_are_compared_in_words() -> None:
    part, reachable = (
        {"share of duplicates": share, "duplicates": count}
        for share, count in ((0.3, 30), (0.4, 8))
    )
    assert compared("the whole", part, reachable, "50.9") == (
        "Of the whole 30.0% are duplicates, 40.0% of the reachable component: 25.0% lower (in "
        "Baeza-Yates 2007 50.9 % higher in the mean). In numbers 30 are 3.75 times 8."
    )
    none = {"share of duplicates": 0.0, "duplicates": 0}
    assert compared("the whole", part, none, "50.9").endswith("there is no ratio to nothing.")


@pytest.mark.parametrize("threads", [1, 2])
def test_the_bow_tie_of_many_pages(threads: int) -> None:
    count = 300_000
    parts = pa.array([page % 6 for page in range(count)], pa.uint8())
    documents = pa.array([page % 4 == 0 for page in range(count)])
    found = bow_tie_table(parts, documents, local_run(threads))
    assert found["pages"].to_pylist() == [count // 6] * 6
    # Of twelve pages 0, 4 and 8 are documents.
    assert found["documents"].to_pylist() == [count // 12, 0] * 3
