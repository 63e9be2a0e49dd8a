"""LabellerAgreement of labellers, against examples from the literature."""

import pytest

from webecho.evaluation.label.labellers import Disputed, agreement


def test_cohens_kappa_of_two_readers() -> None:
    # The usual example: 50 proposals, both yes 20, both no 15, 5 and 10 where they differ.
    said = []
    for number in range(50):
        one = "yes" if number < 25 else "no"
        other = "yes" if number < 20 or 25 <= number < 35 else "no"
        said += [((0, number), "a", one), ((0, number), "b", other)]
    [two] = agreement(said).two
    assert (two.pairs, two.agreed, two.share) == (50, 35, 0.7)
    assert two.kappa == pytest.approx(0.4)


def test_krippendorffs_alpha_with_labels_missing() -> None:
    # Krippendorff's example of three coders and 15 units; its nominal α is 0.691.
    coders = {
        "a": "*****3412113 3*3".replace(" ", ""),
        "b": "1*213343*******",
        "c": "**21344*21133*4",
    }
    said = [
        ((0, unit), coder, label)
        for coder, labels in coders.items()
        for unit, label in enumerate(labels)
        if label != "*"
    ]
    assert agreement(said).alpha == pytest.approx(0.691, abs=0.0005)


def test_what_cannot_be_said() -> None:
    assert agreement([]).alpha is None
    assert agreement([((0, 1), "a", "correct")]).pairs == 0
    # All say the same of all: chance would do that too.
    found = agreement([((0, n), who, "correct") for n in range(3) for who in "ab"])
    assert found.two[0].share == 1.0
    assert found.two[0].kappa is None and found.alpha is None


def test_labellers_without_a_pair_in_common_are_not_compared() -> None:
    said = [((0, 1), "a", "correct"), ((0, 1), "b", "correct"), ((0, 2), "c", "correct")]
    assert [(two.one, two.other) for two in agreement(said).two] == [("a", "b")]


def test_pairs_on_which_they_disagree_are_named() -> None:
    said = [
        ((4, 9), "b", "correct"),
        ((4, 9), "a", "undecided"),
        ((1, 2), "a", "correct"),
        ((1, 2), "b", "correct"),
        ((1, 2), "c", "incorrect"),
        ((1, 3), "a", "correct"),
        ((1, 3), "b", "correct"),
        # Who is alone disagrees with nobody.
        ((1, 4), "c", "incorrect"),
    ]
    assert agreement(said).disputed == (
        Disputed((1, 2), {"a": "correct", "b": "correct", "c": "incorrect"}),
        Disputed((4, 9), {"a": "undecided", "b": "correct"}),
    )
