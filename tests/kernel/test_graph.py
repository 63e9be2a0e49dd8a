"""The graph of links, against a slow and obvious second implementation."""

from collections.abc import Iterable
from random import Random

import pyarrow as pa
import pytest

from webecho import _core
from webecho.study.reaching import PARTS

Edge = tuple[int, int]


def graph(keys: list[int | None], edges: Iterable[Edge], **more: object) -> _core.Graph:
    """A graph of pages with these keys; edges are from pages to keys."""
    found = _core.Graph(pa.array(keys, pa.int64()), **more)  # type: ignore[arg-type]
    pairs = list(edges)
    for start in range(0, len(pairs), 7):
        some = pairs[start : start + 7]
        pages = pa.array([page for page, _ in some], pa.int64())
        found.add(pages, pa.array([to for _, to in some], pa.int64()))
    found.close()
    return found


def followed(edges: set[Edge], start: int) -> set[int]:
    reached, new = {start}, {start}
    while new:
        new = {to for page, to in edges if page in new} - reached
        reached |= new
    return reached


def slow_bow_tie(pages: int, edges: set[Edge]) -> list[str]:
    """Word by word as the definition has it."""
    ahead = [followed(edges, page) for page in range(pages)]
    back = [{page for page in range(pages) if to in ahead[page]} for to in range(pages)]
    strong = [ahead[page] & back[page] for page in range(pages)]
    core = max(strong, key=lambda each: (len(each), -min(each)))
    first = min(core)
    before, after = back[first] - core, ahead[first] - core
    both = edges | {(to, page) for page, to in edges}
    connected = followed(both, first)

    def part(page: int) -> str:
        if page in core:
            return "core"
        if page in before:
            return "in"
        if page in after:
            return "out"
        if back[page] & before and ahead[page] & after:
            return "tubes"
        return "tendrils" if page in connected else "disconnected"

    return [part(page) for page in range(pages)]


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs(seed: int) -> None:
    chance = Random(seed)
    pages = chance.randint(1, 40)
    count = int(pages * chance.choice([0.5, 1, 1.3, 2]))
    edges = {(chance.randrange(pages), chance.randrange(pages)) for _ in range(count)}
    found = graph([key + 1000 for key in range(pages)], [(page, to + 1000) for page, to in edges])
    assert found.edges == sum(page != to for page, to in edges)
    for page in range(pages):
        reached = {to for to, yes in enumerate(found.reached(page).to_pylist()) if yes}
        assert reached == followed(edges, page)
    assert [PARTS[part] for part in found.bow_tie().to_pylist()] == slow_bow_tie(pages, edges)


def test_pages_with_one_address_are_reached_together_and_have_all_links() -> None:
    # Pages 0 and 2 are at one address; 1 is linked to from 2 alone, 3 has no address.
    found = graph([5, 6, 5, None], [(2, 6), (3, 5), (1, 77)])
    assert found.nodes == 3
    assert found.reached(0).to_pylist() == [True, True, True, False]
    assert found.reached(3).to_pylist() == [True, True, True, True]
    assert found.page_at(5) == 0
    assert found.page_at(77) is None


def test_folders_and_redirects_lead_on() -> None:
    found = graph(
        [1, 2, 3],
        [(0, 20), (1, 30)],
        folders=pa.array([None, 20, None], pa.int64()),
        redirects=(pa.array([30, 31], pa.int64()), pa.array([31, 3], pa.int64())),
    )
    assert found.reached(0).to_pylist() == [True, True, True]
    assert found.reached(1).to_pylist() == [False, True, True]


def test_edges_between_keys() -> None:
    found = _core.Graph(pa.array([1, 2, None], pa.int64()), threads=2)
    sources, targets = pa.array([1, 1, 9], pa.int64()), pa.array([2, 9, 1], pa.int64())
    assert found.add_between(sources, targets) == 1
    found.close()
    assert found.reached(0).to_pylist() == [True, True, False]


def test_wrong_use_is_refused() -> None:
    found = _core.Graph(pa.array([1, 2], pa.int64()))
    with pytest.raises(ValueError, match="not closed"):
        found.reached(0)
    with pytest.raises(ValueError, match="page 2 of 2"):
        found.add(pa.array([2], pa.int64()), pa.array([1], pa.int64()))
    found.close()
    with pytest.raises(ValueError, match="page 5 of 2"):
        found.reached(5)
    with pytest.raises(ValueError, match="closed already"):
        found.add(pa.array([0], pa.int64()), pa.array([1], pa.int64()))
    assert _core.Graph(pa.array([], pa.int64())).nodes == 0


def test_a_collection_without_pages() -> None:
    assert graph([], []).bow_tie().to_pylist() == []
