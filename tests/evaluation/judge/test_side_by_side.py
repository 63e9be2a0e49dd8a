"""Two rules side by side: what they share, and how sure their difference is."""

import random
from dataclasses import replace
from math import sqrt

import pytest

from tests.evaluation.labelled_pairs import Made, labelled_pairs
from webecho.evaluation.judge.derived import Member, of_sample
from webecho.evaluation.judge.labelled import Labelled
from webecho.evaluation.judge.precision import LabelledStratum
from webecho.evaluation.judge.side_by_side import difference, side_by_side
from webecho.study.shares import student, wilson

MADE: list[Made] = [
    (6, 384, True, "correct"),
    (5, 370, True, "incorrect"),
    (4, 360, False, "correct"),
    (0, 384, False, "correct"),
    (0, 380, True, "incorrect"),
]


def split(known: Labelled) -> tuple[list[Member], list[Member]]:
    rows = of_sample(known, "b-2")
    by_b = [row for row in rows if (row.pair.b_similarity or 0) >= 2]
    by_c = [row for row in rows if (row.pair.c_similarity or 0) >= 372]
    return by_b, by_c


def test_two_rules_worked_out_by_hand() -> None:
    known = labelled_pairs(MADE, each=10)
    by_b, by_c = split(known)
    table = side_by_side(known, ("b-2", by_b), ("c-372", by_c))
    found = {(row["kind"], row["rule"]): row for row in table.to_pylist()}
    assert found["all", "b-2"]["precision"] == pytest.approx(2 / 3)
    assert found["all", "c-372"]["correct_pairs"] == pytest.approx(20)
    assert found["all", "both"]["labelled"] == 1
    assert found["all", "difference"]["precision"] == pytest.approx(0)
    assert found["same site", "difference"]["pairs"] == pytest.approx(0)
    assert found["different sites", "both"]["labelled"] == 0


def test_a_rule_does_not_differ_from_itself() -> None:
    known = labelled_pairs(MADE, each=10)
    rows = of_sample(known, "b-2")
    told = difference(known, rows, rows)
    assert (told["precision"], told["precision_low"], told["precision_high"]) == (0, 0, 0)


def test_apart_two_samples_add_their_variances() -> None:
    one = labelled_pairs([(6, 384, True, "correct" if n < 60 else "incorrect") for n in range(101)])
    rows = of_sample(one, "b-2")
    moved = [replace(row, pair=replace(row.pair, stratum=("other", 0))) for row in rows]
    huge: dict[object, LabelledStratum] = dict.fromkeys(
        (("sample", 0), ("other", 0)), LabelledStratum(10**9, 101)
    )
    told = difference(replace(one, strata=huge), rows, moved)
    p = 60 / 101
    low, high = wilson(p, 100, student(102))
    # Newcombe 1998, method 10, of two independent samples.
    reach = sqrt((high - p) ** 2 + (p - low) ** 2)
    assert told["precision_high"] == pytest.approx(reach, rel=1e-3)
    assert told["precision_low"] == pytest.approx(-reach, rel=1e-3)


def test_rules_whose_pairs_all_agree_are_not_sure_to_differ_in_nothing() -> None:
    known = labelled_pairs([(6, 384, True, "correct")] * 20, each=99)
    rows = of_sample(known, "b-2")
    told = difference(known, rows, rows[:10])
    assert told["precision"] == 0
    assert -0.4 < told["precision_low"] < -0.1  # type: ignore[operator]


def test_intervals_of_differences_cover_the_truth() -> None:
    chance = random.Random(8)
    kinds: list[tuple[int, int]] = [(6, 384), (3, 350), (0, 380)]
    every: list[Made] = [
        (*chance.choice(kinds), True, chance.choice(("correct", "incorrect", "correct")))
        for _ in range(4000)
    ]
    population = labelled_pairs(every)
    truth = difference(population, *split(population))["precision"]
    covered = 0
    for _ in range(400):
        known = labelled_pairs(chance.sample(every, 200))
        known = replace(known, strata={("sample", 0): LabelledStratum(4000, 200)})
        told = difference(known, *split(known))
        covered += told["precision_low"] <= truth <= told["precision_high"]  # type: ignore[operator]
    assert 0.92 <= covered / 400 <= 0.98
