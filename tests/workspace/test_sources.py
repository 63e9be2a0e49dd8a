"""What the manifest says of sources, and where they lie."""

from pathlib import Path

import pytest

from tests.command import done, manifest
from webecho.errors import WorkspaceError
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


def test_an_input_is_known_by_where_it_lies(crawl: Path, tmp_path: Path) -> None:
    workspace = Workspace.open(crawl)
    here = str((tmp_path / "pages.jsonl").resolve())
    check_new(workspace, ["pages.jsonl", "-"], [f"{here}.gz", None])
    with pytest.raises(WorkspaceError, match=rf"^other is in {crawl} already; leave it out$"):
        check_new(workspace, ["-", "other"], [None, here])
    with pytest.raises(WorkspaceError, match="already; nothing was appended"):
        check_new(workspace, ["other"], [here], "nothing was appended")
