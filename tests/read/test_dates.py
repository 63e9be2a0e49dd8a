from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.read.dates import FETCHED, timestamp, timestamps

NOON = datetime(2020, 1, 31, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2020-01-31T12:00:00Z",
        "2020-01-31 12:00:00",
        "2020-01-31T14:00:00+02:00",
        "2020-01-31T12:00:00.000000000Z",
        "20200131120000",
        "Fri, 31 Jan 2020 12:00:00 GMT",
        "1580472000",
        20200131120000,
        1580472000,
        1580472000_000,
        1580472000_000_000,
        1580472000_000_000_000,
        1580472000.0,
        Decimal(1580472000),
    ],
)
def test_dates_as_people_write_them(written: object) -> None:
    assert timestamp(written) == NOON
    assert timestamps(pa.array([written])).to_pylist() == [NOON]
    # Beside something that is no date, each value is read for itself.
    assert timestamps(pa.array([written, None])).to_pylist() == [NOON, None]
    if isinstance(written, str):
        mixed = pa.array([written, "no date", "2020-01-31"])
        assert timestamps(mixed).to_pylist() == [NOON, None, NOON.replace(hour=0)]


def test_days() -> None:
    day = datetime(2020, 1, 31, tzinfo=UTC)
    for column in (
        pa.array([date(2020, 1, 31)], pa.date32()),
        pa.array([date(2020, 1, 31)], pa.date64()),
        pa.array([20200131]),
        pa.array(["20200131"]),
        pa.array(["2020-01-31"], pa.large_string()),
        pa.array(["2020-01-31"]).dictionary_encode(),
    ):
        assert timestamps(column).to_pylist() == [day]


def test_a_month_is_its_first_day() -> None:
    assert timestamp("2024-01") == datetime(2024, 1, 1, tzinfo=UTC)
    assert timestamp("2024-13") is None


def test_timestamps_of_all_units_and_zones() -> None:
    naive = NOON.replace(tzinfo=None)
    for unit in ("s", "ms", "us", "ns"):
        assert timestamps(pa.array([naive], pa.timestamp(unit))).to_pylist() == [NOON]
        there = pa.array([NOON], pa.timestamp(unit, tz="Asia/Tokyo"))
        assert timestamps(there).to_pylist() == [NOON]


def test_no_dates_are_null() -> None:
    words = ["", "yesterday", "2020-13-01", "99999999", "0000-00-00", "1e400", "nan"]
    assert timestamps(pa.array(words)).to_pylist()[:3] == [None] * 3
    assert all(timestamp(word) is None for word in words if word != "99999999")
    assert timestamps(pa.array([True])).to_pylist() == [None]
    assert timestamps(pa.array([[1]])).to_pylist() == [None]
    # Arrow can hold years that nothing else can.
    assert timestamps(pa.array([10**18], pa.timestamp("ms"))).to_pylist() == [None]
    assert timestamps(pa.array([2**62, -(2**62)], pa.timestamp("s"))).to_pylist() == [None, None]
    assert timestamps(pa.array([2**31 - 1], pa.date32())).to_pylist() == [None]


@given(st.lists(st.one_of(st.none(), st.text(max_size=20)), max_size=5))
def test_any_text_is_a_date_or_null(texts: list[str | None]) -> None:
    found = timestamps(pa.array(texts, pa.string()))
    assert found.type == FETCHED
    assert len(found.to_pylist()) == len(texts)


@given(st.lists(st.one_of(st.none(), st.floats(), st.integers(-(2**62), 2**62).map(float))))
def test_any_number_is_a_date_or_null(numbers: list[float | None]) -> None:
    found = timestamps(pa.array(numbers, pa.float64()))
    assert len(found.to_pylist()) == len(numbers)
