"""Temporary folders and files, and what killed runs leave of theirs."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done
from webecho.workspace.scratch import remove_abandoned, temporary_file, temporary_folder

# Makes what a run holds, says so, and waits to be killed.
HOLDING = """
import time
from webecho.workspace.scratch import temporary_file, temporary_folder
with temporary_folder() as folder, temporary_file() as file:
    print(folder, file.name, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files are made."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def age(path: Path) -> None:
    long_ago = time.time() - 3600
    os.utime(path, (long_ago, long_ago))


def test_the_next_run_removes_what_a_killed_one_left_and_nothing_else(temporary: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", HOLDING], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    folder, file = (Path(each) for each in child.stdout.readline().split())
    (temporary / "webecho-mine").mkdir()
    (temporary / "other").mkdir()
    age(file)
    # As long as the run goes on, it keeps what it has.
    remove_abandoned(temporary)
    assert folder.is_dir() and file.is_file()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert folder.is_dir() and file.is_file()
    with temporary_folder() as mine, temporary_file() as also:
        remove_abandoned(temporary)
        assert mine.is_dir() and Path(also.name).is_file()
    # A folder without a lock is not one of ours.
    assert sorted(each.name for each in temporary.iterdir()) == ["other", "webecho-mine"]


def test_a_file_that_was_just_made_may_be_about_to_be_locked(temporary: Path) -> None:
    (temporary / "webecho-new").touch()
    (temporary / "webecho-old").touch()
    age(temporary / "webecho-old")
    remove_abandoned(temporary)
    assert [each.name for each in temporary.iterdir()] == ["webecho-new"]


def test_tables_that_killed_processes_began_are_removed(tmp_path: Path) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    crawl = tmp_path / "crawl.echo"
    done("sketch", pages, "-o", crawl)
    done("clusters", crawl, "--rule", "exact")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = crawl / "clusters" / f".similar-0.8.parquet.{gone.pid}"
    running = crawl / "clusters" / f".similar-0.9.parquet.{os.getpid()}"
    note = crawl / "clusters" / ".mine.txt"
    for file in (left, running, note):
        file.write_bytes(b"half")
    done("clusters", crawl, "--rule", "exact")
    assert [file.exists() for file in (left, running, note)] == [False, True, True]


def test_a_lasting_folder_is_gone_when_the_process_ends() -> None:
    made = "from webecho.workspace.scratch import lasting_folder; folder = lasting_folder()"
    told = "; print(folder.is_dir(), folder)"
    ended = subprocess.run([sys.executable, "-c", made + told], capture_output=True, check=True)
    there, folder = ended.stdout.decode().split()
    assert there == "True"
    assert not Path(folder).exists()
