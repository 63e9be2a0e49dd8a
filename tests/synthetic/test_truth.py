"""Results held against the truth: counts worked out by hand, and webecho's own results."""

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import webecho
from tests.synthetic.conftest import Made
from webecho.synthetic.truth import Found, Removed, compare_clusters, compare_removed

# Pages 0, 1 and 4 are one text, 2 a near-copy of it, 3 another; 5 and 6 are alone.
TRUTH = pa.table(
    {
        "page": [0, 1, 2, 3, 4, 5, 6],
        "original": pa.array([1, None, 1, 1, 1, None, None], pa.int64()),
        "cluster": [0, 0, 0, 0, 0, 5, 6],
        "identity": [0, 0, 2, 3, 0, 5, 6],
        "resemblance": [1.0, None, 0.9, 0.7, 1.0, None, None],
    }
)


def clusters(*names: int) -> pa.Table:
    return pa.table({"page": range(len(names)), "cluster": names, "size": [0] * len(names)})


@pytest.mark.parametrize(
    ("found", "agreement"),
    [
        # All alone: nothing is found, nothing is wrong.
        ((0, 1, 2, 3, 4, 5, 6), Found(2, 0, 0, 3, 0, 0)),
        # The exact copies and nothing else.
        ((0, 0, 2, 3, 0, 5, 6), Found(2, 2, 0, 3, 2, 0)),
        # The near-copy too, and one of the exact copies is missed.
        ((0, 0, 0, 3, 4, 5, 6), Found(2, 1, 1, 3, 2, 0)),
        # Strangers are joined.
        ((0, 1, 2, 3, 4, 5, 5), Found(2, 0, 1, 3, 0, 1)),
        # All in one: 2 and 3 have another text than 0, 5 and 6 are strangers as well.
        ((0, 0, 0, 0, 0, 0, 0), Found(2, 2, 4, 3, 3, 2)),
    ],
)
def test_clusters_by_hand(found: tuple[int, ...], agreement: Found) -> None:
    assert compare_clusters(TRUTH, clusters(*found), 0.8) == agreement


@pytest.mark.parametrize(
    ("removed", "agreement"),
    [
        ((), Removed(2, 0, 0, 0)),
        ((1, 4), Removed(2, 2, 0, 0)),
        ((0, 1), Removed(2, 2, 0, 0)),
        ((0, 1, 4), Removed(2, 2, 1, 0)),
        ((1, 2, 3, 4), Removed(2, 2, 2, 0)),
        ((0, 1, 2, 3, 4, 6), Removed(2, 2, 4, 2)),
    ],
)
def test_removals_by_hand(removed: tuple[int, ...], agreement: Removed) -> None:
    assert compare_removed(TRUTH, pa.array(removed, pa.int64())) == agreement


def test_the_exact_rule_finds_all_exact_copies_and_no_others(made: Made) -> None:
    found = webecho.clusters(made.folder / "pages", "exact")
    agreement = compare_clusters(made.truth, found, 1.0)
    assert agreement.exact_planted > 200
    assert agreement.exact_found == agreement.exact_planted
    assert (agreement.exact_wrong, agreement.strangers) == (0, 0)
    copies = found.filter(pc.not_equal(found["page"], found["cluster"]))["page"]
    removed = compare_removed(made.truth, copies)
    assert removed.exact_removed == removed.exact_planted == agreement.exact_planted
    assert (removed.lost_texts, removed.lost_families) == (0, 0)


@pytest.mark.parametrize("resemblance", [0.6, 0.8, 0.95])
def test_the_similar_rule_finds_near_copies(made: Made, resemblance: float) -> None:
    found = webecho.clusters(made.folder / "pages", "similar", resemblance)
    agreement = compare_clusters(made.truth, found, resemblance)
    assert agreement.pairs_planted > agreement.exact_planted
    # A pair just at the resemblance is a candidate with a chance of 0.995.
    assert agreement.pairs_found >= 0.99 * agreement.pairs_planted
    assert agreement.strangers == 0
