"""The two sides of a comparison, from a source that is there and from one that is gone."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import WarcFile, as_jsonl, page
from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.group.sides import Side, side_of, stored_side
from webecho.sketches.boilerplate import sketcher_of
from webecho.workspace.reread import read_page
from webecho.workspace.workspace import Workspace

FOX = "<title>Fox</title><p>The quick fox, the dog"


def sketched(source: Path, *options: str) -> Workspace:
    out = source.with_suffix(".echo")
    done("sketch", source, "-o", out, "--columns", "features", *options)
    return Workspace.open(out)


def side(workspace: Workspace, number: int) -> Side:
    return stored_side(workspace, number, sketcher_of(workspace, local_run()), local_run())


def words(side: Side) -> list[str]:
    assert side.words is not None
    found: list[str] = side.words["words"][0].as_py()
    return found


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return as_jsonl(tmp_path / "pages.jsonl", [page(0, FOX), page(1, "")])


def test_a_page_is_read_again_from_its_source(source: Path) -> None:
    found = side(sketched(source), 0)
    assert found.gone is None
    assert found.names == {"page": 0, "url": "http://www.example.org/0.html", "id": "doc-0"}
    assert words(found) == ["Fox", "The", "quick", "fox", "the", "dog"]
    assert (found.fact("tokens"), found.fact("title")) == (6, "Fox")
    # Six tokens make two shingles of five; all columns are made, whatever was stored.
    for column, count in (("shingles", 2), ("features", 84), ("supershingles", 6)):
        values = found.values(column)
        assert values is not None and len(values) == count


def test_an_empty_page_has_lists_that_are_known_to_be_none(source: Path) -> None:
    found = side(sketched(source), 1)
    assert words(found) == []
    assert found.has("shingles")
    assert found.values("shingles") is None


@pytest.mark.parametrize("kept", [(), ("--keep-shingles",)])
def test_where_the_source_is_gone_there_is_what_is_stored(
    source: Path, kept: tuple[str, ...]
) -> None:
    workspace = sketched(source, *kept)
    there = side(workspace, 0)
    source.unlink()
    gone = side(workspace, 0)
    assert gone.names == there.names
    assert gone.words is None
    assert gone.gone == f"{source}: no such file or folder; check the spelling"
    for name in ("title", "tokens", "chars", "markup_digest", "digest"):
        assert gone.fact(name) == there.fact(name)
    assert gone.values("features") == there.values("features")
    assert gone.has("supershingles") is False
    assert gone.values("supershingles") is None
    assert gone.values("shingles") == (there.values("shingles") if kept else None)


def test_a_revisit_has_the_content_of_what_it_repeats(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "crawl.warc") as warc:
        first = warc.response("http://a.org/", FOX.encode())
        warc.revisit("http://a.org/again", Refers_To=first)
        warc.revisit("http://a.org/unknown", Refers_To="<urn:uuid:nowhere>")
    workspace = sketched(tmp_path / "crawl.warc")
    original, revisit, unknown = (side(workspace, number) for number in range(3))
    assert revisit.names["url"] == "http://a.org/again"
    assert words(revisit) == words(original)
    assert revisit.fact("digest") == original.fact("digest") is not None
    # Of what is not known there are no words; that is not the same as none.
    assert unknown.words is None
    assert unknown.gone is None


def test_a_page_by_itself(source: Path) -> None:
    workspace = sketched(source)
    row: pa.RecordBatch = read_page(workspace, 0, local_run())
    found = side_of(row, sketcher_of(workspace, local_run()), number=7)
    assert found.names["page"] == 7
    assert words(found) == words(side(workspace, 0))
