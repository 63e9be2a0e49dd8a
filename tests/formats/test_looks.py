import os
from pathlib import Path

import fsspec
import pytest

from webecho.errors import ChangedError, InputError, WorkspaceError
from webecho.formats.looks import NO_FILES, Look, check_folder, signature


def replaced(file: Path) -> None:
    other = file.with_name("other")
    # Of the same size and time: another file all the same.
    other.write_bytes(file.read_bytes()[::-1])
    os.utime(other, ns=(0, file.stat().st_mtime_ns))
    other.replace(file)


def rewritten(file: Path) -> None:
    file.write_bytes(file.read_bytes()[::-1])
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))


def appended(file: Path) -> None:
    with file.open("ab") as end:
        end.write(b"more")


def truncated(file: Path) -> None:
    os.truncate(file, 2)


@pytest.mark.parametrize("write", [replaced, rewritten, appended, truncated, Path.unlink])
def test_whatever_is_written_is_seen(tmp_path: Path, write: object) -> None:
    file, still = tmp_path / "a", tmp_path / "b"
    file.write_bytes(b"abcd")
    still.write_bytes(b"abcd")
    look = Look.at([str(still), str(file)])
    look.check()
    assert callable(write)
    write(file)
    what = "is gone since it was" if write is Path.unlink else "has changed while it was"
    with pytest.raises(ChangedError) as error:
        look.check()
    assert str(error.value).startswith(f"{file} {what} read; nothing was written")


def test_reading_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"abcd")
    look = Look.at([str(file), f"file://{file}"])
    file.read_bytes()
    file.chmod(0o400)
    look.check()
    NO_FILES.check()


def test_a_file_far_away() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/looked/a", b"abcd")
    look = Look.at(["memory://looked/a"])
    look.check()
    memory.pipe_file("/looked/a", b"dcba")
    with pytest.raises(ChangedError, match="memory://looked/a has changed"):
        look.check()
    memory.rm("/looked/a")
    assert signature("memory://looked/a") is None


def test_another_machine_must_see_the_same_files(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("one")
    look = Look.at([str(file), "memory://far/away.jsonl"])
    look.check_here()
    # The same file may have another number and another time there.
    file.unlink()
    file.write_text("two")
    look.check_here()
    file.write_text("three")
    with pytest.raises(
        InputError, match=r"a\.jsonl: the machine .* sees another file of this name"
    ):
        look.check_here()
    check_folder(tmp_path)
    with pytest.raises(WorkspaceError, match=r"gone: the machine .* does not see what was made"):
        check_folder(tmp_path / "gone")
