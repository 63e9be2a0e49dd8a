"""Folders that appear at once, or not at all."""

from pathlib import Path

import pytest

from webecho.workspace.atomic import atomic_folder, folder_beside


def test_a_folder_gets_its_name_when_it_is_complete(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with atomic_folder(out) as folder:
        (folder / "file").write_text("new")
        assert not out.exists()
    assert [file.name for file in out.parent.iterdir()] == ["out"]
    assert (out / "file").read_text() == "new"


def test_what_had_the_name_before_goes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "old").touch()
    with atomic_folder(out) as folder:
        (folder / "new").touch()
        assert (out / "old").exists()
    assert [file.name for file in out.iterdir()] == ["new"]
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_a_block_that_fails_leaves_all_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "old").touch()
    with pytest.raises(KeyError), atomic_folder(out) as folder:
        (folder / "new").touch()
        raise KeyError
    assert [file.name for file in out.iterdir()] == ["old"]
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_what_a_killed_run_left_is_in_nobodys_way(tmp_path: Path) -> None:
    for left in (".out.new", ".out.old"):
        (tmp_path / left).mkdir()
        (tmp_path / left / "half").touch()
    with atomic_folder(tmp_path / "out") as folder:
        assert list(folder.iterdir()) == []
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_what_a_run_killed_between_two_names_had_replaced_is_back(tmp_path: Path) -> None:
    """Nothing has the name then, and what had it must outlive a run that fails."""
    (tmp_path / ".out.old").mkdir()
    (tmp_path / ".out.old" / "earlier").touch()
    with pytest.raises(KeyError), atomic_folder(tmp_path / "out"):
        raise KeyError
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["earlier"]
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_a_folder_beside_is_gone_however_the_block_ends(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / ".out.apart").mkdir()
    (tmp_path / ".out.apart" / "left").touch()
    with folder_beside(out) as made:
        assert [*made.iterdir()] == []
        (made / "one").touch()
    with pytest.raises(ValueError, match="no"), folder_beside(out) as made:
        (made / "one").touch()
        raise ValueError("no")
    assert [*tmp_path.iterdir()] == []
