"""Pages read once more, from their sources."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done
from tests.formats.test_entries import as_nobody
from webecho.engine.local.engine import local_run
from webecho.errors import ChangedError, InputError, WorkspaceError
from webecho.read.collection import ReadOptions, open_collection
from webecho.workspace.reread import PageReader, Reread, open_input, read_page, shelf_in
from webecho.workspace.workspace import Workspace


def test_a_page_is_what_it_was(crawl: Path) -> None:
    workspace = Workspace.open(crawl)
    for number, page in enumerate(small_web()):
        found = read_page(workspace, number, local_run())
        assert found["url"].to_pylist() == [page.url]
        assert found["body"].to_pylist() == [page.html]


def test_sources_that_are_open_are_not_opened_again(crawl: Path) -> None:
    workspace = Workspace.open(crawl)
    collection = open_collection([str(crawl.parent / "pages.jsonl")], ReadOptions())
    (crawl.parent / "pages.jsonl").rename(crawl.parent / "elsewhere.jsonl")
    with pytest.raises(InputError):
        read_page(workspace, 3, local_run())
    (crawl.parent / "elsewhere.jsonl").rename(crawl.parent / "pages.jsonl")
    opened = Reread.of(collection, None).sources
    assert [*opened] == [0]
    assert read_page(workspace, 3, local_run(), opened)["url"].to_pylist() == [small_web()[3].url]


def test_a_source_that_changed_is_not_read(crawl: Path) -> None:
    as_jsonl(crawl.parent / "pages.jsonl", small_web()[1:])
    with pytest.raises(WorkspaceError, match="has changed since it was sketched"):
        open_input(Workspace.open(crawl), 0, local_run())


def test_what_came_from_a_pipe_cannot_be_read_twice(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "pages.jsonl", small_web())
    done("sketch", "-", "-o", tmp_path / "w.echo", stdin=file.read_bytes())
    with pytest.raises(InputError, match="- cannot be read twice"):
        open_input(Workspace.open(tmp_path / "w.echo"), 0, local_run())


def test_pages_of_a_part_come_in_order_and_one_source_is_open_at_a_time(tmp_path: Path) -> None:
    web = small_web()
    names = ("a", "b")
    for number, name in enumerate(names):
        (tmp_path / "in").mkdir(exist_ok=True)
        as_jsonl(tmp_path / "in" / f"{name}.jsonl", web[8 * number : 8 * number + 8])
    done("sketch", tmp_path / "in", "-o", tmp_path / "w.echo")
    workspace = Workspace.open(tmp_path / "w.echo")
    reader = PageReader(open_input(workspace, 0, local_run()))
    [rows] = workspace.part_batches("sketches", 0, ["page", "source", "place", "chars"])
    wanted = rows.filter(pa.array([page in (1, 3, 8, 15) for page in range(16)]))
    found = []
    for pages in reader.read(wanted, workspace.manifest.parts[0]):
        found += pages["url"].to_pylist()
    assert found == [web[page].url for page in (1, 3, 8, 15)]
    assert reader.last is reader.sources[1]
    reader.close()
    assert reader.last is None


def test_a_source_that_changes_while_it_is_read_again(crawl: Path) -> None:
    workspace, file = Workspace.open(crawl), crawl.parent / "pages.jsonl"
    sources = open_input(workspace, 0, local_run())
    reader = PageReader(sources)
    part = workspace.manifest.parts[0]
    [rows] = workspace.part_batches("sketches", 0, ["page", "source", "place", "chars"])
    reader.check_unchanged()
    list(reader.read(rows, part))
    reader.check_unchanged()
    with file.open("a") as end:
        end.write("\n")
    for again in (reader.check_unchanged, lambda: read_page(workspace, 3, local_run(), sources)):
        with pytest.raises(ChangedError, match=r"pages\.jsonl has changed while it was read"):
            again()


def test_a_folder_in_which_nothing_can_be_written_is_named() -> None:
    def made(folder: Path) -> str:
        try:
            return f"{shelf_in(folder, local_run())}"
        except WorkspaceError as error:
            return str(error)

    with TemporaryDirectory() as name:
        Path(name).chmod(0o555)
        said = as_nobody(lambda: made(Path(name)))
    assert f"{name}: nothing can be written there: Permission denied" in said
