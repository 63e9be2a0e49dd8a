"""What one snapshot tells of mirrors, table by table."""

from pathlib import Path

import pytest

from tests.study.mirrors_made import Fetched, crawl, site
from webecho.api.runs import as_run
from webecho.group.rules.registry import rule
from webecho.study.mirror_pairs import Counting
from webecho.study.mirror_snapshot import ROOM, Limits, Snapshot, look, with_room
from webecho.workspace.workspace import Workspace

LIMITS = Limits(most_hosts=1000, most_suffixes=10**6, sample=2, seed=0)


def looked(path: Path, least: int = 3, limits: Limits = LIMITS) -> Snapshot:
    workspace, run = Workspace.open(path), as_run()
    clusters = run.engine.clusters(workspace, rule("text", recipe=workspace.recipe), run)
    return look("crawl", workspace, clusters, Counting(least, False, 1000), limits, run)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """a and b share three pages, a and c four others; d has the three elsewhere."""
    pages = [
        *site("a.example", None, range(7)),
        *site("b.example", None, range(3)),
        *site("c.example", None, range(3, 7)),
        *(Fetched(f"http://d.example/other-{n}", None, n) for n in range(3)),
        *site("e.example", None, range(10, 12)),
    ]
    return looked(crawl(tmp_path_factory.mktemp("snapshot"), pages))


def test_each_page_by_its_largest_mirror(found: Snapshot) -> None:
    rows = {row["page"]: (row["size"], row["confirmed"]) for row in found.mirrored.to_pylist()}
    assert rows == {
        # a: three with b and d, four with c.
        **dict.fromkeys(range(3), (3, 1)),
        **dict.fromkeys(range(3, 7), (4, 1)),
        # b, c, and d, which no path confirms.
        **dict.fromkeys(range(7, 10), (3, 1)),
        **dict.fromkeys(range(10, 14), (4, 1)),
        **dict.fromkeys(range(14, 17), (3, 0)),
    }


def test_sizes_and_hosts(found: Snapshot) -> None:
    assert found.sizes == found.one_to_one == {4: 1, 3: 3}
    assert found.pairs["size"].to_pylist() == [4, 3, 3, 3]
    assert found.hosts.to_pylist()[0] == {"host": "a.example", "pages": 7, "clusters": 7}
    assert (found.pages, found.nameless, found.resolved) == (19, 0, None)


def test_the_sample_is_of_pairs_that_no_path_confirms(found: Snapshot) -> None:
    rows = found.sample.to_pylist()
    assert [(row["left_name"], row["right_name"]) for row in sorted(rows, key=str)] == [
        ("a.example", "d.example"),
        ("b.example", "d.example"),
    ]
    assert {row["right_url"] for row in rows} == {"http://d.example/other-0"}


def test_counterparts_are_of_folders_of_two_hosts(found: Snapshot) -> None:
    told = [(each.row["mirror host"], each.row["matched"]) for each in found.standing]
    assert told == [("c.example", 4), ("b.example", 3)]
    assert found.counterparts["number"].to_pylist() == [0] * 4 + [1] * 3
    assert found.counterparts["left_page"].to_pylist() == [3, 4, 5, 6, 0, 1, 2]


def test_some_memory_is_left_beside_the_database() -> None:
    assert with_room(as_run()).memory is None
    assert with_room(as_run(memory=8 * ROOM)).memory == 7 * ROOM
    assert with_room(as_run(memory=ROOM)).memory == ROOM * 3 // 4


def test_the_same_seed_draws_the_same(tmp_path: Path) -> None:
    pages = [Fetched(f"http://{host}.example/{host}", None, 1) for host in "abcdefgh"]
    path = crawl(tmp_path, pages)
    draws = [
        looked(path, 1, Limits(1000, 10**6, 5, seed)).sample["left_url"].to_pylist()
        for seed in (1, 1, 2, 3)
    ]
    assert draws[0] == draws[1]
    assert len(draws[0]) == 5
    assert draws[2] != draws[0] or draws[3] != draws[0]
    assert looked(path, 1, Limits(1000, 10**6, 0, 1)).sample.num_rows == 0
