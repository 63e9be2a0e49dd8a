"""The pages that a dedup removed."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import as_jsonl, many_pages
from tests.command import done
from webecho.errors import WorkspaceError
from webecho.workspace.removed import removed_pages, save_removed
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Four pages."""
    done("sketch", as_jsonl(tmp_path / "p.jsonl", many_pages(4)), "-o", tmp_path / "p.echo")
    return Workspace.open(tmp_path / "p.echo")


def test_the_last_list_holds_and_the_one_before_is_gone(workspace: Workspace) -> None:
    assert removed_pages(workspace).to_pylist() == []
    for gone in ([1, 2], [3], []):
        save_removed(workspace, pa.array(gone, pa.int64()))
        opened = Workspace.open(workspace.path)
        assert removed_pages(opened).to_pylist() == gone
        assert [file.name for file in workspace.files.found_removed()] == [opened.manifest.removed]


def test_a_list_that_is_damaged_is_named(workspace: Workspace) -> None:
    save_removed(workspace, pa.array([1], pa.int64()))
    [file] = workspace.files.found_removed()
    file.write_bytes(b"dirt")
    with pytest.raises(WorkspaceError, match=rf"{file} cannot be read .*; run that dedup again"):
        removed_pages(workspace)
    # Also one that somebody wrote in its place.
    pq.write_table(pa.table({"page": [1]}), file)
    with pytest.raises(WorkspaceError, match=r"\(it is not what.*; run that dedup again"):
        removed_pages(workspace)
