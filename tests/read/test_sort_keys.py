"""Keys sort as the values do, whatever type those are of."""

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.read.sort_keys import sort_key, sort_keys

NUMBERS = (
    st.integers()
    | st.integers(min_value=-(1 << 70), max_value=1 << 70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False)
)


def written(number: Any) -> Fraction:
    """The decimal value that is written."""
    return Fraction(repr(number) if isinstance(number, float) else str(number))


@given(NUMBERS, NUMBERS)
def test_numbers_of_all_types_sort_by_their_values(one: Any, other: Any) -> None:
    left, right = sort_key(one), sort_key(other)
    assert left is not None and right is not None
    assert (left < right, left == right) == (
        written(one) < written(other),
        written(one) == written(other),
    )


@given(st.lists(st.integers(min_value=-(1 << 63), max_value=(1 << 63) - 1), min_size=2))
def test_text_and_whole_numbers_are_one(numbers: list[int]) -> None:
    assert sort_keys(pa.array(numbers, pa.int64())) == sort_keys(pa.array(list(map(str, numbers))))


def test_neighbours_that_floats_do_not_tell_apart() -> None:
    assert float(2**53) == float(2**53 + 1)
    keys = [sort_key(2**53 + number) for number in range(-3, 4)]
    assert keys == sorted(keys) and len({*keys}) == 7
    small = [sort_key(Decimal(f"0.{'0' * 30}{digit}")) for digit in range(1, 9)]
    assert small == sorted(small) and len({*small}) == 8


@pytest.mark.parametrize(
    "same",
    [
        (1, 1.0, "1", " 1.0 ", "1e0", Decimal("1.000"), True),
        (0, -0.0, "-0", "0e9", Decimal("-0.0"), False),
        (-1500, "-1.5e3", Decimal("-1500")),
        (1e22, 10**22, "1e22"),
        (float("inf"), "inf", "Infinity"),
    ],
)
def test_one_value_has_one_key(same: tuple[Any, ...]) -> None:
    assert len({sort_key(value) for value in same}) == 1


def test_dates_are_points_of_time_and_come_after_numbers() -> None:
    earlier, later = sort_key("2020-01-31"), sort_key("2020-01-31T00:00:00.000001Z")
    assert earlier is not None and later is not None and earlier < later
    assert sort_key("2020-01-31T02:00:00+02:00") == earlier == sort_key("2020-01-31T00:00:00Z")
    highest = sort_key(float("inf"))
    assert highest is not None and highest < earlier


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64(), pa.timestamp("s"), pa.timestamp("us")])
def test_every_type_of_date_has_the_same_keys(kind: pa.DataType) -> None:
    days = pa.array([date(1969, 12, 31), date(2020, 1, 31), None]).cast(kind)
    assert sort_keys(days).to_pylist() == [sort_key("1969-12-31"), sort_key("2020-01-31"), None]


def test_nanoseconds_count() -> None:
    moments = pa.array([1, 2], pa.timestamp("ns"))
    first, second = sort_keys(moments).to_pylist()
    assert first < second
    assert sort_keys(pa.array([datetime(2020, 1, 1)]))[0].as_py() == sort_key("2020-01-01")


@pytest.mark.parametrize(
    "value", [None, "gold", "", "nan", float("nan"), [1], {}, b"1", "1e9999999999"]
)
def test_what_is_no_number_and_no_date_has_no_key(value: Any) -> None:
    assert sort_key(value) is None


def test_decimals_and_categories() -> None:
    decimals = pa.array([Decimal("1.10"), Decimal("1.1"), None], pa.decimal128(20, 5))
    assert sort_keys(decimals).to_pylist() == [sort_key("1.1")] * 2 + [None]
    assert sort_keys(pa.array(["3", "3"]).dictionary_encode()).to_pylist() == [sort_key(3)] * 2
