"""Links by shared chunks, held against going through all pairs; none of these is held."""

import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.group.overlapping import chunk_sets, every_pair, lined_pages, written
from webecho import _core, sketch
from webecho.chunkings import Chunking
from webecho.engine.local.engine import local_run
from webecho.engine.local.overlap_links import OverlapLinks, by_rank
from webecho.group.overlaps import OverlapSearch
from webecho.memory import PeakMemory, grouping, held
from webecho.workspace.workspace import Workspace

SEARCH = OverlapSearch(Chunking("lines", 2), 3, 64)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("links")
    file = written(folder / "a.parquet", lined_pages(4, 120))
    sketch(file, folder / "a.echo", chunks="lines:2")
    return Workspace.open(folder / "a.echo")


def everything(workspace: Workspace) -> pa.Array:
    return pa.repeat(True, workspace.pages)


def shuffled(workspace: Workspace, seed: int) -> pa.Array:
    ranks = [*range(workspace.pages)]
    random.Random(seed).shuffle(ranks)
    return pa.array(ranks, pa.uint32())


@pytest.mark.parametrize("fixed", [0, 30])
@pytest.mark.parametrize("seed", [1, 2])
def test_pages_go_with_the_first_that_stays(workspace: Workspace, seed: int, fixed: int) -> None:
    sets, ranks = chunk_sets(workspace.path, "lines:2"), shuffled(workspace, seed)
    pairs = every_pair(sets, 3)
    rank = ranks.to_pylist()
    expected: dict[int, int] = {}
    stays: list[int] = []
    for page in sorted(range(workspace.pages), key=rank.__getitem__):
        near = [kept for kept in stays if (min(kept, page), max(kept, page)) in pairs]
        if near and page >= fixed:
            expected[page] = near[0]
        else:
            stays.append(page)
    links = OverlapLinks(workspace, SEARCH, local_run(), everything(workspace), None, ranks)
    gone, stay = links.stars(ranks, fixed)
    assert dict(zip(gone.to_pylist(), stay.to_pylist(), strict=True)) == expected
    measured = links.measures(gone, stay)
    shared = [
        pairs[min(page, expected[page]), max(page, expected[page])] for page in gone.to_pylist()
    ]
    assert measured["shared_chunks"].to_pylist() == shared
    sizes = [len(sets[page]) for page in gone.to_pylist()]
    assert measured["containment"].to_pylist() == [
        count / size for count, size in zip(shared, sizes, strict=True)
    ]


def test_chains_and_what_is_measured_of_their_ends(workspace: Workspace) -> None:
    pairs, ranks = every_pair(chunk_sets(workspace.path, "lines:2"), 3), shuffled(workspace, 3)
    links = OverlapLinks(workspace, SEARCH, local_run(), everything(workspace), None, ranks)
    forest, slow = (_core.Forest(workspace.pages, 1) for _ in range(2))
    links.unite(forest)
    slow.unite(*(pa.array(side, pa.uint32()) for side in zip(*pairs, strict=True)))
    firsts = forest.firsts(ranks)
    assert firsts.equals(slow.firsts(ranks))
    pages = pa.array(range(workspace.pages), pa.uint32())
    going = pa.array([page != first for page, first in enumerate(firsts.to_pylist())])
    gone, stay = pages.filter(going), firsts.filter(going)
    both = zip(gone.to_pylist(), stay.to_pylist(), strict=True)
    # Null where a chain alone holds them together.
    expected = [pairs.get((min(two), max(two))) for two in both]
    assert links.measures(gone, stay)["shared_chunks"].to_pylist() == expected
    assert None in expected and any(expected)


def test_ranks_are_turned_round() -> None:
    assert by_rank(pa.array([2, 0, 1], pa.uint32())).to_pylist() == [1, 2, 0]
    assert by_rank(pa.array([], pa.uint32())).to_pylist() == []


def test_pairs_are_not_held(tmp_path: Path) -> None:
    """Some 4,500,000 pairs, which took 180 MB and more as a table."""
    texts = ["\n".join([*"abc", f"own {page}"]) for page in range(3000)]
    pq.write_table(pa.table({"text": texts}), tmp_path / "a.parquet")
    sketch(tmp_path / "a.parquet", tmp_path / "a.echo", columns=[], chunks="lines:1")
    workspace = Workspace.open(tmp_path / "a.echo")
    search = OverlapSearch(Chunking("lines", 1), 3, 64)
    run = local_run(memory=grouping(workspace.pages))
    ranks = pa.array(np.arange(3000, dtype=np.uint32))
    before = held()
    with PeakMemory() as memory:
        links = OverlapLinks(workspace, search, run, everything(workspace), None, ranks)
        gone, stay = links.stars(ranks, 0)
        forest = _core.Forest(3000, 1)
        OverlapLinks(workspace, search, run, everything(workspace)).unite(forest)
    assert len(gone) == 2999 and set(stay.to_pylist()) == {0}
    assert set(forest.firsts(ranks).to_pylist()) == {0}
    assert memory.peak - before < 100 << 20
