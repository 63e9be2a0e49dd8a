"""`payload`: captures made by hand, stored plain, in chunks and compressed, of several types."""

import gzip
import zlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import webecho
from tests.read.archives import gzipped, http, record, response, saved
from webecho.group.rules.keys import PAYLOAD
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO

PAGE = b"<p>one and the same page</p>"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256))


def chunked(body: bytes, size: int) -> bytes:
    chunks = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


PACKED, OTHERWISE = (gzip.compress(PAGE, level, mtime=0) for level in (9, 0))
# Name: the body as stored, and its headers.
CAPTURES: dict[str, tuple[bytes, dict[str, str]]] = {
    "plain": (PAGE, {}),
    "plain again": (PAGE, {"server": "another"}),
    "said to be chunked": (PAGE, {"transfer_encoding": "chunked"}),
    "in chunks": (chunked(PAGE, 5), {"transfer_encoding": "chunked"}),
    "in chunks again": (chunked(PAGE, 5), {"transfer_encoding": "chunked", "x": "y"}),
    "in other chunks": (chunked(PAGE, 9), {"transfer_encoding": "chunked"}),
    "gzip": (PACKED, {"content_encoding": "gzip"}),
    "gzip again": (PACKED, {"content_encoding": "x-gzip"}),
    "gzip otherwise": (OTHERWISE, {"content_encoding": "gzip"}),
    "gzip not said": (PACKED, {"kind": "application/gzip"}),
    "gzip in chunks": (
        chunked(PACKED, 7),
        {"content_encoding": "gzip", "transfer_encoding": "chunked"},
    ),
    "zlib": (zlib.compress(PAGE), {"content_encoding": "deflate"}),
    "as text": (PAGE, {"kind": "text/plain"}),
    "an image": (PNG, {"kind": "image/png"}),
    "an image again": (PNG, {"kind": "image/x-other"}),
    "empty": (b"", {}),
    "empty again": (b"", {}),
}
TOGETHER = [
    {"plain", "plain again", "said to be chunked", "as text"},
    {"in chunks", "in chunks again"},
    {"gzip", "gzip again"},
    {"an image", "an image again"},
]


def archive(folder: Path, name: str, *names: str) -> str:
    captures = [
        response(
            f"http://a.example/{each.replace(' ', '-')}", CAPTURES[each][0], **CAPTURES[each][1]
        )
        for each in names
    ]
    return saved(folder, name, gzipped(*captures) if name.endswith("gz") else b"".join(captures))


def groups(rows: list[dict[str, Any]]) -> list[set[str]]:
    members: dict[int, set[str]] = defaultdict(set)
    for row in rows:
        members[row["cluster"]].add(row["url"].rpartition("/")[2].replace("-", " "))
    return [some for some in members.values() if len(some) > 1]


@pytest.mark.parametrize("name", ["x.warc.gz", "x.warc"])
def test_stored_and_read_bytes_are_the_same(tmp_path: Path, name: str) -> None:
    file = archive(tmp_path, name, *CAPTURES)
    rows = webecho.clusters(file, "payload").to_pylist()
    assert len(rows) == len(CAPTURES)
    assert groups(rows) == TOGETHER
    # The other rules see the page whatever it was stored as, and of usual types alone.
    read = {row["url"] for row in webecho.clusters(file, "text").to_pylist()}
    assert len(read) == len(CAPTURES) - 3
    assert len(groups(webecho.clusters(file, "text").to_pylist())[0]) == 11


def test_dedup_of_all_types(tmp_path: Path) -> None:
    file = archive(tmp_path, "x.warc.gz", *CAPTURES)
    found = webecho.dedup(file, tmp_path / "out", rule="payload")
    assert found.summary["counts"]["read"] == len(CAPTURES)
    removed = {row["url"].rpartition("/")[2]: row for row in found.duplicates.to_pylist()}
    assert sorted(removed) == sorted(
        [
            "plain-again",
            "said-to-be-chunked",
            "as-text",
            "in-chunks-again",
            "gzip-again",
            "an-image-again",
        ]
    )
    assert {row["agrees"] for row in removed.values()} == {"payload"}
    assert found.summary["counts"]["removed, same payload"] == 6
    # Empty bodies stay: there is nothing by which they could be the same.
    assert found.summary["counts"]["kept, not compared"] == 2


@pytest.mark.parametrize("name", ["x.warc.gz", "x.warc"])
def test_all_types(tmp_path: Path, name: str) -> None:
    kinds = ["plain", "an image", "as text", "gzip not said"]
    file = archive(tmp_path, name, *kinds)
    everything = [webecho.clusters(file, "tokens", types=kind) for kind in ("*", "*/*")]
    assert everything[0].equals(everything[1])
    assert len(everything[0]) == 4
    some = webecho.clusters(file, "tokens", types=["image/*"])
    assert len(some) == 1
    sketches = webecho.sketch(file, types="*").to_pylist()
    rows = {row["url"]: row for row in sketches}
    image = rows["http://a.example/an-image"]
    assert (image["tokens"], image["chars"]) == (0, 0)
    assert image["digest"] is image["text_digest"] is None
    assert image["markup_digest"] is not None and image["features"] is None
    with pytest.raises(webecho.SettingsError, match=r"or \* for all types"):
        webecho.clusters(file, "tokens", types="all")


def test_a_type_says_what_is_text(tmp_path: Path) -> None:
    bodies = [
        response("http://a/json", b'{"a": "some words here"}', kind="application/json"),
        response("http://a/pdf", b"%PDF-1.4\nsome words here", kind="application/pdf"),
        record("resource", PNG, target_uri="http://a/resource", content_type="image/png"),
        record("response", http(PNG, kind=None), target_uri="http://a/untold"),
    ]
    rows = webecho.sketch(saved(tmp_path, "x.warc", b"".join(bodies)), types="*").to_pylist()
    tokens = {row["url"]: row["tokens"] for row in rows}
    assert tokens == {
        "http://a/json": 4,
        "http://a/pdf": 0,
        "http://a/resource": 0,
        "http://a/untold": 0,
    }


def test_folders(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, body in {
        "a.html": PAGE,
        "b.txt": PAGE,
        "c.png": PNG,
        "d": PNG,
        "e.html.gz": PACKED,
        "f.html.gz": OTHERWISE,
        "g.html.gz": PACKED,
    }.items():
        (folder / name).write_bytes(body)
    rows = webecho.clusters(folder, "payload").to_pylist()
    assert groups(rows) == [{"a.html", "b.txt"}, {"c.png", "d"}, {"e.html.gz", "g.html.gz"}]
    # By default a folder has HTML and text alone.
    names = webecho.clusters(folder, "text")["url"].to_pylist()
    assert "c.png" not in names and "d" not in names
    found = webecho.dedup(folder, tmp_path / "out", rule="payload")
    assert found.duplicates["url"].to_pylist() == ["b.txt", "d", "g.html.gz"]
    kept = sorted(path.name for path in (tmp_path / "out" / "data").rglob("*") if path.is_file())
    assert kept == ["a.html", "c.png", "e.html.gz", "f.html.gz"]


def test_tables() -> None:
    table = pa.table({"html": ["<p>a</p>", "<p>A</p>", "<p>a</p>", "<b>a</b>", "", ""]})
    clusters = webecho.clusters(table, "payload")["cluster"].to_pylist()
    assert clusters == [0, 1, 0, 3, 4, 5]


def test_revisits_have_the_payload_of_what_they_repeat(tmp_path: Path) -> None:
    body, headers = CAPTURES["gzip"]
    records = [
        record(
            "response", http(body, **headers), target_uri="http://a/1", record_id="<urn:uuid:1>"
        ),
        record(
            "revisit",
            http(b"", **headers),
            target_uri="http://a/2",
            record_id="<urn:uuid:2>",
            refers_to="<urn:uuid:1>",
        ),
        record("revisit", http(b""), target_uri="http://a/3", refers_to="<urn:uuid:9>"),
    ]
    file = saved(tmp_path, "x.warc", b"".join(records))
    assert webecho.clusters(file, "payload")["cluster"].to_pylist() == [0, 0, 2]


def test_the_rule() -> None:
    chosen = rule("payload")
    assert (chosen.sets, chosen.searches(WEBECHO), chosen.label) == (PAYLOAD, (), "payload")
    assert chosen.any_type and not rule("text").any_type
