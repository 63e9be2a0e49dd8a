"""Families of documents by their paragraphs, worked out by hand."""

from random import Random

import pytest

from webecho.synthetic.variants import (
    MOST_ADDED,
    families,
    repeated_paragraph,
    same_paragraphs,
    shared_paragraphs,
)
from webecho.synthetic.web import Web


def test_every_third_copy_has_its_paragraphs_in_another_order() -> None:
    found = same_paragraphs(4, 3)
    assert [each.kind for each in found] == [
        *("original", "same paragraphs", "same paragraphs", "other order"),
    ]
    assert found[0].paragraphs == found[1].paragraphs == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert found[3].paragraphs == [(0, 0), (0, 3), (0, 2), (0, 1)]
    assert {each.variant for each in found} == {0}


def test_a_repeated_paragraph_stands_in_place_of_the_last() -> None:
    original, *copies = repeated_paragraph(3, 2)
    assert original.paragraphs == [(0, 0), (0, 1), (0, 2)]
    assert [each.paragraphs for each in copies] == [[(0, 0), (0, 1), (0, 0)]] * 2
    assert [(each.variant, each.common) for each in copies] == [(1, 2)] * 2


@pytest.mark.parametrize("seed", range(20))
def test_a_variant_shares_with_the_original_what_it_says(seed: int) -> None:
    original, *others = shared_paragraphs(8, Random(seed))
    length = len(original.paragraphs)
    assert length in (10, 20)
    for each in others:
        assert len({*each.paragraphs} & {*original.paragraphs}) == each.common
        assert length <= len(each.paragraphs) <= length + MOST_ADDED
        assert (each.variant == 0) == (each.paragraphs == original.paragraphs)


def test_all_documents_are_in_families_or_alone() -> None:
    web = Web(pages=600, graph=True, duplicates=0.4)
    found = [*families(web, Random(3))]
    assert sum(map(len, found)) == 600
    assert sum(len(family) - 1 for family in found) == 240
    assert all(family[0].kind == "original" for family in found)
