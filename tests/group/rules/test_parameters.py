"""Parameters by hand: what fits a recipe, what is refused, and how they are written."""

import re

import pytest

from webecho.errors import SettingsError
from webecho.group.rules.parameters import (
    Number,
    Parameter,
    least_b,
    least_c,
    least_c_across,
    most_pages,
    of_bits,
    pieces,
    resemblance,
)
from webecho.settings import WEBECHO, recipe

# Three supershingles and a third of the bits.
SMALL = recipe("webecho", m=42, bits=128)


@pytest.mark.parametrize(
    ("least", "expected"),
    [
        # 372 of 384 bits are 124 of 128, and 355 of 384 are 118.3: rounded up.
        (372, 124),
        (355, 119),
        (384, 128),
        (1, 1),
    ],
)
def test_bits_are_asked_for_in_proportion(least: int, expected: int) -> None:
    assert of_bits(least, SMALL) == expected
    assert of_bits(least, WEBECHO) == least
    assert least_c(least).fitted(least, SMALL) == least_c_across().fitted(least, SMALL) == expected


def test_no_more_supershingles_are_asked_for_than_there_are() -> None:
    assert least_b().fitted(2, SMALL) == 2
    assert least_b().fitted(2, recipe("webecho", m=14)) == 1


@pytest.mark.parametrize("given", ["0.8", True, [0.8]])
@pytest.mark.parametrize("parameter", [resemblance(), least_b(), most_pages()])
def test_what_is_no_number_is_told(parameter: Parameter, given: object) -> None:
    told = rf"--{parameter.name.replace('_', '-')} {re.escape(repr(given))} is no number; try"
    with pytest.raises(SettingsError, match=told):
        parameter.check(given, WEBECHO)


def test_what_can_be_given() -> None:
    least_b().check(1, WEBECHO)
    least_b().check(6, WEBECHO)
    least_c(372).check(384, WEBECHO)
    resemblance().check(1, WEBECHO)
    resemblance().check(1e-9, WEBECHO)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (least_b(), 0, "--least-b 0: a page has 3 supershingles; give 1 to 3"),
        (least_b(), 4, "--least-b 4: a page has 3 supershingles; give 1 to 3"),
        (least_c(372), 129, "--least-c 129: a page has 128 bits; give 1 to 128"),
        (least_c_across(), 0, "--least-c-across 0: a page has 128 bits; give 1 to 128"),
        (resemblance(), 0, "--resemblance 0 is not above 0 and at most 1; try 0.8"),
        (resemblance(), 1.5, "--resemblance 1.5 is not above 0 and at most 1; try 0.8"),
        (resemblance(), float("nan"), "--resemblance nan is not above 0 and at most 1; try 0.8"),
    ],
)
def test_what_cannot(parameter: Parameter, value: Number, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        parameter.check(value, SMALL)
    assert str(error.value) == message


@pytest.mark.parametrize("value", [0.8, 1, 1 / 3, 1e-9, 0.8000000000000002])
def test_a_share_is_read_as_it_is_written(value: Number) -> None:
    parameter = resemblance()
    assert re.fullmatch(parameter.pattern, repr(value))
    assert parameter.read(repr(value)) == value


@pytest.mark.parametrize("text", ["", ".8", "0.", "-1", "1e9", "0,8", "nan"])
def test_what_is_no_share(text: str) -> None:
    assert not re.fullmatch(resemblance().pattern, text)


def test_pieces_need_not_be_given_and_are_named_in_a_label() -> None:
    assert (pieces().default, pieces().named) == (None, True)
