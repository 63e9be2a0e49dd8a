"""The papers' numbers, each once more as it stands in the text, and where they go."""

import pyarrow as pa
import pytest

from webecho.study.papers import (
    BY_B,
    BY_C,
    CLUSTERS,
    DUPLICATES,
    ESTIMATE_ERRORS,
    GRAPH,
    GRAPH_MEANS,
    GROWTH,
    LARGEST,
    PAIR_FACTS,
    beside_rows,
    beside_table,
    with_paper,
)

# Pereira 2006, Tables 2 and 3: 2003, 2004, 2005.
PERCENT = {
    "share of duplicates": (38.9, 43.1, 35.8),
    "share near at 90%": (40.8, 44.5, 37.0),
    "share near at 70%": (46.1, 47.9, 43.2),
    "share near at 50%": (52.8, 53.4, 49.9),
}
# Baeza-Yates 2007, section 3.2 and Table 4: 2002 to 2005; Pereira 2006, Tables 5 and 6.
REACHED = {
    "share of documents reached": (54.0, 51.6, 56.8, 63.9),
    "share of duplicates, complete": (31.9, 38.9, 43.1, 35.8),
    "share of duplicates, reachable": (18.9, 25.9, 29.3, 26.0),
    "share of duplicates, unreachable": (38.2, 43.0, 50.4, 41.1),
    "share of clusters in the reachable part": (71.8, 76.0, 81.6),
    "share of unique in the reachable part": (60.3, 68.9, 71.9),
    "share of useful documents reached": (62.6, 70.5, 73.6),
}


@pytest.mark.parametrize(
    ("published", "tables"), [(DUPLICATES, PERCENT), (GRAPH, REACHED)], ids=["2006", "2007"]
)
def test_ranges_are_those_of_the_papers_collections(published: dict, tables: dict) -> None:
    for fact, values in tables.items():
        assert (published[fact].low, published[fact].high) == pytest.approx(
            (min(values) / 100, max(values) / 100)
        )


def test_table_1_of_henzinger_adds_up() -> None:
    rows = BY_B["b-2"]
    pairs = [row["pairs"] for row in rows.values()]
    # 1,831 million pairs in section 3.3.
    assert round(sum(pairs), -6) == PAIR_FACTS["b-2"]["pairs"]
    assert [row["share"] for row in rows.values()] == pytest.approx(
        [count / sum(pairs) for count in pairs], abs=0.0006
    )


def test_numbers_of_fetterly_add_up() -> None:
    for rule, share in (("very-similar", 29.2), ("virtually-identical", 22.2)):
        row = CLUSTERS[rule]
        assert row["pages in clusters"] + row["pages alone"] == row["pages"] == 150_836_209
        assert row["pages in clusters"] - row["clusters"] == row["duplicates"]
        assert round(100 * row["duplicates"] / row["pages"], 1) == share
        assert row["share of duplicates"] == share / 100
        # Twenty rows, the largest first.
        urls = [LARGEST[rule, rank]["urls"] for rank in range(1, 21)]
        assert urls == sorted(urls, reverse=True)
    # What is virtually identical is very similar.
    assert all(
        LARGEST["virtually-identical", rank]["urls"] <= LARGEST["very-similar", rank]["urls"]
        for rank in range(1, 21)
    )


def test_means_of_baeza_yates_follow_from_its_table_4() -> None:
    whole, reachable, other = (
        REACHED[f"share of duplicates, {part}"] for part in ("complete", "reachable", "unreachable")
    )
    means = [
        sum(a / b - 1 for a, b in zip(part, reachable, strict=True)) / 4 for part in (whole, other)
    ]
    assert [each.low for each in GRAPH_MEANS.values()] == pytest.approx(means, abs=0.001)
    assert pytest.approx({0.2: 34.4 - 35.8, 0.5: 35.6 - 35.8}) == ESTIMATE_ERRORS
    assert next(iter(GROWTH.values())).low == 0.9


def test_the_paper_stands_beside_what_it_has() -> None:
    table = pa.table(
        {"b_similarity": [1, 2], "pairs": [3, 4], "share": [0.4, 0.6], "other": [0, 0]}
    )
    found = with_paper(table, ["b_similarity"], BY_B["b-2"])
    assert found.column_names == [
        *("b_similarity", "pairs", "pairs, paper", "share", "share, paper", "other")
    ]
    assert found["pairs, paper"].to_pylist() == [None, 958_899_366]
    # Where rows are others, there is no column.
    assert with_paper(table, ["b_similarity"], BY_C["c-372"]).equals(table)


def test_the_paper_stands_behind_an_interval() -> None:
    table = pa.table({"rule": ["b"], "kind": ["all"], "r": [0.5], "r_low": [0.4], "r_high": [0.6]})
    found = with_paper(table, ["rule", "kind"], {("b", "all"): {"r": 0.79}})
    assert found.column_names[-1] == "r, paper"


def test_rows_of_what_both_have() -> None:
    rows = beside_rows("mine", {"share of duplicates": 0.5, "share near at 90%": None}, DUPLICATES)
    [row] = beside_table(rows).to_pylist()
    assert row == {
        "collection": "mine",
        "fact": "share of duplicates",
        "value": 0.5,
        "paper, low": 0.358,
        "paper, high": 0.431,
        "where": "Pereira 2006, Table 2",
    }
    assert beside_table([]).num_rows == 0
