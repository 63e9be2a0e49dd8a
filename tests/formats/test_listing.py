import os
from pathlib import Path

import fsspec
import pytest

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.listing import Listed, files_named, files_under, has_glob, matching


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


def test_a_link_that_leads_back_ends(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/page.html").touch()
    (tmp_path / "a/up").symlink_to(tmp_path)
    (tmp_path / "same").symlink_to(tmp_path / "a")
    found = [file.relative for file in files_under(str(tmp_path))]
    assert found == ["a/page.html", "same/page.html"]


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
