"""A table of the pages' contents is the same whether it is made with the sketches or later."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import (
    WarcFile,
    as_jsonl,
    as_parquet,
    as_warc,
    many_pages,
    markup,
    prose,
)
from tests.command import contents, done, manifest
from tests.command import webecho as run
from tests.workspace.test_resume import killed_at_rename
from webecho import _core
from webecho.chunkings import Chunking
from webecho.engine.local.engine import local_run
from webecho.errors import InputError, WorkspaceError
from webecho.read.jsonl import JsonLines
from webecho.sketches.page_tables import PAGE_TABLES, require_tables
from webecho.workspace.page_tables import lacking
from webecho.workspace.resume import abandon
from webecho.workspace.workspace import Workspace

TABLE = "paragraphs"


def sketched(folder: Path, source: Path, name: str, *options: str) -> Path:
    out = folder / name
    done("sketch", source, "-o", out, "--part-pages", 30, "--columns", "none", *options)
    return out


@pytest.mark.parametrize("write", [as_parquet, as_warc, as_jsonl])
def test_made_later_it_has_the_same_bytes(tmp_path: Path, write: object) -> None:
    names = {as_parquet: "p.parquet", as_warc: "p.warc.gz", as_jsonl: "p.jsonl"}
    source = write(tmp_path / names[write], many_pages(100))  # type: ignore[operator,index]
    along = sketched(tmp_path, source, "along.echo", "--paragraphs")
    later = sketched(tmp_path, source, "later.echo")
    assert not (later / TABLE).exists()
    require_tables(later, [TABLE], local_run(threads=2))
    assert contents(later) == contents(along)
    assert len(Workspace.open(later).part_files(TABLE)) == 4


def test_how_long_sentences_are_is_made_with_paragraphs_or_by_itself(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(100))
    along = sketched(tmp_path, source, "along.echo", "--paragraphs", "--sentences")
    later = sketched(tmp_path, source, "later.echo")
    require_tables(later, [TABLE, "sentences"], local_run(threads=2))
    assert contents(later) == contents(along)
    alone = sketched(tmp_path, source, "alone.echo", "--sentences")
    assert not (alone / TABLE).exists()
    rows = Workspace.open(alone).table("sentences").to_pylist()
    assert rows == Workspace.open(along).table("sentences").to_pylist()
    paragraphs = Workspace.open(along).table(TABLE)["overlapping_paragraphs"].to_pylist()
    for row, found in zip(rows, paragraphs, strict=True):
        assert len(found) == max(len(row["sentence_chars"]) - 2, 1)


def test_revisits_have_no_rows_of_their_own(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        id_ = warc.response("http://a.example.org/1", markup(prose(1, 50)).encode())
        warc.revisit("http://a.example.org/2", Refers_To=id_)
        warc.response("http://a.example.org/3", markup(prose(2, 50)).encode())
        warc.revisit("http://a.example.org/4", Refers_To="<urn:uuid:unknown>")
    along = sketched(tmp_path, warc.file, "along.echo", "--paragraphs")
    later = sketched(tmp_path, warc.file, "later.echo")
    require_tables(later, [TABLE], local_run())
    assert contents(later) == contents(along)
    rows = Workspace.open(later).table(TABLE).to_pylist()
    assert [bool(row["paragraphs"]) for row in rows] == [True, False, True, False]


def test_what_was_appended_gets_it_the_next_time(tmp_path: Path) -> None:
    pages = many_pages(70)
    first = as_parquet(tmp_path / "1.parquet", pages[:40])
    second = as_parquet(tmp_path / "2.parquet", pages[40:])
    crawl = sketched(tmp_path, first, "crawl.echo", "--paragraphs")
    sketched(tmp_path, second, "crawl.echo", "--append")
    assert lacking(Workspace.open(crawl), [TABLE]) == {2: [TABLE]}
    require_tables(crawl, [TABLE], local_run())
    assert lacking(Workspace.open(crawl), [TABLE]) == {}
    numbers = Workspace.open(crawl).table(TABLE)["page"].to_pylist()
    assert numbers == list(range(70))


def test_the_same_command_with_the_option_adds_it(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(70))
    crawl = sketched(tmp_path, source, "crawl.echo")
    sketched(tmp_path, source, "crawl.echo", "--paragraphs")
    assert lacking(Workspace.open(crawl), [TABLE]) == {}


def test_one_that_is_damaged_or_gone_is_made_again(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(70))
    crawl = sketched(tmp_path, source, "crawl.echo", "--paragraphs")
    before = contents(crawl)
    part = Workspace.open(crawl).part_file(TABLE, 1)
    part.unlink()
    require_tables(crawl, [TABLE], local_run())
    assert contents(crawl) == before
    part.write_bytes(part.read_bytes()[:-9])
    sketches = Workspace.open(crawl).part_file("sketches", 1).stat()
    sketched(tmp_path, source, "crawl.echo", "--paragraphs")
    assert contents(crawl) == before
    # Nothing but the table was made again.
    assert Workspace.open(crawl).part_file("sketches", 1).stat().st_mtime_ns == sketches.st_mtime_ns


def test_input_that_cannot_be_read_again_is_an_error_that_names_the_option(tmp_path: Path) -> None:
    lines = as_jsonl(tmp_path / "pages.jsonl", many_pages(5)).read_bytes()
    done("sketch", "-", "-o", tmp_path / "crawl.echo", stdin=lines)
    result = run("study", "duplicates", tmp_path / "crawl.echo")
    assert result.exit_code == 1
    assert "sketch it with --paragraphs" in result.stderr
    done("sketch", "-", "-o", tmp_path / "kept.echo", "--paragraphs", stdin=lines)
    done("study", "duplicates", tmp_path / "kept.echo")


def test_from_python(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(5))
    webecho.sketch(source, tmp_path / "crawl.echo", columns="none", paragraphs=True)
    assert TABLE in manifest(tmp_path / "crawl.echo")["parts"][0]["files"]
    rows = pq.read_table(Workspace.open(tmp_path / "crawl.echo").part_files(TABLE)[0])
    assert rows.column_names == ["page", *PAGE_TABLES[TABLE].columns]


@pytest.mark.parametrize("number", range(6))
def test_killed_while_it_is_made_the_same_command_goes_on(tmp_path: Path, number: int) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(70))
    along = sketched(tmp_path, source, "along.echo", "--paragraphs")
    crawl = sketched(tmp_path, source, "crawl.echo")
    # A rename for each part and, as they are few, for the manifest after each.
    assert killed_at_rename(number, "clusters", crawl, "--rule", "paragraphs")
    done("clusters", crawl, "--rule", "paragraphs")
    found = {name: digest for name, digest in contents(crawl).items() if "clusters" not in name}
    assert found == contents(along)


def test_a_source_is_gone_through_once_however_many_parts_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", many_pages(70))
    crawl = sketched(tmp_path, source, "crawl.echo")
    assert len(manifest(crawl)["parts"]) == 3
    records, begun = JsonLines.records, []

    def counted(form: JsonLines, *given: Any) -> Any:
        begun.append(given)
        return records(form, *given)

    monkeypatch.setattr(JsonLines, "records", counted)
    done("clusters", crawl, "--rule", "paragraphs")
    assert len(begun) == 1


CHUNKS = [Chunking.parse(each).table for each in ("lines:4", "words:3:sliding", "page")]
KEPT = ("--chunks", "lines:4,words:3:sliding,page")


@pytest.mark.parametrize("write", [as_parquet, as_warc, as_jsonl])
def test_chunks_made_later_have_the_same_bytes(tmp_path: Path, write: object) -> None:
    names = {as_parquet: "p.parquet", as_warc: "p.warc.gz", as_jsonl: "p.jsonl"}
    source = write(tmp_path / names[write], many_pages(100))  # type: ignore[operator,index]
    along = sketched(tmp_path, source, "along.echo", *KEPT, "--paragraphs")
    later = sketched(tmp_path, source, "later.echo")
    require_tables(later, [CHUNKS[1]], local_run(threads=2))
    require_tables(later, [*CHUNKS, TABLE], local_run())
    assert contents(later) == contents(along)
    assert len(Workspace.open(later).part_files(CHUNKS[0])) == 4
    done("verify", later)


@pytest.mark.parametrize("recipe", ["webecho", "shivakumar1998", "webecho+boilerplate=2"])
def test_whatever_the_recipe(tmp_path: Path, recipe: str) -> None:
    pages = [replace(each, html=f"<p>Menu{each.html}") for each in many_pages(40)]
    source = as_parquet(tmp_path / "p.parquet", pages)
    along = sketched(tmp_path, source, "along.echo", *KEPT, "--recipe", recipe)
    later = sketched(tmp_path, source, "later.echo", "--recipe", recipe)
    require_tables(later, CHUNKS, local_run())
    assert contents(later) == contents(along)


def test_of_revisits_there_are_no_chunks(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        id_ = warc.response("http://a.example.org/1", b"<p>one<p>two")
        warc.revisit("http://a.example.org/2", Refers_To=id_)
        warc.response("http://a.example.org/3", b"<p>--")
        warc.revisit("http://a.example.org/4", Refers_To="<urn:uuid:unknown>")
    along = sketched(tmp_path, warc.file, "along.echo", *KEPT)
    later = sketched(tmp_path, warc.file, "later.echo")
    require_tables(later, CHUNKS, local_run())
    assert contents(later) == contents(along)
    rows = Workspace.open(later).table(CHUNKS[0]).to_pylist()
    counts = [None if row["chunks"] is None else len(row["chunks"]) for row in rows]
    assert counts == [1, None, 0, None]


def test_appended_pages_get_their_chunks_now_or_later(tmp_path: Path) -> None:
    pages = many_pages(70)
    both = [
        as_parquet(tmp_path / "1.parquet", pages[:40]),
        as_parquet(tmp_path / "2.parquet", pages[40:]),
    ]
    at_once = tmp_path / "once.echo"
    options = ("--part-pages", 30, "--columns", "none")
    done("sketch", *both, "-o", at_once, *options, *KEPT)
    for name, second in (("now.echo", KEPT), ("later.echo", ())):
        crawl = sketched(tmp_path, both[0], name, *KEPT)
        sketched(tmp_path, both[1], name, "--append", *second)
        assert bool(lacking(Workspace.open(crawl), CHUNKS)) == (not second)
        require_tables(crawl, CHUNKS, local_run())
        assert contents(crawl) == contents(at_once)


def test_chunks_that_are_damaged_or_gone_are_made_again(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(70))
    crawl = sketched(tmp_path, source, "crawl.echo", *KEPT)
    before = contents(crawl)
    part = Workspace.open(crawl).part_file(CHUNKS[0], 1)
    part.unlink()
    assert run("verify", crawl).exit_code == 1
    require_tables(crawl, CHUNKS, local_run())
    assert contents(crawl) == before
    part.write_bytes(part.read_bytes()[:-9])
    result = run("verify", crawl)
    assert result.exit_code == 1
    assert str(part) in result.stdout + result.stderr
    with pytest.raises(WorkspaceError, match="remove it, and what needs it makes it again"):
        Workspace.open(crawl).table(CHUNKS[0])
    sketched(tmp_path, source, "crawl.echo", *KEPT)
    assert contents(crawl) == before
    done("verify", crawl)


@pytest.mark.parametrize("number", range(0, 22, 3))
def test_killed_while_chunks_are_made_the_same_command_goes_on(tmp_path: Path, number: int) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(70))
    along = sketched(tmp_path, source, "along.echo", *KEPT)
    crawl = tmp_path / "crawl.echo"
    command = ("sketch", source, "-o", crawl, "--part-pages", 30, "--columns", "none", *KEPT)
    killed_at_rename(number, *command)
    done(*command)
    assert contents(crawl) == contents(along)


def test_an_input_that_changes_leaves_no_chunks_behind(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", many_pages(40))
    crawl = sketched(tmp_path, source, "crawl.echo", *KEPT)
    workspace = Workspace.open(crawl)
    abandon(workspace, 0)
    assert not [*crawl.glob("*/part-*")]


def test_chunks_that_were_not_kept_are_an_error_that_names_the_option(tmp_path: Path) -> None:
    lines = as_jsonl(tmp_path / "pages.jsonl", many_pages(5)).read_bytes()
    done("sketch", "-", "-o", tmp_path / "crawl.echo", stdin=lines)
    with pytest.raises(InputError) as error:
        require_tables(tmp_path / "crawl.echo", CHUNKS, local_run())
    assert "sketch it with --chunks lines:4,words:3:sliding,page" in str(error.value)
    assert 'chunks="lines:4,words:3:sliding,page"' in error.value.for_python()


def test_several_chunkings_are_one_pass_over_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", many_pages(20))
    crawl = sketched(tmp_path, source, "crawl.echo")
    asked = []

    def counted(sketcher: _core.Sketcher, pages: Any, columns: Any) -> Any:
        asked.append(columns)
        return sketcher.chunks(pages, columns)

    monkeypatch.setattr("webecho.sketches.page_tables.chunks_alone", counted)
    require_tables(crawl, CHUNKS, local_run())
    assert asked == [CHUNKS]


def test_chunks_from_python(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(5))
    given = ["lines:4,page", Chunking("lines", 4), Chunking("words", 8, sliding=True)]
    webecho.sketch(source, tmp_path / "crawl.echo", columns="none", chunks=given)
    kept = manifest(tmp_path / "crawl.echo")["parts"][0]["files"]
    assert {name for name in kept if name.startswith("chunks")} == {
        "chunks-lines-4",
        "chunks-page",
        "chunks-words-8-sliding",
    }
    for wrong, message in (("lines", "chunks=: 'lines' is no chunking"), ([4], "not 4")):
        with pytest.raises(webecho.SettingsError, match=message):
            webecho.sketch(source, tmp_path / "other.echo", chunks=wrong)  # type: ignore[arg-type]
