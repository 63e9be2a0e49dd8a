"""Values of the user's columns, by the names that each input was read with."""

from pathlib import Path

import pyarrow as pa

from tests.group.workspaces import sketched
from webecho.group.user_columns import user_values

TABLE = pa.table({"text": list("abcd"), "lang": ["en", None, "de", "en"], "tier": [1, 2, 3, 4]})


def test_values_of_a_column_and_of_one_that_was_not_read(tmp_path: Path) -> None:
    workspace = sketched(tmp_path / "pages.echo", TABLE, by=["tier", "lang"])
    # Parts are of three pages.
    found = pa.chunked_array([*user_values(workspace, "by", "lang")])
    assert (found.num_chunks, found.to_pylist()) == (2, ["en", None, "de", "en"])
    assert pa.chunked_array([*user_values(workspace, "by", "tier")]).to_pylist() == list("1234")
    missing = pa.chunked_array([*user_values(workspace, "ranked", "lang")])
    assert (missing.type, missing.null_count) == (pa.string(), 4)
