"""What the manifest says of sources, and where they lie."""

import traceback
from pathlib import Path

import fsspec
import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done, manifest, webecho
from webecho.errors import InputError, WorkspaceError
from webecho.formats.files import reaching
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.workspace.run_file import read_run
from webecho.workspace.sources import (
    check_new,
    check_unchanged,
    describe,
    known_locations,
    options_as_dict,
    options_from_dict,
)
from webecho.workspace.workspace import Workspace


def test_inputs_name_the_range_of_their_sources(crawl: Path) -> None:
    options = ReadOptions()
    pages = str(crawl.parent / "pages.jsonl")
    inputs, sources = describe(open_collection([pages], options), options)
    assert inputs == manifest(crawl)["inputs"]
    assert sources == manifest(crawl)["sources"]
    assert [each["sources"] for each in inputs] == [[0, 1]]


def test_options_come_back_as_they_were() -> None:
    given = ReadOptions(columns=ColumnNames(text="body"), statuses=(200, 404), convert={"a/b": "c"})
    values = options_as_dict(given)
    # Only what was said.
    assert values["columns"] == {"text": "body"}
    assert options_from_dict(values) == given


def test_a_source_that_changed_is_refused() -> None:
    before = [{"name": "a", "format": "jsonl", "stamp": {"size": 1}}]
    check_unchanged(before, [before[0] | {"name": "elsewhere/a"}])
    with pytest.raises(WorkspaceError, match="a has changed since it was sketched"):
        check_unchanged(before, [before[0] | {"stamp": {"size": 2}}])
    with pytest.raises(WorkspaceError, match="the inputs hold 2 files, 1 when they were sketched"):
        check_unchanged(before, before * 2)


def test_locations_are_seen_from_the_workspace(crawl: Path, tmp_path: Path) -> None:
    assert read_run(crawl)["locations"] == ["../pages.jsonl"]
    assert known_locations(Workspace.open(crawl)) == [str((tmp_path / "pages.jsonl").resolve())]
    # Both moved together, they are still found.
    (tmp_path / "moved").mkdir()
    for name in ("crawl.echo", "pages.jsonl"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    moved = Workspace.open(tmp_path / "moved" / "crawl.echo")
    assert known_locations(moved) == [str((tmp_path / "moved" / "pages.jsonl").resolve())]


def test_what_was_not_noted_is_not_known(crawl: Path) -> None:
    (crawl / "run.json").unlink()
    assert known_locations(Workspace.open(crawl)) == [None]
    done("clusters", crawl, "--rule", "exact")


@pytest.mark.parametrize("name", ["user:SECRET@host/a.jsonl", "host/a.jsonl?v=1&sig=SECRET"])
def test_secrets_in_addresses_are_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    content = as_jsonl(tmp_path / "a.jsonl", small_web()).read_bytes()
    fsspec.filesystem("memory").pipe_file(f"/{name}", content)
    said = [
        done("sketch", f"memory://{name}", "-o", "w.echo"),
        done("dedup", f"memory://{name}", "-o", "out"),
        # What is known by its address is known by what is stored of it.
        done("sketch", f"memory://{name}", "-o", "w.echo"),
        webecho("sketch", f"memory://{name}x", "-o", "none.echo"),
        webecho("sketch", f"memory://{name}", f"memory://{name}", "-o", "none.echo"),
        webecho("sketch", "a.jsonl", "-o", f"memory://{name}"),
    ]
    assert [each.exit_code for each in said] == [0, 0, 0, 1, 1, 1]
    for each in said:
        assert "SECRET" not in each.output
        assert "Traceback" not in each.output
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) > 10
    for file in files:
        assert "SECRET" not in str(file)
        assert b"SECRET" not in file.read_bytes(), file
    assert manifest(tmp_path / "w.echo")["inputs"][0]["name"] == (
        f"memory://{name.replace('SECRET', '***')}"
    )
    assert [file.name for file in (tmp_path / "out/data").iterdir()] == ["a.jsonl"]
    # Whoever wants to read it again is told.
    shown = done("why", "w.echo", "#0", "#1").stdout
    assert "what gave access to it is not stored" in shown


def test_errors_of_libraries_are_told_without_secrets() -> None:
    secret = "".join(["SEC", "RET"])
    with pytest.raises(InputError) as error, reaching(f"https://h.org/a?token={secret}"):
        raise RuntimeError(f"403, url='https://h.org/a?token={secret}'")
    assert secret not in "".join(traceback.format_exception(error.value))
    assert "403, url='https://h.org/a?token=***'" in str(error.value)


def test_an_input_is_known_by_where_it_lies(crawl: Path, tmp_path: Path) -> None:
    workspace = Workspace.open(crawl)
    here = str((tmp_path / "pages.jsonl").resolve())
    check_new(workspace, ["pages.jsonl", "-"], [f"{here}.gz", None])
    with pytest.raises(WorkspaceError, match=rf"^other is in {crawl} already; leave it out$"):
        check_new(workspace, ["-", "other"], [None, here])
    with pytest.raises(WorkspaceError, match="already; nothing was appended"):
        check_new(workspace, ["other"], [here], "nothing was appended")
