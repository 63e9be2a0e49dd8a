"""DuckDB's words, as errors of ours."""

import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.engine.local.failures import translated
from webecho.errors import MemoryBudgetError, WorkspaceError
from webecho.workspace.stored import Stored


def test_memory_names_what_was_allowed() -> None:
    error = translated("Out of Memory Error: could not allocate\nmore", [], 10**9)
    assert isinstance(error, MemoryBudgetError)
    assert str(error) == (
        "sorting and joining takes more memory than the 1000MB allowed; give --memory more"
    )
    assert "than there is;" in str(translated("Out of Memory Error: x", [], None))


def test_a_file_that_the_message_names_is_named_with_its_fix(tmp_path: Path) -> None:
    tables = [
        Stored((tmp_path / "a.parquet",), pa.schema([]), "sketch again"),
        Stored((tmp_path / "b.parquet",), pa.schema([]), "find the pairs again"),
    ]
    pq.write_table(pa.table({"page": [1]}), tmp_path / "a.parquet")
    said = f"Invalid Input Error: No magic bytes found at end of file '{tmp_path}/b.parquet'"
    error = translated(said, tables, None)
    assert isinstance(error, WorkspaceError)
    assert str(error) == f"{tmp_path}/b.parquet cannot be read ({said}); find the pairs again"


def test_a_file_that_no_message_names_is_looked_for(tmp_path: Path) -> None:
    pq.write_table(pa.table({"page": [1]}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(b"dirt")
    files = (tmp_path / "a.parquet", tmp_path / "b.parquet")
    error = translated("TProtocolException: Invalid data", [Stored(files, pa.schema([]))], None)
    assert str(error).startswith(f"{tmp_path}/b.parquet cannot be read (")


def test_a_full_disk_names_the_folder() -> None:
    for said in (
        "IO Error: Could not write all bytes: No space left on device",
        "Out of Memory Error: failed to offload data block, see 'max_temp_directory_size'",
    ):
        text = str(translated(said, [], None))
        assert f"make room in {tempfile.gettempdir()}, or name another folder with TMPDIR" in text


def test_anything_else_is_to_be_reported() -> None:
    said = "Binder Error: no column x\nLINE 1"
    assert str(translated(said, [], None)) == (
        "a query failed (Binder Error: no column x); please report this"
    )
