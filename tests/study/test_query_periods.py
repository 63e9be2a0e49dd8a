"""Periods, and what lies between crawls: Table 5 of Baeza-Yates 2007."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from tests.study.reuse_made import collection
from webecho.errors import SettingsError
from webecho.study.query_periods import (
    Crawl,
    Period,
    calendar,
    crawl_of,
    distinct_crawls,
    gaps,
    micros,
)
from webecho.workspace.workspace import Workspace


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# Table 1: when the four collections were crawled.
CRAWLS = [
    Crawl(day(f"{month}-03"), day(f"{month}-20"))
    for month in ("2002-07", "2003-08", "2004-01", "2005-02")
]


def lies(moments: list[str], around: str) -> list[int]:
    times = np.array([micros(day(each)) for each in moments])
    return gaps(times, CRAWLS, Period.parse(around)).tolist()


def test_logs_are_of_the_months_between_crawls() -> None:
    months = [f"{2002 + month // 12}-{month % 12 + 1:02d}" for month in range(6, 38)]
    found = dict(zip(months, lies([f"{month}-15" for month in months], "1mo"), strict=True))
    spans = {gap: [month for month in months if found[month] == gap] for gap in (1, 2, 3)}
    ends = {gap: (some[0], some[-1]) for gap, some in spans.items()}
    # In the table Aug/02 – Jun/03, a month less; Sep/03 – Dec/03; Feb/04 – Jan/05.
    assert ends == {
        1: ("2002-08", "2003-07"),
        2: ("2003-09", "2003-12"),
        3: ("2004-02", "2005-01"),
    }
    assert [month for month in months if found[month] == -1] == [
        *("2002-07", "2003-08", "2004-01", "2005-02")
    ]


def test_more_or_less_is_left_out_around_crawls() -> None:
    moments = ["2003-07-15", "2003-07-31T23:59:59", "2003-08-01", "2003-08-10", "2003-09-30"]
    assert lies(moments, "1mo") == [1, 1, -1, -1, 2]
    assert lies(moments, "2mo") == [-1, -1, -1, -1, -1]
    assert lies(moments, "0") == [1, 1, 1, -1, 2]
    assert lies(["2003-08-02", "2003-08-01", "2003-08-21", "2003-08-22"], "2d") == [-1, 1, -1, 2]


@pytest.mark.parametrize(
    ("unit", "one", "next_one"),
    [
        ("h", "2004-02-03T12:59:59", "2004-02-03T13:00:00"),
        ("d", "2004-02-03T23:59:59", "2004-02-04"),
        # The eighth was a Sunday.
        ("w", "2004-02-08T23:59:59", "2004-02-09"),
        ("mo", "2004-02-29T23:59:59", "2004-03-01"),
    ],
)
def test_units_of_the_calendar(unit: str, one: str, next_one: str) -> None:
    first, second = calendar(np.array([micros(day(one)), micros(day(next_one))]), unit)
    assert second == first + 1


def test_how_periods_are_written() -> None:
    assert Period.parse("2mo") == Period(2, "mo")
    assert str(Period.parse(" 6 h ")) == "6h"
    for wrong in ("", "6", "h", "6m", "-1h", "6 hours"):
        with pytest.raises(SettingsError, match="is no period; give a number of hours"):
            Period.parse(wrong)


def test_when_a_collection_was_crawled(tmp_path: Path) -> None:
    path = collection(tmp_path, "a", {"http://a.example/": "text"}, "2004-01-15")
    found = crawl_of(Workspace.open(path))
    assert found == Crawl(day("2004-01-15"), day("2004-01-15"))
    path = collection(tmp_path, "b", {"http://a.example/": "text"}, "")
    assert crawl_of(Workspace.open(path)) is None
    assert distinct_crawls([None, CRAWLS[1], found, CRAWLS[1]]) == [CRAWLS[1], found]
