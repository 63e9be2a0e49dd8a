"""Checksums of all that lies in a folder."""

from pathlib import Path

import pytest

from webecho.errors import WorkspaceError
from webecho.workspace.listed import LIST, check_listed, files_in, listed, write_list


def test_a_list_names_all_files_below(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name in ("a", "data/b", ".htaccess"):
        (tmp_path / name).write_text(name)
    # What is being written is not there yet.
    for name in (".a.new", ".a.parquet.123", ".figure.new.svg"):
        (tmp_path / name).write_text("half")
    write_list(tmp_path)
    assert [*files_in(tmp_path)] == [".htaccess", "a", "data/b"]
    assert {name: each["bytes"] for name, each in listed(tmp_path, "").items()} == {
        ".htaccess": 9,
        "a": 1,
        "data/b": 6,
    }
    check_listed(tmp_path / "a", "make it again")
    for content in ("b", "aa"):
        (tmp_path / "a").write_text(content)
        with pytest.raises(WorkspaceError, match=r"a cannot be read .*; make it again$"):
            check_listed(tmp_path / "a", "make it again")
    (tmp_path / LIST).write_text((tmp_path / LIST).read_text().replace('"bytes": 1', '"bytes": 2'))
    with pytest.raises(WorkspaceError, match=r"checksums\.json cannot be read .*; make it again$"):
        listed(tmp_path, "make it again")
