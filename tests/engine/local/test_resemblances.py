"""Pairs of a resemblance against all pairs by brute force, and what is measured of candidates."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.sparse import coo_array, csr_array

import webecho
import webecho.memory as memory_module
from tests.collections_made import edited, prose
from tests.group.workspaces import sketched
from tests.kernel import kernels, reference
from tests.kernel.components import components
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.engine.local.resemblances import agreeing, candidates, resembling, rounds
from webecho.group.rules.banding import bands_for
from webecho.memory import grouping
from webecho.settings import WEBECHO, recipe
from webecho.workspace.workspace import Workspace


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


def test_rounds_take_all_bands_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "SORTING", 0)
    floor = grouping(1000)
    assert rounds(16, 1000, None) == [16]
    assert rounds(16, 1000, 1 << 40) == [16]
    assert rounds(16, 1000, floor) == [1] * 16
    # A band of a thousand pages is 16,000 bytes.
    assert rounds(16, 1000, floor + 80_000) == [5, 5, 5, 1]
    assert rounds(6, 0, grouping(0) + 100) == [6]
    # Bands of 4 MiB and more are spilled.
    many = _core.LARGE // 8
    assert rounds(16, many - 1, floor) == [1] * 16
    assert rounds(16, many, floor) == [16]
    assert all(sum(rounds(84, 1000, floor + more)) == 84 for more in range(0, 800_000, 3333))


WORDS = prose(1, 204)
# 0, 1 and 2 differ in one word each from one text of 200 shingles; 3 is another; 4 is empty.
TEXTS = [" ".join(edited(WORDS, place)) for place in (50, 100, 150)]
TEXTS += [" ".join(prose(2, 204)), ""]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sketched(
        tmp_path / "pages.echo",
        pa.table({"text": TEXTS}),
        columns=["features", "supershingles"],
    )


ALL = pa.array([True] * 5)


def test_candidates_are_pages_that_share_a_band(workspace: Workspace) -> None:
    bands = bands_for(84, 0.8)

    def members(wanted: pa.Array, partition: pa.Array | None = None) -> list[int]:
        shape = (84, bands.bands, bands.width)
        kernel = candidates(workspace, "features", *shape, wanted, local_run(), partition)
        found: list[int] = kernel.members().to_pylist()
        return found

    assert members(ALL) == [0, 1, 2]
    # A page that shares its bands with nobody who is wanted, or of its group, is none.
    assert members(pa.array([True, False, False, True, True])) == []
    assert members(ALL, pa.array([0, 1, 0, 0, 0], pa.uint32())) == [0, 2]


def test_what_is_measured_of_candidates(workspace: Workspace) -> None:
    found = resembling(workspace, bands_for(84, 0.8), 0.8, ALL, local_run())
    assert found.estimated is None
    # Of 200 shingles each has 5 of its own, so that two share 190 of 210.
    measures = found.measures(pa.array([1, 2], pa.uint32()), pa.array([0, 0], pa.uint32()))
    assert measures["resemblance"].to_pylist() == pytest.approx([190 / 210] * 2)
    assert measures["containment"].to_pylist() == pytest.approx([190 / 200] * 2)
    assert measures["kept_containment"].to_pylist() == pytest.approx([190 / 200] * 2)
    assert measures["estimated"].to_pylist() == [False, False]


@pytest.mark.parametrize(("least", "stars"), [(0.9, {1: 0, 2: 0}), (0.91, {})])
def test_stars_are_of_pairs_that_reach_the_least(
    workspace: Workspace, least: float, stars: dict[int, int]
) -> None:
    found = resembling(workspace, bands_for(84, 0.8), least, ALL, local_run())
    gone, stay = found.stars(pa.array(range(5), pa.uint32()), 0)
    # 190 / 210 is 0.905.
    assert dict(zip(gone.to_pylist(), stay.to_pylist(), strict=True)) == stars


def test_supershingles_that_agree_are_counted(workspace: Workspace) -> None:
    found = agreeing(workspace, 1, ALL, local_run())
    rows = workspace.table()["supershingles"].to_pylist()
    expected = {}
    for left, right in ((0, 1), (0, 2), (1, 2)):
        both = zip(rows[left], rows[right], strict=True)
        expected[left, right] = sum(one == other for one, other in both)
    pairs = [pair for pair, agree in expected.items() if agree]
    assert pairs
    left, right = (pa.array([pair[side] for pair in pairs], pa.uint32()) for side in (0, 1))
    told = found.measures(left, right)["b_similarity"].to_pylist()
    assert told == [expected[pair] for pair in pairs]
