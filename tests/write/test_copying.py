"""What stays of a source is written apart and moved to its place, however often it was written."""

import pickle
from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import as_folder, as_jsonl, many_pages, small_web
from tests.command import contents, done
from webecho.errors import InputError, WorkspaceError
from webecho.read.collection import ReadOptions, open_collection
from webecho.workspace.workspace import Workspace
from webecho.write.copying import Copied, Copy, copy_source, files_below, moved
from webecho.write.decisions import source_decision
from webecho.write.selection import Written

NOTHING = pa.table({"source": pa.array([], pa.int32()), "place": pa.array([], pa.int64())})


def copy_of(tmp_path: Path, given: Path, to: str) -> tuple[Workspace, Copy]:
    """A source of which every other page stays, as another machine gets it."""
    done("sketch", given, "-o", tmp_path / "crawl.echo", "--columns", "none")
    workspace = Workspace.open(tmp_path / "crawl.echo")
    [source] = open_collection([str(given)], ReadOptions()).sources
    stays = pa.array([number % 2 == 0 for number in range(workspace.pages)])
    decided = source_decision(workspace, 0, stays, NOTHING)
    copy = Copy(source, decided, Path(to))
    sent: tuple[Workspace, Copy] = pickle.loads(pickle.dumps((workspace.bare(), copy)))
    return sent


def test_two_who_copy_one_source_do_not_meet(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", many_pages(5))
    workspace, copy = copy_of(tmp_path, file, "sub/a.jsonl")
    (tmp_path / "apart").mkdir()
    one, two = (copy_source(workspace, tmp_path / "apart", copy) for _ in range(2))
    assert one.folder != two.folder
    assert one.written.file.read_bytes() == two.written.file.read_bytes()
    data = tmp_path / "data"
    data.mkdir()
    found = moved(one, data)
    lines = file.read_bytes().splitlines(keepends=True)
    assert found.file == data / "sub/a.jsonl"
    assert found.file.read_bytes() == b"".join(lines[::2])
    assert (found.kept, found.left_out) == (3, 2)
    assert not one.folder.exists()
    with pytest.raises(InputError, match=r"a\.jsonl is there already, from another file"):
        moved(two, data)


def test_files_of_a_folder_are_moved_with_their_paths(tmp_path: Path) -> None:
    folder = as_folder(tmp_path / "site", small_web())
    workspace, copy = copy_of(tmp_path, folder, ".")
    (tmp_path / "apart").mkdir()
    (tmp_path / "data").mkdir()
    found = moved(copy_source(workspace, tmp_path / "apart", copy), tmp_path / "data")
    files = sorted(contents(folder))
    assert found.file == tmp_path / "data"
    assert sorted(contents(tmp_path / "data")) == files[::2]
    assert [*(tmp_path / "apart").iterdir()] == []


def test_folders_without_files_are_there_too(tmp_path: Path) -> None:
    (tmp_path / "own" / "one" / "two").mkdir(parents=True)
    (tmp_path / "own" / "a").write_text("a")
    assert [each.name for each in files_below(tmp_path / "own")] == ["a"]
    data = tmp_path / "data"
    data.mkdir()
    moved(Copied(Written(tmp_path / "own", 1, 1, 0), tmp_path / "own"), data)
    assert sorted(each.name for each in data.rglob("*")) == ["a", "one", "two"]


def test_what_another_machine_does_not_see_is_said(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", many_pages(5))
    workspace, copy = copy_of(tmp_path, file, "a.jsonl")
    with pytest.raises(WorkspaceError, match="does not see what was made there; give names that"):
        copy_source(workspace, tmp_path / "apart", copy)
    (tmp_path / "apart").mkdir()
    file.unlink()
    with pytest.raises(InputError, match=r"a\.jsonl: the machine .* cannot read it"):
        copy_source(workspace, tmp_path / "apart", copy)
