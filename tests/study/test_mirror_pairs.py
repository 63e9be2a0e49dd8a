"""Mirrors, auto-mirrors, aliases and unresolved hosts are told apart."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.study.mirrors_made import Fetched, crawl, site, slowly
from webecho.api.runs import as_run
from webecho.group.rules.registry import rule
from webecho.study.mirror_pairs import Counting, FoundPairs, add_located, add_pairs
from webecho.workspace.workspace import Workspace

TEN = range(10)


class Found:
    """All tables of a crawl."""

    def __init__(self, path: Path, least: int = 10, roots: bool = False) -> None:
        workspace, run = Workspace.open(path), as_run()
        clusters = run.engine.clusters(workspace, rule("text", recipe=workspace.recipe), run)
        with run.database() as database:
            add_located(database, workspace, clusters)
            self.told: FoundPairs = add_pairs(database, Counting(least, roots, 1000))
            self.pairs = database.table("SELECT * FROM pairs").to_pylist()
            auto = "SELECT hosts.host, auto.pages FROM auto JOIN hosts ON number = auto.host"
            self.auto = {row["host"]: row["pages"] for row in database.table(auto).to_pylist()}

    def by_name(self, *columns: str) -> dict[tuple[str, str], Any]:
        return {
            (row["left_name"], row["right_name"]): tuple(row[name] for name in columns)
            for row in self.pairs
        }


def test_ten_pages_on_each_host(tmp_path: Path) -> None:
    pages = [
        *site("a.example", "10.0.0.1", range(12)),
        *site("b.example", "10.0.0.2", TEN),
        # Nine are not enough, however often the other has them.
        *site("c.example", "10.0.0.3", range(9)),
    ]
    found = Found(crawl(tmp_path, pages))
    assert found.by_name("status", "clusters", "left_pages", "right_pages") == {
        ("a.example", "b.example"): ("remaining", 10, 10, 10)
    }
    assert found.auto == {}


def test_a_hundred_against_one_counts_a_hundred(tmp_path: Path) -> None:
    pages = [Fetched(f"http://a.example/{number}", None, 1) for number in range(100)]
    pages += [Fetched("http://b.example/", None, 1), *site("a.example", None, range(2, 11))]
    pages += site("b.example", None, range(2, 11))
    found = Found(crawl(tmp_path, pages))
    assert found.by_name("left_pages", "right_pages", "size", "one_to_one") == {
        ("a.example", "b.example"): (109, 10, 109, 10)
    }
    # A hundred pages of one host that are the same are an auto-mirror.
    assert found.auto == {"a.example": 100}
    # Nothing is known of machines, and nothing is taken away.
    assert not found.told.ips
    assert {row["status"] for row in found.pairs} == {"remaining"}


def test_names_of_one_machine_are_aliases(tmp_path: Path) -> None:
    """b is another name of a, so what it has in common with c is a's too; d has two machines, one
    of which is c's."""
    pages = [
        *site("a.example", "10.0.0.1", range(11)),
        *site("b.example", "10.0.0.1", TEN),
        *site("c.example", "10.0.0.3", TEN),
        *site("d.example", "10.0.0.3", range(5)),
        *site("d.example", "10.0.0.4", range(5, 10)),
        *site("e.example", None, TEN),
    ]
    found = Found(crawl(tmp_path, pages))
    assert found.by_name("status", "shared_ip") == {
        ("a.example", "b.example"): ("alias", 1),
        ("a.example", "c.example"): ("remaining", 0),
        ("a.example", "d.example"): ("alias", 0),
        ("a.example", "e.example"): ("unresolved", 0),
        ("b.example", "c.example"): ("alias", 0),
        ("b.example", "d.example"): ("alias", 0),
        ("b.example", "e.example"): ("alias", 0),
        ("c.example", "d.example"): ("alias", 1),
        ("c.example", "e.example"): ("unresolved", 0),
        ("d.example", "e.example"): ("alias", 0),
    }


def test_sites_of_one_machine_have_mirrors_of_their_own(tmp_path: Path) -> None:
    """a and b are virtual hosts of one machine: each is mirrored elsewhere, by clusters of its
    own."""
    pages = [
        *site("a.example", "10.0.0.1", TEN),
        *site("b.example", "10.0.0.1", range(20, 30)),
        *site("mirror-of-a.example", "10.0.0.2", TEN),
        *site("mirror-of-b.example", "10.0.0.3", range(20, 30)),
    ]
    found = Found(crawl(tmp_path, pages))
    assert found.by_name("status") == {
        ("a.example", "mirror-of-a.example"): ("remaining",),
        ("b.example", "mirror-of-b.example"): ("remaining",),
    }


def test_names_that_are_equal_but_for_www(tmp_path: Path) -> None:
    pages = [
        *site("a.example", "10.0.0.1", TEN),
        *site("www.a.example", "10.0.0.2", TEN),
        *site("b.example", "10.0.0.3", TEN),
    ]
    found = Found(crawl(tmp_path, pages))
    assert found.by_name("status", "www") == {
        ("a.example", "b.example"): ("remaining", 0),
        ("a.example", "www.a.example"): ("remaining", 1),
        ("b.example", "www.a.example"): ("remaining", 0),
    }


def test_an_address_counts_once(tmp_path: Path) -> None:
    pages = [*site("a.example", None, TEN), *site("b.example", None, range(5)) * 2]
    assert Found(crawl(tmp_path, pages)).pairs == []
    assert len(Found(tmp_path / "crawl.echo", least=5).pairs) == 1


def test_roots_count_against_the_first_page_alone(tmp_path: Path) -> None:
    """Clusters 0 to 4 begin on a, 5 to 9 on b; c has them all, but no ten of one of them."""
    pages = [
        *site("a.example", None, range(5)),
        *site("b.example", None, TEN),
        *site("a.example", None, range(5, 10)),
        *site("c.example", None, TEN),
    ]
    path = crawl(tmp_path, pages)
    assert len(Found(path).pairs) == 3
    found = Found(path, roots=True)
    # Five pages of b against a, and five of a against b.
    assert found.by_name("size", "one_to_one") == {("a.example", "b.example"): (10, 10)}
    assert found.auto == {}


def test_roots_and_auto_mirrors(tmp_path: Path) -> None:
    pages = [Fetched(f"http://a.example/{number}", None, 1) for number in range(11)]
    pages += [Fetched(f"http://b.example/{number}", None, 1) for number in range(10)]
    found = Found(crawl(tmp_path, pages), roots=True)
    assert found.auto == {"a.example": 10}
    assert found.by_name("size", "one_to_one") == {("a.example", "b.example"): (10, 10)}


@pytest.mark.parametrize("seed", range(8))
def test_as_if_every_two_hosts_were_looked_at(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    pages = [
        Fetched(
            f"http://{chance.choice(['', 'www.'])}{chance.choice('abcdef')}.example/{number}",
            chance.choice([None, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"]),
            chance.choice([number, *range(12)]),
        )
        for number in range(90)
    ]
    least = chance.choice([2, 3])
    expected, found = slowly(pages, least), Found(crawl(tmp_path, pages), least)
    assert found.auto == expected.auto
    counts = found.by_name("left_pages", "right_pages", "size", "one_to_one", "status")
    assert counts.keys() == expected.raw.keys()
    for pair, (*numbers, status) in counts.items():
        if pair not in expected.left_over:
            assert (status, tuple(numbers)) == ("alias", expected.raw[pair])
        else:
            kind = "unresolved" if pair in expected.unresolved else "remaining"
            assert (status, tuple(numbers)) == (kind, expected.left_over[pair])
