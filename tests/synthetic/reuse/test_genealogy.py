"""The paper's tables from the truth: by hand, and against a slow count on the text of pages."""

from itertools import combinations

import pyarrow as pa

from tests.synthetic.reuse.conftest import Reused
from webecho.synthetic.reuse.genealogy import Counts, Descent, Genealogy, read_genealogy

# Three snapshots. In the first a (0), b (1), short (2); in the second a (0), c (1) with b's text, d
# (2), which duplicates c, and e (3), which has just 10 paragraphs of a; in the third f (0) and g
# (1), both with c's, and b (2), which is there again.
TRUTH = pa.table(
    {
        "snapshot": pa.array([1, 1, 1, 2, 2, 2, 2, 3, 3, 3], pa.int32()),
        "page": pa.array([0, 1, 2, 0, 1, 2, 3, 0, 1, 2], pa.int64()),
        "considered": [True, True, False, *[True] * 7],
        "paragraph_cluster": pa.array([0, 1, None, 0, 1, 1, 3, 0, 1, 2], pa.int64()),
    }
)
COPIES = pa.table(
    {
        "child_snapshot": pa.array([2, 2, 2, 2, 3, 3, 3, 3], pa.int32()),
        "child_page": pa.array([1, 2, 3, 3, 0, 1, 2, 2], pa.int64()),
        "parent_snapshot": pa.array([1, 1, 1, 1, 2, 2, 2, 1], pa.int32()),
        "parent_page": pa.array([1, 1, 0, 2, 1, 1, 2, 0], pa.int64()),
        "shared": pa.array([20, 20, 10, 40, 12, 11, 9, 30], pa.int32()),
    }
)
EQUIVALENTS = pa.table(
    {
        "old_snapshot": pa.array([1, 1], pa.int32()),
        "old_page": pa.array([0, 1], pa.int64()),
        "new_snapshot": pa.array([2, 3], pa.int32()),
        "new_page": pa.array([0, 2], pa.int64()),
        "shared": pa.array([30, 0], pa.int32()),
    }
)
BY_HAND = Genealogy(TRUTH, COPIES, EQUIVALENTS)


def test_definition_9_counts_duplicates_and_what_has_just_enough() -> None:
    assert BY_HAND.counted(10) == [
        # a and b are parents, c, d and e children; a is still there.
        Counts(1, 2, 2, 3, 1),
        # Of the pairs (b, a) only; b is there again, with another text.
        Counts(1, 3, 1, 1, 1),
        # c is the parent of f and g; d's paragraphs are too few.
        Counts(2, 3, 1, 2, 0),
    ]
    assert BY_HAND.counted(20)[0] == Counts(1, 2, 1, 2, 1)


def test_figure_6_leaves_out_duplicates_and_asks_for_more() -> None:
    assert BY_HAND.counted_as_paper(10) == [
        # e has no more than 10; d duplicates c; a shares enough with itself.
        Counts(1, 2, 1, 1, 1),
        # b shares nothing with itself, so it is no pair.
        Counts(1, 3, 1, 1, 0),
        Counts(2, 3, 1, 2, 0),
    ]


def test_the_first_pair_of_a_page_that_stays_counts_it_and_no_child() -> None:
    """New page 0 has a copy of old page 5, which stays as page 9; so has new page 1."""
    truth = pa.table(
        {
            "snapshot": pa.array([1, 2, 2, 2], pa.int32()),
            "page": pa.array([5, 0, 1, 9], pa.int64()),
            "considered": [True] * 4,
            "paragraph_cluster": pa.array([5, 0, 1, 9], pa.int64()),
        }
    )
    copies = pa.table(
        {
            "child_snapshot": [2, 2],
            "child_page": [0, 1],
            "parent_snapshot": [1, 1],
            "parent_page": [5, 5],
            "shared": [11, 11],
        }
    )
    stays = pa.table(
        {
            "old_snapshot": [1],
            "old_page": [5],
            "new_snapshot": [2],
            "new_page": [9],
            "shared": [40],
        }
    )
    found = Genealogy(truth, copies, stays)
    assert found.counted() == [Counts(1, 2, 1, 2, 1)]
    assert found.counted_as_paper() == [Counts(1, 2, 1, 1, 1)]


def test_grandparents_are_parents_of_parents() -> None:
    # b is the parent of c, which is that of f and g.
    assert BY_HAND.descents(10) == [Descent(1, 3, 1, 2, 2)]
    assert BY_HAND.descents(12) == [Descent(1, 3, 1, 1, 1)]


def test_a_whole_web_counted_on_its_text(reused: Reused) -> None:
    """Everything again from sentences as the paper defines them, pair by pair."""
    considered = [
        {url for url, text in texts.items() if len(text) > 450 and len(windows[url]) >= 3}
        for texts, windows in zip(reused.texts, reused.windows, strict=True)
    ]
    found = []
    for old, new in combinations(range(1, reused.snapshots + 1), 2):
        pairs = {
            (child, parent)
            for ((now, child), (before, parent)), count in reused.shared.items()
            if (before, now) == (old, new) and count >= 10
            if parent in considered[old - 1] and child in considered[new - 1]
        }
        parents, children = {parent for _, parent in pairs}, {child for child, _ in pairs}
        stays = considered[old - 1] & considered[new - 1]
        found.append(Counts(old, new, len(parents), len(children), len(stays)))
    genealogy = read_genealogy(reused.folder)
    assert sorted(genealogy.counted()) == found
    for every, paper in zip(genealogy.counted(), genealogy.counted_as_paper(), strict=True):
        # Duplicates make the difference.
        assert paper.children < every.children and paper.parents < every.parents


def test_figure_6_on_the_text_of_a_whole_web(reused: Reused) -> None:
    number = [{row["url"]: row["page"] for row in truth} for truth in reused.truths]
    for counts in read_genealogy(reused.folder).counted_as_paper():
        old, new = counts.old - 1, counts.new - 1
        had, done, fathers = set[str](), set[object](), set[str]()
        equivalents = 0
        for child in sorted(reused.windows[new], key=number[new].__getitem__):
            for parent in sorted(reused.windows[old], key=number[old].__getitem__):
                both = reused.windows[new][child] & reused.windows[old][parent]
                if len(both) <= 10:
                    continue
                if parent not in had and parent in reused.windows[new]:
                    had.add(parent)
                    equivalents += 1
                    continue
                had.add(parent)
                if child != parent and reused.keys[new][child] not in done:
                    done.add(reused.keys[new][child])
                    fathers.add(parent)
        assert counts[2:] == (len(fathers), len(done), equivalents)


def test_there_are_great_grandchildren(reused: Reused) -> None:
    found = {(one.old, one.new): one for one in read_genealogy(reused.folder).descents()}
    assert set(found) == {(1, 3), (1, 4), (2, 4)}
    assert all(one.pairs >= one.descendants > 0 for one in found.values())
