"""Strata: kinds of pairs, and how many of each are drawn."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from webecho.engine.local.engine import local_run
from webecho.evaluation.sample.strata import (
    PARTING,
    StratumSize,
    allocate,
    c_range,
    c_reached,
    c_thresholds,
    range_names,
    shares,
    stratify,
)
from webecho.settings import WEBECHO, recipe


def test_ranges_are_the_papers_for_384_bits() -> None:
    assert range_names(384) == ["below 372", "372-375", "376-378", "379-381", "382-384"]
    # In proportion, as `webecho pairs` has them.
    assert range_names(128) == ["below 124", "124-125", "126-126", "127-127", "128-128"]


def test_shares_worked_out_by_hand() -> None:
    # Half by share, half evenly: 10 · (0.9 / 2 + 1 / 4) = 7 and 3.
    assert allocate([StratumSize(100, 0.9), StratumSize(100, 0.1)], 10) == [7, 3]
    # What a stratum has not goes to the others.
    assert allocate([StratumSize(100, 0.9), StratumSize(1, 0.1)], 10) == [9, 1]
    assert allocate([StratumSize(3, 0.5), StratumSize(3, 0.5)], 10) == [3, 3]
    assert allocate([StratumSize(5, 0.0), StratumSize(5, 1.0)], 4) == [2, 2]
    assert allocate([], 4) == []


# Ranges of what pairs of other rules are measured by.
MEASURED = ("resemblance_range", "equal_words_range")


def pairs_of(rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    """The table `pairs` of one rule: B-similarity, range of C-similarity, same site, weight."""
    names = ("b_similarity", "c_range", "same_site", "weight_0")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return pa.table(
        columns
        | {name: pa.array([0] * len(rows), pa.int64()) for name in ("c_reached", "weight_class")}
        | {name: pa.nulls(len(rows), pa.string()) for name in MEASURED}
        | {"rules": [1] * len(rows)}
    )


ROWS = [
    *[(2, "below 372", True, 1.0)] * 6,
    *[(2, "372-375", True, 1.0)] * 3,
    *[(3, None, False, 3.0)] * 1,
]


def test_strata_are_as_fine_as_the_sample_allows() -> None:
    with local_run().database() as database:
        database.add("pairs", pairs_of(ROWS))
        sizes, keys = stratify(database, 1, 10)
        assert keys == PARTING
        # Sorted by what parts them, what is unknown first; a weight counts as often as it says.
        assert sizes == [StratumSize(1, 3 / 12), StratumSize(3, 3 / 12), StratumSize(6, 6 / 12)]
        found = database.table("SELECT stratum, b_similarity, c_range FROM strata ORDER BY stratum")
        assert found.to_pydict() == {
            "stratum": [0, 1, 2],
            "b_similarity": [3, 2, 2],
            "c_range": [None, "372-375", "below 372"],
        }


def test_small_samples_give_up_ranges_first_and_in_the_end_everything() -> None:
    with local_run().database() as database:
        database.add("pairs", pairs_of(ROWS))
        sizes, keys = stratify(database, 1, 3)
        assert keys == PARTING[PARTING.index("c_range") + 1 :]
        assert sizes == [StratumSize(9, 9 / 12), StratumSize(1, 3 / 12)]
        # What parts nothing here, rules and weights, is given up last.
        for size, left in ((2, ("weight_class", "rules")), (1, ())):
            sizes, keys = stratify(database, 1, size)
            assert keys == left
            assert sizes == [StratumSize(10, 1.0)]


def test_no_pairs_have_no_strata() -> None:
    with local_run().database() as database:
        database.add("pairs", pairs_of(ROWS).slice(0, 0))
        assert stratify(database, 1, 5)[0] == []


def test_every_rule_counts_the_same() -> None:
    # Of rule 0 there are 3 of 4, of rule 1 there are 0 of 2.
    assert shares([(3, 3, 0), (3, 1, 2)]) == [3 / 8, 5 / 8]
    # A rule that found nothing has no share.
    assert shares([(1, 1, 0), (1, 1, 0)]) == [1 / 4, 1 / 4]


def test_strata_are_cut_where_rules_are() -> None:
    # 355 of `combined` and `by-site`, 372 of `c`; in proportion to the bits.
    assert c_thresholds(WEBECHO) == [355, 372]
    assert c_thresholds(recipe("webecho", bits=192)) == [178, 186]
    with local_run().database() as database:
        database.add("pairs", pa.table({"c_similarity": [354, 355, 371, 372, 384, None]}))
        found = database.table(f"SELECT {c_reached(WEBECHO)} AS reached FROM pairs")
    assert found["reached"].to_pylist() == [0, 1, 1, 2, 2, None]


def test_the_range_of_a_similarity_in_sql() -> None:
    with local_run().database() as database:
        database.add("pairs", pa.table({"c_similarity": [350, 371, 372, 378, 384, None]}))
        found = database.table(f"SELECT {c_range(384)} AS name FROM pairs")
    assert found["name"].to_pylist() == [
        *("below 372", "below 372", "372-375", "376-378", "382-384"),
        None,
    ]
