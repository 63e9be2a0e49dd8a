"""One process writes a workspace, or several read it."""

import fcntl
from pathlib import Path

import pytest

import webecho as webecho_api
from tests.collections_made import as_warc, small_web
from tests.command import contents, done, manifest, webecho, write_manifest
from webecho.errors import WorkspaceError


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
