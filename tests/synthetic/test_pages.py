"""Pages say what the truth says of them."""

import re
from collections import defaultdict
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tests.kernel.reference import words
from tests.kernel.reference_text import read_markup
from tests.synthetic.conftest import WEB, Made
from webecho.settings import WEBECHO
from webecho.synthetic.web import FAMILIES, FAMILY_KINDS, KINDS

SIDES = ("page", "original")
SAME_TEXT = ("exact copy", "session id", "mirror", "alias")


def rows(truth: pa.Table, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = truth.filter(pc.equal(truth["kind"], kind)).to_pylist()
    assert found, f"no page of the kind {kind}"
    return found


def tokens(html: str) -> list[str]:
    """The tokens of a page by the slow and obvious implementation."""
    return words("".join(read_markup(html, WEBECHO).pieces), WEBECHO)


def slow_resemblance(one: str, other: str) -> float:
    sets = []
    for found in map(tokens, (one, other)):
        sets.append({tuple(found[start : start + 5]) for start in range(len(found) - 4)})
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


@pytest.mark.parametrize("kind", KINDS[1:])
def test_the_resemblance_is_the_one_that_counting_gives(made: Made, kind: str) -> None:
    for row in rows(made.truth, kind)[:3]:
        counted = slow_resemblance(made.html[row["page"]], made.html[row["original"]])
        assert row["resemblance"] == pytest.approx(counted, abs=1e-12)


def test_near_copies_are_near_their_target(made: Made) -> None:
    found = rows(made.truth, "near-copy")
    assert len(found) > 100
    for row in found:
        # Pages of scripts without spaces are harder to hit, and those of a few words.
        assert abs(row["resemblance"] - row["target"]) < 0.06
    near = [abs(row["resemblance"] - row["target"]) for row in found]
    assert sum(near) / len(near) < 0.006
    tenths = {int(10 * row["resemblance"]) for row in found}
    assert tenths >= {5, 6, 7, 8, 9}


def test_identity_sets_are_the_pages_with_equal_digests(made: Made) -> None:
    by_digest: dict[bytes, list[int]] = defaultdict(list)
    for page, digest in enumerate(made.sketches["digest"].to_pylist()):
        by_digest[digest].append(page)
    by_truth: dict[int, list[int]] = defaultdict(list)
    for page, identity in enumerate(made.truth["identity"].to_pylist()):
        by_truth[identity].append(page)
    assert sorted(by_digest.values()) == sorted(by_truth.values())


@pytest.mark.parametrize("kind", KINDS[1:])
def test_what_has_the_text_of_its_original(made: Made, kind: str) -> None:
    identity = made.truth["identity"].to_pylist()
    for row in rows(made.truth, kind):
        same = identity[row["page"]] == identity[row["original"]]
        assert same == (kind in SAME_TEXT)
        assert same == (row["resemblance"] == 1)


def test_some_exact_copies_have_markup_of_their_own(made: Made) -> None:
    found = [
        made.html[row["page"]] == made.html[row["original"]]
        for row in rows(made.truth, "exact copy")
    ]
    assert not all(found)
    for row in rows(made.truth, "mirror"):
        assert made.html[row["page"]] == made.html[row["original"]]


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        ("time_stamp", "It is {} now."),
        ("execution_time", "Page generated in {:.3f} seconds."),
        ("visitor_count", "You are visitor number {} of this page."),
        ("session_id", '?sid={}">'),
        ("parked", "<title>{}</title>"),
        ("item", "<title>{}</title>"),
    ],
)
def test_what_was_planted_is_on_the_page(made: Made, column: str, shown: str) -> None:
    found = made.truth.filter(pc.is_valid(made.truth[column])).to_pylist()
    # The originals of such families show it too.
    kind = "shop" if column == "item" else column.replace("_", " ")
    assert {row["kind"] for row in found} == {"original", kind}
    for row in found:
        assert shown.format(row[column]) in made.html[row["page"]]


def test_addresses_tell_what_a_page_is(made: Made) -> None:
    truth = made.truth.to_pylist()
    for row in truth:
        assert urlsplit(row["url"]).hostname == row["host"]
        if row["original"] is None:
            continue
        original = truth[row["original"]]
        same_path = urlsplit(row["url"]).path == urlsplit(original["url"]).path
        if row["kind"] in ("mirror", "alias"):
            assert same_path
            assert row[f"{row['kind']}_of"] == original["host"] != row["host"]
            assert (row["ip"] == original["ip"]) == (row["kind"] == "alias")
        if row["kind"] == "session id":
            assert same_path
            assert row["url"].endswith(f"?sid={row['session_id']}")
        if row["kind"] == "parked":
            assert row["host"] == f"www.{row['parked']}" != original["host"]
    assert len({row["url"] for row in truth}) == len(truth)


def test_every_kind_and_script_is_there(made: Made) -> None:
    assert set(made.truth["kind"].to_pylist()) == set(KINDS)
    assert dict(FAMILIES).keys() < set(FAMILY_KINDS) < set(KINDS)
    scripts = pc.value_counts(made.truth["script"]).to_pylist()
    count = {each["values"]: each["counts"] for each in scripts}
    assert set(count) == {
        *("Latin", "Cyrillic", "Greek", "Han"),
        *("Arabic", "Devanagari", "Thai", "Hangul"),
    }
    assert 0.5 < count["Latin"] / len(made.truth) < 0.9


def test_pages_are_as_long_as_asked_for(made: Made) -> None:
    latin = pc.equal(made.truth["script"], "Latin")
    original = pc.and_(latin, pc.is_null(made.truth["original"]))
    found = made.sketches.filter(original)["tokens"]
    # Title, links and template have some 70 words more.
    assert WEB.words < pc.mean(found).as_py() < WEB.words + 100


def differing(made: Made, row: dict[str, Any]) -> tuple[list[str], list[str], int]:
    """What stands between the first and the last token in which a page and its original differ, in
    each of them, and how many tokens the page has."""
    ours, theirs = (tokens(made.html[row[name]]) for name in ("page", "original"))
    start = next(at for at, both in enumerate(zip(ours, theirs, strict=False)) if len({*both}) > 1)
    backwards = zip(reversed(ours), reversed(theirs), strict=False)
    end = next(at for at, both in enumerate(backwards) if len({*both}) > 1)
    return ours[start : len(ours) - end], theirs[start : len(theirs) - end], len(ours)


def spaced(made: Made, kind: str) -> list[dict[str, Any]]:
    """Pages of a kind in scripts in which a word is a token."""
    found = [row for row in rows(made.truth, kind) if row["script"] in ("Latin", "Cyrillic")]
    assert found
    return found


def test_records_of_a_database_differ_in_some_words_one_after_the_other(made: Made) -> None:
    for row in spaced(made, "database"):
        ours, theirs, length = differing(made, row)
        assert 270 <= length <= 540
        # Five words, four to six times over; the first or the last may be the same by chance.
        assert len(ours) == len(theirs) and 15 < len(ours) <= 30


def test_entries_of_a_directory_differ_in_few_words_apart(made: Made) -> None:
    for row in spaced(made, "directory"):
        ours, theirs, length = differing(made, row)
        assert length >= 800
        apart = [at for at, both in enumerate(zip(ours, theirs, strict=True)) if len({*both}) > 1]
        assert 1 <= len(apart) <= 5
        assert all(later - at >= 7 for at, later in pairwise(apart))


def test_forms_are_filled_in_differently(made: Made) -> None:
    for row in spaced(made, "form"):
        one, other = (
            re.findall("<textarea>(.*?)</textarea>", made.html[row[name]])
            for name in ("page", "original")
        )
        assert len(one) == len(other) == 5 and one[0] != other[0]
        bare = [re.sub("<textarea>.*?</textarea>", "", made.html[row[n]]) for n in SIDES]
        assert tokens(bare[0]) == tokens(bare[1])


def test_pages_that_show_their_own_address(made: Made) -> None:
    truth = made.truth.to_pylist()
    same_host = set()
    for row in rows(made.truth, "own address"):
        assert f"The address of this page is {row['url']}<" in made.html[row["page"]]
        same_host.add(row["host"] == truth[row["original"]]["host"])
    assert same_host == {True, False}
