"""The planted clusters of `bench.scale` are what comparing every page with every other finds."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from bench.planted import Planted, cluster_sizes, plant, supershingles
from bench.scale import check, check_disk, make

from tests.command import done
from webecho import _core
from webecho.engine.local.agreement import unite_agreeing
from webecho.engine.local.engine import local_run
from webecho.workspace.workspace import Workspace

PAGES = 2000


@pytest.fixture(scope="module")
def planted() -> Planted:
    return plant(PAGES)


def agreements(planted: Planted) -> np.ndarray:
    """In how many supershingles each page agrees with each."""
    values = supershingles(planted, 0, PAGES)
    return (values[:, None, :] == values[None, :, :]).sum(axis=2)


def components(joined: np.ndarray) -> np.ndarray:
    """The lowest page that each page is joined to by a chain."""
    lowest = np.arange(len(joined))
    while True:
        lower = np.where(joined, lowest[None, :], len(joined)).min(axis=1)
        if (lower == lowest).all():
            return lowest
        lowest = lower


def test_the_truth_is_what_brute_force_finds(planted: Planted) -> None:
    lowest, sizes = planted.truth()
    expected = components(agreements(planted) >= 2)
    assert (lowest == expected).all()
    assert (sizes == np.bincount(expected)[expected]).all()


def test_pages_agree_in_every_number_of_supershingles(planted: Planted) -> None:
    lowest, _ = planted.truth()
    same = lowest[:, None] == lowest[None, :]
    found, upper = agreements(planted), np.triu(np.ones((PAGES, PAGES), bool), 1)
    within, across = Counter(found[upper & same]), Counter(found[upper & ~same])
    assert all(within[count] > 10 for count in (2, 3, 4, 5, 6))
    # In chains not every page agrees with every other.
    assert within[0] > 10
    assert set(across) == {0, 1}
    assert across[1] > 300


def test_there_are_as_many_clusters_as_in_the_paper() -> None:
    sizes = cluster_sizes(1_508_362)
    assert len(sizes) == 132_839
    assert sizes.sum() == 573_059
    assert sizes[:3].tolist() == [9214, 3158, 2019]
    assert sizes.min() == 2
    # A power law of about 2.5: of the clusters of 2 pages twice 2 ** 2.5 as many as of 4.
    twos, fours = (sizes == 2).sum(), (sizes == 4).sum()
    assert 2.4 < np.log2(twos / fours) < 2.7


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scale")
    make(folder / "made-up.echo", folder / "planted", PAGES)
    return folder / "made-up.echo"


def test_the_command_finds_the_planted_clusters(workspace: Path) -> None:
    done("clusters", workspace, "--rule", "very-similar")
    planted = Planted.load(workspace.parent / "planted")
    assert check(workspace, planted) == len(planted.starts)


def test_other_clusters_than_the_planted_are_an_error(workspace: Path) -> None:
    done("clusters", workspace, "--rule", "virtually-identical")
    folder = workspace / "clusters"
    (folder / "virtually-identical.parquet").replace(folder / "very-similar.parquet")
    with pytest.raises(SystemExit, match=r"page \d+ of 2000: found in cluster \d+ of \d+, planted"):
        check(workspace, Planted.load(workspace.parent / "planted"))


@pytest.mark.parametrize("least", [1, 2, 3, 6])
@pytest.mark.parametrize("room", [None, 1_000_000, 120_000, 40_000, 4000])
def test_pages_are_united_in_any_room(workspace: Path, least: int, room: int | None) -> None:
    """A page takes 64 bytes: in 120,000 not all find room, in 40,000 not even those that agree."""
    forest = _core.Forest(PAGES, 2)
    unite_agreeing(Workspace.open(workspace), forest, least, local_run(threads=2), room=room)
    planted = Planted.load(workspace.parent / "planted")
    expected = components(agreements(planted) >= least)
    assert forest.clusters()[0].to_pylist() == expected.tolist()


def test_too_little_disk_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no room for that: give --folder"):
        check_disk(tmp_path, 10**15)
