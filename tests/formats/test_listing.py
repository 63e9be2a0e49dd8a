import os
from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.entries import Listed
from webecho.formats.listing import (
    files_named,
    files_under,
    has_glob,
    holds_workspace,
    matches,
    matching,
)


def test_folders_are_listed_by_the_bytes_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.html", "a/z.html", "a.html", "B.html", "é.html", "a-b.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / os.fsdecode(b"\xff.html")).touch()
    found = [os.fsencode(file.relative) for file in files_under(str(tmp_path))]
    expected = [b"B.html", b"a-b.html", b"a.html", b"a/z.html", b"b.html"]
    assert found == [*expected, "é.html".encode(), b"\xff.html"]


def test_hidden_files_and_workspaces_are_left_out(tmp_path: Path) -> None:
    for name in (
        ".git/config.html",
        "old.echo/report.html",
        ".hidden.html",
        "a/.b/c.html",
        "d.html",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [file.relative for file in files_under(str(tmp_path))] == ["d.html"]


def test_a_remote_folder_is_listed_like_a_local_one() -> None:
    for name in ("b.html", "a/z.html", "a.html", ".x/y.html", "w.echo/r.html"):
        with fsspec.open(f"memory://listed/{name}", "wb") as far:
            far.write(name.encode())
    found = files_under("memory://listed")
    assert [file.relative for file in found] == ["a.html", "a/z.html", "b.html"]
    with files.open_file(found[1].name) as file:
        assert file.read() == b"a/z.html"


def test_globs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.warc", "a.warc", "c.txt"):
        (tmp_path / name).touch()
    assert matching("*.warc") == ["a.warc", "b.warc"]
    assert has_glob("*.warc")
    assert not has_glob("a.warc")


def test_what_a_name_stands_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("in/b.html", "in/a/c.html", "in/a/d.html", "old.echo/e.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    c, d, b = (Listed(name, f"in/{name}") for name in ("a/c.html", "a/d.html", "b.html"))
    assert files_named("in/b.html") == [Listed("in/b.html", "in/b.html")]
    assert files_named("-") == [Listed("-", "-")]
    assert files_named("in") == [c, d, b]
    # The folder `a` matches, and so does what is in it.
    assert files_named("in/**") == [c, d, b]
    assert files_named("in/*.html") == [b]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", "none: no such file or folder"),
        ("*.none", r"\*\.none: nothing matches"),
        ("folder", "folder: holds no files"),
        ("crawl", "crawl: is a workspace"),
    ],
)
def test_names_that_stand_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "crawl/sketches").mkdir(parents=True)
    (tmp_path / "crawl/manifest.json").touch()
    with pytest.raises(InputError, match=message):
        files_named(name)


def test_globs_of_any_depth_do_not_go_round_in_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("in/a/b/c.html", "in/a/d.html", "in/e.txt", "in/.f/g.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    # Python's own `glob` would go through these 2 to the 40th ways.
    for name in ("in/a/one", "in/a/two", "in/a/b/three"):
        (tmp_path / name).symlink_to(tmp_path / "in")
    read = {
        pattern: [file.relative for file in files_named(pattern) if file.trouble is None]
        for pattern in ("in/**", "in/**/*.html", "**/b", "**/a/*.html", "in/*/d*")
    }
    assert read == {
        "in/**": ["a/b/c.html", "a/d.html", "e.txt"],
        "in/**/*.html": ["a/b/c.html", "a/d.html"],
        "**/b": ["in/a/b/c.html"],
        "**/a/*.html": ["in/a/d.html"],
        "in/*/d*": ["a/d.html"],
    }


@pytest.mark.parametrize(
    ("path", "pattern", "is_one"),
    [
        ("a/b.html", "**", True),
        ("a/b.html", "**/*.html", True),
        ("b.html", "**/*.html", True),
        ("a/b.html", "*.html", False),
        # A folder that matches stands for all in it.
        ("a/b/c", "a/*", True),
        ("a/b/c", "**/b", True),
        ("a/b/c", "**/c/**/d", False),
        ("/".join("a" * 40), "/".join(["**", "a"] * 20 + ["b"]), False),
    ],
)
def test_paths_and_patterns(path: str, pattern: str, is_one: bool) -> None:
    assert matches(path.split("/"), pattern.split("/")) is is_one


def test_what_a_glob_matches_and_nobody_can_read_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.html").touch()
    (tmp_path / "b.html").symlink_to("nowhere")
    (tmp_path / "c.html").symlink_to("c.html")
    os.mkfifo(tmp_path / "d.html")
    found = {file.relative: file.trouble and file.trouble.reason for file in files_named("*.html")}
    reasons = (None, "dangling link", "link loop", "pipe")
    assert found == dict(zip(["a.html", "b.html", "c.html", "d.html"], reasons, strict=True))


@pytest.mark.parametrize("asked", [files_named, holds_workspace])
def test_a_text_is_no_name(asked: Callable[[str], object]) -> None:
    with pytest.raises(InputError) as told:
        asked("some words " * 5000)
    assert str(told.value).startswith("some words some words") and len(str(told.value)) < 200
    assert "is too long for the name of a file; texts are given in a list" in str(told.value)


def test_an_address_may_be_long(tmp_path: Path) -> None:
    name = f"memory://{'x' * 300}.jsonl"
    with pytest.raises(InputError, match="no such file"):
        files_named(name)
    assert not holds_workspace(str(tmp_path.joinpath(*["x" * 200] * 5)))
