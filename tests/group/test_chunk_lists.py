"""The chunks of pages, from the tables of one workspace or two."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import WarcFile, as_jsonl, page
from webecho.chunkings import Chunking
from webecho.errors import WorkspaceError
from webecho.group.chunk_lists import chunk_lists
from webecho.workspace.removed import save_removed
from webecho.workspace.union import Beside, Pages, Union
from webecho.workspace.workspace import Workspace

WORDS = Chunking("words", 1)


def sketched(folder: Path, name: str, texts: list[str]) -> Workspace:
    pages = [page(number, f"<p>{text}</p>") for number, text in enumerate(texts)]
    source = as_jsonl(folder / f"{name}.jsonl", pages)
    webecho.sketch(source, folder / f"{name}.echo", chunks="words:1")
    return Workspace.open(folder / f"{name}.echo")


def found(pages: Pages, wanted: list[bool] | None = None) -> dict[int, int]:
    """How many chunks each page has."""
    flags = None if wanted is None else pa.array(wanted)
    return {
        number: len(chunks or ())
        for numbers, lists in chunk_lists(pages, WORDS, flags)
        for number, chunks in zip(numbers.to_pylist(), lists.to_pylist(), strict=True)
    }


def test_all_pages_or_the_wanted_ones(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, "a", ["one", "one two", "", "one one one"])
    # Repeats are kept.
    assert found(workspace) == {0: 1, 1: 2, 2: 0, 3: 3}
    assert found(workspace, [True, False, False, True]) == {0: 1, 3: 3}
    assert found(workspace, [False] * 4) == {}


def test_two_workspaces_are_numbered_on(tmp_path: Path) -> None:
    one = sketched(tmp_path, "a", ["one", "one two"])
    other = sketched(tmp_path, "b", ["one two three", "one"])
    assert found(Beside(one, other)) == {0: 1, 1: 2, 2: 3, 3: 1}
    assert found(Beside(one, other), [False, True, False, True]) == {1: 2, 3: 1}


def test_what_a_dedup_removed_is_not_there(tmp_path: Path) -> None:
    old = sketched(tmp_path, "a", ["one", "one two", "one two three"])
    new = sketched(tmp_path, "b", ["one two three four"])
    save_removed(old, pa.array([1], pa.int64()))
    union = Union(Workspace.open(old.path), new)
    assert found(union) == {0: 1, 2: 3, 3: 4}
    assert found(union, [False, True, True, True]) == {2: 3, 3: 4}


def test_a_revisit_has_the_chunks_of_what_it_repeats(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        warc.revisit("http://a.example/1", Refers_To="<urn:uuid:a.warc.gz-2>")
        warc.response("http://a.example/1", b"<p>one two three</p>")
        # Of what is nowhere nothing is known.
        warc.revisit("http://a.example/2", Refers_To="<urn:uuid:elsewhere>")
    webecho.sketch(tmp_path / "a.warc.gz", tmp_path / "a.echo", chunks="words:1")
    workspace = Workspace.open(tmp_path / "a.echo")
    assert workspace.pages == 3
    counted = found(workspace)
    assert (counted[0], counted[1]) == (3, 3)
    assert counted.get(2, 0) == 0
    assert found(workspace, [True, False, False]) == {0: 3}


def test_what_lacks_the_chunks_is_told_how_to_make_them(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, "a", ["one"])
    with pytest.raises(WorkspaceError) as error:
        next(chunk_lists(workspace, Chunking("lines", 4)))
    assert str(error.value) == (
        f"{workspace.path} has no chunks of lines:4; make them with: webecho overlap "
        f"'{workspace.path}' --chunk lines:4 --shared 1"
    )
