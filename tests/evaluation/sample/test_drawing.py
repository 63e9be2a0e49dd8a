"""Samples: strata, weights, and that estimates are unbiased."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from tests.command import contents
from tests.evaluation.made_pairs import sketched, with_pairs
from webecho.engine.local.engine import local_run
from webecho.errors import SettingsError
from webecho.evaluation.sample.drawing import SamplePlan, draw, sample_file
from webecho.workspace.workspace import Workspace

Pairs = list[tuple[Any, ...]]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sketched(tmp_path, [("http://a.example/", b"<p>one page"), ("http://b.example/", b"")])


def many(count: int, seed: int = 0) -> Pairs:
    """Pairs of all kinds, half of them with B-similarity 2, few on different sites."""
    chance = random.Random(seed)
    return [
        (
            number,
            number + 1,
            chance.choice([2, 2, 2, 3, 4, 5, 6]),
            chance.choice([350, 371, 372, 375, 376, 379, 382, 384]),
            chance.random() < 0.9,
        )
        for number in range(count)
    ]


def rows(sample: pa.Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sample.to_pylist()
    return found


def test_strata_are_kinds_of_pairs_and_weights_add_up_to_all_pairs(workspace: Workspace) -> None:
    pairs = many(2000)
    with_pairs(workspace, "b-2", pairs, named=False)
    sample = draw(workspace, SamplePlan(("b-2",), 300), local_run())
    assert len(sample) == 300
    assert sample["number"].to_pylist() == list(range(1, 301))
    population = duckdb.sql(f"SELECT * FROM '{workspace.path}/pairs/b-2.parquet'")  # noqa: F841
    kinds = duckdb.sql(
        "SELECT b_similarity, c_range, same_site, c_similarity >= 355, stratum, "
        "any_value(stratum_pairs) AS pairs, "
        "any_value(stratum_sampled) AS sampled, count(*) AS rows, sum(weight) AS weight "
        "FROM sample GROUP BY ALL"
    ).fetchall()
    # Below 372 there are those that reach the 355 of `combined`, and those that do not.
    assert len(kinds) == len({kind[4] for kind in kinds}) == 5 * 6 * 2
    lowest = {"382-384": 382, "379-381": 379, "376-378": 376, "372-375": 372, "below 372": 0}
    for b, c_range, same, reached, _, size, sampled, drawn, weight in kinds:
        own = [
            pair
            for pair in pairs
            if (pair[2], pair[4], pair[3] >= 355) == (b, same, reached)
            and next(name for name, least in lowest.items() if pair[3] >= least) == c_range
        ]
        assert (size, sampled) == (len(own), drawn)
        assert drawn >= min(2, size)
        assert weight == pytest.approx(size)


def test_the_same_seed_gives_the_same_bytes(workspace: Workspace) -> None:
    with_pairs(workspace, "b-2", many(3000), named=False)
    plan = SamplePlan(("b-2",), 100, 7)
    first = draw(workspace, plan, local_run())
    files = contents(workspace.path)
    sample_file(workspace, plan).unlink()
    assert draw(workspace, plan, local_run(threads=2)).equals(first)
    assert contents(workspace.path) == files
    other = draw(workspace, SamplePlan(("b-2",), 100, 8), local_run())
    assert other["left"].to_pylist() != first["left"].to_pylist()


def test_a_larger_sample_has_the_smaller_one_within_it(workspace: Workspace) -> None:
    with_pairs(workspace, "b-2", many(3000), named=False)
    small, large = (draw(workspace, SamplePlan(("b-2",), size), local_run()) for size in (200, 400))
    assert {*small["left"].to_pylist()} <= {*large["left"].to_pylist()}


def test_any_beginning_of_a_sample_has_all_kinds_in_it(workspace: Workspace) -> None:
    with_pairs(workspace, "b-2", many(3000), named=False)
    sample = rows(draw(workspace, SamplePlan(("b-2",), 400), local_run()))
    half = sample[:200]
    for stratum in {row["stratum"] for row in sample}:
        own = [row for row in sample if row["stratum"] == stratum]
        assert abs(sum(row["stratum"] == stratum for row in half) - len(own) / 2) <= 1


def test_a_sample_is_drawn_anew_when_its_pairs_change(workspace: Workspace) -> None:
    with_pairs(workspace, "b-2", many(50), named=False)
    plan = SamplePlan(("b-2",), 10)
    before = draw(workspace, plan, local_run())
    assert draw(workspace, plan, local_run()).equals(before)
    with_pairs(workspace, "b-2", many(60), named=False)
    after = draw(workspace, plan, local_run())
    assert sum(row["weight"] for row in rows(after)) == pytest.approx(60)


def test_small_samples_have_coarser_strata(workspace: Workspace) -> None:
    with_pairs(workspace, "b-2", many(500), named=False)
    for size in (1, 2, 7, 30):
        sample = rows(draw(workspace, SamplePlan(("b-2",), size), local_run()))
        assert len(sample) == size
        assert sum(row["weight"] for row in sample) == pytest.approx(500)
    # More than there are is all of them, each for itself.
    everything = rows(draw(workspace, SamplePlan(("b-2",), 10_000), local_run()))
    assert [row["weight"] for row in everything] == [1.0] * 500


def test_two_rules_with_pairs_in_common(workspace: Workspace) -> None:
    pairs = many(600)
    with_pairs(workspace, "b-2", pairs[:400], named=False)
    with_pairs(workspace, "c-372", pairs[200:], named=False)
    sample = rows(draw(workspace, SamplePlan(("b-2", "c-372"), 200), local_run()))
    assert len({row["number"] for row in sample}) == 200
    for rule, own in (("b-2", pairs[:400]), ("c-372", pairs[200:])):
        of_rule = [row for row in sample if row["rule"] == rule]
        assert {row["left"] for row in of_rule} <= {pair[0] for pair in own}
        assert sum(row["weight"] for row in of_rule) == pytest.approx(400)
    # A pair that both found stands there for each of them.
    both = [row["rule"] for row in sample if 200 <= row["left"] < 400]
    assert both.count("b-2") == both.count("c-372") == len(both) / 2 > 0


def estimates(workspace: Workspace, plans: Sequence[SamplePlan], rule: str) -> list[float]:
    """What each sample estimates as the number of pairs whose left page is divisible by 3."""
    return [
        sum(
            row["weight"]
            for row in rows(draw(workspace, plan, local_run()))
            if row["rule"] == rule and row["left"] % 3 == 0
        )
        for plan in plans
    ]


def assert_unbiased(found: Sequence[float], truth: float) -> None:
    """The mean is within four standard errors of the truth, and the samples do differ."""
    mean = sum(found) / len(found)
    variance = sum((each - mean) ** 2 for each in found) / (len(found) - 1)
    assert variance > 0
    assert abs(mean - truth) < 4 * (variance / len(found)) ** 0.5


def test_estimates_are_unbiased_over_seeds(workspace: Workspace) -> None:
    pairs = many(500)
    with_pairs(workspace, "b-2", pairs[:300], named=False)
    with_pairs(workspace, "c-372", pairs[100:], named=False)
    plans = [SamplePlan(("b-2", "c-372"), 60, seed) for seed in range(60)]
    for rule, own in (("b-2", pairs[:300]), ("c-372", pairs[100:])):
        truth = sum(pair[0] % 3 == 0 for pair in own)
        assert_unbiased(estimates(workspace, plans, rule), truth)


def test_pairs_of_hot_buckets_stand_for_as_many_as_they_say(workspace: Workspace) -> None:
    """A bucket of 3,000 pairs of which the rule gave 60, each for 50, beside 300 others."""
    found = []
    for seed in range(60):
        bucket = random.Random(seed).sample(range(1000, 4000), 60)
        hot = [(left, left + 1, 2, 380, True, 50.0) for left in sorted(bucket)]
        with_pairs(workspace, "b-2", [*many(300), *hot], named=False)
        sample = draw(workspace, SamplePlan(("b-2",), 80, seed), local_run())
        assert sum(row["weight"] for row in rows(sample)) == pytest.approx(3300)
        # Pairs of so different weights are not in one stratum.
        weights = duckdb.sql(
            "SELECT count(DISTINCT pair_weight) FROM sample GROUP BY stratum"
        ).fetchall()
        assert {*weights} == {(1,)}
        found += estimates(workspace, [SamplePlan(("b-2",), 80, seed)], "b-2")
    assert_unbiased(found, 100 + 1000)


def test_rules_without_similarities_are_sampled_too(workspace: Workspace) -> None:
    pairs = pa.table({"left": [0], "right": [1], "left_url": ["x"], "right_url": ["y"]})
    workspace.write(workspace.files.pairs("tokens"), [pairs])
    [row] = rows(draw(workspace, SamplePlan(("tokens",), 5), local_run()))
    assert (row["weight"], row["b_similarity"], row["same_site"]) == (1.0, None, False)


def test_a_sample_has_a_pair() -> None:
    with pytest.raises(SettingsError, match="a sample of 0 pairs is none"):
        SamplePlan(("b-2",), 0)


def test_no_pairs_make_an_empty_sample(workspace: Workspace) -> None:
    with_pairs(workspace, "b-2", [])
    assert len(draw(workspace, SamplePlan(("b-2",), 5), local_run())) == 0
