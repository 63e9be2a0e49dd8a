"""What is done with a pack, by the local kernels."""

import pyarrow as pa
import pytest

from webecho.engine.spark.pack_tasks import Links, Pack, PackTask, Pairs, Remove, Sift, Unite
from webecho.engine.spark.packs import Answer
from webecho.group.hot_buckets import ALL_PAIRS
from webecho.group.rules.banding import bands_for
from webecho.group.rules.checks import Agreement, EqualWords, Resemblance
from webecho.group.rules.keys import Bands, Supershingles
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO
from webecho.workspace.schemas import LIST

B = (Search(Supershingles(), Agreement(2)),)
SIMILAR = (Search(bands_for(84, 0.8), Resemblance(0.8)),)
# The first and the second agree in two, the second and the third in three.
SUPERSHINGLES = [[1, 2, 3, 4, 5, 6], [1, 2, 7, 8, 9, 0], [0, 0, 7, 8, 9, 1], [5] * 6]
PAGES = [10, 20, 30, 40]


def told(answers: list[Answer], what: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pa.concat_tables(
        answer.rows for answer in answers if answer.what == what
    ).to_pylist()
    return rows


def by_supershingles(**more: list[int]) -> pa.Table:
    lists = pa.array(SUPERSHINGLES, LIST)
    return pa.table({"page": PAGES, **more, "supershingles": lists, "site": ["a", "a", "b", "b"]})


def test_chains_are_tied_to_the_lowest() -> None:
    found = [*Unite(B, WEBECHO)(by_supershingles())]
    assert told(found, "ties") == [{"left": 20, "right": 10}, {"left": 30, "right": 10}]


@pytest.mark.parametrize(
    ("link", "fixed", "expected"),
    [
        ("kept", 0, [(20, 30, 3)]),
        ("kept", 25, [(30, 20, 3)]),
        ("chain", 0, [(10, 30, 0), (20, 30, 3)]),
    ],
)
def test_what_goes(link: str, fixed: int, expected: list[tuple[int, int, int]]) -> None:
    ranks = [1, 2, 3, 4] if fixed else [4, 3, 2, 1]
    found = [*Remove(B, WEBECHO, link, fixed)(by_supershingles(rank=ranks))]
    rows = [(row["gone"], row["stay"], row["b_similarity"]) for row in told(found, "gone")]
    assert rows == expected


def test_pairs_with_what_was_counted() -> None:
    found = [*Pairs(B, WEBECHO, ALL_PAIRS)(by_supershingles())]
    pairs = [(row["left"], row["right"], row["same_site"]) for row in told(found, "pairs")]
    assert sorted(pairs) == [(10, 20, True), (20, 30, False)]
    [counts] = told(found, "counts")
    assert (counts["pairs"], counts["given"]) == (2.0, 2)
    assert told(found, "degrees") == [
        {"page": 10, "degree": 1},
        {"page": 20, "degree": 2},
        {"page": 30, "degree": 1},
    ]


def test_links_are_the_pairs_alone() -> None:
    """By the kernel that compares candidates, and by that of sketches."""
    for searches in (B, (Search(Supershingles(), Agreement(2, None, "same")),)):
        [expected, found] = (
            [row for answer in task(by_supershingles()) for row in told([answer], answer.what)]
            for task in (Pairs(searches, WEBECHO, ALL_PAIRS), Links(searches, WEBECHO))
        )
        pairs = [
            {side: row[side] for side in ("left", "right")} for row in expected if "left" in row
        ]
        assert pairs
        assert sorted(found, key=str) == sorted(pairs, key=str)


def features(*values: int) -> list[int]:
    """84, of which so many of the first are as given."""
    return [value * 1000 + at for value in values for at in range(84 // len(values))]


def test_candidates_that_features_tell_apart_are_sifted_out() -> None:
    lists = pa.array([features(1), features(1), features(1, 2), features(3)], LIST)
    rows = pa.table({"page": PAGES, "features": lists, "revisit_of": [None, None, 7, None]})
    task = Sift(SIMILAR, WEBECHO)
    found = [*task(rows)]
    assert {(row["left"], row["right"]) for row in told(found, "ties")} == {(20, 10)}
    # With half of the features a page has no resemblance of 0.8.
    assert told(found, "revisits") == []
    with pytest.raises(TypeError, match="not sifted"):
        next(Sift(B, WEBECHO)(rows))


def test_a_page_that_is_sifted_is_tied_once() -> None:
    """However many bands it shares; the pairs of every key of many pages are counted."""
    rows = pa.table({"page": range(100, 170), "features": pa.array([features(1)] * 70, LIST)})
    found = [*Sift(SIMILAR, WEBECHO)(rows)]
    assert told(found, "ties") == [{"left": page, "right": 100} for page in range(101, 170)]
    assert told(found, "pairs") == [{"left": 100, "pairs": 70 * 69 // 2}] * 16


TYPES = {"page": pa.int64(), "revisit_of": pa.int64(), "problem": pa.string()}


@pytest.mark.parametrize(("column", "check"), [("shingles", Resemblance), ("words", EqualWords)])
def test_revisits_have_the_content_of_what_they_repeat(
    column: str, check: type[Resemblance | EqualWords]
) -> None:
    """Page 20 repeats page 5, which is in no pack, and page 10 cannot be read again."""
    rows = {
        "page": [10, 20, 30, 5, 10, 30],
        "features": [features(1)] * 3 + [None] * 3,
        "revisit_of": [None, 5, None, None, None, None],
        column: [None, None, None, [1, 2, 3, 4, 5], None, [1, 2, 3, 4, 6]],
        "problem": [None, None, None, None, "gone", None],
    }
    table = pa.table({name: pa.array(each, TYPES.get(name, LIST)) for name, each in rows.items()})
    task = Pairs((Search(bands_for(84, 0.6), check(0.6)),), WEBECHO, ALL_PAIRS)
    found = [*task(table)]
    pairs = {(row["left"], row["right"]): row for row in told(found, "pairs")}
    assert {*pairs} == {(10, 20), (10, 30), (20, 30)}
    counted = pairs[20, 30]
    assert (counted["shared"], counted["left_size"], counted["estimated"]) == (4, 5, False)
    assert pairs[10, 20]["estimated"]
    [problem] = [answer for answer in found if answer.what == "problem"]
    assert (problem.at, problem.rows.to_pylist()) == (10, [{"problem": "gone"}])


def test_words_are_compared_where_enough_features_agree() -> None:
    """All have the same words, but of pages 10 and 20 only half of the features agree."""
    rows = {
        "page": [10, 20, 30] * 2,
        "features": [features(1), features(1, 2), features(1), None, None, None],
        "revisit_of": [None] * 6,
        "words": [None, None, None, *[[3, 1, 2]] * 3],
        "problem": [None] * 6,
    }
    table = pa.table({name: pa.array(each, TYPES.get(name, LIST)) for name, each in rows.items()})
    for least, expected in ((42, [(10, 20), (10, 30), (20, 30)]), (43, [(10, 30)])):
        task = Links((Search(Bands(42, 2, least), EqualWords(0.9)),), WEBECHO)
        pairs = told([*task(table)], "pairs")
        assert sorted((row["left"], row["right"]) for row in pairs) == expected


def test_pages_are_numbered_from_nothing() -> None:
    pack = Pack(by_supershingles(), B, WEBECHO)
    assert pack.numbers.to_pylist() == [0, 1, 2, 3]
    assert pack.partition is None
    assert PackTask(B, WEBECHO).content is None
