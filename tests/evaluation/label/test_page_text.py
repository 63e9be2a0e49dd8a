"""Pages as labellers read them, and what differs between two."""

from pathlib import Path

from tests.evaluation.guess.test_differences import read
from tests.evaluation.made_pairs import sketched
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.evaluation.label.page_text import (
    MOST_WORDS,
    Change,
    PageText,
    PageTextReader,
    Place,
    changes,
)
from webecho.workspace.workspace import Workspace


def reader_of(workspace: Workspace) -> PageTextReader:
    return PageTextReader(workspace, _core.Sketcher(workspace.recipe.as_dict(), 1), local_run())


def test_words_stand_where_they_stand_in_the_text() -> None:
    page = read("<title>A title</title><h1>Head</h1><p>two words")
    found = [page.text[start:end] for start, end in zip(page.starts, page.ends, strict=True)]
    assert found == ["A", "title", "Head", "two", "words"]
    assert page.places == [Place.TITLE, Place.TITLE, Place.HEADING, Place.BODY, Place.BODY]


def test_changes_are_runs_of_words_that_stand_for_each_other() -> None:
    left, right = read("<p>one two three four five"), read("<p>zero two 3 four five six")
    assert changes(left, right) == [
        Change((0, 1), (0, 1)),
        Change((2, 3), (2, 3)),
        Change((5, 5), (5, 6)),
    ]
    assert changes(left, left) == []


def test_of_a_page_that_is_gone_nothing_is_known_to_differ() -> None:
    assert changes(read("<p>one"), PageText("http://a/", gone="moved away")) == []


def test_pages_are_read_again_and_their_sources_stay_open(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, [("http://a/", b"<p>one two"), ("http://b/", b"<p>three")])
    reader = reader_of(workspace)
    assert reader.page_text(0).words == ["one", "two"]
    opened = dict(reader.sources)
    assert reader.page_text(1).words == ["three"]
    assert reader.sources == opened != {}


def test_a_source_that_is_gone_is_told(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, [("http://a/", b"<p>one")])
    (tmp_path / "pages.parquet").unlink()
    found = reader_of(workspace).page_text(0)
    assert found.url == "http://a/" and found.tokens is None
    assert found.gone is not None and "pages.parquet" in found.gone


def test_pages_of_very_many_words_are_not_shown(tmp_path: Path) -> None:
    long = b"<p>" + b"a " * (MOST_WORDS + 1)
    workspace = sketched(tmp_path, [("http://a.example/", long), ("http://b.example/", b"<p>b")])
    reader = reader_of(workspace)
    assert reader.page_text(0).gone == "it has 1,000,001 words, and 1,000,000 can be shown"
    assert reader.page_text(1).gone is None
