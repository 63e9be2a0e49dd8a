"""Every record is counted: what is no page is listed with its place and the reason."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import (
    WarcFile,
    as_jsonl,
    as_parquet,
    many_pages,
    small_web,
)
from tests.command import counts, done, webecho
from tests.sketches.counted import FORMATS, check_counts, rows
from webecho import sketch


def test_broken_lines_of_jsonl_are_listed_with_their_places(tmp_path: Path) -> None:
    broken = {0: "{not json", 2: "[1, 2]", 3: '"text"', 9: "\x00\x01", 15: '{"html": "half'}
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web(), broken)
    result = webecho("sketch", pages, "-o", tmp_path / "w.echo", "--strict", "--part-pages", 4)
    assert result.exit_code == 3
    counted = check_counts(tmp_path / "w.echo")
    assert (counted["pages"], counted["failed"], counted.get("skipped", 0)) == (16, 5, 0)
    places = [row["place"] for row in rows(tmp_path / "w.echo", "skipped")]
    assert places == [0, 3, 5, 12, 19]
    taken = sorted(places + [row["place"] for row in rows(tmp_path / "w.echo")])
    assert taken == list(range(21))
    assert result.stdout.splitlines()[:6] == [
        "records               21",
        "pages                 16",
        "pages without tokens  5",
        "skipped               0",
        "failed                5",
        "failed: bad JSON      5",
    ]


def test_what_a_warc_holds_besides_pages_is_listed_with_its_reason(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "crawl.warc", gzip=False) as warc:
        warc.request("http://a.example.org/")
        warc.response("http://a.example.org/", b"<p>a page</p>")
        warc.response("http://a.example.org/gone", b"gone", status="404 Not Found")
        warc.response("http://a.example.org/old", b"", "301 Moved", Location="http://b.example/new")
        warc.response("http://a.example.org/logo", b"\x89PNG", kind="image/png")
        warc.raw(b"these bytes are no record\r\n\r\n")
        warc.response("http://a.example.org/2", b"<p>another</p>")
    done("sketch", tmp_path / "crawl.warc", "-o", tmp_path / "w.echo", "--part-pages", 1)
    counted = check_counts(tmp_path / "w.echo")
    assert (counted["pages"], counted["skipped"], counted["failed"]) == (2, 4, 1)
    skipped = rows(tmp_path / "w.echo", "skipped")
    assert [(row["reason"], row["detail"], row["url"]) for row in skipped[:4]] == [
        ("request", None, None),
        ("status", "404", "http://a.example.org/gone"),
        ("redirect", "301", "http://a.example.org/old"),
        ("type", "image/png", "http://a.example.org/logo"),
    ]
    assert skipped[2]["location"] == "http://b.example/new"
    data = (tmp_path / "crawl.warc").read_bytes()
    assert skipped[4]["place"] == data.index(b"these bytes")
    assert skipped[4]["failed"] is True
    for row in (*skipped[:4], *rows(tmp_path / "w.echo")):
        assert data[row["place"] :].startswith(b"WARC/1.0\r\n")


def test_statuses_and_types_can_be_chosen(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "crawl.warc.gz") as warc:
        warc.response("http://a.example.org/", b"<p>a page</p>")
        warc.response("http://a.example.org/gone", b"<p>gone</p>", status="404 Not Found")
        warc.response("http://a.example.org/data", b'{"a": 1}', kind="application/json")
    options = ("--status", 200, "--status", 404, "--type", "text/html", "--type", "application/*")
    done("sketch", tmp_path / "crawl.warc.gz", "-o", tmp_path / "w.echo", *options)
    assert counts(tmp_path / "w.echo")["pages"] == 3
    assert [row["tokens"] for row in rows(tmp_path / "w.echo")] == [2, 1, 2]


def truncated(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def flipped(data: bytes) -> bytes:
    return data[:700] + bytes(byte ^ 0x5A for byte in data[700:760]) + data[760:]


@pytest.mark.parametrize("damage", [truncated, flipped])
@pytest.mark.parametrize("name", ["pages.parquet", "pages.jsonl.gz", "pages.csv", "pages.warc.gz"])
def test_a_damaged_file_does_not_stop_a_run(
    tmp_path: Path, name: str, damage: Callable[[bytes], bytes]
) -> None:
    """The good file beside it is read whole, and of the bad one the counts add up."""
    plain = name.removesuffix(".gz") if "jsonl" in name else name
    whole = FORMATS[plain](tmp_path / plain, many_pages(60)).read_bytes()
    bad = tmp_path / f"bad-{name}"
    bad.write_bytes(damage(gzip.compress(whole, mtime=0) if plain != name else whole))
    good = as_jsonl(tmp_path / "good.jsonl", small_web())
    result = webecho("sketch", bad, good, "-o", tmp_path / "w.echo", "--part-pages", 7, "--strict")
    counted = check_counts(tmp_path / "w.echo")
    assert result.exit_code == (3 if counted.get("failed") else 0)
    of_good = [row for row in rows(tmp_path / "w.echo") if row["source"] == 1]
    assert len(of_good) == 16
    if name != "pages.csv":
        # In a CSV file there is no telling that cells were cut or changed.
        assert counted["failed"] >= 1
        assert counted["pages"] < 76


@pytest.mark.parametrize("kind", ["requests", "no rows", "broken lines"])
def test_a_collection_without_any_page_is_no_accident(tmp_path: Path, kind: str) -> None:
    match kind:
        case "requests":
            with WarcFile(tmp_path / "in.warc.gz") as warc:
                warc.request("http://a.example.org/")
            expected = {"skipped": 1, "skipped: request": 1}
        case "no rows":
            as_parquet(tmp_path / "in.parquet", small_web())
            table = pq.read_table(tmp_path / "in.parquet")
            pq.write_table(table.slice(0, 0), tmp_path / "in.parquet")
            expected = {}
        case "broken lines":
            with WarcFile(tmp_path / "in.warc") as warc:
                warc.raw(b"not a WARC file at all\n" * 10)
            expected = {"failed": 1, "failed: unread rest": 1}
    [file] = tmp_path.iterdir()
    # That nothing at all could be read is told, and the workspace is there all the same.
    result = webecho("sketch", file, "-o", tmp_path / "w.echo")
    assert result.exit_code == (1 if "failed" in expected else 0)
    assert check_counts(tmp_path / "w.echo") == expected
    for rule in ("exact", "very-similar", "virtually-identical", "similar"):
        assert (
            "pages                0\n"
            in done("clusters", tmp_path / "w.echo", "--rule", rule).stdout
        )
        assert "pairs  0\n" in done("pairs", tmp_path / "w.echo", "--rule", rule).stdout
    usual = sketch(str(as_jsonl(tmp_path / "usual.jsonl", small_web())))
    if "failed" not in expected:
        assert sketch(str(file)).schema.equals(usual.schema)


def test_rows_that_are_too_large_for_the_memory_count_each(tmp_path: Path) -> None:
    """The first row group is a Parquet page of 28 MB; with 256 MB it may have 25."""
    texts = [f"page {number}" for number in range(10)] + [f"{n} {'x' * 700_000}" for n in range(40)]
    table = pa.table({"text": texts + [f"other page {number}" for number in range(20)]})
    options = {"use_dictionary": False, "compression": "zstd", "row_group_size": 50}
    pq.write_table(table, tmp_path / "a.parquet", **options, data_page_size=64 << 20)
    command = ("a.parquet", "-o", tmp_path / "w.echo", "--memory", "256MB")
    shown = done("sketch", tmp_path / command[0], *command[1:])
    counted = check_counts(tmp_path / "w.echo")
    assert (counted["pages"], counted["failed"]) == (20, 50)
    assert shown.stdout.splitlines()[0].split() == ["records", "70"]
    places = [row["place"] for row in rows(tmp_path / "w.echo", "skipped")]
    assert places == [*range(50)]
    # Six times 28 MB, and 100 MiB.
    said = "50 records too long for the memory that is allowed, and left out; 273MB is enough"
    assert said in shown.stderr
    done("sketch", tmp_path / "a.parquet", "-o", tmp_path / "v.echo", "--memory", "273MB")
    assert check_counts(tmp_path / "v.echo")["pages"] == 70
