"""A comparison of two pages as it is printed, of values made up by hand."""

import json
from dataclasses import replace

import pytest

from webecho.group.comparison import ComparedPage, Comparison
from webecho.group.difference import Stretch
from webecho.group.memberships import Membership
from webecho.settings import WEBECHO
from webecho.show.compared import aligned, cluster, measures, names, show_comparison, stretches

FOUND = Comparison(
    left=ComparedPage(0, "http://a.example/", "a", "A fox", 3, 30),
    right=ComparedPage(7, None, 12, None, 1, 20),
    recipe=WEBECHO,
    same_payload=False,
    same_bytes=False,
    same_text=False,
    same_tokens=False,
    shared_shingles=10,
    resemblance=0.25,
    left_containment=1 / 3,
    right_containment=0.5,
    estimated=None,
    equal_words=2 / 7,
    equal_words_estimated=False,
    equal_features=21,
    agreeing_supershingles=(1, 4),
    c_similarity=300,
    verdicts=(),
    difference=(
        Stretch("equal", ("The",), ("The",)),
        Stretch("removed", ("red", "fox"), ()),
        Stretch("added", (), ("cat",)),
    ),
    gone=None,
)
UNKNOWN = replace(
    FOUND,
    shared_shingles=None,
    left_containment=None,
    right_containment=None,
    equal_features=None,
    agreeing_supershingles=None,
    c_similarity=None,
    difference=None,
    gone="it was moved",
)


def test_what_pages_are_called() -> None:
    assert names("left", FOUND.left) == [
        "left   http://a.example/",
        "       page #0, id a, “A fox”, 3 tokens",
    ]
    assert names("right", FOUND.right) == ["right  no url", "       page #7, id 12, 1 token"]


def test_measures_with_what_was_counted() -> None:
    assert dict(measures(FOUND)) == {
        "resemblance": "0.2500, 10 of 40 distinct shingles are shared",
        "containment": "0.3333 of left in right, 0.5000 of right in left",
        "features": "21 of 84 are equal",
        "B-similarity": "2 of 6 supershingles agree: 1, 4",
        "C-similarity": "300 of 384 bits agree",
        "equal words": "0.2857 of the words of both, by a minimal diff",
        "same tokens": "no",
        "same text": "no",
        "same bytes": "no",
        "same payload": "no",
        "difference": "2 words removed, 1 added, 1 equal",
    }
    found = dict(measures(UNKNOWN))
    assert found["resemblance"] == "0.2500, estimated from features"
    assert "containment" not in found
    assert {found[name] for name in ("features", "B-similarity", "C-similarity")} == {"not known"}
    assert found["difference"] == "not known: it was moved"
    assert dict(measures(replace(UNKNOWN, resemblance=None)))["resemblance"] == "not known"


def test_stretches_know_how_many_tokens_come_before_them() -> None:
    assert stretches(FOUND) == [
        {"kind": "equal", "left": 0, "right": 0, "words": ["The"], "right_words": None},
        {"kind": "removed", "left": 1, "right": 1, "words": ["red", "fox"], "right_words": None},
        {"kind": "added", "left": 3, "right": 1, "words": ["cat"], "right_words": None},
    ]
    other = replace(FOUND, difference=(Stretch("rewritten", ("operator<<",), ("operator>>",)),))
    words = {"words": ["operator<<"], "right_words": ["operator>>"]}
    assert stretches(other) == [{"kind": "rewritten", "left": 0, "right": 0} | words]
    assert dict(measures(other))["difference"] == (
        "0 words removed, 0 added, 0 equal, 1 written differently"
    )
    assert stretches(UNKNOWN) is None


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Membership("b-2", 0, 7, 1, 3), ("no", "in clusters of 1 page and of 3 pages")),
        (Membership("b-2", 0, 0, 3, 3), ("yes", "in one cluster of 3 pages")),
        (Membership("b-2", 0, 0, 3, 3, (0, 7)), ("yes", "in one cluster of 3 pages, as a pair")),
        (
            Membership("b-2", 0, 0, 3, 3, (0, 2, 7)),
            ("yes", "in one cluster of 3 pages, by the pairs #0 – #2 – #7"),
        ),
    ],
)
def test_what_holds_two_pages_in_a_cluster(found: Membership, said: tuple[str, str]) -> None:
    assert cluster(found) == ("b-2", *said)


def test_columns_stand_under_each_other() -> None:
    assert aligned([("rule", "yes", ""), ("b", "no", "why")]) == ["rule  yes", "b     no   why"]


def test_programs_get_all_of_it_or_the_difference(capsys: pytest.CaptureFixture[str]) -> None:
    show_comparison(FOUND, "json", "unified", 8)
    found = json.loads(capsys.readouterr().out)
    assert (found["b_similarity"], found["left"]["title"]) == (2, "A fox")
    show_comparison(FOUND, "csv", "unified", 8)
    assert capsys.readouterr().out == (
        "kind,left,right,words,right_words\nequal,0,0,The,\nremoved,1,1,red fox,\nadded,3,1,cat,\n"
    )
    show_comparison(UNKNOWN, "csv", "unified", 8)
    assert capsys.readouterr().out == "kind,left,right,words,right_words\n"
