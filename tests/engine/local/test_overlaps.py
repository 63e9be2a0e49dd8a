"""Overlap by the kernels, as an engine gives it."""

from collections.abc import Iterator

import pyarrow as pa
import pytest

from tests.group.overlapping import chunk_sets, every_pair, lined_pages, written
from webecho import sketch
from webecho.chunkings import Chunking
from webecho.engine.local.engine import local_run
from webecho.engine.local.overlaps import chunk_sets as copies_of
from webecho.engine.local.overlaps import overlaps, overlaps_and_copies
from webecho.errors import MemoryBudgetError
from webecho.group.overlaps import FOUND, OverlapSearch, units_of
from webecho.group.rules.keys import SameChunks
from webecho.memory import overlapping
from webecho.workspace.union import Beside
from webecho.workspace.workspace import Workspace

LINES = Chunking("lines", 2)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("overlaps")
    file = written(folder / "a.parquet", lined_pages(4, 120))
    sketch(file, folder / "a.echo", chunks="lines:2")
    return Workspace.open(folder / "a.echo")


def rows(batches: Iterator[pa.RecordBatch]) -> list[tuple[int, ...]]:
    found = []
    for batch in batches:
        assert batch.schema == FOUND
        found += [tuple(row.values()) for row in batch.to_pylist()]
    return found


def search(shared: int, method: str = "auto", most: int | None = None) -> OverlapSearch:
    return OverlapSearch(LINES, shared, 64, most, method)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["auto", "sorted", "coarse"])
def test_pairs_with_what_is_shared_and_what_each_has(workspace: Workspace, method: str) -> None:
    sets = chunk_sets(workspace.path, "lines:2")
    found = rows(overlaps(workspace, search(3, method), local_run()).pairs())
    expected = every_pair(sets, 3)
    assert found == [
        (left, right, shared, len(sets[left]), len(sets[right]))
        for (left, right), shared in sorted(expected.items())
    ]


def test_of_copies_one_is_compared_for_all(workspace: Workspace) -> None:
    sets = chunk_sets(workspace.path, "lines:2")
    lists = workspace.table(LINES.table)["chunks"].to_pylist()
    firsts: dict[tuple[int, ...], int] = {}
    stands = {page: firsts.setdefault(tuple(chunks), page) for page, chunks in enumerate(lists)}
    found = overlaps_and_copies(workspace, search(4), local_run())
    pairs = rows(found.pairs())
    kept = {page: sets[page] for page in sets if stands[page] == page}
    assert {(left, right): shared for left, right, shared, *_ in pairs} == every_pair(kept, 4)
    # A page that has fewer chunks overlaps nobody, not even its copy.
    expected = [
        (first, page, *[len(sets[page])] * 3)
        for page, first in stands.items()
        if first != page and len(sets[page]) >= 4
    ]
    assert rows(found.copies()) == sorted(expected) and expected
    # How many each stands for, itself too.
    numbers = [stands[page] for page in stands if len(sets[page]) >= 4]
    counts = found.standing_for(pa.array(numbers, pa.int64())).to_pylist()
    assert counts == [numbers.count(page) for page in numbers]


def test_some_pages_and_groups_of_them(workspace: Workspace) -> None:
    sets = chunk_sets(workspace.path, "lines:2")
    wanted = pa.array([page % 3 != 0 for page in range(workspace.pages)])
    groups = pa.array([page % 2 for page in range(workspace.pages)], pa.uint32())
    found = rows(
        overlaps(workspace, search(2), local_run(), wanted=wanted, partition=groups).pairs()
    )
    some = {page: sets[page] for page in sets if page % 3}
    expected = {
        pair: shared for pair, shared in every_pair(some, 2).items() if pair[0] % 2 == pair[1] % 2
    }
    assert {(left, right): shared for left, right, shared, *_ in found} == expected


def test_copies_are_of_the_same_group(workspace: Workspace) -> None:
    lists = workspace.table(LINES.table)["chunks"].to_pylist()
    groups = pa.array([page % 2 for page in range(workspace.pages)], pa.uint32())
    sets = copies_of(workspace, SameChunks(LINES, 1, 64), local_run(), partition=groups)
    firsts: dict[tuple[object, ...], int] = {}
    stands = [
        firsts.setdefault((page % 2, *chunks), page) if chunks else page
        for page, chunks in enumerate(lists)
    ]
    assert [*map(bool, sets.standing().to_pylist())] == [
        stands[page] == page for page in range(len(lists))
    ]


def test_only_pairs_of_one_collection_with_another(workspace: Workspace) -> None:
    both = Beside(workspace, workspace)
    found = rows(overlaps(both, search(5), local_run(), right=workspace.pages).pairs())
    assert found
    assert all(left < workspace.pages <= right for left, right, *_ in found)
    sets = chunk_sets(workspace.path, "lines:2")
    assert {(left, right - workspace.pages) for left, right, *_ in found} == {
        (one, other) for one in sets for other in sets if len(sets[one] & sets[other]) >= 5
    }


def test_units_in_the_place_of_pages(workspace: Workspace) -> None:
    hosts = units_of(workspace, "host")
    # Every eleventh page is of none.
    assert hosts.numbers.null_count == workspace.pages // 11
    found = rows(overlaps(workspace, search(9), local_run(), units=hosts).pairs())
    assert found and all(hosts.names[unit].as_py() for pair in found for unit in pair[:2])


def test_what_is_known_before_pairs_are_counted(workspace: Workspace) -> None:
    sets = chunk_sets(workspace.path, "lines:2")
    places: dict[int, int] = {}
    for chunk in (chunk for chunks in sets.values() for chunk in chunks):
        places[chunk] = places.get(chunk, 0) + 1
    known = overlaps(workspace, search(1), local_run()).forecast
    assert known["distinct"] == len(places)
    assert known["longest"] == max(places.values())
    assert known["pruned_pairs"] == sum(n * (n - 1) // 2 for n in places.values())
    fewer = overlaps(workspace, search(1, most=5), local_run()).forecast
    crowded = {chunk for chunk, count in places.items() if count > 5}
    assert fewer["left_out_chunks"] == len(crowded) > 0
    assert fewer["left_out_units"] == sum(bool(chunks & crowded) for chunks in sets.values())


def test_below_the_least_memory_it_refuses(workspace: Workspace) -> None:
    least = overlapping(workspace.pages)
    with pytest.raises(MemoryBudgetError, match=r"^comparing the pages of .* needs at least"):
        overlaps(workspace, search(1), local_run(memory=least - 1))
    usual = rows(overlaps(workspace, search(1), local_run()).pairs())
    for method in ("sorted", "coarse"):
        tight = overlaps(workspace, search(1, method), local_run(memory=least + 100_000))
        assert rows(tight.pairs()) == usual
