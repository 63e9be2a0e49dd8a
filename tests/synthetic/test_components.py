"""The links of a bow tie make its components; see test_documents.py for a whole web."""

from random import Random

import pytest

from webecho.synthetic.components import ISLAND, links
from webecho.synthetic.web import COMPONENT_NAMES


def drawn(components: list[str], seed: int = 1) -> list[list[int]]:
    numbers = [COMPONENT_NAMES.index(name) for name in components]
    found: list[list[int]] = links(numbers, Random(seed)).to_pylist()
    return found


def test_a_core_is_a_ring_with_links_across() -> None:
    found = drawn(["core"] * 10)
    for page, targets in enumerate(found):
        assert (page + 1) % 10 in targets
        assert targets == sorted(set(targets))


def test_a_core_of_one_page_links_to_itself_at_most() -> None:
    assert drawn(["core"])[0] in ([], [0])


@pytest.mark.parametrize("seed", range(5))
def test_in_leads_to_the_core_and_the_core_to_out_and_never_back(seed: int) -> None:
    found = drawn(["core"] * 5 + ["in"] * 5 + ["out"] * 5, seed)
    core, inward, out = range(5), range(5, 10), range(10, 15)
    assert not any(target in inward for page in (*core, *out) for target in found[page])
    assert not any(target in core for page in out for target in found[page])
    # Links within in and out go one way, so that none leads around.
    assert all(target < page for page in inward for target in found[page] if target in inward)
    assert all(target > page for page in out for target in found[page])
    # From any page of in some way leads to the core.
    reaches = {page for page in inward if any(target in core for target in found[page])}
    for page in inward:
        if any(target in reaches for target in found[page]):
            reaches.add(page)
    assert reaches == {*inward}


def test_islands_are_short_chains() -> None:
    found = drawn(["core"] + ["disconnected"] * (ISLAND + 2))
    chain = [[page + 1] for page in range(1, ISLAND)]
    assert found[1:] == [*chain, [], [ISLAND + 2], []]
