"""One process writes a workspace, or several read it."""

import fcntl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import webecho as webecho_api
from tests.collections_made import as_jsonl, as_warc, small_web
from tests.command import contents, done, manifest, webecho, write_manifest
from webecho.errors import BusyError, WorkspaceError
from webecho.workspace.locks import locked, reading


def test_two_processes_do_not_write_one_workspace(crawl: Path) -> None:
    write_manifest(crawl, manifest(crawl) | {"complete": False})
    before = contents(crawl)
    with (crawl / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        arguments = ("sketch", crawl.parent / "pages.jsonl", "-o", crawl, "--part-pages", 5)
        result = webecho(*arguments)
        assert result.exit_code == 1
        expected = f"webecho: another process is writing or reading {crawl}; wait until it ends\n"
        assert result.stderr.endswith(expected)
        assert contents(crawl) == before
    done(*arguments)


@pytest.mark.parametrize("verb", ["clusters", "pairs"])
def test_a_workspace_that_is_written_is_not_grouped(crawl: Path, verb: str) -> None:
    """Part of the pages would be missing, and what is found be removed by the append."""
    with (crawl / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = webecho(verb, crawl)
        assert result.exit_code == 1
        expected = f"webecho: another process is writing {crawl}; wait until it ends\n"
        assert result.stderr.endswith(expected)
        with pytest.raises(WorkspaceError, match="another process is writing"):
            getattr(webecho_api, verb)(crawl)
    # Two that only read do not mind each other; one that would add waits for them.
    with (crawl / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        done(verb, crawl)
        more = as_warc(crawl.parent / "more.warc", small_web())
        result = webecho("sketch", more, "-o", crawl, "--append", "--part-pages", 5)
        assert result.exit_code == 1
        assert "is writing or reading" in result.stderr


def test_an_append_while_another_process_writes_changes_nothing(crawl: Path) -> None:
    more = as_warc(crawl.parent / "more.warc", small_web())
    before = contents(crawl)
    with (crawl / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = webecho("sketch", more, "-o", crawl, "--append", "--part-pages", 5)
    assert result.exit_code == 1
    assert contents(crawl) == before


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A workspace in which nothing can be written, not even by root."""
    lines = as_jsonl(tmp_path / "pages.jsonl", small_web())
    done("sketch", lines, "-o", tmp_path / "w.echo")
    there = tmp_path / "there.echo"
    there.mkdir()
    for options in ("bind", "remount,ro,bind"):
        command = ["mount", "-o", options, tmp_path / "w.echo", there]
        made = subprocess.run(command, capture_output=True, check=False)
        if made.returncode:
            pytest.skip(f"nothing can be mounted here: {made.stderr.decode().strip()}")
    yield there
    subprocess.run(["umount", there], check=True)


@pytest.mark.parametrize("lock", [True, False])
def test_what_cannot_be_written_can_be_read(read_only: Path, lock: bool) -> None:
    if not lock:
        (read_only.parent / "w.echo" / ".lock").unlink()
    done("verify", read_only)
    assert done("why", read_only, "#0", "#1").stdout
    with reading(read_only) as workspace:
        assert workspace.pages


def test_others_may_hold_the_lock_of_what_cannot_be_written(read_only: Path) -> None:
    with locked(read_only.parent / "w.echo"), pytest.raises(BusyError), reading(read_only):
        pass
