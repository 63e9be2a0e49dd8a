"""`run.json` has what may differ from run to run; nothing depends on it."""

import json
from pathlib import Path

import pytest

from webecho.workspace.run_file import read_run, write_run


def test_news_are_added(tmp_path: Path) -> None:
    assert read_run(tmp_path) == {}
    write_run(tmp_path, {"sketch": {"seconds": 1}})
    write_run(tmp_path, {"pairs b": {"seconds": 2}})
    write_run(tmp_path, {"sketch": {"seconds": 3}})
    assert read_run(tmp_path) == {"sketch": {"seconds": 3}, "pairs b": {"seconds": 2}}
    assert json.loads((tmp_path / "run.json").read_text()) == read_run(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000])
def test_a_damaged_one_says_nothing_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    assert read_run(tmp_path) == {}
    write_run(tmp_path, {"sketch": 1})
    assert read_run(tmp_path) == {"sketch": 1}
