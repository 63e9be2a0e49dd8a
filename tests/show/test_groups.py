"""What is printed of pairs, and of a report on them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.command import lines
from webecho.api.pairs import Paired
from webecho.show.groups import say_estimated, show_pairs
from webecho.study.pair_report import PairReport

ROWS = pa.table(
    {"left": [0, 1], "right": [4, 5], "same_site": [True, False], "resemblance": [0.95, 0.9]}
)
REPORT = PairReport(
    "b-2",
    {"pairs": 21, "pages": 16},
    {
        "by_b_similarity": pa.table({"B-similarity": [2, 6], "pairs, about": [20, 1]}),
        "by_c_range": pa.table({"c_similarity": pa.array([], pa.string())}),
        "sites": pa.table({"site": ["www.example.org"], "pairs, about": [21]}),
        "long": pa.table({"page": [7]}),
    },
)


def paired(count: int, report: PairReport | None = None) -> Paired:
    file = Path("crawl.echo/pairs/b-2.parquet")
    summary: dict[str, Any] = {"pairs": count}
    return Paired("b-2", file, count, ROWS, summary, report, None, None, None)


def test_pairs_with_their_rule_and_count(capsys: pytest.CaptureFixture[str]) -> None:
    show_pairs([paired(2)], "table")
    assert lines(capsys.readouterr().out) == [
        "rule   b-2",
        "pairs  2",
        "",
        "left  right  same_site  resemblance",
        "   0      4  yes             0.9500",
        "   1      5  no              0.9000",
    ]


def test_of_more_than_twenty_it_says_that_these_are_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_pairs([paired(20)], "table")
    assert "The first" not in capsys.readouterr().out
    show_pairs([paired(1_021)], "table")
    assert "The first 20 of 1,021 pairs" in capsys.readouterr().out


def test_of_a_report_people_see_what_fits_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    show_pairs([paired(21, REPORT)], "table")
    assert lines(capsys.readouterr().out) == [
        "rule   b-2",
        "pairs  21",
        "pages  16",
        "",
        "Pairs by B-similarity",
        "B-similarity  pairs, about",
        "           2            20",
        "           6             1",
        "",
        "The sites of most pairs",
        "site             pairs, about",
        "www.example.org            21",
        "",
        "The first 20 of 21 pairs",
        "left  right  same_site  resemblance",
        "   0      4  yes             0.9500",
        "   1      5  no              0.9000",
    ]


def test_estimates_are_called_so_and_have_their_interval(
    capsys: pytest.CaptureFixture[str],
) -> None:
    facts: dict[str, Any] = {
        "pairs measured": 500,
        "large": 1_360,
        "large, low": 980,
        "large, high": 1_900,
        "quantile": 40,
        "quantile, low": 30,
        "last": 2,
    }
    report = replace(REPORT, facts=facts)
    show_pairs([paired(21, report)], "table")
    assert lines(capsys.readouterr().out)[1:5] == [
        "pairs measured  500",
        "large           1,360, estimated (980–1,900)",
        # Its other end is above what was looked for.
        "quantile        40, estimated (30–)",
        "last            2",
    ]
    show_pairs([paired(21, report)], "json")
    assert json.loads(capsys.readouterr().out).items() >= facts.items()


def test_of_a_report_programs_get_all_tables(capsys: pytest.CaptureFixture[str]) -> None:
    show_pairs([paired(21, REPORT)], "json")
    found = json.loads(capsys.readouterr().out)
    assert found["tables"].keys() == REPORT.tables.keys()
    assert found["tables"]["long"] == [{"page": 7}]
    assert found["rows"] == ROWS.to_pylist()
    show_pairs([paired(21, REPORT)], "csv")
    assert capsys.readouterr().out == "rule,pairs,pages\nb-2,21,16\n"


def test_what_could_not_be_counted_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    say_estimated(None)
    assert capsys.readouterr().err == ""
    say_estimated("pages.jsonl is gone")
    assert capsys.readouterr().err == (
        "webecho: resemblances are estimated from features, not counted, and differences not "
        "known: pages.jsonl is gone\n"
    )
