"""Which words stand without a space beside them."""

import pytest

from webecho.show.scripts import is_unspaced


@pytest.mark.parametrize("word", ["漢", "の", "カ", "ガ", "ก", "กี", "ខ", "မ", "ㄅ"])
def test_characters_of_scripts_that_are_written_without_spaces(word: str) -> None:
    assert is_unspaced(word)


@pytest.mark.parametrize("word", ["fox", "é", "Ж", "한국어", "漢字", "1", "漢1", "א"])
def test_all_else_has_spaces(word: str) -> None:
    assert not is_unspaced(word)
