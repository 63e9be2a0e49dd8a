"""Union-find against scipy."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.components import components
from webecho import _core


@given(
    st.integers(1, 60).flatmap(
        lambda n: st.tuples(
            st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)))
        )
    )
)
def test_union_find_gives_the_components_of_any_graph(graph: tuple[int, list]) -> None:
    n, edges = graph
    left, right = (np.array([edge[end] for edge in edges], np.int64) for end in (0, 1))
    forest = _core.Forest(n, 2)
    forest.unite(pa.array(left), pa.array(right))
    clusters, sizes = forest.clusters()
    assert (clusters.to_pylist(), sizes.to_pylist()) == components(n, left, right)


def test_union_find_on_a_large_graph() -> None:
    rng = np.random.default_rng(7)
    # As many edges as pages: one giant component, many small ones, many pages alone.
    n = 200_000
    left, right = rng.integers(0, n, (2, n // 2))
    forest = _core.Forest(n, 2)
    # In several calls, for the order of the edges makes no difference.
    for part in np.array_split(rng.permutation(n // 2), 5):
        forest.unite(pa.array(left[part]), pa.array(right[part]))
    clusters, sizes = forest.clusters()
    assert (clusters.to_pylist(), sizes.to_pylist()) == components(n, left, right)


def test_a_long_chain_is_one_cluster() -> None:
    n = 300_000
    forest = _core.Forest(n, 2)
    forest.unite(pa.array(range(n - 1, 0, -1)), pa.array(range(n - 2, -1, -1)))
    clusters, sizes = forest.clusters()
    assert set(clusters.to_pylist()) == {0}
    assert set(sizes.to_pylist()) == {n}


@given(st.lists(st.none() | st.binary(min_size=2, max_size=2), min_size=1), st.integers(1, 3))
def test_equal_keys_unite_and_nulls_do_not(keys: list[bytes | None], classes: int) -> None:
    pages = [(page, key) for page, key in enumerate(keys) if key is not None]
    edges = [(a, b) for a, x in pages for b, y in pages if a < b and x == y]
    forest = _core.Forest(len(keys), 2)
    digests = [None if key is None else key.ljust(8, b"-") + key.rjust(8, b"-") for key in keys]
    for number in range(classes):
        some = _core.Keys(classes, number)
        some.add(pa.array(range(len(keys)), pa.uint32()), pa.array(digests, pa.binary()), 0)
        forest.unite_equal(some)
    left, right = (np.array([edge[end] for edge in edges], np.int64) for end in (0, 1))
    assert forest.clusters()[0].to_pylist() == components(len(keys), left, right)[0]


@given(
    st.integers(1, 6),
    st.lists(st.lists(st.integers(0, 2), min_size=6, max_size=6), min_size=1, max_size=30),
)
def test_pages_that_agree_in_enough_supershingles_unite(least: int, rows: list[list[int]]) -> None:
    def agreeing(a: int, b: int) -> int:
        return sum(x == y for x, y in zip(rows[a], rows[b], strict=True))

    n = len(rows)
    edges = [(a, b) for b in range(n) for a in range(b) if agreeing(a, b) >= least]
    forest = _core.Forest(n, 2)
    lists = pa.array(rows, pa.list_(pa.int64()))
    pages, wanted = pa.array(range(n), pa.uint32()), pa.repeat(True, n)
    repeats, found = _core.Repeats(6, 1000, 2), _core.Rows(6, n, n)
    repeats.add(pages, lists, wanted)
    found.add(pages, lists, wanted, repeats, least)
    forest.unite_agreeing(found, least, 0, 6 - least + 1)
    left, right = (np.array([edge[end] for edge in edges], np.int64) for end in (0, 1))
    assert forest.clusters()[0].to_pylist() == components(n, left, right)[0]
