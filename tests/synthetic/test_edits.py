"""Near-copies come out at the resemblance that was wanted."""

from hypothesis import given
from hypothesis import strategies as st

from webecho.synthetic.edits import near_copy
from webecho.synthetic.languages import LANGUAGES, vocabulary

WORDS = vocabulary(1, LANGUAGES[0])


def shingles(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[start : start + 5]) for start in range(len(words) - 4)}


@given(st.integers(150, 600), st.integers(5, 40), st.floats(0.5, 0.99), st.integers(0, 2**32))
def test_resemblance_is_near_the_wanted_one(
    length: int, others: int, wanted: float, key: int
) -> None:
    def drawn(count: int, what: str) -> list[str]:
        return list(WORDS.words(count, key, what))

    title, body = drawn(6, "title"), drawn(length, "body")
    # A template is around the text, as in a page.
    above, below = drawn(others, "above"), drawn(others, "below")
    new_title, new_body = near_copy(title, body, 2 * others, wanted, WORDS, key)
    assert (len(new_title), len(new_body)) == (len(title), len(body))
    one = shingles(title + above + body + below)
    other = shingles(new_title + above + new_body + below)
    assert one != other
    # One shingle more or less at the least, and chance repeats some.
    assert abs(len(one & other) / len(one | other) - wanted) < 0.03


def test_one_word_of_the_title_changes_as_many_shingles_as_it_is_in() -> None:
    title, body = [f"t{n}" for n in range(6)], [f"b{n}" for n in range(394)]
    for changed in (1, 2, 3, 4):
        # 396 shingles; c are gone and c new: (396 − c) / (396 + c).
        wanted = (396 - changed) / (396 + changed)
        new_title, new_body = near_copy(title, body, 0, wanted, WORDS, "scattered")
        assert new_body == body
        assert [n for n in range(6) if new_title[n] != title[n]] == [changed - 1]
