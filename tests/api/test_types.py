"""What a type checker tells people who use webecho: the package says that it is typed."""

import subprocess
import sys
from pathlib import Path

import webecho

RIGHT = """
from pathlib import Path
from typing import Any, assert_type

import pandas
import polars
import pyarrow as pa

import webecho

frame = polars.DataFrame({"text": ["a b", "a b"]})
assert_type(webecho.dedup(frame).kept, polars.DataFrame)
assert_type(webecho.dedup(frame.lazy(), text="text", keep="longest").kept, polars.LazyFrame)
assert_type(webecho.dedup(pandas.DataFrame({"text": ["a"]})).kept, pandas.DataFrame)
assert_type(webecho.dedup(pa.table({"text": ["a"]})).kept, pa.Table)
assert_type(webecho.dedup("crawl.warc.gz", "out", revisit=True).kept, pa.Table)
assert_type(webecho.dedup([Path("a.parquet"), "b.jsonl"]), webecho.Deduplicated[pa.Table])
assert_type(webecho.dedup([frame, frame]).kept, Any)
assert_type(webecho.clusters("w.echo", "b", least_b=3), pa.Table)
assert_type(webecho.overlap("w.echo", "lines:2", 9, level="host"), pa.Table)
webecho.overlap(frame, other="w.echo", report_left=True, containment=0.9)
webecho.passages("w.echo", 1, "#2", "words:8:sliding", beside=frame).shared[0].left_text
webecho.dedup("a.jsonl", rule="overlap", chunk="lines:2", shared=9)
webecho.sketch(frame, "w.echo", statuses=[200, 404], types="text/html", convert={"a/b": "cat"})
webecho.pairs(frame, text="text", id="id", date="date", format="parquet")
webecho.why("w.echo", 1, "#2").resemblance
webecho.diff(b"<p>one", b"<p>two", url="where").same_bytes
webecho.study_growth("w.echo", steps=5).sentences
archives: list[Path] = [Path("a.warc.gz")]
webecho.restore(archives, "out").files
webecho.study_duplicates(archives).notes
webecho.clusters("w.echo", "c", pieces=12)
webecho.dedup("a.jsonl", rule="c", pieces=12)
"""
# Each line is wrong, and nothing else is.
WRONG = """
import polars
import webecho
webecho.dedup("a.jsonl", resemblence=0.5)
webecho.dedup("a.jsonl", keep=7)
webecho.dedup(polars.DataFrame(), text=1)
webecho.dedup(polars.DataFrame()).kept.no_such_method()
webecho.sketch("a.jsonl", statuses="200")
webecho.clusters("a.jsonl", url=3)
webecho.pairs("a.jsonl", colour="red")
webecho.overlap("a.jsonl", level="page2")
webecho.why("a.jsonl")
webecho.diff("a", "b", types=1)
webecho.study_duplicates("w.echo", match="nearly")
"""
# Stand-ins for the libraries that come without types, so that theirs can be told apart.
STUBS = {
    "pandas": "class DataFrame:\n    def __init__(self, data: object) -> None: ...\n",
    "pyarrow": "class Table: ...\nclass Array: ...\ndef table(data: object) -> Table: ...\n",
}


def mypy(tmp_path: Path, program: str) -> list[str]:
    """The complaints about a program, without the program's name."""
    (tmp_path / "program.py").write_text(program)
    for name, stub in STUBS.items():
        (tmp_path / "stubs" / name).mkdir(parents=True)
        (tmp_path / "stubs" / name / "__init__.pyi").write_text(stub)
    package = Path(webecho.__file__).parent
    settings = f"[mypy]\nstrict = True\nmypy_path = {tmp_path / 'stubs'}:{package.parent}\n"
    # What is wrong in the package itself is not the user's to see.
    settings += "[mypy-webecho.*]\nfollow_imports = silent\n"
    (tmp_path / "mypy.ini").write_text(settings)
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "program.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert not run.stderr
    return [line for line in run.stdout.splitlines() if ": error: " in line]


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(webecho.__file__).parent / "py.typed").is_file()


def test_what_was_given_comes_back_of_its_kind(tmp_path: Path) -> None:
    assert mypy(tmp_path, RIGHT) == []


def test_wrong_use_is_found(tmp_path: Path) -> None:
    found = {int(line.split(":")[1]) for line in mypy(tmp_path, WRONG)}
    lines = WRONG.splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.startswith("webecho.")}
    assert found == wrong
