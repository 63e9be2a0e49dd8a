"""Dates as people write them, as points of time in UTC.

Understood are timestamps and dates, ISO 8601, the dates of HTTP and mail headers, the 14 digits
of web archives (`20200131235959`, or only the first 8), and seconds, milli-, micro- or
nanoseconds since 1970. A date without a zone is in UTC. What is no date becomes null: a page with
a wrong date is still a page.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from webecho.read.dictionaries import decoded

# An Arrow array of any type: the published stubs of pyarrow know kernels for single types.
Column: TypeAlias = Any

FETCHED = pa.timestamp("us", tz="UTC")

# Python, Spark and Parquet readers agree on the years 1 to 9999 only.
_FIRST = datetime(1, 1, 1, tzinfo=UTC)
_LAST = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = re.compile(r"\d{8}(?:\d{6})?")
_MONTH = re.compile(r"\d{4}-\d{2}")
_FINER = re.compile(r"(\.\d{6})\d+")


def timestamps(column: Column) -> Column:
    """The column as timestamps in UTC, null where there is no date."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return timestamps(decoded(column))
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return _from_temporal(column)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _one_by_one(column)
    if pa.types.is_string_view(kind) or pa.types.is_large_string(kind) or pa.types.is_string(kind):
        return _from_strings(column)
    return pa.nulls(len(column), FETCHED)


def timestamp(value: object) -> datetime | None:
    """The point of time that a number or a string stands for, if it is a date."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, str):
            return _from_string(value.strip())
        return _from_number(float(str(value)))
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def _from_string(text: str) -> datetime | None:
    if _DIGITS.fullmatch(text) and (found := _from_digits(text)):
        return found
    if _MONTH.fullmatch(text):
        # Of ISO 8601 too: the first of it, as a day is its midnight.
        text += "-01"
    try:
        found = datetime.fromisoformat(_FINER.sub(r"\1", text))
    except ValueError:
        try:
            return _from_number(float(text))
        except ValueError:
            # Here, since most dates are written in the ways above, and half of `email` comes along.
            from email.utils import parsedate_to_datetime

            found = parsedate_to_datetime(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _from_digits(digits: str) -> datetime | None:
    form = "%Y%m%d%H%M%S" if len(digits) == 14 else "%Y%m%d"
    try:
        found = datetime.strptime(digits, form).replace(tzinfo=UTC)
    except ValueError:
        return None
    # Read as seconds or milliseconds these numbers lie in 1970 or after 2570: no web, either way.
    return found if 1980 <= found.year < 2100 else None


def _from_number(number: float) -> datetime | None:
    if number.is_integer() and _DIGITS.fullmatch(digits := str(int(number))):
        found = _from_digits(digits)
        if found:
            return found
    # The unit by the size: seconds reach the year 5138 before they look like milliseconds.
    for unit, limit in ((1, 1e11), (1e3, 1e14), (1e6, 1e17), (1e9, 1e20)):
        if abs(number) < limit:
            micros = round(number * (1e6 / unit))
            return datetime.fromtimestamp(micros // 1_000_000, UTC).replace(
                microsecond=micros % 1_000_000
            )
    return None


def _from_temporal(column: Column) -> Column:
    kind = column.type
    if pa.types.is_timestamp(kind):
        a_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        column = column.cast(pa.timestamp(kind.unit, tz="UTC"))
    else:
        column = column.cast(pa.timestamp("s" if pa.types.is_date32(kind) else "ms", tz="UTC"))
        a_second = 1 if pa.types.is_date32(kind) else 10**3
    # Years that only Arrow can hold must go first: turned into microseconds they would wrap round.
    count = column.cast(pa.int64())
    first, last = (_seconds(limit) * a_second for limit in (_FIRST, _LAST))
    most = (1 << 63) - 1
    inside = pc.and_(
        pc.greater_equal(count, pa.scalar(max(first, -most), pa.int64())),
        pc.less_equal(count, pa.scalar(min(last, most), pa.int64())),
    )
    return pc.if_else(inside, column, pa.scalar(None, column.type)).cast(FETCHED, safe=False)


def _seconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(seconds=1)


def _from_strings(column: Column) -> Column:
    column = column.cast(pa.large_string())
    # Whole columns are mostly of one form, and Arrow parses those a hundred times faster.
    for form in (FETCHED, pa.timestamp("us")):
        try:
            return _from_temporal(column.cast(form))
        except (pa.ArrowException, ValueError):
            continue
    return _one_by_one(column)


def _one_by_one(column: Column) -> Column:
    unique = column.dictionary_encode()
    if pa.types.is_large_string(column.type):
        raw = unique.dictionary.cast(pa.large_binary()).to_pylist()
        values: list[object] = [text.decode("utf-8", "replace") for text in raw]
    else:
        values = unique.dictionary.to_pylist()
    found = pa.array([timestamp(value) for value in values], FETCHED)
    return found.take(unique.indices)
