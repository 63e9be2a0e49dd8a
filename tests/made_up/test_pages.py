"""Pages say what the truth says of them."""

from collections import defaultdict
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tests.kernel.reference import words
from tests.kernel.reference_text import read_markup
from tests.made_up.conftest import WEB, Made
from webecho.made_up.plan import FAMILY_KINDS
from webecho.made_up.web import KINDS
from webecho.settings import WEBECHO

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
    assert set(FAMILY_KINDS) < set(KINDS)
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
