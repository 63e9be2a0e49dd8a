"""What is planted lies beside the pages of the plan, which it does not change."""

from dataclasses import replace
from pathlib import Path

import pytest

import webecho
from tests.command import contents
from tests.synthetic.conftest import PLANTED_WEB, Planted
from webecho.errors import SettingsError
from webecho.synthetic.making import write_web
from webecho.synthetic.planted import TABLES
from webecho.synthetic.web import PLANTED, PLANTED_KINDS, Web


def test_the_pages_of_the_plan_are_the_same(tmp_path: Path, planted: Planted) -> None:
    plain = replace(PLANTED_WEB, **dict.fromkeys(PLANTED, 0))
    truth = write_web(plain, tmp_path / "plain")
    before, after = contents(tmp_path / "plain"), contents(planted.folder)
    shared = [name for name in before if name.startswith("pages/")]
    assert len(shared) == 2
    assert [before[name] for name in shared] == [after[name] for name in shared]
    assert planted.truth.slice(0, len(truth)).select(["page", "url", "kind"]) == truth.select(
        ["page", "url", "kind"]
    )
    assert set(TABLES) <= set(after)
    assert not set(TABLES) & set(before)


def test_all_that_is_planted_is_read_back(planted: Planted) -> None:
    sketches = webecho.sketch(planted.folder / "pages", columns=[])
    for column in ("page", "url", "host"):
        assert sketches[column].equals(planted.truth[column])
    urls = planted.truth["url"].to_pylist()
    assert len(set(urls)) == len(urls)
    assert set(PLANTED_KINDS) <= set(planted.truth["kind"].to_pylist())


def test_the_truth_of_texts_is_what_the_rule_text_finds(planted: Planted) -> None:
    found = webecho.clusters(planted.folder / "pages", "text")
    assert found["cluster"].equals(planted.truth["identity"])


def test_it_may_be_replaced(tmp_path: Path) -> None:
    web = Web(pages=60, words=40, form="parquet", questions=3, passages=2)
    write_web(web, tmp_path / "web")
    before = contents(tmp_path / "web")
    write_web(web, tmp_path / "web", force=True)
    assert contents(tmp_path / "web") == before


def test_what_cannot_be_planted_is_refused() -> None:
    with pytest.raises(SettingsError, match="--url-rules -1: give 0 or more"):
        Web(url_rules=-1)
    with pytest.raises(SettingsError, match="--passages is not for --graph; give one of them"):
        Web(graph=True, passages=3)
