"""What is printed of sketching."""

import json
from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done
from webecho.api.sketch import SketchedWorkspace
from webecho.show.sketch import ordered, show_sketch
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    done("sketch", as_jsonl(tmp_path / "a.jsonl", small_web()[:3]), "-o", tmp_path / "a.echo")
    return Workspace.open(tmp_path / "a.echo")


def test_counts_add_up(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    counts = {
        **{"bytes": 1_500, "failed": 1, "failed: not JSON": 1, "pages": 3, "empty": 0},
        **{"skipped": 2, "skipped: type": 2},
    }
    assert show_sketch(SketchedWorkspace(workspace, counts), "table")
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "records           6",
        "pages             3",
        "skipped           2",
        "skipped: type     2",
        "failed            1",
        "failed: not JSON  1",
        "bytes of pages    1.5 KB",
        f"workspace         {workspace.path}",
    ]
    assert shown.err == ""


def test_if_all_was_read_nothing_failed(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not show_sketch(SketchedWorkspace(workspace, {"pages": 3, "bytes": 9}), "json")
    assert json.loads(capsys.readouterr().out) == {
        "records": 3,
        "pages": 3,
        "skipped": 0,
        "failed": 0,
        "bytes of pages": 9,
        "workspace": str(workspace.path),
    }


def test_details_stand_after_what_they_are_of() -> None:
    counts = {"failed: a": 1, "skipped: b": 2, "failed": 1, "revisits": 4, "skipped": 2, "pages": 5}
    assert list(ordered(counts).items()) == [
        *(("pages", 5), ("revisits", 4), ("skipped", 2), ("skipped: b", 2)),
        *(("failed", 1), ("failed: a", 1)),
    ]
    assert ordered({"empty": 0}) == {"pages": 0, "skipped": 0, "failed": 0}
