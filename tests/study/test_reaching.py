"""Where following links begins, and how much must be reached."""

from pathlib import Path

import pytest

import webecho
from tests.study.drawn_web import drawn_web, url
from webecho.study.reaching import StartSettings


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn_web(tmp_path_factory.mktemp("crawl"))


def test_a_random_start_must_reach_half_of_the_documents(crawl: Path) -> None:
    # Only from 5 more than four of ten documents are reached: 0, 1, 2, 4, 5 and 10.
    for seed in range(5):
        found = webecho.study_graph(crawl, seed=seed)
        starts = found.tables["starts"].to_pylist()
        assert [row["documents reached"] >= 5 for row in starts] == [False] * (len(starts) - 1) + [
            True
        ]
        assert starts[-1]["page"] == 5
        assert found.tables["table_4"]["reachable"].to_pylist() == [2]
    # With another seed another order.
    orders = {
        tuple(webecho.study_graph(crawl, seed=seed).tables["starts"]["page"].to_pylist())
        for seed in range(5)
    }
    assert len(orders) > 1


@pytest.mark.parametrize(
    ("start", "page"),
    [(url(5), 5), ("HTTPS://www.B.example:443/x/../5.html#y", 5), ("5", 5), ("#0", 0)],
)
def test_a_start_by_its_name(crawl: Path, start: str, page: int) -> None:
    found = webecho.study_graph(crawl, start=start)
    assert found.tables["starts"]["page"].to_pylist() == [page]


def test_a_start_that_is_not_there(crawl: Path) -> None:
    with pytest.raises(
        webecho.InputError, match=r"no page is called 'http://www\.a\.example/77\.html'"
    ):
        webecho.study_graph(crawl, start=url(77))


def test_settings_that_cannot_be() -> None:
    with pytest.raises(webecho.SettingsError, match="at least one"):
        StartSettings(tries=0)
    with pytest.raises(webecho.SettingsError, match="no share"):
        StartSettings(least=1.5)
