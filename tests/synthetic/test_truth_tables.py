"""The paper's tables of a truth worked out by hand; see test_documents.py for a whole web."""

import pyarrow as pa

from webecho.synthetic.truth_tables import planted_tables

# Of eight documents one is short. 0, 1 and 2 are a family: 1 has all paragraphs of 0, 2 has three
# of its four. 3 and 4 are copies in in; 5 and 6 stay alone.
TRUTH = pa.table(
    {
        "page": pa.array(range(8), pa.int64()),
        "original": pa.array([None, 0, 0, None, 3, None, None, None], pa.int64()),
        "cluster": pa.array([0, 0, 0, 3, 3, 5, 6, 7], pa.int64()),
        "paragraph_cluster": pa.array([0, 0, 2, 3, 3, 5, 6, None], pa.int64()),
        "common": pa.array([4, 4, 3, 2, 2, 1, 1, 1], pa.int32()),
        "paragraphs": [[1, 2, 3, 4], [4, 3, 2, 1], [1, 2, 3, 9], [5, 6], [5, 6], [7], [8], [0]],
        "component": ["core", "in", "out", "in", "in", "core", "in", "core"],
        "short": [False] * 7 + [True],
    }
)
TABLES = {name: table.to_pylist() for name, table in planted_tables(TRUTH).items()}


def test_duplicates_are_clustered_documents_less_clusters() -> None:
    assert TABLES["2"] == [{"documents": 7, "clusters": 2, "duplicates": 2, "share": 2 / 7}]


def test_near_duplicates_join_where_they_share_enough() -> None:
    assert [(row["least"], row["clusters"], row["duplicates"]) for row in TABLES["3"]] == [
        ("90 %", 2, 2),
        ("70 %", 2, 3),
        ("50 %", 2, 3),
    ]


def test_parts_are_clustered_by_themselves() -> None:
    assert [(row["part"], row["documents"], row["duplicates"]) for row in TABLES["4"]] == [
        ("complete", 7, 2),
        # 0, 2 and 5; their copies are elsewhere.
        ("reachable", 3, 0),
        ("unreachable", 4, 1),
    ]


def test_a_cluster_is_reachable_if_one_of_its_documents_is() -> None:
    assert TABLES["5"] == [{"clusters": 2, "in the reachable part": 1, "share": 0.5}]
    assert TABLES["6"] == [{"unique": 3, "in the reachable part": 2, "share": 2 / 3}]
