"""Which queries are taken from logs and periods."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.study.reuse_made import counted_log, timed_log
from webecho.api.runs import as_run
from webecho.errors import InputError, SettingsError
from webecho.read.query_logs import QueryLogFile
from webecho.study.query_logs import LogSettings, QueryLog, read_logs
from webecho.study.query_periods import Period


def read(file: Path, settings: LogSettings) -> QueryLog:
    [log] = read_logs([QueryLogFile("log", str(file))], [], settings, as_run()).logs
    return log


def test_the_most_frequent_are_dropped_and_the_next_taken(tmp_path: Path) -> None:
    counts = {"d": 5, "a": 9, "b": 7, "c": 7, "e": 1}
    log = read(counted_log(tmp_path / "log.tsv", counts), LogSettings(drop=1, take=3))
    # Of queries that were asked as often the first in the file.
    assert log.queries == ("b", "c", "d")
    assert (log.highest, log.lowest) == (7, 5)
    assert (log.requests, log.covered, log.distinct) == (29, 19, 5)
    assert log.first is None and not log.periods


def test_topics_are_taken_in_their_order_and_none_dropped(tmp_path: Path) -> None:
    (tmp_path / "topics.txt").write_text("1:c\n2:a\n3:c\n4:b\n")
    log = read(tmp_path / "topics.txt", LogSettings(drop=1, take=2))
    assert log.queries == ("c", "a")
    assert (log.requests, log.highest, log.covered, log.distinct) == (None, None, None, 3)


def hours(*times: str) -> list[tuple[str, str]]:
    return [(f"1997-09-{time}", f"query {number}") for number, time in enumerate(times)]


def test_periods_of_hours_begin_with_the_first_request(tmp_path: Path) -> None:
    requests = hours("16T00:10:11", "16T06:10:10", "16T06:10:11", "16T12:11:00", "17T00:09:23")
    settings = LogSettings(drop=0, period=Period(6, "h"))
    log = read(timed_log(tmp_path / "log.tsv", requests), settings)
    # Nothing was asked in the fourth but at its end: a day, less a minute, is four periods.
    assert [(each.name, each.queries) for each in log.periods] == [
        ("log 1997-09-16 00:10", ("query 0", "query 1")),
        ("log 1997-09-16 06:10", ("query 2",)),
        ("log 1997-09-16 12:10", ("query 3",)),
        ("log 1997-09-16 18:10", ("query 4",)),
    ]
    assert log.dropped == 0


def test_an_incomplete_period_is_dropped(tmp_path: Path) -> None:
    requests = [(f"2004-{month:02d}-15T00:00:00", f"q{month}") for month in range(2, 13)]
    log = read(timed_log(tmp_path / "log.tsv", requests), LogSettings(drop=0))
    # February to November are five periods of two months; December is left out, as in the paper.
    assert [each.name for each in log.periods] == [
        f"log 2004-{month}" for month in ("02", "04", "06", "08", "10")
    ]
    assert log.dropped == 1
    assert [each.queries for each in log.periods][-1] == ("q10", "q11")


@pytest.mark.parametrize("seed", range(3))
def test_as_by_counting_slowly(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    requests = sorted(
        (
            f"2004-{chance.randint(2, 5):02d}-{chance.randint(1, 28):02d}T00:00:00",
            f"q{int(chance.expovariate(0.2))}",
        )
        for _ in range(300)
    )
    settings = LogSettings(drop=2, take=5, period_take=3)
    log = read(timed_log(tmp_path / "log.tsv", requests), settings)

    def slow(months: tuple[str, ...], take: int) -> tuple[str, ...]:
        asked = [query for time, query in requests if time[5:7] in months]
        often = Counter(asked)
        order = sorted(often, key=lambda query: (-often[query], asked.index(query)))
        return tuple(order[2 : 2 + take])

    assert log.queries == slow(("02", "03", "04", "05"), 5)
    assert [each.queries for each in log.periods] == [slow(("02", "03"), 3), slow(("04", "05"), 3)]


def test_requests_with_times_and_without_are_two_logs(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(
        '{"query": "a", "count": 3}\n{"query": "b", "time": "2020-01-01"}\n'
    )
    file = QueryLogFile("log", str(tmp_path / "log.jsonl"))
    logs = read_logs([file], [], LogSettings(drop=0), as_run()).logs
    assert [(log.name, log.queries) for log in logs] == [
        ("log (no times)", ("a",)),
        ("log 2020-01", ("b",)),
    ]


def test_periods_without_requests_take_no_time(tmp_path: Path) -> None:
    # Once each of 3,894,000 periods was asked for.
    times = [("1600-01-01T00:00:00", "a"), ("2044-12-31T00:00:00", "b")]
    settings = LogSettings(drop=0, period=Period(1, "h"))
    log = read(timed_log(tmp_path / "log.tsv", times), settings)
    assert [each.name for each in log.periods] == ["log 1600-01-01 00:00", "log 2044-12-31 00:00"]


def test_what_is_dropped_whole_is_refused(tmp_path: Path) -> None:
    file = counted_log(tmp_path / "log.tsv", {"a": 3, "b": 2})
    with pytest.raises(InputError, match="has 2 different queries, all of which are dropped"):
        read(file, LogSettings(drop=2))
    empty = counted_log(tmp_path / "empty.tsv", {})
    with pytest.raises(InputError, match="has no queries; give another file"):
        read(empty, LogSettings())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"drop": -1}, "--drop -1: give 0 or more"),
        ({"take": 0}, "--take 0: give 1 or more"),
        ({"period_take": 0}, "--period-take 0: give 1 or more"),
        ({"period": Period(0, "h")}, "--period 0h: give 1 or more units"),
    ],
)
def test_settings_are_checked(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        LogSettings(**settings)  # type: ignore[arg-type]
