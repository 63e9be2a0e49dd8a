"""Every page becomes one row, and threads change nothing."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import (
    Page,
    as_jsonl,
    as_parquet,
    as_warc,
    many_pages,
    page,
    small_web,
)
from tests.command import contents, done, manifest
from tests.sketches.counted import LISTS, Write, check_counts, in_every_format, rows
from webecho import SettingsError, sketch


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
    assert [row["bytes"] for row in found] == [len(each.html) for each in web]
    assert {row["source"] for row in found} == {0}


@in_every_format
def test_sketches_do_not_depend_on_the_format(tmp_path: Path, name: str, write: Write) -> None:
    columns = ["bytes", "chars", "tokens", "title", "digest", "markup_digest", *LISTS]
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
    assert [row["chars"] for row in found] == [row["bytes"] for row in found] == [3, 0, 0, 3]


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
