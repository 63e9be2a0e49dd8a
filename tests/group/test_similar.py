"""The rule `similar` against all pairs by brute force, and union-find against scipy."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

import webecho
from tests.kernel import kernels, reference
from webecho import _core
from webecho.settings import WEBECHO, recipe


@pytest.fixture(scope="module")
def documents(data: Path) -> pa.Table:
    """3,600 documents: four runs of neighbours, in which many are near one of the thresholds."""
    file = pq.ParquetFile(data / "debian_docs.parquet")
    runs = [(0, 2_700), (4, 900), (6, 1_800), (8, 900)]
    return pa.concat_tables(file.read_row_group(group).slice(at, 900) for group, at in runs)


@pytest.fixture(scope="module")
def overlaps(documents: pa.Table) -> pa.Table:
    """Every pair of documents that share a shingle, with the sizes that decide."""
    rows = kernels.sketches(documents["text"].to_pylist(), WEBECHO, columns=["shingles"])
    lists = rows["shingles"]
    sizes = np.diff(lists.offsets.to_numpy())
    values, shingle = np.unique(lists.flatten().to_numpy(), return_inverse=True)
    page = np.repeat(np.arange(len(sizes)), sizes)
    incidence = csr_array(
        (np.ones(len(page), np.int32), (page, shingle)), shape=(len(sizes), len(values))
    )
    shared = coo_array(incidence @ incidence.T)
    upper = shared.row < shared.col
    left, right, count = shared.row[upper], shared.col[upper], shared.data[upper]
    return pa.table(
        {
            "left": left,
            "right": right,
            "resemblance": count / (sizes[left] + sizes[right] - count),
            "left_containment": count / sizes[left],
            "right_containment": count / sizes[right],
        }
    )


@pytest.fixture(scope="module")
def pairs_at(documents: pa.Table) -> Callable[[float], pa.Table]:
    return cache(lambda threshold: webecho.pairs(documents, "similar", threshold))


def by_pair(table: pa.Table) -> dict[tuple[int, int], tuple[float, float, float]]:
    names = ("left", "right", "resemblance", "left_containment", "right_containment")
    columns = [table[name].to_pylist() for name in names]
    return {(left, right): tuple(rest) for left, right, *rest in zip(*columns, strict=True)}


@pytest.mark.data
def test_the_shingle_sets_of_brute_force_are_those_of_the_definition(documents: pa.Table) -> None:
    for text in documents["text"].slice(0, 600).to_pylist()[::20]:
        tokens = reference.token_prints(reference.Text([text]), WEBECHO)
        found = kernels.row(text, WEBECHO, columns=["shingles"])["shingles"]
        assert found == sorted(reference.shingle_set(tokens, WEBECHO))


# Bands are picked for a recall of 0.995 just at the threshold; above it hardly any pair is missed.
@pytest.mark.data
@pytest.mark.parametrize(("threshold", "recall"), [(0.5, 0.99), (0.8, 0.99), (0.9, 0.99)])
def test_pairs_against_brute_force(
    documents: pa.Table,
    overlaps: pa.Table,
    pairs_at: Callable[[float], pa.Table],
    threshold: float,
    recall: float,
) -> None:
    resemblances = overlaps["resemblance"].to_numpy()
    expected = by_pair(overlaps.filter(pa.array(resemblances >= threshold)))
    table = pairs_at(threshold)
    found = by_pair(table)
    right = expected.keys() & found.keys()
    assert len(right) >= 0.99 * len(found)
    # Copies are found by their digests; what the bands find counts apart, and so do near misses.
    near = {pair for pair, (r, *_) in expected.items() if r < threshold + 0.03}
    different = {pair for pair, (r, *_) in expected.items() if r < 1}
    for wanted in (near, different, expected.keys()):
        assert len(wanted) > 1_000
        assert len(right & wanted) >= recall * len(wanted)
    assert {pair: found[pair] for pair in right} == {pair: expected[pair] for pair in right}
    assert not any(table["estimated"].to_pylist())
    assert list(found) == sorted(found)
    assert table["left_id"] == documents["id"].take(table["left"])


@pytest.mark.data
@pytest.mark.parametrize("threshold", [0.5, 0.8, 0.9])
def test_clusters_are_the_components_of_the_pairs(
    documents: pa.Table, pairs_at: Callable[[float], pa.Table], threshold: float
) -> None:
    pairs = pairs_at(threshold)
    found = webecho.clusters(documents, "similar", threshold)
    lowest, sizes = components(len(documents), pairs["left"].to_numpy(), pairs["right"].to_numpy())
    assert found["cluster"].to_pylist() == lowest
    assert found["size"].to_pylist() == sizes


def components(n: int, left: np.ndarray, right: np.ndarray) -> tuple[list[int], list[int]]:
    """For each page the lowest page of its component, and its size, by scipy."""
    graph = coo_array((np.ones(len(left), bool), (left, right)), shape=(n, n))
    _, labels = connected_components(graph, directed=False)
    _, first, inverse, counts = np.unique(
        labels, return_index=True, return_inverse=True, return_counts=True
    )
    return first[inverse].tolist(), counts[inverse].tolist()


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


@pytest.mark.parametrize("name", ["webecho", "fetterly2004", "henzinger2006"])
def test_a_threshold_is_met_exactly(name: str, tmp_path: Path) -> None:
    """With k = 1 a page's shingles are its words; 8 of 10 shared is 0.8, and 7 of 9 is less."""
    texts = ["a b c d e f g h i", "a b c d e f g h j", "a b c d e f g", "z"]
    workspace = tmp_path / "words.echo"
    webecho.sketch(
        pa.table({"text": texts}), workspace, recipe=recipe(name, k=1), keep_shingles=True
    )
    tight = by_pair(webecho.pairs(workspace, "similar", 0.8))
    assert tight == {(0, 1): pytest.approx((8 / 10, 8 / 9, 8 / 9))}
    loose = by_pair(webecho.pairs(workspace, "similar", 7 / 9))
    assert loose == {
        (0, 1): pytest.approx((8 / 10, 8 / 9, 8 / 9)),
        (0, 2): pytest.approx((7 / 9, 7 / 9, 1)),
        (1, 2): pytest.approx((7 / 9, 7 / 9, 1)),
    }
