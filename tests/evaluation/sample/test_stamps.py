"""A sample is stale when the pairs that it was drawn from are others."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.evaluation.made_pairs import sketched, with_pairs
from webecho.errors import WorkspaceError
from webecho.evaluation.sample.stamps import is_stale, metadata, stamps
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    found = sketched(tmp_path, [("http://a.example/", b"<p>a"), ("http://b.example/", b"<p>b")])
    with_pairs(found, "b-2", [(0, 1, 2, 380, True)])
    with_pairs(found, "c-372", [(0, 1, None, 380, True)])
    return found


def test_a_stamp_is_of_the_pairs_and_what_strata_go_by(workspace: Workspace) -> None:
    before = stamps(workspace, ["b-2", "c-372"])
    assert before["b-2"].startswith("1-")
    assert before["b-2"] != before["c-372"]
    file = workspace.files.pairs("b-2")
    # Measures may be added.
    more = pq.read_table(file).append_column("term_difference", pa.array([3], pa.int64()))
    workspace.write(file, [more])
    assert stamps(workspace, ["b-2", "c-372"]) == before
    with_pairs(workspace, "b-2", [(0, 1, 3, 380, True)])
    assert stamps(workspace, ["b-2"]) != {"b-2": before["b-2"]}


def test_a_sample_knows_its_rules(workspace: Workspace) -> None:
    sample = pa.table({"number": [1]}).replace_schema_metadata(metadata(workspace, ["b-2"]))
    assert not is_stale(workspace, sample)
    with_pairs(workspace, "c-372", [])
    assert not is_stale(workspace, sample)
    with_pairs(workspace, "b-2", [])
    assert is_stale(workspace, sample)
    # Pairs that are gone may be found again.
    workspace.files.pairs("b-2").unlink()
    assert not is_stale(workspace, sample)


def test_pairs_that_cannot_be_read_are_named_with_the_command(workspace: Workspace) -> None:
    file = workspace.files.pairs("b-2")
    file.write_bytes(b"dirt")
    with pytest.raises(WorkspaceError, match=rf"{file} cannot be read .* webecho pairs "):
        stamps(workspace, ["b-2"])
