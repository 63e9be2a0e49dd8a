"""`webecho.pair_report`: what `webecho pairs --report` writes, for Python programs."""

from pathlib import Path

import pytest

import webecho
from tests.collections_made import as_jsonl, small_web
from tests.command import done


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    webecho.sketch(as_jsonl(folder / "web.jsonl", small_web()), folder / "crawl.echo")
    return folder / "crawl.echo"


def test_the_same_as_on_the_command_line(crawl: Path, tmp_path: Path) -> None:
    found = webecho.pair_report(crawl, "b", repetitions=10)
    # Nothing is written unless it is asked for.
    assert not (crawl / "studies").exists()
    names = {file.name for file in found.write(tmp_path)}
    done("pairs", crawl, "--rule", "b", "--report", "--repetitions", 10)
    folder = crawl / "studies" / "pairs-b-2"
    assert names == {file.name for file in folder.iterdir()} - {"checksums.json"}
    assert all((tmp_path / name).read_bytes() == (folder / name).read_bytes() for name in names)


def test_rules_without_a_report_are_refused(crawl: Path) -> None:
    with pytest.raises(webecho.SettingsError, match="report="):
        webecho.pair_report(crawl, "similar")
