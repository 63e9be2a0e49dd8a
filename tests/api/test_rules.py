"""The rule that a user asks for."""

import pytest

from tests.api.refusals import on_command_line
from webecho.api.rules import RuleChoice
from webecho.chunkings import Chunking
from webecho.errors import SettingsError
from webecho.settings import WEBECHO, recipe


@pytest.mark.parametrize(
    ("asked", "label"),
    [
        (RuleChoice(), "similar-0.8"),
        (RuleChoice("similar", resemblance=0.9), "similar-0.9"),
        (RuleChoice("tokens"), "tokens"),
        (RuleChoice("exact"), "text"),
        (RuleChoice("b", least_b=3), "b-3"),
        (RuleChoice("by-site", least_c_across=380), "by-site-2-355-380"),
        (RuleChoice("overlap"), "overlap-lines-4-15"),
        (RuleChoice("overlap", chunk="lines:2"), "overlap-lines-2-25"),
        (RuleChoice("overlap", chunk="page"), "overlap-page-1"),
        (RuleChoice("overlap", chunk="lines:2:sliding", shared=9), "overlap-lines-2-sliding-9"),
        (RuleChoice("overlap", most_pages=50), "overlap-lines-4-15-most_pages-50"),
        # Labels, as results and files have them.
        (RuleChoice("similar-0.9"), "similar-0.9"),
        (RuleChoice("similar-0.9", resemblance=0.9), "similar-0.9"),
        (RuleChoice("b-3"), "b-3"),
        (RuleChoice("by-site-2-355-380"), "by-site-2-355-380"),
        (RuleChoice("overlap-lines-2-sliding-9"), "overlap-lines-2-sliding-9"),
    ],
)
def test_what_is_not_said_is_as_the_papers_have_it(asked: RuleChoice, label: str) -> None:
    assert asked.of(WEBECHO).label == label


def test_several_rules_are_no_rule() -> None:
    with pytest.raises(SettingsError, match="give one, such as similar; pairs takes several"):
        RuleChoice(["text", "similar"])  # type: ignore[arg-type]


def test_thresholds_are_those_of_the_recipe() -> None:
    """372 of 384 bits are 186 of 192."""
    assert RuleChoice("c").of(WEBECHO).label == "c-372"
    assert RuleChoice("c").of(recipe("webecho+bits=192")).label == "c-186"


def test_parameters_are_all_but_the_name() -> None:
    assert RuleChoice("b", least_b=3).parameters == {
        "resemblance": None,
        "equal_words": None,
        "least_b": 3,
        "least_c": None,
        "least_c_across": None,
        "pieces": None,
        "chunk": None,
        "shared": None,
        "most_pages": None,
        "fingerprint": None,
    }
    assert RuleChoice("overlap", chunk="words:8", shared=3).parameters["chunk"] == (
        Chunking("words", 8)
    )


def test_what_no_recipe_could_allow_is_refused_at_once() -> None:
    assert on_command_line(lambda: RuleChoice("same")).startswith(
        "no rule is called 'same'; there are payload, text, tokens, very-similar, "
    )
    assert on_command_line(lambda: RuleChoice("exact", least_b=2)) == (
        "the rule text has no --least-b; that is for b, combined, by-site"
    )
    assert on_command_line(lambda: RuleChoice(resemblance=1.5)) == (
        "--resemblance 1.5 is not above 0 and at most 1; try 0.8"
    )
    assert on_command_line(lambda: RuleChoice("overlap", chunk="lines")).startswith(
        "'lines' is no chunking: say how many lines, as in lines:4"
    )
    assert on_command_line(lambda: RuleChoice("overlap", chunk="words:8")) == (
        "how many chunks of words:8 must two pages share? Give --shared"
    )
    assert on_command_line(lambda: RuleChoice("overlap", shared=0)) == (
        "--shared 0: give 1 to 4,294,967,295"
    )
    assert on_command_line(lambda: RuleChoice("overlap", most_pages=1)) == (
        "--most-pages 1: give 2 to 4,294,967,295"
    )


def test_what_a_recipe_does_not_allow_is_refused_when_it_is_known() -> None:
    asked = RuleChoice("b", least_b=7)
    assert on_command_line(lambda: asked.of(WEBECHO)) == (
        "--least-b 7: a page has 6 supershingles; give 1 to 6"
    )
    assert asked.of(recipe("webecho+width=12")).label == "b-7"


def test_a_label_and_another_value_beside_it_are_refused() -> None:
    assert on_command_line(lambda: RuleChoice("similar-0.9", resemblance=0.8)) == (
        "the rule similar-0.9 says it already; give --resemblance 0.8 with --rule similar"
    )
    assert on_command_line(lambda: RuleChoice("similar-high")).startswith(
        "no rule is called 'similar-high'; there are payload,"
    )
    [one, other] = RuleChoice.several(["b-3", "similar"])
    assert (one, other) == (RuleChoice("b", least_b=3), RuleChoice("similar"))
