"""Which pages are read for the largest clusters, and what they tell."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl, markup, page, prose
from tests.command import done
from webecho.api.runs import as_run
from webecho.errors import SettingsError
from webecho.group.clusters import Clusters
from webecho.study.largest_clusters import Sampling, described, draw
from webecho.workspace.workspace import Workspace

# Twelve pages: 0, 2, 4, 6, 8, 10 and 1, 3, 5; the others alone.
NAMES = pa.array([0, 1, 0, 1, 0, 1, 0, 7, 0, 9, 0, 11], pa.uint32())


def test_the_page_that_stands_for_a_cluster_comes_first() -> None:
    found = draw(NAMES, 1, Sampling())
    assert found.members.tolist() == [1, 3, 5]
    assert found.rest.tolist() == [0, 2, 4, 6, 7, 8, 9, 10, 11]


def test_as_many_are_drawn_as_are_asked_for() -> None:
    found = draw(NAMES, 0, Sampling(members=3, sample=4))
    first, *others = found.members.tolist()
    assert first == 0 and len(others) == 3 and {*others} < {2, 4, 6, 8, 10}
    assert others == sorted(others)
    assert len(found.rest) == 4 and {*found.rest.tolist()} < {1, 3, 5, 7, 9, 11}


def test_the_seed_tells_who_is_drawn() -> None:
    names = pa.array(np.zeros(1000, np.uint32))

    def members(seed: int) -> list[int]:
        found: list[int] = draw(names, 0, Sampling(members=5, seed=seed)).members.tolist()
        return found

    assert members(1) == members(1) != members(2)
    # There is nothing else than the cluster.
    assert len(draw(names, 0, Sampling()).rest) == 0


def test_every_page_is_as_likely_to_be_drawn() -> None:
    names = pa.array(np.zeros(20, np.uint32))
    often = np.zeros(20)
    for seed in range(2000):
        often[draw(names, 0, Sampling(members=5, seed=seed)).members] += 1
    assert often[0] == 2000
    # 5 of 19; within five standard errors.
    expected = 2000 * 5 / 19
    assert np.abs(often[1:] - expected).max() < 5 * np.sqrt(expected * 14 / 19)


@pytest.mark.parametrize("name", ["members", "sample"])
def test_sampling_is_checked(name: str) -> None:
    with pytest.raises(SettingsError, match=f"--{name} 0: give 1 or more"):
        Sampling(**{name: 0})


@pytest.fixture
def crawl(tmp_path: Path) -> Workspace:
    """Three pages of a shop with a lamp, a chair and a lamp, two that differ in a number, and
    others."""
    terms = "delivery within ten days and all prices include taxes"
    texts = [
        f"lamp {terms}",
        f"chair {terms}",
        f"lamp {terms}",
        "you are visitor 7 of our small and old but pretty village",
        "you are visitor 8 of our small and old but pretty village",
        *(" ".join(prose(seed, 30)) for seed in range(5)),
    ]
    pages = [page(at, markup(text.split(), "A shop"), "s.example") for at, text in enumerate(texts)]
    done("sketch", as_jsonl(tmp_path / "pages.jsonl", pages), "-o", tmp_path / "crawl.echo")
    return Workspace.open(tmp_path / "crawl.echo")


def told(workspace: Workspace, problems: list[str]) -> list[dict[str, Any]]:
    names = pa.array([0, 0, 0, 3, 3, 5, 6, 7, 8, 9], pa.uint32())
    clusters = Clusters(names, pa.array([3, 3, 3, 2, 2, 1, 1, 1, 1, 1], pa.uint32()))
    rows = [{"cluster": 0, "pages": 3}, {"cluster": 3, "pages": 2}]
    found = described(workspace, {"rule": (clusters, rows)}, Sampling(), as_run(), problems)
    return found["rule"]


def test_clusters_are_described_and_held_against_their_first_page(crawl: Workspace) -> None:
    problems: list[str] = []
    shop, visits = told(crawl, problems)
    assert problems == []
    assert shop == {
        "rank": 1,
        "cluster": 0,
        "pages": 3,
        # The title is everywhere, `and` in the village, and the lamp on two of three pages alone.
        "description": "delivery within ten days, all prices include taxes",
        "differ in": "words",
        "compared": 2,
        "differ in words": 1,
        "its words": "lamp",
        "other words": "chair",
    }
    assert (visits["rank"], visits["differ in"], visits["compared"]) == (2, "nothing meaningful", 1)
    assert (visits["differ in words"], visits["its words"], visits["other words"]) == (0, "", "")


def test_where_pages_are_gone_nothing_is_told_of_their_words(
    crawl: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "pages.jsonl").unlink()
    problems: list[str] = []
    shop, visits = told(crawl, problems)
    assert shop["pages"] == 3 and visits["rank"] == 2
    for row in (shop, visits):
        assert row["description"] is row["differ in"] is row["compared"] is None
        assert row["differ in words"] is row["its words"] is row["other words"] is None
    assert len(problems) == 1 and "pages.jsonl" in problems[0]
