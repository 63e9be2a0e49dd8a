"""Hostile pages are pages, and bombs are counted."""

import gzip
import random
from pathlib import Path

import pytest

from tests.collections_made import (
    WarcFile,
)
from tests.sketches.counted import LISTS, check_counts
from webecho import clusters, sketch

HOSTILE = {
    "deep nesting": b"<div>" * 1_000_000 + b"at the bottom",
    "open tags": b"<a href='" * 200_000,
    "one long tag": b"<p " + b"a=1 " * 300_000 + b">text",
    "one long word": b"x" * 2_000_000,
    "many entities": b"&amp;&#0;&#x110000;&notanentity;" * 30_000,
    "comments": b"<!--" * 300_000 + b"-->",
    "NULs": bytes(2_000_000),
    "NULs in text": b"one\0two \0 three\0" * 50_000,
    "invalid UTF-8": b"\xff\xfe\xfd caf\xe9 \xc3\x28 \xf0\x28\x8c\x28 " * 30_000,
    "noise": random.Random(7).randbytes(1_000_000),
    "5 MB of text": b"the quick brown fox jumps over the lazy dog " * 120_000,
    "combining marks": b"a" + "\u0301".encode() * 300_000,
    "no spaces": "語".encode() * 300_000,
    "surrogates and BOMs": b"\xed\xa0\x80\xef\xbb\xbf" * 100_000,
    "unclosed script": b"<p>seen</p><script>" + b"if (a<b) {" * 100_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_are_pages(tmp_path: Path, body: bytes) -> None:
    with WarcFile(tmp_path / "in.warc") as warc:
        warc.response("http://a.example.org/1", b"<p>a page before it</p>")
        warc.response("http://a.example.org/2", body)
        warc.response("http://a.example.org/3", body, kind="text/plain")
        warc.response("http://a.example.org/4", b"<p>a page after it</p>")
        warc.response("http://a.example.org/5", body)
    found = sketch(str(tmp_path / "in.warc"), tmp_path / "w.echo").to_pylist()
    check_counts(tmp_path / "w.echo")
    assert [row["page"] for row in found] == [0, 1, 2, 3, 4]
    assert (found[0]["tokens"], found[3]["tokens"]) == (4, 4)
    for name in ("tokens", "digest", "markup_digest", *LISTS):
        assert found[1][name] == found[4][name]
    assert clusters(tmp_path / "w.echo")["cluster"].to_pylist()[3] == 3


def test_bombs_in_archives_are_counted_not_unpacked(tmp_path: Path) -> None:
    """A gzip body of 300 MB, another inside a second gzip, beside ordinary pages."""
    bomb = gzip.compress(bytes(300 << 20), 1, mtime=0)
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        warc.response("http://a.example.org/1", b"<p>before</p>")
        warc.response("http://a.example.org/2", bomb, Content_Encoding="gzip")
        twice = gzip.compress(bomb, mtime=0)
        warc.response("http://a.example.org/3", twice, Content_Encoding="gzip, gzip")
        warc.response("http://a.example.org/4", b"<p>after</p>")
    found = sketch(str(tmp_path / "in.warc.gz"), tmp_path / "w.echo").to_pylist()
    counted = check_counts(tmp_path / "w.echo")
    assert (counted["pages"], counted["failed"]) == (2, 2)
    assert counted["failed: too long"] == 2
    assert [row["url"] for row in found] == ["http://a.example.org/1", "http://a.example.org/4"]


@pytest.mark.soak
def test_pages_of_100_mb_are_pages(tmp_path: Path) -> None:
    letters = bytes(b"abcdefghijklmnopqrstuvwxyz      "[byte % 32] for byte in range(256))
    text = random.Random(3).randbytes(100_000_000).translate(letters)
    with WarcFile(tmp_path / "in.warc") as warc:
        warc.response("http://a.example.org/1", text, kind="text/plain")
        warc.response("http://a.example.org/2", b"<p>" + text + b"</p>")
    found = sketch(str(tmp_path / "in.warc")).to_pylist()
    assert found[0]["tokens"] == found[1]["tokens"] == len(text.split())
    assert found[0]["digest"] == found[1]["digest"]
