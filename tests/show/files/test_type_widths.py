"""Widths are near those of the font, which matplotlib has."""

from pathlib import Path

import matplotlib
import pytest
from matplotlib.ft2font import FT2Font

from webecho.show.files.type_widths import BY_WIDTH, points

FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "cmr10.ttf"


def printed(text: str) -> float:
    """The advance of each sign in cmr10, at 10 points."""
    font = FT2Font(str(FONT))
    font.set_size(10, 72)
    return float(sum(font.load_char(ord(sign)).linearHoriAdvance for sign in text)) / 65536


@pytest.mark.parametrize(
    "text",
    [
        "http://www.example.org/some/path/index.html",
        "The quick brown fox jumps over the lazy dog",
        "1,234,567.89",
        "share of duplicates, complete",
        "GLOBAL ACCEPTABLE USE POLICY",
    ],
)
def test_text_is_about_as_wide_as_in_print(text: str) -> None:
    assert points(text) == pytest.approx(printed(text), rel=0.06)


def test_no_sign_has_two_widths_and_all_have_one() -> None:
    signs = "".join(BY_WIDTH.values())
    assert len(signs) == len(set(signs))
    assert points("") == 0
    assert points("é") == 5.6
    assert points("中文") == 20
