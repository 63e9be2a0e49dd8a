"""Thresholds: Table 11 of the paper, curves worked out by hand, and halves."""

import pyarrow as pa
import pytest

from tests.evaluation.labelled_pairs import Made, labelled_pairs
from webecho.evaluation.judge.derived import of_sample
from webecho.evaluation.judge.thresholds import (
    CURVE,
    Chosen,
    check,
    choose,
    curve,
    equal_recall,
    halves,
)

# Henzinger 2006, Table 11: R and precision by C-similarity threshold.
TABLE_11 = {
    351: (0.869, 0.754),
    352: (0.858, 0.763),
    353: (0.836, 0.768),
    354: (0.825, 0.771),
    355: (0.808, 0.770),
    356: (0.789, 0.776),
    357: (0.775, 0.784),
    358: (0.747, 0.784),
    359: (0.736, 0.789),
}

MADE: list[Made] = [
    (6, 384, True, "correct"),
    (5, 370, True, "correct"),
    (4, 360, False, "correct"),
    (2, 355, True, "incorrect"),
    (3, 350, False, "correct"),
    (2, 330, True, "incorrect"),
    (2, 320, True, "incorrect"),
    (3, 320, True, "undecided"),
]


def test_of_the_papers_table_the_papers_threshold_is_chosen() -> None:
    rows = [
        {"threshold": threshold, "labelled": 100, "precision": precision, "r": r}
        for threshold, (r, precision) in TABLE_11.items()
    ]
    table = pa.Table.from_pylist(rows, CURVE)
    chosen = choose(table)
    assert chosen is not None and chosen.threshold == 355
    assert chosen.why(0.8) == (
        "of the thresholds with an R (the share of correct pairs that is left) of at least 0.8 it "
        "has the best precision, 0.77, at an R of "
        "0.81, on the half of the labels it was chosen by"
    )
    # Who gives up more recall gets more precision.
    assert (less := choose(table, 0.7)) is not None and less.threshold == 359
    assert choose(table, 0.9) is None


def test_what_the_other_half_says_of_a_choice() -> None:
    chosen = Chosen(355, 0.77, 0.81)
    told = chosen.checked({"precision": 0.75, "r": 0.8}, 0.4, 0.8)
    assert told == "it holds: precision 0.75 and R 0.80 on the other half of the labels"
    told = chosen.checked({"precision": 0.75, "r": 0.7}, 0.4, 0.8)
    assert told.startswith("it FAILS: precision 0.75 and R 0.70 on the other half of the labels,")
    told = chosen.checked({"precision": 0.4, "r": 0.9}, 0.4, 0.8)
    assert told.startswith("it GAINS NOTHING: ") and "b alone has 0.40" in told
    assert chosen.checked({"precision": None, "r": None}, None, 0.8).startswith("not checked")


def test_a_curve_worked_out_by_hand() -> None:
    known = labelled_pairs(MADE)
    found = {
        row["threshold"]: row for row in curve(known, of_sample(known, "b-2"), 384).to_pylist()
    }
    assert [*found] == list(range(320, 385))
    for threshold, labelled, precision, r in (
        (320, 8, 4 / 8, 1),
        (321, 6, 4 / 6, 1),
        (350, 5, 4 / 5, 1),
        (351, 4, 3 / 4, 3 / 4),
        (356, 3, 1, 3 / 4),
        (384, 1, 1, 1 / 4),
    ):
        row = found[threshold]
        assert (row["labelled"], row["precision"], row["r"]) == pytest.approx(
            (labelled, precision, r)
        )
    # 0.80 is the best precision that leaves four fifths of the correct pairs.
    chosen = choose(curve(known, of_sample(known, "b-2"), 384))
    assert chosen is not None and chosen.threshold == 350


def test_what_is_checked_on_the_other_half() -> None:
    known = labelled_pairs(MADE)
    table = check(known, of_sample(known, "b-2"), 2, 350)
    found = {(row["rule"], row["kind"]): row for row in table.to_pylist()}
    combined = found["combined-2-350", "all"]
    assert (combined["precision"], combined["r"]) == pytest.approx((4 / 5, 1))
    # Combined against B ≥ 3: more correct pairs, and more precise.
    higher = found["b-3", "all"]
    assert (higher["labelled"], higher["precision"], higher["r"]) == pytest.approx((5, 4 / 5, 1))
    assert found["b-4", "all"]["r"] == pytest.approx(3 / 4)
    same = found["combined-2-350", "same site"]
    assert (same["labelled"], same["precision"], same["r"]) == pytest.approx((3, 2 / 3, 1))
    assert found["combined-2-350", "different sites"]["precision"] == 1


def test_table_12_is_whole() -> None:
    known = labelled_pairs(MADE, each=10)
    table = check(known, of_sample(known, "b-2"), 2, 320)
    found = {(row["rule"], row["kind"]): row for row in table.to_pylist()}
    for kind, counts in {
        "all": (8, 80, 4 / 8, 3 / 8, 1 / 8, 1),
        "same site": (6, 60, 2 / 6, 3 / 6, 1 / 6, 1),
        "different sites": (2, 20, 1, 0, 0, 1),
    }.items():
        row = found["combined-2-320", kind]
        names = ("labelled", "pairs", "precision", "incorrect", "undecided", "r")
        assert [row[name] for name in names] == pytest.approx(counts)
        for name in names[2:]:
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
    # What B-similarity alone does, likewise.
    assert found["b-3", "all"]["undecided"] == pytest.approx(1 / 5)


def test_halves_share_strata_and_no_pair() -> None:
    known = labelled_pairs(MADE * 5, each=10, strata=4)
    one, other = halves(known, 0)
    assert {pair.pair for pair in one.pairs} | {pair.pair for pair in other.pairs} == {
        pair.pair for pair in known.pairs
    }
    assert len(one.pairs) + len(other.pairs) == 40
    for each in (one, other):
        assert [stratum.labelled for stratum in each.strata.values()] == [5, 5, 5, 5]
        assert {stratum.pairs for stratum in each.strata.values()} == {100}
    assert halves(known, 0)[0].pairs == one.pairs != halves(known, 1)[0].pairs
    # Of three pairs of a stratum each half has one or two.
    odd = halves(labelled_pairs(MADE[:3]), 2)
    assert sorted(len(each.pairs) for each in odd) == [1, 2]


def test_the_threshold_of_equal_recall() -> None:
    known = labelled_pairs(MADE, each=10)
    rows = of_sample(known, "b-2")
    # The other rule has two correct pairs, each for ten: as many as have 370 or more.
    other = [row for row in rows if (row.pair.b_similarity or 0) >= 5]
    threshold, table = equal_recall(known, rows, other)
    assert threshold == 361
    found = {row["threshold"]: row for row in table.to_pylist()}
    assert (found[361]["correct_pairs"], found[361]["ratio"]) == pytest.approx((20, 1))
    assert (found[320]["returned_pairs"], found[320]["ratio"]) == pytest.approx((80, 2))
    nothing, _ = equal_recall(known, rows, [])
    assert nothing is None
