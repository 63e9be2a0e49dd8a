"""Who has what from whom, against a slow count on the text of the pages."""

from collections import Counter

from tests.synthetic.reuse.conftest import Reused
from webecho.synthetic.reuse.births import SIZES
from webecho.synthetic.reuse.texts import POPULAR


def test_every_pair_shares_what_the_truth_says(reused: Reused) -> None:
    rows = reused.table("copies")
    found = {
        (
            (row["child_snapshot"], row["child_url"]),
            (row["parent_snapshot"], row["parent_url"]),
        ): row["shared"]
        for row in rows
    }
    assert len(found) == len(rows)
    # Pairs that share nothing but a popular text are left out.
    popular = {pair for pair, count in reused.shared.items() if pair not in found}
    assert max(reused.shared[pair] for pair in popular) == max(POPULAR) - 2
    assert found == {pair: count for pair, count in reused.shared.items() if pair not in popular}
    counts = Counter(window for some in reused.windows[0].values() for window in some)
    many = {window for window, count in counts.items() if count > len(reused.texts[0]) / 10}
    assert len(many) == sum(size - 2 for size in POPULAR)
    popular_sentences = {sentence for window in many for sentence in window}
    for new, old in popular:
        both = reused.windows[new[0] - 1][new[1]] & reused.windows[old[0] - 1][old[1]]
        # In pages whose paragraphs are in another order popular sentences are, too.
        assert {sentence for window in both for sentence in window} <= popular_sentences


def test_popular_paragraphs_are_counted_beside_others(reused: Reused) -> None:
    rows = reused.table("copies")
    assert {row["popular"] for row in rows} >= {0, 4}
    assert all(row["popular"] < row["shared"] for row in rows)


def test_copies_are_planted_at_and_around_the_minimal_numbers(reused: Reused) -> None:
    through = [row for row in reused.table("copies") if row["via"] is not None]
    for snapshot in range(2, reused.snapshots + 1):
        counts = {row["shared"] for row in through if row["child_snapshot"] == snapshot}
        assert counts >= {4, 5, 9, 10, 14, 15, 19, 20, 24, 25, 29, 30}
        assert counts <= {*SIZES, 12, 13}
    assert all(
        row["copied"] and row["parent_snapshot"] + 1 == row["child_snapshot"] for row in through
    )


def test_copies_are_copied_again(reused: Reused) -> None:
    """Great-grandchildren: chains of pages that were each written from the one before."""
    above: dict[tuple[int, str], list[tuple[int, str]]] = {}
    for row in reused.table("copies"):
        if row["copied"]:
            child = (row["child_snapshot"], row["child_url"])
            above.setdefault(child, []).append((row["parent_snapshot"], row["parent_url"]))
    chains = [
        (one, two, three)
        for child, ones in above.items()
        if child[0] == 4
        for one in ones
        for two in above.get(one, ())
        for three in above.get(two, ())
    ]
    assert chains


def test_whether_the_child_is_a_new_page(reused: Reused) -> None:
    for row in reused.table("copies"):
        before = reused.texts[row["parent_snapshot"] - 1]
        assert row["child_new"] == (row["child_url"] not in before)
