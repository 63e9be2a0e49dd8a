"""All measures of two pages, against the slow reference and against examples worked out by hand."""

from itertools import combinations

import pytest

import webecho
from tests.collections_made import edited, markup, prose
from tests.kernel import reference
from webecho.group.comparison import Comparison
from webecho.settings import FETTERLY_2004, HENZINGER_2006, WEBECHO, Recipe

TEXT = prose(1, 204)
BODIES = [
    markup(TEXT, "First"),
    f"<div><title>First</title> {'<br>'.join(TEXT)} </div>",  # the same tokens
    markup(edited(TEXT, 100), "First"),
    markup(TEXT[:150]),
    markup(prose(2, 204)),
    "<p>two words</p>",
    "<p>Two <img src=a/logo.gif> Words</p>",
]


def compare(left: str, right: str, **how: object) -> Comparison:
    return webecho.diff(left.encode(), right.encode(), **how)  # type: ignore[arg-type]


def together(found: Comparison) -> dict[str, bool | None]:
    return {each.rule: each.together for each in found.verdicts}


@pytest.mark.parametrize(
    "recipe", [WEBECHO, FETTERLY_2004, HENZINGER_2006], ids=lambda recipe: recipe.name
)
def test_measures_are_those_of_the_slow_reference(recipe: Recipe) -> None:
    for left, right in combinations(BODIES, 2):
        found = compare(left, right, recipe=recipe)
        one, other = (reference.sketch(body, True, recipe, "bytes") for body in (left, right))
        ours, theirs = set(one.shingles or ()), set(other.shingles or ())
        shared = len(ours & theirs)
        assert (found.left.tokens, found.right.tokens) == (
            len(one.token_prints),
            len(other.token_prints),
        )
        assert (found.left.shingles, found.right.shingles) == (len(ours), len(theirs))
        assert found.shared_shingles == shared
        assert found.resemblance == shared / len(ours | theirs)
        assert found.left_containment == shared / len(ours)
        assert found.right_containment == shared / len(theirs)
        assert found.equal_features == equal(one.features, other.features)
        assert found.agreeing_supershingles == tuple(
            place
            for place, (a, b) in enumerate(
                zip(one.supershingles or (), other.supershingles or (), strict=True), 1
            )
            if a == b
        )
        bits = [
            a >> bit & 1 == b >> bit & 1
            for a, b in zip(one.projection or (), other.projection or (), strict=True)
            for bit in range(64)
        ]
        assert (found.c_similarity, len(bits)) == (sum(bits), recipe.bits)
        assert found.same_tokens == (one.token_prints == other.token_prints)
        assert found.estimated is None and found.gone is None


def equal(ours: list[int] | None, theirs: list[int] | None) -> int:
    return sum(a == b for a, b in zip(ours or (), theirs or (), strict=True))


def test_one_changed_word_by_hand() -> None:
    # 205 tokens are 201 shingles; the change replaces 5 of them.
    found = compare(BODIES[0], BODIES[2])
    assert found.shared_shingles == 196
    assert found.resemblance == 196 / 206
    assert found.left_containment == found.right_containment == 196 / 201
    assert not found.same_tokens and not found.same_bytes
    assert together(found)["text"] is False
    assert together(found)["similar-0.8"] is True
    assert found.difference is not None
    assert [(each.kind, len(each.words)) for each in found.difference] == [
        ("equal", 101),
        ("removed", 1),
        ("added", 1),
        ("equal", 103),
    ]


def test_a_page_in_another() -> None:
    found = compare(markup(TEXT[:150]), markup(TEXT))
    # 146 of 200 shingles.
    assert (found.left_containment, found.right_containment) == (1.0, 146 / 200)
    assert found.resemblance == 146 / 200
    assert together(found)["similar-0.8"] is False
    asked = compare(markup(TEXT[:150]), markup(TEXT), resemblance=0.73)
    assert together(asked)["similar-0.73"] is True


def test_the_same_tokens_hold_together_under_every_rule() -> None:
    found = compare(BODIES[0], BODIES[1])
    assert found.same_tokens and not found.same_bytes
    assert found.agreeing_supershingles == (1, 2, 3, 4, 5, 6)
    assert (found.b_similarity, found.c_similarity, found.equal_features) == (6, 384, 84)
    assert found.same_text and not found.same_payload
    assert together(found).pop("payload") is False
    assert set(together(found).values()) == {True, False}
    # Their lines end elsewhere, and so do their few chunks.
    short = "overlap-lines-4-15"
    assert [name for name, one in together(found).items() if not one] == ["payload", short]
    same = compare(BODIES[0], BODIES[0])
    assert same.same_bytes and same.same_payload
    assert together(same) == dict.fromkeys(together(same), True)


@pytest.mark.parametrize(("lines", "shared"), [(56, 14), (57, 15), (60, 15)])
def test_pages_of_many_lines_share_chunks(lines: int, shared: int) -> None:
    """A last chunk may have fewer than four lines."""
    many = "".join(f"<p>{' '.join(prose(seed, 9))}</p>" for seed in range(lines))
    found = compare(many, f"{many}<p>and a last one</p>")
    # Where the last chunk is full, the line after it is a chunk of its own.
    both = shared if lines % 4 == 0 else shared - 1
    reasons = {each.rule: (each.together, each.reason) for each in found.verdicts}
    assert reasons["overlap-lines-4-15"] == (
        both >= 15,
        f"{both} chunks of lines:4 are on both, 15 are asked for",
    )
    # A copy is one, however short.
    assert together(compare(many, many))["overlap-lines-4-15"] is True


def test_pages_without_tokens() -> None:
    nothing, words = "<p><!-- none --></p>", "<p>two words</p>"
    same = compare(nothing, nothing)
    assert same.same_bytes and not same.same_tokens
    assert same.resemblance is None and same.difference == ()
    # By paragraphs and by chunks pages of few characters or lines are the same as nobody.
    alone = ("paragraphs", "overlap-lines-4-15")
    assert together(same) == {name: name not in alone for name in together(same)}
    for left, right in [(nothing, "<p></p>"), (nothing, words), ("", words)]:
        assert set(together(compare(left, right)).values()) == {False}
    # An empty page belongs with none.
    empty = compare("", "")
    assert empty.same_bytes and set(together(empty).values()) == {False}


def test_verdicts_say_what_decided() -> None:
    reasons = {each.rule: each.reason for each in compare(BODIES[0], BODIES[4]).verdicts}
    assert reasons == {
        "payload": "they do not have the same stored bytes",
        "text": "they do not have the same visible text",
        "tokens": "they do not have the same tokens",
        "very-similar": "0 of 6 supershingles agree, 2 are asked for",
        "virtually-identical": "0 of 6 supershingles agree, 6 are asked for",
        "similar-0.8": "the resemblance is 0.0000, 0.8 is asked for",
        "edited-0.9": "the share of equal words is 0.0000, 0.9 is asked for",
        "b-2": "0 of 6 supershingles agree, 2 are asked for",
        "c-372": "198 of 384 bits agree, 372 are asked for",
        "combined-2-355": "0 of 6 supershingles agree, 2 are asked for; "
        "198 of 384 bits agree, 355 are asked for",
        "by-site-2-355-372": "the sites differ; 198 of 384 bits agree, 372 are asked for",
        "paragraphs": "their paragraphs are not the same",
        "overlap-lines-4-15": "0 chunks of lines:4 are on both, 15 are asked for",
    }
