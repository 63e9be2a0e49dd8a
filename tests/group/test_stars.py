"""What is told of pages that go, by hand."""

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import edited, prose
from webecho.group.rules.registry import rule
from webecho.group.stars import AGREES, REMOVED, Removal, removed_rows, removed_schema
from webecho.settings import WEBECHO


def numbers(*pages: int) -> pa.Array:
    return pa.array(pages, pa.uint32())


def test_a_column_more_where_bits_are_asked_for() -> None:
    assert removed_schema(rule("similar"), WEBECHO) == REMOVED
    assert removed_schema(rule("combined"), WEBECHO).names[-3:] == [
        "b_similarity",
        "c_similarity",
        "estimated",
    ]


def test_pages_of_a_set_have_what_was_measured_of_its_first() -> None:
    # 0 and 1 are a set, and so are 2 and 4; the latter go with 0, and 3 stays.
    firsts = numbers(0, 0, 2, 3, 2)
    measured = Removal(numbers(2), {"b_similarity": pa.array([4])})
    goes_with = numbers(0, 0, 0, 3, 0)

    def same(page: pa.Array, kept: pa.Array) -> dict[str, pa.Array]:
        assert (page.to_pylist(), kept.to_pylist()) == ([1, 2, 4], [0, 0, 0])
        tokens, nothing = pa.array([True, False, False]), pa.array([False] * 3)
        return {"payload": nothing, "text": nothing, "tokens": tokens}

    found = removed_rows(rule("b"), WEBECHO, firsts, goes_with, same, measured).to_pylist()
    told = [(row["page"], row["kept_page"], row["rule"], row["b_similarity"]) for row in found]
    assert told == [(1, 0, "tokens", None), (2, 0, "b", 4), (4, 0, "b", 4)]
    assert [row["agrees"] for row in found] == ["tokens", "near", "near"]
    assert [row["resemblance"] for row in found] == [1.0, None, None]


def test_what_is_measured_of_a_pair() -> None:
    text = prose(1, 204)
    other = edited(text, 50, 100)
    table = pa.table({"text": [" ".join(text), " ".join(other), " ".join(text).upper()]})
    near, exact = webecho.dedup(table).duplicates.to_pylist()
    # Each change replaces five of two hundred shingles.
    assert near["resemblance"] == pytest.approx(190 / 210)
    assert near["containment"] == near["kept_containment"] == pytest.approx(190 / 200)
    assert (near["rule"], near["kept_page"], near["estimated"]) == ("similar", 0, False)
    assert (exact["rule"], exact["kept_page"], exact["resemblance"]) == ("tokens", 0, 1.0)
    # Written in capitals, it has the same tokens and another text.
    assert (near["agrees"], exact["agrees"]) == ("near", "tokens")
    agreeing = webecho.dedup(table, rule="very-similar").duplicates.to_pylist()
    assert [row["resemblance"] for row in agreeing if row["rule"] == "tokens"] == [1.0]
    assert all(row["b_similarity"] in range(2, 7) for row in agreeing if row["rule"] != "tokens")


def test_similarities_are_measured_where_a_rule_asks_for_them() -> None:
    text = prose(1, 400)
    table = pa.table(
        {
            "text": [" ".join(text), " ".join(edited(text, 50)), " ".join(text).upper()],
            "url": [f"http://{host}.example/" for host in "aba"],
        }
    )
    for name, asked in (("c", "c"), ("combined", "bc"), ("by-site", "bc"), ("b", "b")):
        near, exact = webecho.dedup(table, rule=name).duplicates.to_pylist()
        assert (near["rule"], exact["rule"]) == (name, "tokens")
        assert ("c_similarity" in near) == ("c" in asked)
        # What one change leaves of two supershingles and of 355 bits.
        assert (near["b_similarity"] or 0) >= (2 if "b" in asked else 0)
        assert near.get("c_similarity", 384) >= 355
        assert exact["b_similarity"] is exact.get("c_similarity") is None
        assert (near["resemblance"], exact["resemblance"]) == (None, 1.0)


def test_each_page_that_goes_is_told_how_it_agrees() -> None:
    words = prose(1, 204)
    page = " ".join(words)
    texts = [
        page,
        page,  # the same bytes
        page.replace(" ", "\n\u3000", 3) + " ",  # the same to a reader
        page.replace(" ", " << ", 1),  # the same tokens
        " ".join(edited(words, 100)),  # nearly the same
    ]
    table = pa.table({"text": texts})
    expected = {1: "payload", 2: "text", 3: "tokens", 4: "near"}
    assert set(expected.values()) == set(AGREES)
    for name, count in {
        "payload": 1,
        "text": 2,
        "exact": 2,
        "tokens": 3,
        "similar": 4,
        "very-similar": 4,
    }.items():
        found = webecho.dedup(table, rule=name)
        told = {row["page"]: row["agrees"] for row in found.duplicates.to_pylist()}
        assert told == dict(list(expected.items())[:count]), name
        counted = [found.summary["counts"][f"removed, {what}"] for what in COUNTED]
        assert counted == [1] * count + [0] * (4 - count)


COUNTED = ("same payload", "same text", "same tokens", "near")
