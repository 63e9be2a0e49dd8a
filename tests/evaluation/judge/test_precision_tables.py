"""Shares of one row: none contradicts another."""

import random
from dataclasses import replace

from tests.evaluation.labelled_pairs import Made, labelled_pairs
from webecho.evaluation.judge.derived import of_sample
from webecho.evaluation.judge.precision import LabelledStratum
from webecho.evaluation.judge.precision_tables import SHARES, evaluate_rule
from webecho.evaluation.label.reasons import LabelName


def test_the_intervals_of_a_row_do_not_contradict_each_other() -> None:
    chance = random.Random(1)
    for _ in range(60):
        often = chance.choice([(98, 1, 1), (60, 39, 1), (2, 1, 97), (100, 0, 0)])
        names: list[LabelName] = chance.choices(["correct", "incorrect", "undecided"], often, k=60)
        made: list[Made] = [(2, 380, True, name) for name in names]
        known = labelled_pairs(
            made, each=chance.choice([1, 3, 40]), strata=chance.choice([1, 3, 12])
        )
        # Some strata are labelled as a whole.
        strata: dict[object, LabelledStratum] = {
            key: replace(each, pairs=each.labelled) if chance.random() < 0.3 else each
            for key, each in known.strata.items()
        }
        known = replace(known, strata=strata)
        [row, *_] = evaluate_rule(known, "b-2", of_sample(known, "b-2"), 384)

        def end(name: str, which: str, row: dict[str, object] = row) -> float:
            value = row[f"{name}_{which}"]
            assert isinstance(value, float)
            return value

        exclusive = ("correct", "incorrect", "undecided")
        for one in exclusive:
            for other in exclusive:
                if one != other:
                    assert end(one, "low") + end(other, "high") <= 1 + 1e-9
        assert end("forms", "high") <= end("undecided", "high")
        assert end("correct", "high") <= end("correct_with_forms", "high")
        assert end("correct", "low") <= end("correct_with_forms", "low")
        for name in SHARES:
            value = row[name]
            assert isinstance(value, float)
            assert end(name, "low") <= value + 1e-9 and value <= end(name, "high") + 1e-9
