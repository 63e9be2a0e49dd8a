"""How a call is run."""

from collections.abc import Callable
from pathlib import Path

import pytest

import webecho
from tests.collections_made import as_jsonl, as_table, small_web
from tests.command import done

# What Spark does no work for: in Python, and on the command line.
HERE: dict[str, Callable[[Path], object]] = {
    "why crawl.echo #0 #1": lambda path: webecho.why(path, "#0", "#1", engine="spark"),
    "verify crawl.echo": lambda path: webecho.verify(path, engine="spark"),
    "savings crawl.echo": lambda path: webecho.savings(path, engine="spark"),
    "study growth crawl.echo": lambda path: webecho.study_growth(path, engine="spark"),
}


def test_memory_may_be_written_as_a_size() -> None:
    table = as_table(small_web())
    expected = webecho.clusters(table)
    for memory in ("2GB", "2 GiB", 2 << 30):
        assert webecho.clusters(table, memory=memory) == expected
        assert webecho.sketch(table, memory=memory).num_rows == 16
    with pytest.raises(webecho.SettingsError, match="'much' is no size; try 500MB or 2GB"):
        webecho.pairs(table, memory="much")
    with pytest.raises(webecho.MemoryBudgetError, match=r"give memory=\d+MB or more"):
        webecho.sketch(table, memory="1MB")


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    source = as_jsonl(tmp_path / "pages.jsonl", small_web())
    webecho.sketch(source, tmp_path / "crawl.echo", paragraphs=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "crawl.echo"


@pytest.mark.parametrize("command", HERE)
def test_what_spark_does_no_work_for_says_so(command: str, crawl: Path) -> None:
    """And no Spark is started for it."""
    with pytest.warns(UserWarning, match=r"^this runs on this machine, whatever engine= says"):
        HERE[command](crawl)
    given = done(*command.split(), "--engine", "spark", "--master", "nowhere")
    assert "this runs on this machine, whatever --engine says, and reads" in given.stderr
    assert "this runs" not in done(*command.split()).stderr


def test_an_engine_that_there_is_not_is_refused_everywhere(crawl: Path) -> None:
    for verb in (webecho.verify, webecho.clusters):
        with pytest.raises(webecho.SettingsError, match="there are local and spark"):
            verb(crawl, engine="flink")  # type: ignore[call-arg, operator]
