"""What rules say of two pages, from measures given by hand."""

from dataclasses import replace

import pytest

import webecho
from tests.collections_made import prose
from webecho.group.rules.registry import RULES, rule
from webecho.group.verdicts import Measures, Verdict, verdict
from webecho.settings import WEBECHO

# Two long pages on one site that are near to each other.
NEAR = Measures(
    same={"payload": False, "text": False, "tokens": False},
    bare=False,
    unknown=False,
    resemblance=0.85,
    estimated=False,
    equal_words=0.93,
    equal_words_estimated=False,
    b_similarity=3,
    c_similarity=360,
    same_paragraphs=False,
    shared_chunks={"lines:4": 12},
    same_chunks=frozenset(),
    chars=2000,
    same_site=True,
    recipe=WEBECHO,
)
DIGESTS = ("payload", "text", "tokens")
IDENTITY_RULES = [name for name in RULES if name not in ("paragraphs", "overlap")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("payload", Verdict("payload", False, "they do not have the same stored bytes")),
        ("text", Verdict("text", False, "they do not have the same visible text")),
        ("tokens", Verdict("tokens", False, "they do not have the same tokens")),
        (
            "similar",
            Verdict("similar-0.8", True, "the resemblance is 0.8500, 0.8 is asked for"),
        ),
        (
            "edited",
            Verdict("edited-0.9", True, "the share of equal words is 0.9300, 0.9 is asked for"),
        ),
        (
            "very-similar",
            Verdict("very-similar", True, "3 of 6 supershingles agree, 2 are asked for"),
        ),
        (
            "virtually-identical",
            Verdict("virtually-identical", False, "3 of 6 supershingles agree, 6 are asked for"),
        ),
        ("c", Verdict("c-372", False, "360 of 384 bits agree, 372 are asked for")),
        (
            "combined",
            Verdict(
                "combined-2-355",
                True,
                "3 of 6 supershingles agree, 2 are asked for; "
                "360 of 384 bits agree, 355 are asked for",
            ),
        ),
        ("paragraphs", Verdict("paragraphs", False, "their paragraphs are not the same")),
    ],
)
def test_the_measure_that_decides_is_named(name: str, expected: Verdict) -> None:
    assert verdict(rule(name), NEAR) == expected


def test_a_pair_that_is_no_candidate_is_said_to_be_missed() -> None:
    # One feature of each of the 16 bands of five differs; the four after these are in none.
    every = range(1, 85)
    missed = replace(NEAR, equal_features=tuple(each for each in every if each % 5 or each > 80))
    found = verdict(rule("similar"), missed)
    assert found == Verdict(
        "similar-0.8",
        True,
        "the resemblance is 0.8500, 0.8 is asked for; yet it is missed: none of the 16 bands of "
        "5 features that make candidates is equal",
    )
    # The last band is equal, and then too few others.
    told = "the resemblance is 0.8500, 0.8 is asked for"
    whole = replace(missed, equal_features=tuple(each for each in every if each % 5 or each > 75))
    assert verdict(rule("similar"), whole).reason == told
    few = replace(NEAR, equal_features=tuple(range(1, 6)))
    assert (
        "5 features are equal, and of candidates at least" in verdict(rule("similar"), few).reason
    )
    # What is apart is not missed, and what has the same tokens is found without candidates.
    apart = verdict(rule("similar", 0.9), few)
    assert (apart.together, "missed" in apart.reason) == (False, False)
    assert "missed" not in verdict(rule("tokens"), few).reason


def test_those_are_missed_that_are_not_found() -> None:
    """At 0.02 one feature in common makes candidates, and some pairs of 0.03 have none."""
    shared = prose(0, 12)
    texts = [" ".join([*shared, *prose(seed, 130)]) for seed in range(1, 41)]
    least = 0.02
    found = webecho.pairs(texts, rule="similar", resemblance=least)
    pairs = set(zip(found["left"].to_pylist(), found["right"].to_pylist(), strict=True))
    missed = set()
    for left in range(len(texts)):
        for right in range(left + 1, len(texts)):
            if (left, right) not in pairs:
                told = webecho.diff(texts[left].encode(), texts[right].encode(), least)
                [similar] = (each for each in told.verdicts if each.rule.startswith("similar"))
                assert (similar.together is True) == ("yet it is missed" in similar.reason)
                missed |= {(left, right)} if similar.together else set()
    assert len(pairs) > 100 and missed


def test_sites_choose_what_is_asked_for() -> None:
    same = verdict(rule("by-site"), NEAR)
    assert same.together
    assert same.reason.startswith("the site is the same; 3 of 6 supershingles agree")
    across = verdict(rule("by-site"), replace(NEAR, same_site=False))
    assert not across.together
    assert across.reason == "the sites differ; 360 of 384 bits agree, 372 are asked for"
    assert verdict(rule("by-site"), replace(NEAR, same_site=False, c_similarity=372)).together


@pytest.mark.parametrize("name", IDENTITY_RULES)
def test_identical_pages_are_together(name: str) -> None:
    # Also where they have no tokens, or where nothing is known but that they are the same.
    for measures in (NEAR, replace(NEAR, bare=True), replace(NEAR, unknown=True)):
        same = dict.fromkeys(NEAR.same, True)
        found = verdict(rule(name), replace(measures, same=same))
        what = {"payload": "stored bytes", "text": "visible text"}.get(name, "tokens")
        assert (found.together, found.reason) == (True, f"they have the same {what}")


def test_each_digest_is_that_of_its_rule() -> None:
    # The tokens of `operator<<` and `operator>>` are the same, and nothing else of them is.
    tokens = replace(NEAR, same=NEAR.same | {"tokens": True})
    assert [name for name in DIGESTS if verdict(rule(name), tokens).together] == ["tokens"]
    text = replace(NEAR, same=tokens.same | {"text": True})
    assert [name for name in DIGESTS if verdict(rule(name), text).together] == ["text", "tokens"]
    payload = replace(NEAR, same=NEAR.same | {"payload": True})
    assert [name for name in DIGESTS if verdict(rule(name), payload).together] == ["payload"]


@pytest.mark.parametrize("name", RULES)
def test_nothing_is_said_of_what_is_unknown(name: str) -> None:
    found = verdict(rule(name), replace(NEAR, unknown=True))
    assert (found.together, found.reason) == (None, "nothing is known of a page's content")


@pytest.mark.parametrize("name", [name for name in IDENTITY_RULES if name not in DIGESTS])
def test_pages_without_tokens_are_not_together(name: str) -> None:
    found = verdict(rule(name), replace(NEAR, bare=True))
    assert (found.together, found.reason) == (False, "a page without tokens has no shingles")


def test_measures_that_are_not_known() -> None:
    bare = replace(NEAR, resemblance=None, b_similarity=None, c_similarity=None)
    assert verdict(rule("similar"), bare).reason == "the resemblance is not known"
    unread = verdict(rule("edited"), replace(bare, equal_words=None))
    assert (unread.together, unread.reason) == (None, "the share of equal words is not known")
    assert verdict(rule("combined"), bare).reason == "the supershingles and bits are not known"
    only_b = replace(NEAR, c_similarity=None)
    assert verdict(rule("combined"), only_b).reason == "the bits are not known"
    assert verdict(rule("combined"), only_b).together is None
    assert verdict(rule("b"), only_b).together


def test_a_share_that_is_not_of_a_minimal_diff_is_at_least_so_high() -> None:
    found = verdict(rule("edited"), replace(NEAR, equal_words_estimated=True))
    assert found.reason == "the share of equal words is at least 0.9300, 0.9 is asked for"


def test_a_resemblance_just_at_the_threshold_is_enough() -> None:
    # A sum of tenths is a little less than 0.8.
    almost = 0.1 * 3 + 0.5 - 1e-16
    assert almost < 0.8
    found = verdict(rule("similar"), replace(NEAR, resemblance=almost, estimated=True))
    assert (found.together, found.reason) == (
        True,
        "the resemblance is estimated as 0.8000, 0.8 is asked for",
    )
    assert not verdict(rule("similar"), replace(NEAR, resemblance=0.7999)).together


@pytest.mark.parametrize(
    ("chars", "same", "together", "reason"),
    [
        (451, True, True, "their paragraphs are the same"),
        (450, True, False, "a page has 450 characters, more than 450 are asked for"),
        (451, None, None, "the paragraphs are not known"),
        (None, True, None, "nothing is known of a page's content"),
    ],
)
def test_paragraphs(
    chars: int | None, same: bool | None, together: bool | None, reason: str
) -> None:
    all_same = dict.fromkeys(NEAR.same, True)
    measures = replace(NEAR, same=all_same, chars=chars, same_paragraphs=same)
    assert verdict(rule("paragraphs"), measures) == Verdict("paragraphs", together, reason)


@pytest.mark.parametrize(
    ("shared", "together", "reason"),
    [
        ({"lines:4": 15}, True, "15 chunks of lines:4 are on both, 15 are asked for"),
        ({"lines:4": 14}, False, "14 chunks of lines:4 are on both, 15 are asked for"),
        ({"lines:4": 1}, False, "1 chunk of lines:4 is on both, 15 are asked for"),
        ({}, None, "the chunks are not known"),
    ],
)
def test_overlap(shared: dict[str, int], together: bool | None, reason: str) -> None:
    measures = replace(NEAR, same=dict.fromkeys(NEAR.same, True), shared_chunks=shared)
    found = verdict(rule("overlap"), measures)
    assert found == Verdict("overlap-lines-4-15", together, reason)
    unknown = verdict(rule("overlap"), replace(measures, unknown=True))
    assert unknown.together is None


def test_copies_overlap_however_short() -> None:
    same = replace(NEAR, shared_chunks={"lines:4": 1}, same_chunks=frozenset({"lines:4"}))
    found = verdict(rule("overlap"), same)
    assert (found.together, found.reason) == (True, "they have the same chunks of lines:4")
    by_another = replace(same, same_chunks=frozenset({"lines:2"}))
    assert verdict(rule("overlap"), by_another).together is False
