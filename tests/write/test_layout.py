from pathlib import Path

import pytest

from webecho.read.collection import ReadOptions, open_collection
from webecho.write.layout import places_of

JSONL = b'{"text": "a"}\n'
ARC = b"filedesc://a.arc 0.0.0.0 20200101000000 text/plain 0\n\n"
WARC = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
CONTENTS = {
    "a.jsonl": JSONL,
    "in/a.jsonl": JSONL,
    "in/sub/b.jsonl": JSONL,
    "in/sub/page.html": b"<p>",
    "site/index.html": b"<p>",
    "crawl/a.arc": ARC,
    "crawl/a.warc": WARC,
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in CONTENTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        # One file keeps its name, of a folder the paths within it are kept.
        (["in/a.jsonl"], ["a.jsonl"]),
        (["site/index.html"], ["index.html"]),
        (["in"], ["a.jsonl", "sub/b.jsonl", "."]),
        (["in/*/*.jsonl"], ["sub/b.jsonl"]),
        (["site"], ["."]),
        # Several stand side by side, folders under their own names.
        (["a.jsonl", "in"], ["a.jsonl", "in/a.jsonl", "in/sub/b.jsonl", "in"]),
        (["in/sub", "site"], ["sub/b.jsonl", "sub", "site"]),
        # Where two would meet, each stands under its number.
        (["a.jsonl", "in/a.jsonl"], ["1/a.jsonl", "2/a.jsonl"]),
        # An ARC file becomes a WARC file, but not over another.
        (["crawl"], ["a.from-arc.arc", "a.warc"]),
        (["crawl/a.arc"], ["a.arc"]),
    ],
)
def test_where_each_source_is_written(inputs: list[str], expected: list[str]) -> None:
    collection = open_collection(inputs, ReadOptions())
    assert places_of(collection.inputs, Path("data")) == [Path("data") / path for path in expected]


def test_standard_input_has_a_name_of_its_own(tmp_path: Path) -> None:
    (tmp_path / ".out.stdin.jsonl").write_bytes(JSONL)
    collection = open_collection([str(tmp_path / ".out.stdin.jsonl")], ReadOptions())
    assert places_of(collection.inputs, Path("data")) == [Path("data/stdin.jsonl")]
