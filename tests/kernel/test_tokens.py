"""Tokens: what is a word, and its fingerprint."""

import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kernel import kernels, reference
from webecho.settings import FETTERLY_2004, HENZINGER_2006, WEBECHO, Recipe, recipe

# Folding and splitting each with and without the other, with both fingerprints.
RECIPES = [
    WEBECHO,
    FETTERLY_2004,
    recipe("webecho", fold_case=False),
    recipe("fetterly2004", fold_case=True),
    recipe("webecho+symbols"),
    recipe("webecho+symbols", fold_case=False),
    recipe("fetterly2004+symbols"),
]

# Python's tables and the kernel's are of different age: only what both know can be compared.
any_text = st.text(st.characters(exclude_categories=["Cs", "Cn"]))
# What composes, expands, combines or parts, next to ASCII that comes in blocks.
LATIN = " \n.-=<aZ9_éİßΣſǰΐŉﬁ\u0301\u0323\u0338\u0345"
OTHERS = "漢々〇かーｶﾞกิ한\u1100\u1161\u11a8ह\u093fक\u093c𐐀😀𠀀\u200d"
awkward = st.text(st.sampled_from(LATIN + OTHERS))
mostly_ascii = st.tuples(
    st.text(st.sampled_from("ab Z.9-"), max_size=140), awkward, st.text(st.sampled_from("ab Z.9-"))
).map("".join)


def check(text: str, recipe: Recipe) -> None:
    expected = reference.words(text, recipe)
    prints = [reference.fingerprint(word, recipe.fingerprint) for word in expected]
    assert kernels.tokens(text, recipe) == prints


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The quick-brown FOX, 42!", ["the", "quick", "brown", "fox", "42"]),
        ("http://www.Example.com/a_b?c=1", ["http", "www", "example", "com", "a", "b", "c", "1"]),
        ("Straße, ΣΊΣΥΦΟΣ, E\u0301cole", ["strasse", "σίσυφοσ", "école"]),
        ("हिन्दी हिन्द", ["हिन्दी", "हिन्द"]),
        ("漢字2024年か", ["漢", "字", "2024", "年", "か"]),
        ("ที่นี่ データ", ["ที่", "นี่", "デー", "タ"]),
        ("한국어 문서", ["한국어", "문서"]),
        ("½ ² Ⅳ ٣", ["ⅳ", "٣"]),
        ("", []),
        ("\u0301", ["\u0301"]),
    ],
)
def test_words_of_the_default_recipe(text: str, expected: list[str]) -> None:
    assert reference.words(text, WEBECHO) == expected
    check(text, WEBECHO)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Operator<< (a_b)", ["operator", "<", "<", "(", "a", "_", "b", ")"]),
        ("[{@`^~", ["[", "{", "@", "`", "^", "~"]),
        ("10 % && ½ €\t\x01\u200b", ["10", "%", "&", "&", "½", "€"]),
        ("=\u0338 \u2260", ["\u2260", "\u2260"]),
        ("漢、字。", ["漢", "、", "字", "。"]),
    ],
)
def test_symbols_as_tokens(text: str, expected: list[str]) -> None:
    with_symbols = recipe("webecho+symbols")
    assert reference.words(text, with_symbols) == expected
    check(text, with_symbols)


def test_the_papers_recipes_neither_fold_nor_split() -> None:
    text = "漢字 Ab E\u0301"
    for paper in (FETTERLY_2004, HENZINGER_2006):
        assert reference.words(text, paper) == ["漢字", "Ab", "E\u0301"]
        check(text, paper)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_every_character_alone_and_between_letters(recipe: Recipe) -> None:
    characters = map(chr, range(sys.maxunicode + 1))
    known = [c for c in characters if unicodedata.category(c) not in ("Cs", "Cn")]
    assert len(known) > 140_000
    check("\n".join(f"a{c}b {c}" for c in known), recipe)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@given(text=any_text | awkward | mostly_ascii)
@example(text="=\u0338 x\u0338")
@example(text="a" * 63 + "\u0301" + "b" * 64 + "é")
def test_any_text(recipe: Recipe, text: str) -> None:
    check(text, recipe)


@pytest.mark.parametrize("recipe", RECIPES[:2], ids=lambda recipe: recipe.name)
def test_tokens_that_begin_and_end_anywhere_in_a_block(recipe: Recipe) -> None:
    for before in range(66):
        for length in (1, 7, 8, 9, 15, 16, 17, 63, 64, 65):
            check(" " * before + ("Word5678" * 9)[:length] + ".é x", recipe)


@pytest.mark.parametrize("recipe", RECIPES[:2], ids=lambda recipe: recipe.name)
def test_a_huge_page_and_a_huge_token(recipe: Recipe) -> None:
    check("Ein Läufer, 走る人 and 1234567890 " * 40_000, recipe)
    # Long division of a long token takes the square of its length.
    check("0123456789abcdef" * (10_000 if recipe.fingerprint == "fast" else 1_000), recipe)


@pytest.mark.data
@pytest.mark.parametrize("recipe", [WEBECHO, FETTERLY_2004], ids=lambda recipe: recipe.name)
def test_real_text(recipe: Recipe, data: Path) -> None:
    pages = kernels.real_pages(data / "debian_docs.parquet", 200, 30_000)
    assert len(pages) >= 150
    for page in pages:
        check(page["body"], recipe)
