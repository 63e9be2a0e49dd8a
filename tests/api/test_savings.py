"""Requests of savings, and `webecho.savings`."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import in_python, on_command_line
from tests.command import done
from webecho.api.inputs import Inputs
from webecho.api.runs import as_run
from webecho.api.savings import SavingsRequest, run_savings
from webecho.errors import SettingsError

PAGES = pa.table(
    {
        "url": [f"http://h.a/{page}{query}" for page in range(9) for query in ("", "?sid=1")],
        "text": [f"this is page {page}" for page in range(9) for _ in range(2)],
    }
)


def test_what_cannot_be_is_refused_at_once() -> None:
    def nowhere() -> object:
        return SavingsRequest(Inputs((PAGES,)), write=True)

    assert on_command_line(nowhere).startswith("inputs have no workspace to write to; give -o")
    assert in_python(nowhere).startswith("inputs have no workspace to write to; give out=")
    with pytest.raises(SettingsError, match="'best' does not say which page stays"):
        SavingsRequest(Path("w.echo"), keep="best")
    with pytest.raises(SettingsError, match="give 0 to below 1"):
        SavingsRequest(Path("w.echo"), least=-0.1)


def test_tables_in_memory_are_taken() -> None:
    found = webecho.savings(PAGES)
    [row] = found.rules.to_pylist()
    assert (row["rule"], row["pairs"], row["status"], row["deny"]) == ("sid", 9, "holds", True)
    assert found.facts["to leave out"] == found.facts["left out by deny patterns"] == 9
    assert webecho.savings(PAGES, least=0.8).rules["status"].to_pylist() == ["too few"]
    assert sorted(found.lists) == [
        "heritrix-beans.cxml",
        "heritrix-reject.txt",
        "scrapy-canonical.txt",
        "scrapy-deny.txt",
    ]


def test_it_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    pq.write_table(PAGES, tmp_path / "pages.parquet")
    echo = tmp_path / "pages.echo"
    done("sketch", "-q", tmp_path / "pages.parquet", "-o", echo)
    webecho.savings(echo)
    assert not (echo / "savings").exists()
    found = run_savings(SavingsRequest(echo, write=True), as_run())
    assert found.folder == echo / "savings" / "text"
    assert {file.parent for file in found.files} == {found.folder}
    webecho.savings(echo, tmp_path / "out", rule="payload")
    assert (tmp_path / "out" / "urls.csv").is_file()
    assert webecho.verify(echo).problems == ()
    (found.folder / "scrapy-deny.txt").write_text(".*\n")
    [problem] = webecho.verify(echo).problems
    assert problem.endswith("(it is not what was written there); find the savings again")


def test_more_pages_make_it_untrue(tmp_path: Path) -> None:
    pq.write_table(PAGES, tmp_path / "pages.parquet")
    pq.write_table(PAGES.slice(0, 2), tmp_path / "more.parquet")
    echo = tmp_path / "pages.echo"
    done("sketch", "-q", tmp_path / "pages.parquet", "-o", echo)
    done("savings", "-q", echo)
    done("sketch", "-q", "--append", tmp_path / "more.parquet", "-o", echo)
    assert not (echo / "savings").exists()
