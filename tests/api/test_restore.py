"""`webecho.restore`: archives as they were before a dedup left revisits in them."""

from pathlib import Path

import pytest

import webecho
from tests.write.revisited import FILES, replaced
from webecho.api.restore import RestoreRequest, run_restore
from webecho.api.runs import as_run
from webecho.api.values import Name
from webecho.errors import InputError


def test_what_was_brought_back_is_counted(tmp_path: Path) -> None:
    """Seven records in two files; all five pages but the first became revisits."""
    replaced(tmp_path, FILES)
    kept, back = tmp_path / "kept", tmp_path / "back"
    found = run_restore(RestoreRequest((str(kept),), back), as_run())
    assert (found.files, found.records, found.restored) == (2, 7, 4)
    assert (dict(found.failed), found.other_files) == ({}, 0)
    assert sorted(file.name for file in back.iterdir()) == ["a.warc.gz", "b.warc.gz"]


def test_what_could_not_be_read_is_shown(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    gone = tmp_path / "kept" / "gone.warc.gz"
    gone.symlink_to("nowhere")
    found = webecho.restore(tmp_path / "kept", tmp_path / "back")
    assert found.unread == (f"{gone}: dangling link",)
    assert repr(found).endswith(f"\n  {gone}: dangling link")


def test_one_path_or_several(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    files: list[Name] = [tmp_path / "kept" / name for name in FILES]
    one = webecho.restore(tmp_path / "kept", tmp_path / "one")
    assert webecho.restore(files, str(tmp_path / "several")) == one
    # The original of the others is in the first.
    alone = webecho.restore(files[1], tmp_path / "alone")
    assert (alone.restored, sum(alone.failed.values())) == (0, 2)


def test_only_with_force_are_files_replaced(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    webecho.restore(tmp_path / "kept", tmp_path / "back")
    with pytest.raises(InputError, match="is there already"):
        webecho.restore(tmp_path / "kept", tmp_path / "back")
    assert webecho.restore(tmp_path / "kept", tmp_path / "back", force=True).restored == 4
