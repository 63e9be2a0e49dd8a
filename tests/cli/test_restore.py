"""`webecho restore` as a user sees it."""

from pathlib import Path

from tests.command import done
from tests.command import webecho as run
from tests.write.revisited import FILES, replaced


def test_restore_prints_what_was_brought_back(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    shown = done("restore", tmp_path / "kept", "-o", tmp_path / "back")
    assert shown.stdout.splitlines() == [
        "files         2",
        "records       7",
        "restored      4",
        "not restored  0",
        f"written to    {tmp_path / 'back'}",
    ]
    assert shown.stderr == ""


def test_the_command(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    (tmp_path / "kept" / "notes.txt").write_text("other")
    result = done("restore", tmp_path / "kept", "-o", tmp_path / "back", "--format", "json")
    assert '"restored": 4' in result.stdout
    assert '"other files, not copied": 1' in result.stdout
    again = run("restore", tmp_path / "kept", "-o", tmp_path / "back")
    assert again.exit_code == 1
    assert f"{tmp_path}/back/a.warc.gz: is there already" in again.stderr
    done("restore", tmp_path / "kept", "-o", tmp_path / "back", "--force")
    over = run("restore", tmp_path / "kept", "-o", tmp_path / "kept", "--force")
    assert over.exit_code == 1
    assert "is an input itself" in over.stderr
    assert sorted(file.name for file in (tmp_path / "back").iterdir()) == ["a.warc.gz", "b.warc.gz"]


def test_what_could_not_be_brought_back_is_told(tmp_path: Path) -> None:
    """The original of the two in the second file is in the first."""
    replaced(tmp_path, FILES)
    alone = ("restore", tmp_path / "kept" / "b.warc.gz", "-o", tmp_path / "back")
    shown = done(*alone).stdout.splitlines()
    assert shown[2].split() == ["restored", "0"]
    assert shown[3].split() == ["not", "restored", "2"]
    assert shown[4].startswith("not restored: ") and shown[4].endswith(" 2")
    assert run(*alone, "--force", "--strict").exit_code == 3


def test_a_folder_must_be_named(tmp_path: Path) -> None:
    refused = run("restore", tmp_path)
    assert refused.exit_code == 2
    assert "Missing option '-o' / '--out'" in refused.stderr
