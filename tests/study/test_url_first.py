"""The method that goes by addresses first finds what it should, and is as effective as it is."""

from math import log
from pathlib import Path

import pytest

from tests.study.mirrors_made import Fetched, crawl, site
from webecho.api.runs import as_run
from webecho.group.rules.registry import rule
from webecho.study.mirror_pairs import Counting, add_located, add_pairs
from webecho.study.url_first import UrlFirst, url_first, weight
from webecho.workspace.workspace import Workspace

TEN = range(10)


def found(path: Path, least: int = 10, seed: int = 0) -> UrlFirst:
    workspace, run = Workspace.open(path), as_run()
    clusters = run.engine.clusters(workspace, rule("text", recipe=workspace.recipe), run)
    with run.database() as database:
        add_located(database, workspace, clusters)
        add_pairs(database, Counting(least, False, 1000))
        return url_first(database, workspace, "pairs", least, 1000, seed)


def test_a_path_weighs_less_the_more_hosts_have_it() -> None:
    assert weight(2, 1000) == 1_000_000
    assert weight(1000, 1000) == 0
    assert weight(10, 1000) == round(1e6 * log(100) / log(500))
    # With two hosts each path that both have is as rare as can be.
    assert weight(2, 2) == 1_000_000


def test_candidates_are_compared(tmp_path: Path) -> None:
    pages = [
        *site("a.example", None, TEN, "/one/"),
        *site("b.example", None, TEN, "/one/"),
        # The same paths, but of eleven pages five are the same.
        *site("c.example", None, range(20, 31), "/two/"),
        *(
            Fetched(f"http://d.example/two/{n}.html", None, n if n < 25 else n + 100)
            for n in range(20, 31)
        ),
        # The same pages elsewhere: no candidates.
        *site("e.example", None, range(40, 50), "/three/"),
        *site("f.example", None, range(40, 50), "/four/"),
    ]
    told = found(crawl(tmp_path, pages))
    assert (told.all_candidates, told.candidates, told.valid, told.found_too) == (2, 2, 1, 1)
    assert told.effectiveness == 0.5


def test_half_of_the_pages_are_enough(tmp_path: Path) -> None:
    def copies(same: int) -> list[Fetched]:
        return [
            Fetched(f"http://b.example/{n}.html", None, n if n < same else n + 100)
            for n in range(12)
        ]

    (tmp_path / "more").mkdir()
    own = site("a.example", None, range(12))
    assert found(crawl(tmp_path, [*own, *copies(6)])).valid == 1
    assert found(crawl(tmp_path / "more", [*own, *copies(5)])).valid == 0


def test_paths_that_all_have_do_not_count(tmp_path: Path) -> None:
    pages = [page for host in "abcd" for page in site(f"{host}.example", None, TEN)]
    told = found(crawl(tmp_path, pages))
    assert told.candidates == 0 and told.effectiveness is None


def test_aliases_and_hosts_without_address_are_no_candidates(tmp_path: Path) -> None:
    pages = [
        *site("a.example", "10.0.0.1", TEN, "/one/"),
        *site("b.example", "10.0.0.1", TEN, "/one/"),
        *site("c.example", "10.0.0.2", TEN, "/two/"),
        *site("d.example", None, TEN, "/two/"),
        *site("e.example", "10.0.0.3", TEN, "/three/"),
        *site("f.example", "10.0.0.4", TEN, "/three/"),
    ]
    told = found(crawl(tmp_path, pages))
    assert (told.all_candidates, told.candidates, told.valid) == (3, 1, 1)


@pytest.mark.parametrize("seed", [0, 1])
def test_twenty_are_drawn_by_the_seed(tmp_path: Path, seed: int) -> None:
    """Of 60 paths 30 are the same, so that what is drawn decides; the same seed draws the same."""
    pages = [Fetched(f"http://a.example/{n}", None, n) for n in range(60)]
    pages += [Fetched(f"http://b.example/{n}", None, n + 100 * (n % 2)) for n in range(60)]
    path = crawl(tmp_path, pages)
    assert found(path, seed=seed) == found(path, seed=seed)
    assert found(path, seed=seed).candidates == 1
