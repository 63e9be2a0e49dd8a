"""Scripts that are written without spaces, in which each character is a token."""

import unicodedata
from functools import cache

# The first words of their characters' names; of the scripts that are split, those in wide use.
UNSPACED = (
    *("CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HALFWIDTH", "BOPOMOFO", "YI"),
    *("THAI", "LAO", "KHMER", "MYANMAR", "JAVANESE", "BALINESE"),
)
KANA_MARKS = frozenset("ーｰﾞﾟ")


def is_unspaced(word: str) -> bool:
    """Whether a word is a character of such a script with its marks: no space stands beside it."""
    return not word.isascii() and is_letter(word[0]) and all(map(is_mark, word[1:]))


@cache
def is_letter(character: str) -> bool:
    name = unicodedata.name(character, "")
    return name.replace("-", " ").partition(" ")[0] in UNSPACED


@cache
def is_mark(character: str) -> bool:
    return character in KANA_MARKS or unicodedata.category(character).startswith("M")
