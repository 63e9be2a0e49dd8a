"""Killed at any point, the same command goes on and ends with the same bytes."""

import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.collections_made import (
    WarcFile,
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_warc,
    many_pages,
    markup,
    page,
    prose,
    small_web,
)
from tests.command import contents, counts, done, manifest, started, webecho, write_manifest

# Children are forked from a process that has loaded webecho and started no thread.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["webecho.api.dedup", "webecho.api.clusters", "webecho.api.pairs", __name__]
)
DAMAGE: dict[str, Callable[[Path], object]] = {
    "truncated": lambda file: file.write_bytes(file.read_bytes()[:-50]),
    "emptied": lambda file: file.write_bytes(b""),
    "changed": lambda file: file.write_bytes(file.read_bytes().replace(b"PAR1", b"PAR2", 1)),
    "missing": lambda file: file.unlink(),
}


def die_at_rename(number: int, arguments: list[str]) -> None:
    """Runs a command in a process that is killed just before it renames a file for the n-th time.

    All that a run leaves behind it puts in place by renaming.
    """
    rename, count = os.replace, 0

    def replace(*paths: object) -> None:
        nonlocal count
        count += 1
        if count > number:
            os.kill(os.getpid(), signal.SIGKILL)
        rename(*paths)  # type: ignore[arg-type]

    os.replace = replace  # type: ignore[assignment]
    webecho(*arguments)


def killed_at_rename(number: int, *arguments: object) -> bool:
    """Whether the run made so many renames that it could be killed at this one."""
    child = FORKS.Process(target=die_at_rename, args=(number, [str(each) for each in arguments]))
    child.start()
    child.join(60)
    assert child.exitcode in (0, -signal.SIGKILL)
    return child.exitcode != 0


def revisited(folder: Path) -> tuple[Path, Path]:
    """Two WARC files that refer to each other, with records that are no pages."""
    with WarcFile(folder / "a.warc.gz") as a:
        a.revisit("http://a.example.org/0", Refers_To="<urn:uuid:b.warc.gz-2>")
        a.request("http://a.example.org/1")
        a.response("http://a.example.org/1", markup(prose(1, 50)).encode())
        a.response("http://a.example.org/2", markup(prose(2, 50)).encode())
    with WarcFile(folder / "b.warc.gz") as b:
        b.revisit("http://b.example.org/0", Refers_To="<urn:uuid:a.warc.gz-3>")
        b.response("http://b.example.org/1", markup(prose(3, 50)).encode())
        b.raw(b"no record")
    return a.file, b.file


def check_every_kill(tmp_path: Path, arguments: tuple[object, ...], begin: Path | None) -> int:
    """Kills the command at each of its renames in turn and goes on; gives their number."""
    whole, path = tmp_path / "whole.echo", tmp_path / "killed.echo"
    if begin:
        shutil.copytree(begin, whole)
    done(*arguments, "-o", whole)
    for number in range(1000):
        shutil.rmtree(path, ignore_errors=True)
        if begin:
            shutil.copytree(begin, path)
        if not killed_at_rename(number, *arguments, "-o", path):
            return number
        result = webecho(*arguments, "-o", path)
        assert result.exit_code == 0, f"killed at rename {number}: {result.stderr}"
        assert contents(path) == contents(whole), f"killed at rename {number}"
    raise AssertionError("the run never ends")


def test_a_run_may_be_killed_at_every_rename(tmp_path: Path) -> None:
    a, b = revisited(tmp_path)
    arguments = ("sketch", a, b, "--part-pages", 2, "--quiet")
    assert check_every_kill(tmp_path, arguments, None) > 10


def test_an_append_may_be_killed_at_every_rename(tmp_path: Path) -> None:
    a, b = revisited(tmp_path)
    settings = ("--part-pages", 2, "--keep-shingles", "--quiet")
    done("sketch", a, "-o", tmp_path / "a.echo", *settings)
    done("sketch", a, b, "-o", tmp_path / "both.echo", *settings)
    arguments = ("sketch", b, "--append", *settings)
    assert check_every_kill(tmp_path, arguments, tmp_path / "a.echo") > 8
    assert contents(tmp_path / "whole.echo") == contents(tmp_path / "both.echo")


@pytest.mark.parametrize("verb", ["clusters", "pairs"])
def test_grouping_may_be_killed_at_every_rename(tmp_path: Path, verb: str) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    done("sketch", pages, "-o", tmp_path / "w.echo")
    before = contents(tmp_path / "w.echo")
    assert killed_at_rename(0, verb, tmp_path / "w.echo")
    assert before.items() <= contents(tmp_path / "w.echo").items()
    assert not (tmp_path / "w.echo" / verb / "similar-0.8.parquet").exists()
    done(verb, tmp_path / "w.echo")
    shutil.copytree(tmp_path / "w.echo", tmp_path / "again.echo")
    done(verb, tmp_path / "again.echo")
    assert contents(tmp_path / "again.echo") == contents(tmp_path / "w.echo")
    assert not list((tmp_path / "w.echo").rglob("*.new"))


def unfinished(path: Path, parts: int) -> None:
    """Makes the workspace look as if it had been killed after so many parts."""
    values = manifest(path)
    values |= {"parts": values["parts"][:parts], "complete": False}
    write_manifest(path, values)


FORMATS = {
    "parquet": lambda folder: as_parquet(folder / "pages.parquet", many_pages(40), rows=7),
    "jsonl": lambda folder: as_jsonl(
        folder / "pages.jsonl", many_pages(40), dict.fromkeys((0, 5, 6, 10, 25, 39), "{")
    ),
    "csv": lambda folder: as_csv(folder / "pages.csv", many_pages(40)),
    "warc": lambda folder: as_warc(folder / "pages.warc", many_pages(40), requests=True),
    "warc.gz": lambda folder: as_warc(folder / "pages.warc.gz", many_pages(40), requests=True),
    "folder": lambda folder: as_folder(folder / "pages", many_pages(40)),
}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_goes_on_after_any_part(tmp_path: Path, form: str) -> None:
    """The files of later parts are there, and one is half written: none of that matters."""
    pages = FORMATS[form](tmp_path)
    arguments = ("sketch", pages, "--part-pages", 6, "--threads", 2, "-o")
    whole = tmp_path / "whole.echo"
    done(*arguments, whole)
    expected = contents(whole)
    for parts in range(len(manifest(whole)["parts"]) + 1):
        path = tmp_path / f"{parts}.echo"
        shutil.copytree(whole, path)
        unfinished(path, parts)
        (path / "sketches" / f".part-{parts:05d}.parquet.new").write_bytes(b"PAR1 half a part")
        (path / ".manifest.json.new").write_bytes(b'{"recipe": ')
        for later in list((path / "sketches").glob("part-*.parquet"))[parts + 1 :: 2]:
            later.write_bytes(b"of a part that was never completed")
        done(*arguments, path)
        # What was left aside and not needed again does no harm; it is no part of the result.
        found = {name: digest for name, digest in contents(path).items() if ".new" not in name}
        assert found == expected


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("part", [0, 2])
def test_a_damaged_part_is_made_again_when_a_run_goes_on(
    tmp_path: Path, damage: str, part: int
) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", many_pages(30))
    arguments = ("sketch", pages, "--part-pages", 6, "-o")
    whole, path = tmp_path / "whole.echo", tmp_path / "damaged.echo"
    done(*arguments, whole)
    shutil.copytree(whole, path)
    unfinished(path, 3)
    DAMAGE[damage](path / "sketches" / f"part-0000{part}.parquet")
    done(*arguments, path)
    assert contents(path) == contents(whole)


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_in_what_was_there_before_an_append_loses_no_page(
    tmp_path: Path, damage: str
) -> None:
    """Only the appended input is at hand: the pages of the other cannot be made again."""
    a = as_jsonl(tmp_path / "a.jsonl", many_pages(12))
    b = as_jsonl(tmp_path / "b.jsonl", small_web())
    path = tmp_path / "w.echo"
    done("sketch", a, "-o", path, "--part-pages", 6)
    done("sketch", b, "-o", path, "--part-pages", 6, "--append")
    unfinished(path, 3)
    damaged = path / "sketches" / "part-00001.parquet"
    DAMAGE[damage](damaged)
    result = webecho("sketch", b, "-o", path, "--part-pages", 6, "--append")
    assert result.exit_code == 1
    assert f"{damaged} is damaged, and it is of an earlier input; sketch all" in result.stderr
    assert not manifest(path)["complete"]


def test_a_source_that_changed_meanwhile_is_not_gone_on_with(tmp_path: Path) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", many_pages(30))
    path = tmp_path / "w.echo"
    done("sketch", pages, "-o", path, "--part-pages", 6)
    unfinished(path, 2)
    before = contents(path)
    pages.write_text(pages.read_text().replace("Page 1", "Page X"))
    result = webecho("sketch", pages, "-o", path, "--part-pages", 6)
    assert result.exit_code == 1
    assert f"{pages} has changed since it was sketched" in result.stderr
    assert contents(path) == before


def kill_after(parts: int, path: Path, command: tuple[object, ...]) -> bool:
    """Kills the real command once it has written so many parts; false if it ended before."""
    process = started(*command, "-o", path)
    last = path / "sketches" / f"part-{parts - 1:05d}.parquet"
    while process.poll() is None and not last.exists():
        time.sleep(0.002)
    process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


def kill_often(path: Path, command: tuple[object, ...], kills: int, chance: random.Random) -> bool:
    """Kills the command again and again, each time some parts further on.

    False if it once ended before it could be killed, as may happen when the machine is busy.
    """
    shutil.rmtree(path, ignore_errors=True)
    written = 0
    for _ in range(kills):
        if not kill_after(written + chance.randint(1, 3), path, command):
            return False
        written = len(list((path / "sketches").glob("part-*.parquet")))
    return True


def check_kills(tmp_path: Path, pages: Path, kills: int, seed: int) -> None:
    """Kills a run so many times and lets it end: the bytes are those of an unbroken run."""
    command = ("sketch", pages, "--part-pages", 20, "--quiet")
    whole, path = tmp_path / "whole.echo", tmp_path / "killed.echo"
    done(*command, "-o", whole)
    chance = random.Random(seed)
    assert any(kill_often(path, command, kills, chance) for _ in range(5))
    assert not manifest(path)["complete"]
    process = started(*command, "-o", path)
    process.communicate()
    assert process.returncode == 0
    assert contents(path) == contents(whole)


def test_a_run_that_is_killed_twice_ends_with_the_same_bytes(tmp_path: Path) -> None:
    pages = as_warc(tmp_path / "pages.warc.gz", many_pages(2000, words=30))
    check_kills(tmp_path, pages, kills=2, seed=2004)


@pytest.mark.soak
@pytest.mark.parametrize("form", [as_parquet, as_warc])
def test_a_run_that_is_killed_twenty_times_ends_with_the_same_bytes(
    tmp_path: Path, form: Callable[..., Path]
) -> None:
    name = "pages.parquet" if form is as_parquet else "pages.warc.gz"
    pages = form(tmp_path / name, many_pages(6000, words=100))
    check_kills(tmp_path, pages, kills=20, seed=len(name))


def wait_for_parts(path: Path, parts: int) -> None:
    """Waits until the workspace names so many parts; its manifest is always whole."""
    for _ in range(6000):
        if (path / "manifest.json").exists() and len(manifest(path)["parts"]) >= parts:
            return
        time.sleep(0.01)
    raise AssertionError("the run does not go on")


def test_an_interrupted_run_ends_at_once_and_can_be_gone_on_with(tmp_path: Path) -> None:
    """Control-C while a stream says nothing more: the pages that came are not lost."""
    web = [page(number, f"page number {number}") for number in range(40_000)]
    lines = as_jsonl(tmp_path / "pages.jsonl", web).read_bytes()
    path = tmp_path / "w.echo"
    command = ("sketch", "-", "-o", path, "--part-pages", 4000, "--quiet")
    process = started(*command, stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(lines[: len(lines) // 2])
    process.stdin.flush()
    wait_for_parts(path, 1)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(20)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert not manifest(path)["complete"]
    done(*command, stdin=lines)
    assert counts(path)["pages"] == 40_000
    done("sketch", "-", "-o", tmp_path / "whole.echo", *command[4:], stdin=lines)
    assert contents(path) == contents(tmp_path / "whole.echo")


def test_a_stream_that_is_not_the_same_is_not_gone_on_with(tmp_path: Path) -> None:
    """Parts of one stream and parts of another must never make one workspace."""
    one = as_jsonl(tmp_path / "one.jsonl", many_pages(30, seed=1)).read_bytes()
    two = as_jsonl(tmp_path / "two.jsonl", many_pages(30, seed=2)).read_bytes()
    path = tmp_path / "w.echo"
    command = ("sketch", "-", "-o", path, "--part-pages", 6)
    done(*command, stdin=one)
    whole = contents(path)
    unfinished(path, 2)
    assert webecho(*command, stdin=two).exit_code == 1
    done(*command, stdin=one)
    assert contents(path) == whole


def test_clusters_that_cannot_be_removed_stop_an_append(
    crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would be wrong with more pages."""
    done("clusters", crawl)
    before = contents(crawl)

    remove = shutil.rmtree

    def refuse(path: Path, **more: Any) -> None:
        if path == crawl / "clusters":
            raise PermissionError(13, "Permission denied", str(path))
        remove(path, **more)

    monkeypatch.setattr("shutil.rmtree", refuse)
    more = as_warc(crawl.parent / "more.warc", small_web())
    result = webecho("sketch", more, "-o", crawl, "--append", "--part-pages", 5)
    assert result.exit_code == 1
    assert f"webecho: {crawl / 'clusters'} cannot be removed" in result.stderr
    assert contents(crawl) == before


def test_the_workspace_cannot_take_the_place_of_something_else(tmp_path: Path) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine")
    for taken in (tmp_path / "notes", pages, pages / "below"):
        result = webecho("sketch", pages, "-o", taken)
        assert result.exit_code == 1
        assert str(taken) in result.stderr
        assert "choose another" in result.stderr
    assert [file.name for file in (tmp_path / "notes").iterdir()] == ["mine.txt"]
    assert pages.stat().st_size > 0
