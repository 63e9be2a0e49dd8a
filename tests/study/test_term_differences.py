"""Term differences as the paper tells them: counted of all pairs, or estimated from some."""

import json
import random
import shutil
from math import inf
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl
from tests.command import done
from tests.group.test_similarity_pairs import family_web
from webecho.engine.local.engine import local_run
from webecho.study.pair_report import PairReport, report
from webecho.study.shares import wilson
from webecho.study.term_differences import (
    Measured,
    difference_facts,
    difference_table,
    quantile,
)
from webecho.workspace.workspace import Workspace

# Five of 2, three of 10, one of 300, one above the limit.
TEN = [(2, 5.0), (10, 3.0), (300, 1.0), (None, 1.0)]
LARGE = "pairs with term difference over 200"


def test_term_differences_as_the_paper_tells_them() -> None:
    every = Measured(rows=10, pairs=10, measured_rows=10, measured=10, squares=10)
    assert difference_facts(TEN, every, "") == {
        "average term difference": (10 + 30 + 300) / 9,
        "median term difference": 2,
        "share of term difference 2": 0.5,
        "90th percentile of term differences": 300,
        LARGE: 2,
        "pairs above the limit of term differences": 1,
    }
    assert quantile([(2, 5), (10, 3)], 10, 0.9) is None
    assert difference_facts([], every, "") == {}
    assert difference_table(TEN, every).to_pylist()[0] == {
        "difference": 2, "pairs": 5, "pairs_low": 5, "pairs_high": 5, "estimated": False,
    }  # fmt: skip


def test_what_was_measured_of_some_pairs_is_scaled_to_all() -> None:
    """Ten of 100 pairs: two large ones stand for 20, and as much is known as from 10 / 0.9."""
    some = Measured(rows=100, pairs=100, measured_rows=10, measured=10, squares=10)
    assert some.size == pytest.approx(10 / 0.9)
    facts = difference_facts(TEN, some, "")
    low, high = wilson(0.2, 10 / 0.9)
    assert facts[LARGE] == 20
    assert [facts[f"{LARGE}, {end}"] for end in ("low", "high")] == [
        round(100 * low),
        round(100 * high),
    ]
    assert facts["pairs above the limit of term differences"] == 10
    # Shares and quantiles are those of the pairs that were measured, and have intervals too.
    assert facts["share of term difference 2"] == 0.5
    ends = [facts[f"share of term difference 2, {end}"] for end in ("low", "high")]
    assert ends == pytest.approx(wilson(0.5, 10 / 0.9))
    assert facts["median term difference"] == facts["median term difference, low"] == 2
    assert facts["median term difference, high"] == 10
    # The upper end of the 90th percentile is above the limit, and nobody knows it.
    assert facts["90th percentile of term differences"] == 300
    assert "90th percentile of term differences, high" not in facts
    mean = (10 + 30 + 300) / 9
    assert facts["average term difference"] == mean
    spread = (5 * (2 - mean) ** 2 + 3 * (10 - mean) ** 2 + (300 - mean) ** 2) / 9
    assert facts["average term difference, high"] == pytest.approx(
        mean + 1.96 * (spread * 0.9 / 10) ** 0.5, rel=1e-4
    )
    assert facts["average term difference, low"] == 0
    assert difference_table(TEN, some).to_pylist()[0] == {
        "difference": 2,
        "pairs": 50,
        "pairs_low": round(100 * wilson(0.5, 10 / 0.9)[0]),
        "pairs_high": round(100 * wilson(0.5, 10 / 0.9)[1]),
        "estimated": True,
    }


def test_what_was_measured_is_known_and_weights_tell_less() -> None:
    # 99 of 100: of ten that are large at most one more is there.
    nearly = Measured(rows=100, pairs=100, measured_rows=99, measured=99, squares=99)
    count = nearly.count(10)
    assert 10 <= count.low <= count.value <= count.high <= 11
    # Of four pairs one stands for nine.
    heavy = Measured(rows=8, pairs=24, measured_rows=4, measured=12, squares=84)
    assert heavy.size == pytest.approx(12**2 / 84 / 0.5)
    assert heavy.count(9).value == 18
    every = Measured(rows=4, pairs=12, measured_rows=4, measured=12, squares=84)
    assert (every.size, every.estimated) == (inf, False)


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    pages = as_jsonl(tmp_path / "pages.jsonl", family_web())
    done("sketch", pages, "-o", tmp_path / "crawl.echo")
    done("pairs", tmp_path / "crawl.echo", "--rule", "b")
    return tmp_path / "crawl.echo"


def with_differences(
    crawl: Path, differences: list[int | None], weights: list[float]
) -> PairReport:
    """The report of a table of pairs with these differences; None was not measured."""
    file = Workspace.open(crawl).files.pairs("b-2")
    count = len(differences)
    table = pa.table(
        {
            "left": [0] * count,
            "right": [*range(1, count + 1)],
            "b_similarity": [2] * count,
            "c_similarity": [380] * count,
            "same_site": [True] * count,
            "weight": weights,
            "term_difference": pa.array(differences, pa.int64()),
            "text_difference": pa.array(differences, pa.int64()),
            "more_than": pa.nulls(count, pa.int64()),
        }
    )
    Workspace.open(crawl).write(file, [table])
    return report(Workspace.open(crawl), "b-2", local_run())


def test_intervals_of_measured_samples_hold_the_truth(crawl: Path) -> None:
    """Of 1,000 pairs 136 are large; of 200 samples of 140 nineteen in twenty should tell so, by
    counts and not by what 140 pairs have."""
    chance = random.Random(15)
    truth = [300] * 136 + [5] * 864
    inside = estimates = 0
    for _ in range(200):
        chance.shuffle(truth)
        large = sum(difference > 200 for difference in truth[:140])
        some = Measured(rows=1000, pairs=1000, measured_rows=140, measured=140, squares=140)
        found = some.count(large)
        inside += found.low <= 136 <= found.high
        estimates += found.value
    assert inside >= 183
    assert estimates / 200 == pytest.approx(136, abs=4)
    told = with_differences(crawl, [*truth[:140], *[None] * 860], [1.0] * 1000)
    assert told.facts["pairs measured"] == 140
    assert told.facts[LARGE] == round(sum(d > 200 for d in truth[:140]) / 0.14)
    assert told.facts[f"{LARGE}, low"] <= 136 <= told.facts[f"{LARGE}, high"]
    [small, large_row] = told.tables["differences"].to_pylist()
    assert small["pairs"] + large_row["pairs"] == pytest.approx(1000, abs=1)
    assert large_row["estimated"] and large_row["pairs_low"] < large_row["pairs"]


def test_pairs_of_hot_buckets_count_as_often_as_they_stand_for(crawl: Path) -> None:
    told = with_differences(crawl, [300, 5, None, None], [3.0, 1.0, 4.0, 4.0])
    # Three of four measured pairs, of twelve.
    assert told.facts[LARGE] == 9
    told = with_differences(crawl, [300, 5], [3.0, 1.0])
    assert told.facts[LARGE] == 3 and f"{LARGE}, low" not in told.facts


def test_the_command_scales_and_marks(crawl: Path) -> None:
    options: list[Any] = ["--rule", "b", "--measure", "difference", "--report"]
    # What is measured stays measured: elsewhere nothing is yet.
    other = shutil.copytree(crawl, crawl.with_name("other.echo"))
    every = json.loads(done("pairs", crawl, *options, "--format", "json").stdout)
    assert "pairs measured" not in every
    pairs = every["pairs"]
    counted = {row["difference"]: row["pairs"] for row in every["tables"]["differences"]}
    assert sum(counted.values()) == pairs > 30
    some = json.loads(done("pairs", other, *options, "--measured", 20, "--format", "json").stdout)
    assert some["pairs measured"] == 20
    rows = some["tables"]["differences"]
    assert sum(row["pairs"] for row in rows) == pytest.approx(pairs, abs=len(rows))
    assert all(row["estimated"] for row in rows)
    assert all(row["pairs_low"] <= counted[row["difference"]] <= row["pairs_high"] for row in rows)
    shown = done("pairs", other, *options, "--measured", 20).stdout
    assert "median term difference" in shown and ", estimated (" in shown
    # All that are asked for are all there are.
    again = done("pairs", crawl, *options, "--measured", pairs, "--format", "json")
    assert json.loads(again.stdout) == every
