"""The search index of a workspace: made once, made anew when the collection is another."""

import builtins
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from webecho.api.runs import as_run
from webecho.errors import InputError
from webecho.sketches import search_index
from webecho.sketches.search_index import (
    LacksEngineError,
    is_current,
    open_index,
    require_index,
    segment_ends,
)
from webecho.study.answers import searched
from webecho.workspace.workspace import Workspace


def written(folder: Path, name: str, texts: list[str]) -> Path:
    pq.write_table(pa.table({"text": texts}), folder / f"{name}.parquet")
    return folder / f"{name}.parquet"


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    webecho.sketch(written(tmp_path, "a", ["one Two", "", "two 東京"]), tmp_path / "a.echo")
    require_index(tmp_path / "a.echo", as_run())
    return tmp_path / "a.echo"


def documents(path: Path, word: str) -> int:
    index = open_index(Workspace.open(path))
    found: int = index.searcher().doc_freq("text", word)
    return found


def test_terms_are_the_tokens_of_the_recipe(crawl: Path) -> None:
    # Also of scripts without spaces; and nothing of pages without text.
    assert [documents(crawl, word) for word in ("two", "Two", "東", "東京", "one")] == [
        2,
        0,
        1,
        0,
        1,
    ]
    assert open_index(Workspace.open(crawl)).searcher().num_docs == 2


def test_it_is_made_once(crawl: Path) -> None:
    files = crawl / "search" / "tantivy"
    before = {file.name: file.stat().st_mtime_ns for file in files.iterdir()}
    require_index(crawl, as_run())
    assert {file.name: file.stat().st_mtime_ns for file in files.iterdir()} == before


def test_it_is_made_anew_when_the_collection_changes(crawl: Path) -> None:
    webecho.sketch(written(crawl.parent, "b", ["two more"]), crawl, append=True)
    assert not (crawl / "search").exists()
    require_index(crawl, as_run())
    assert documents(crawl, "two") == 3
    # Or if what was noted of it is not what was written.
    note = crawl / "search" / "index.json"
    note.write_bytes(note.read_bytes().replace(b'"pages"', b'"Pages"'))
    assert not is_current(Workspace.open(crawl))
    require_index(crawl, as_run())
    assert is_current(Workspace.open(crawl))


def test_a_large_collection_is_merged_into_one_segment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"page {number % 7} of {number % 11} says {number}" for number in range(200)]
    webecho.sketch(written(tmp_path, "a", texts), tmp_path / "a.echo")
    opened = Workspace.open(tmp_path / "a.echo")
    assert segment_ends(opened) == [200]
    found = []
    for size, segments in ((1 << 20, 1), (1000, 8), (100, 64)):
        monkeypatch.setattr(search_index, "SEGMENT", size)
        assert len(segment_ends(opened)) == segments
        shutil.rmtree(tmp_path / "a.echo" / "search", ignore_errors=True)
        require_index(tmp_path / "a.echo", as_run())
        assert open_index(opened).searcher().num_segments == 1
        queries = [f"page {number} {number + 1}" for number in range(12)]
        found.append(searched(opened, queries, 9, as_run()).rows)
    assert found[0] == found[1] == found[2]


def test_a_source_that_is_gone_is_named(tmp_path: Path) -> None:
    source = written(tmp_path, "a", ["one"])
    webecho.sketch(source, tmp_path / "a.echo")
    source.unlink()
    with pytest.raises(InputError, match=r"a search index is made of the pages; .* --ranking"):
        require_index(tmp_path / "a.echo", as_run())


def test_without_the_extra_it_is_named(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **named: Any) -> Any:
        if name == "tantivy":
            raise ModuleNotFoundError("No module named 'tantivy'", name="tantivy")
        return real(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(LacksEngineError, match=r"pip install 'webecho\[querylog\]'"):
        require_index(crawl, as_run())
