"""`webecho restore` as a user sees it."""

import json
from pathlib import Path

from tests.command import done
from tests.command import webecho as run
from tests.read.archives import gzipped, http, saved
from tests.write.revisited import BODY, FILES, page, replaced


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


def test_many_that_could_not_be_brought_back_are_named_in_the_log(tmp_path: Path) -> None:
    files = {
        "a.warc.gz": [page(0, http(BODY))],
        "b.warc.gz": [page(at, http(BODY)) for at in range(1, 31)],
    }
    for name, records in files.items():
        saved(tmp_path, name, gzipped(*records))
    first, second = tmp_path / "first", tmp_path / "second"
    done("dedup", tmp_path / "a.warc.gz", "-o", first, "--rule", "payload")
    more = ("--against", f"{first}.echo", "--rule", "payload", "--revisit")
    done("dedup", tmp_path / "b.warc.gz", "-o", second, *more)
    log = tmp_path / "log"
    shown = done("restore", second / "data", "-o", tmp_path / "back", "--log", log).stderr
    lines = shown.splitlines()
    assert sum("not found, the original of" in line for line in lines) == 20
    assert lines[20:] == [
        "webecho: not found, the originals of 10 more; --log FILE names them all",
        "webecho: 30 of these originals should be in the file://a.warc.gz of an earlier "
        "collection: give that file too",
    ]
    (counts,) = (each for each in map(json.loads, log.open()) if each["event"] == "counts")
    assert len(counts["not_found"]) == 30
    # By the names that are printed.
    assert counts["not restored"] == 30
    assert counts["not restored: its original is not in the inputs, or not what it was"] == 30


def test_what_is_damaged_is_told(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    file = tmp_path / "kept" / "a.warc.gz"
    data = bytearray(file.read_bytes())
    # The checksum of the last record.
    data[-6] ^= 4
    file.write_bytes(data)
    result = run("restore", tmp_path / "kept", "-o", tmp_path / "back", "--strict")
    assert result.exit_code == 3
    assert f"webecho: damaged, copied as it is: {file}: at " in result.stderr
    (counted,) = (line for line in result.stdout.splitlines() if line.startswith("damaged"))
    assert counted.split() == ["damaged,", "copied", "as", "they", "are", "1"]
