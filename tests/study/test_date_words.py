"""Which words of a page are part of a date, or of a number."""

import numpy as np
import pyarrow as pa
import pytest

from webecho.study.date_words import date_words, in_dates


def dated(text: str) -> list[str]:
    """The words of a text that are part of a date."""
    words = text.replace(",", " ").replace(":", " ").replace(".", " ").split()
    numbers = np.array([any(sign.isdigit() for sign in word) for word in words], np.bool_)
    names = date_words(pa.array(words, pa.string())).to_numpy(zero_copy_only=False)
    found = in_dates(numbers, names.astype(np.bool_))
    return [word for word, part in zip(words, found, strict=True) if part]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Mon, 12 Jan 2004 10:22:33 GMT", ["Mon", "Jan", "GMT"]),
        # Two names before the number: the second touches it, the first the second.
        ("Monday January 12 was cold", ["Monday", "January"]),
        ("lunes 12 de enero de 2004", ["lunes", "de", "enero", "de"]),
        ("2004 年 1 月 12 日", ["年", "月", "日"]),
        # A letter alone: versions, units.
        ("Kafka 2.X of 5 h", ["X", "h"]),
        # Other words, where no number stands beside them.
        ("you may see the sun in March", []),
        ("12 items may go", []),
        ("", []),
        ("July", []),
    ],
)
def test_words_beside_numbers_are_part_of_a_date(text: str, parts: list[str]) -> None:
    assert dated(text) == parts
