"""What is said of records that are no pages."""

import json
import os
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import done
from tests.read.archives import ALL, gzipped, saved
from webecho.workspace.omissions import Omissions, counted, omissions, omitted, omitted_files
from webecho.workspace.workspace import Workspace

PAGE = "<p>of a page that has some words of its own, {0} {0} {0} {0} {0}, enough to be compared"
REASONS = "3 failed (bad JSON 1, dangling link 1, link loop 1)"


@pytest.fixture
def mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which there is something of everything."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    for number in range(3):
        (folder / f"{number}.html").write_text(PAGE.format(number))
    (folder / "copy.html").write_text(PAGE.format(0))
    for name in ("a.png", "b.png", "c.lz4", "README"):
        (folder / name).touch()
    (folder / "gone.html").symlink_to("nowhere")
    (folder / "loop").symlink_to("loop")
    (folder / "sub/up").symlink_to("..")
    os.mkfifo(folder / "pipe.html")
    (folder / "rows.jsonl").write_text('{"text": "a b c d e f g h"}\n{broken\n')
    return folder


@pytest.mark.usefixtures("mixed")
def test_files_in_a_folder_that_are_not_read_are_counted_and_named() -> None:
    said = done("sketch", "in", "-o", "w.echo")
    failed = "in: files not read: dangling link 1 (gone.html); link loop 1 (loop)"
    others = (
        "in: files not read: type .png 2 (a.png, b.png); about the data 1 (README); "
        "folder read already 1 (sub/up); pipe 1 (pipe.html); type .lz4 1 (c.lz4)"
    )
    assert f"webecho: {failed}\n{others}\n" in said.stderr
    assert omitted_files(Workspace.open("w.echo")) == ([failed], [others])
    shown = dict(line.rsplit("  ", 1) for line in said.stdout.splitlines())
    shown = {name.strip(): value for name, value in shown.items()}
    assert [shown[name] for name in ("records", "pages", "skipped", "failed")] == [
        "14",
        "5",
        "6",
        "3",
    ]
    assert shown["left out, listed in"] == "w.echo/skipped/*.parquet"
    listed = pq.read_table("w.echo/skipped")
    assert len(listed) == 9
    assert {"a.png", "pipe.html", "gone.html", "sub/up"} <= {*listed["url"].to_pylist()}


VERBS = (
    ("clusters", "w.echo"),
    ("pairs", "w.echo"),
    ("overlap", "w.echo", "--chunk", "page"),
    ("why", "w.echo", "0.html"),
    ("savings", "w.echo"),
    ("study", "duplicates", "w.echo"),
    ("study", "clusters", "w.echo"),
    ("study", "replication", "w.echo"),
)


@pytest.mark.usefixtures("mixed")
def test_every_verb_says_so_and_where_they_are_listed() -> None:
    done("sketch", "in", "-o", "w.echo")
    line = Omissions(
        {"bad JSON": 1, "dangling link": 1, "link loop": 1},
        {"type": 3, "about the data": 1, "folder read already": 1, "pipe": 1},
        "w.echo/skipped/*.parquet",
    ).message("w.echo")
    assert line.startswith(f"w.echo: records that are no pages: {REASONS}, 6 skipped (type 3, ")
    assert line.endswith("; listed in w.echo/skipped/*.parquet")
    for command in VERBS:
        assert f"{line}\n" in done(*command).stderr, command
        assert done(*command, "-q").stderr == "", command
    with pytest.warns(UserWarning, match="records that are no pages: 3 failed"):
        webecho.clusters("w.echo")


def test_what_every_archive_has_is_no_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved(tmp_path, "a.warc.gz", gzipped(*ALL))
    assert "skipped: request" in done("sketch", "a.warc.gz", "-o", "w.echo").stdout
    assert "no pages" not in done("clusters", "w.echo").stderr
    # Programs are told.
    done("clusters", "w.echo", "--log", "log")
    assert '"skipped": {"request": 1, "warcinfo": 1}' in Path("log").read_text()


def test_what_was_only_skipped_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("in/a.html").write_text(PAGE.format(1))
    Path("in/b.png").touch()
    done("sketch", "in", "-o", "w.echo", "-q")
    said = (
        "w.echo: records that are no pages: 1 skipped (type 1); listed in w.echo/skipped/*.parquet"
    )
    assert f"{said}\n" in done("clusters", "w.echo").stderr
    assert done("clusters", "w.echo", "-q").stderr == ""


@pytest.mark.usefixtures("mixed")
def test_a_dedup_tells_it_in_its_summary() -> None:
    shown = done("dedup", "in", "-o", "clean").stdout
    assert re.search("^failed: dangling link  +1$", shown, re.MULTILINE)
    assert re.search("^left out, listed in  +clean/skipped.parquet$", shown, re.MULTILINE)
    told = json.loads(Path("clean/summary.json").read_text())
    assert told["not read"] == {
        "failed": {"bad JSON": 1, "dangling link": 1, "link loop": 1},
        "skipped": {"type": 3, "about the data": 1, "folder read already": 1, "pipe": 1},
        "listed in": "skipped.parquet",
    }
    assert len(pq.read_table("clean/skipped.parquet")) == 9
    # What could be read is there, also what is no page; what could not is not made up.
    assert sorted(path.name for path in Path("clean/data").rglob("*") if path.is_file()) == [
        *("0.html", "1.html", "2.html", "README", "a.png", "b.png", "c.lz4", "rows.jsonl")
    ]


@pytest.mark.usefixtures("mixed")
def test_of_inputs_python_is_warned() -> None:
    with pytest.warns(UserWarning, match=r"\(and 2 more: bad JSON 1, dangling link 1, link loop 1"):
        assert len(webecho.clusters("in")) == 5


def test_reasons_are_counted_and_the_rest_of_them_too() -> None:
    assert counted([("a", 1_000), ("b", 1)]) == "a 1,000, b 1"
    many = {f"failed: {number}": number for number in range(12)}
    found = omissions(many)
    assert (
        counted(found.failed.items())
        == "11 11, 10 10, 9 9, 8 8, 7 7, 6 6, 5 5, 4 4, 3 more reasons"
    )
    assert not omissions({"pages": 3, "skipped": 0})


@pytest.mark.usefixtures("mixed")
def test_what_all_was_read_of_is_not_spoken_of() -> None:
    done("sketch", "in/0.html", "in/1.html", "-o", "w.echo")
    assert not omitted(Workspace.open("w.echo"))
    assert "no pages" not in done("clusters", "w.echo").stderr
