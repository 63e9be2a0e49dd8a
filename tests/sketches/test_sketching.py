"""Every page becomes one row, every record is counted, and threads change nothing."""

import gzip
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import (
    Page,
    WarcFile,
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_warc,
    many_pages,
    page,
    small_web,
)
from tests.command import contents, counts, done, manifest, webecho
from webecho import SettingsError, clusters, sketch
from webecho.workspace.workspace import Workspace

LISTS = ("features", "supershingles", "projection")
Write = Callable[[Path, Sequence[Page]], Path]
FORMATS: dict[str, Write] = {
    "pages.parquet": as_parquet,
    "pages.jsonl": as_jsonl,
    "pages.csv": as_csv,
    "pages.warc": as_warc,
    "pages.warc.gz": as_warc,
    "pages": as_folder,
}
in_every_format = pytest.mark.parametrize(("name", "write"), FORMATS.items(), ids=FORMATS)


def rows(workspace: Path, table: str = "sketches") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Workspace.open(workspace).table(table).to_pylist()
    return found


def check_counts(workspace: Path) -> dict[str, int]:
    """Nothing is lost: what was counted is what is in the tables, reason by reason."""
    counted = counts(workspace)
    sketched, skipped = rows(workspace), rows(workspace, "skipped")
    assert [row["page"] for row in sketched] == list(range(counted.get("pages", 0)))
    for kind, failed in (("failed", True), ("skipped", False)):
        mine = [row for row in skipped if row["failed"] is failed]
        assert counted.get(kind, 0) == len(mine)
        for reason in {row["reason"] for row in mine}:
            assert counted[f"{kind}: {reason}"] == sum(row["reason"] == reason for row in mine)
    places = [(row["source"], row["place"]) for row in sketched]
    assert places == sorted(set(places))
    assert not set(places) & {(row["source"], row["place"]) for row in skipped}
    assert len(skipped) == len({(row["source"], row["place"]) for row in skipped})
    parts = manifest(workspace)["parts"]
    assert [part["first"] for part in parts] == [
        sum(before["pages"] for before in parts[:number]) for number in range(len(parts))
    ]
    return counted


@in_every_format
def test_every_page_has_a_row_in_the_order_of_the_input(
    tmp_path: Path, name: str, write: Write
) -> None:
    web = small_web()
    done("sketch", write(tmp_path / name, web), "-o", tmp_path / "w.echo", "--part-pages", 5)
    counted = check_counts(tmp_path / "w.echo")
    assert counted == {
        "pages": 16,
        "bytes": sum(len(each.html) for each in web),
        "pages without tokens": 5,
        "pages left nearly empty": 0,
        "revisits": 0,
    }
    found = rows(tmp_path / "w.echo")
    if name != "pages":
        assert [row["url"] for row in found] == [each.url for each in web]
        assert [row["host"] for row in found][:3] == [
            "a.example.org",
            "b.example.org",
            "www.example.net",
        ]
        assert [row["site"] for row in found][:3] == ["example.org", "example.org", "example.net"]
    assert [row["tokens"] for row in found][:8] == [205, 205, 205, 205, 205, 205, 0, 0]
    assert [row["title"] for row in found][:2] == ["First", "Other"]
    assert {row["source"] for row in found} == {0}


@in_every_format
def test_sketches_do_not_depend_on_the_format(tmp_path: Path, name: str, write: Write) -> None:
    columns = ["chars", "tokens", "title", "digest", "markup_digest", *LISTS]
    found = sketch(str(write(tmp_path / name, small_web()))).select(columns)
    assert found.equals(sketch(str(as_jsonl(tmp_path / "same.jsonl", small_web()))).select(columns))


def test_pages_without_tokens_have_rows_with_null_lists(tmp_path: Path) -> None:
    found = sketch(str(as_parquet(tmp_path / "pages.parquet", small_web()))).to_pylist()
    without = [row["page"] for row in found if row["digest"] is None]
    assert without == [6, 7, 8, 9, 10]
    for row in found:
        assert all((row[name] is None) == (row["page"] in without) for name in LISTS)
        assert row["tokens"] == 0 or row["page"] not in without
    # An empty page equals no other, not even another empty one.
    assert [row["page"] for row in found if row["markup_digest"] is None] == [6, 7]
    assert found[8]["markup_digest"] == found[9]["markup_digest"] != found[10]["markup_digest"]


def test_null_text_is_an_empty_page(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["one", None, "", "two"]}), tmp_path / "pages.parquet")
    done("sketch", tmp_path / "pages.parquet", "-o", tmp_path / "w.echo")
    assert check_counts(tmp_path / "w.echo")["pages without tokens"] == 2
    found = rows(tmp_path / "w.echo")
    assert [row["tokens"] for row in found] == [1, 0, 0, 1]
    assert [row["chars"] for row in found] == [3, 0, 0, 3]


@in_every_format
def test_one_and_two_threads_write_the_same_bytes(tmp_path: Path, name: str, write: Write) -> None:
    pages = write(tmp_path / name, many_pages(80))
    for threads in (1, 2):
        path = tmp_path / f"{threads}.echo"
        settings = ("--threads", threads, "--part-pages", 20, "--keep-shingles")
        done("sketch", pages, "-o", path, *settings)
        for rule in ("very-similar", "similar"):
            done("clusters", path, "--rule", rule, "--threads", threads)
            done("pairs", path, "--rule", rule, "--threads", threads)
    one = contents(tmp_path / "1.echo")
    tables = 3 if "warc" in name else 2
    assert len(one) == 1 + tables * 4 + 4
    assert contents(tmp_path / "2.echo") == one


def test_threads_change_nothing_when_records_are_broken(tmp_path: Path) -> None:
    broken = {number: "{" * (number % 3 + 1) for number in range(3, 150, 7)}
    pages = as_jsonl(tmp_path / "pages.jsonl", many_pages(150), broken)
    for threads in (1, 2):
        path = tmp_path / f"{threads}.echo"
        done("sketch", pages, "-o", path, "--threads", threads, "--part-pages", 10)
    assert contents(tmp_path / "1.echo") == contents(tmp_path / "2.echo")
    assert check_counts(tmp_path / "2.echo")["failed"] == len(broken)


def test_a_workspace_of_the_same_pages_has_the_same_bytes_wherever_it_lies(tmp_path: Path) -> None:
    pages = as_warc(tmp_path / "pages.warc.gz", many_pages(40), requests=True)
    for name in ("one.echo", "two.echo"):
        done("sketch", pages, "-o", tmp_path / name)
    assert contents(tmp_path / "one.echo") == contents(tmp_path / "two.echo")


@pytest.mark.parametrize("size", [1, 5, 8, 9, 1000])
def test_part_sizes_change_no_row(tmp_path: Path, size: int) -> None:
    web = small_web()
    one = as_warc(tmp_path / "one.warc.gz", web[:8], requests=True)
    two = as_jsonl(tmp_path / "two.jsonl", web[8:], {2: "broken", 5: "[]"})
    done("sketch", one, two, "-o", tmp_path / "w.echo", "--part-pages", size)
    counted = check_counts(tmp_path / "w.echo")
    assert (counted["pages"], counted["skipped"], counted["failed"]) == (16, 8, 2)
    done("sketch", one, two, "-o", tmp_path / "usual.echo")
    for table in ("sketches", "skipped"):
        assert rows(tmp_path / "w.echo", table) == rows(tmp_path / "usual.echo", table)
    for part in manifest(tmp_path / "w.echo")["parts"]:
        assert part["pages"] <= size
        assert part["pages"] == size or part["ends_input"]
    assert [part["input"] for part in manifest(tmp_path / "usual.echo")["parts"]] == [0, 1]


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
    done("sketch", file, "-o", tmp_path / "w.echo")
    assert check_counts(tmp_path / "w.echo") == expected
    for rule in ("exact", "very-similar", "virtually-identical", "similar"):
        assert (
            "pages                0\n"
            in done("clusters", tmp_path / "w.echo", "--rule", rule).stdout
        )
        assert "pairs  0\n" in done("pairs", tmp_path / "w.echo", "--rule", rule).stdout
    usual = sketch(str(as_jsonl(tmp_path / "usual.jsonl", small_web())))
    assert sketch(str(file)).schema.equals(usual.schema)


@pytest.mark.parametrize("recipe", ["webecho", "fetterly2004", "henzinger2006"])
def test_recipes_go_into_the_manifest_and_into_the_rows(tmp_path: Path, recipe: str) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    done("sketch", pages, "-o", tmp_path / "w.echo", "--recipe", recipe)
    assert manifest(tmp_path / "w.echo")["recipe"]["name"] == recipe
    found = rows(tmp_path / "w.echo")
    assert {len(row["features"]) for row in found if row["features"]} == {84}
    assert {len(row["supershingles"]) for row in found if row["features"]} == {6}
    assert {len(row["projection"]) for row in found if row["features"]} == {6}
    # Two and Two: only the default folds case.
    assert (found[11]["digest"] == found[13]["digest"]) == (recipe == "webecho")
    # By either rule for sites.
    assert [row["site"] for row in found[:3]] == ["example.org", "example.org", "example.net"]


@pytest.mark.parametrize("columns", [["features"], ["projection", "supershingles"], []])
def test_only_the_wanted_columns_are_made(tmp_path: Path, columns: list[str]) -> None:
    pages = str(as_jsonl(tmp_path / "pages.jsonl", small_web()))
    found = sketch(pages, columns=columns)
    whole = sketch(pages)
    assert [name for name in LISTS if name in found.column_names] == sorted(
        columns, key=LISTS.index
    )
    assert found.equals(whole.select(found.column_names))


def test_an_unknown_column_is_wrong_use(tmp_path: Path) -> None:
    pages = str(as_jsonl(tmp_path / "pages.jsonl", small_web()))
    with pytest.raises(SettingsError, match="no sketch column megashingles; there are features"):
        sketch(pages, columns=["features", "megashingles"])


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


def test_an_address_that_is_none_has_no_host(tmp_path: Path) -> None:
    urls = [
        "not a url",
        "",
        "http://",
        "http://[::1]/",
        "HTTP://WWW.Example.ORG:80/x",
        "http://a..b/",
    ]
    web = [Page(str(number), url, "<p>text</p>") for number, url in enumerate(urls)]
    found = sketch(str(as_jsonl(tmp_path / "pages.jsonl", web))).to_pylist()
    assert [row["url"] for row in found] == urls
    assert found[0]["host"] is None
    assert found[4]["host"] == "www.example.org"
    assert len(found) == len(urls)


def test_pages_are_told_apart_by_their_words_alone(tmp_path: Path) -> None:
    web = [
        page(0, "<p>Straße und Fluß"),
        page(1, "STRASSE <i>und</i> FLUSS"),
        page(2, "strasse fluss"),
    ]
    found = sketch(str(as_jsonl(tmp_path / "pages.jsonl", web))).to_pylist()
    assert found[0]["digest"] == found[1]["digest"] != found[2]["digest"]
