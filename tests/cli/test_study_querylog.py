"""`webecho study querylog` as a user sees it."""

import json
from pathlib import Path

import pytest

from tests.command import done
from tests.command import webecho as run
from tests.study.reuse_made import NEW, OLD, collection, page, sentences, timed_log

A, B = sentences("river", 1, 20), sentences("mountain", 1, 20)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    old = {"http://a.example/": page("geography", A), "http://b.example/": page("geography", B)}
    new = {"http://n.example/": page(A[:12], B[:12])}
    return collection(tmp_path, "old", old, OLD), collection(tmp_path, "new", new, NEW)


def logs(folder: Path) -> list[str]:
    real = timed_log(folder / "real.tsv", [("2003-10-01T00:00:00", "geography")] * 3)
    wrong = timed_log(folder / "wrong.tsv", [("2002-10-01T00:00:00", "cooking")])
    return ["--queries", f"2003={real}", "--queries", f"2002={wrong}", "--drop", "0"]


def test_what_is_written_and_printed(pair: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = done(
        *("study", "querylog", "--pair", *pair, *logs(tmp_path)),
        *("--permutations", 99, "-o", out),
    )
    lines = result.stdout.splitlines()
    assert "Table 5. Query logs" in lines
    assert "old–new  2003        yes      1      1      0      0      0      0" in lines
    assert "old–new  2002        no       0      0      0      0      0      0" in lines
    # Of two queries one finds it, as often as not.
    assert any("2003 leaves more than 2002 at 2 of 6 minimal numbers (5, 10)" in x for x in lines)
    at = lines.index("1. old–new, 2003: geography")
    assert lines[at + 1 : at + 6] == [
        "   old 1  http://a.example/ (rank 1, 10 identical paragraphs)",
        "   old 2  http://b.example/ (rank 2, 10 identical paragraphs)",
        "   new    http://n.example/",
        *lines[at + 4 : at + 6],
    ]
    assert lines[at + 4].startswith("   [1] The river has in its part number 1 ")
    assert lines[at + 5].startswith("   [2] The mountain has in its part number 1 ")
    assert (out / "cases.html").is_file() and (out / "logs-old–new.png").is_file()
    assert json.loads((out / "study.json").read_text())["settings"]["answers"] == 100
    assert json.loads((out / "run.json").read_text())["study querylog"]["seed"] == 0


def test_json_has_the_tables(pair: tuple[Path, Path], tmp_path: Path) -> None:
    arguments = ("study", "querylog", "--pair", *pair, *logs(tmp_path), "-q", "--format", "json")
    found = json.loads(done(*arguments, "-o", tmp_path / "out").stdout)
    assert found["tables"]["cases"][0]["query"] == "geography"


def test_errors_name_the_option(pair: tuple[Path, Path], tmp_path: Path) -> None:
    command = ("study", "querylog", "--pair", *pair)
    wrong = run(*command, "--queries", "log.tsv")
    assert wrong.exit_code == 2 and "give NAME=FILE" in wrong.stderr
    wrong = run(*command, *logs(tmp_path), "--minimal", "5,x", "-o", tmp_path / "out")
    assert wrong.exit_code == 2 and "no list of numbers; try 5,10,15" in wrong.stderr
    wrong = run(*command, *logs(tmp_path), "--real", "2001", "-o", tmp_path / "out")
    assert wrong.exit_code == 2 and "--real 2001 is none of the logs: 2003, 2002" in wrong.stderr
    wrong = run(*command, *logs(tmp_path))
    assert wrong.exit_code == 2 and "give a folder for it: -o FOLDER" in wrong.stderr
