"""*Sort key*: a value of the user's as bytes that sort as the value does.

Numbers of every type (whole ones of any size, decimals, floating point, text that is one) compare
by the decimal value that is written, exactly; dates compare as points of time, and come after
numbers. So 2⁵³ + 1 is more than 2⁵³, and a column may be whole numbers in one file and text in the
next. What is neither has no key.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

import pyarrow as pa

from webecho.read.dates import Column, timestamp
from webecho.read.dictionaries import decoded

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# The first byte tells what it is; the order of these is that of the kinds.
_LOWEST, _NEGATIVE, _ZERO, _POSITIVE, _HIGHEST, _DATE = (bytes([each]) for each in range(16, 22))
# Exponents from −2³¹ on, and points of time from −2⁹⁵ ns on, become numbers without a sign.
_EXPONENT_BIAS, _EXPONENT_BYTES = 1 << 31, 4
_DATE_BIAS, _DATE_BYTES = 1 << 95, 12
_COMPLEMENT = bytes(255 - each for each in range(256))
# Nanoseconds of the units that Arrow has.
_UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def sort_keys(column: Column) -> pa.BinaryArray:
    """The keys of a column of any type."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return sort_keys(decoded(column))
    if pa.types.is_timestamp(kind):
        return _date_keys(column.cast(pa.int64()).to_pylist(), _UNITS[kind.unit])
    if pa.types.is_date32(kind):
        return _date_keys(column.cast(pa.int32()).to_pylist(), 86_400 * 10**9)
    if pa.types.is_date64(kind):
        return _date_keys(column.cast(pa.int64()).to_pylist(), 10**6)
    return pa.array([sort_key(value) for value in column.to_pylist()], pa.binary())


def _date_keys(counts: Sequence[int | None], unit: int) -> pa.BinaryArray:
    keys = [None if count is None else _date_key(count * unit) for count in counts]
    return pa.array(keys, pa.binary())


def sort_key(value: Any) -> bytes | None:
    """The key of a number, or of text that is a number or a date; else None."""
    if isinstance(value, int):
        return _whole_key(int(value))
    if isinstance(value, float):
        # The shortest decimal that stands for it: floats sort alike by that.
        return _number_key(Decimal(repr(value)))
    if isinstance(value, Decimal):
        return _number_key(value)
    if not isinstance(value, str):
        return None
    try:
        return _number_key(Decimal(value))
    except InvalidOperation:
        date = timestamp(value)
        return (
            None if date is None else _date_key((date - _EPOCH) // timedelta(microseconds=1) * 1000)
        )


def _whole_key(value: int) -> bytes | None:
    try:
        digits = str(abs(value))
    except ValueError:
        # Python turns no number of over 4,300 digits into text.
        return None
    return _key(value < 0, len(digits), digits)


def _number_key(value: Decimal) -> bytes | None:
    if value.is_nan():
        return None
    if value.is_infinite():
        return _LOWEST if value < 0 else _HIGHEST
    sign, numerals, exponent = value.as_tuple()
    digits = "".join(map(str, numerals)).lstrip("0")
    return _key(bool(sign), len(digits) + int(exponent), digits)


def _key(negative: bool, exponent: int, digits: str) -> bytes | None:
    """Of 0.DIGITS × 10^exponent."""
    digits = digits.rstrip("0")
    if not digits:
        return _ZERO
    if not -_EXPONENT_BIAS <= exponent < _EXPONENT_BIAS:
        return None
    size = (exponent + _EXPONENT_BIAS).to_bytes(_EXPONENT_BYTES) + digits.encode()
    # What is larger below zero comes first; the end makes 0.12 larger than 0.1 there too.
    return _NEGATIVE + (size + b"\0").translate(_COMPLEMENT) if negative else _POSITIVE + size


def _date_key(nanoseconds: int) -> bytes:
    return _DATE + (nanoseconds + _DATE_BIAS).to_bytes(_DATE_BYTES)
