"""What is said of inputs of which nothing could be read."""

import gzip
from pathlib import Path

import pyarrow as pa
import pytest

import webecho as package
from tests.collections_made import as_jsonl, small_web
from tests.command import done, webecho
from tests.read.archives import INFO, ONE, REQUEST, THREE, gzipped, record, saved
from webecho.workspace.unread import no_pages, nothing_read, textless, unread_sources
from webecho.workspace.workspace import Workspace

CLIPPED = gzip.compress(ONE)[:40]
WAT = record("metadata", b"{}", content_type="application/json", target_uri="http://a.example/1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commonest_reasons_come_first_with_what_may_help() -> None:
    assert no_pages({"pages": 0, "skipped": 1_003, "skipped: type": 3, "skipped: kind": 1_000}) == (
        "no pages: skipped: kind 1,000, skipped: type 3; --type takes other types"
    )
    assert no_pages({"skipped: status": 1, "skipped: type": 1}) == (
        "no pages: skipped: status 1, skipped: type 1; "
        "--status takes other responses; --type takes other types"
    )
    six = {f"failed: {letter}": 1 for letter in "fedcba"}
    assert no_pages(six) == (
        "no pages: failed: a 1, failed: b 1, failed: c 1, failed: d 1, failed: e 1"
    )


def test_pages_that_are_all_without_text_are_told() -> None:
    with pytest.warns(UserWarning, match=r"^none of the 2 pages has any text; .* text= or html=$"):
        package.dedup(pa.table({"text": [None, None], "id": [1, 2]}))
    told = textless({"pages": 3, "pages without tokens": 3})
    assert told is not None and told.endswith("name the column with --text or --html")
    assert textless({"pages": 3, "pages without tokens": 2}) is None
    assert textless({"pages": 1, "pages without tokens": 1}) is None


def test_a_file_of_which_nothing_could_be_read_is_named_in_the_end(here: Path) -> None:
    saved(here, "good.warc.gz", gzipped(ONE, THREE) + b"junk")
    saved(here, "clipped.warc.gz", CLIPPED)
    saved(here, "requests.warc.gz", gzipped(REQUEST) + b"junk")
    given = ("good.warc.gz", "clipped.warc.gz", "requests.warc.gz")
    for command in (("sketch", *given, "-o", "w.echo"), ("dedup", *given, "-o", "out")):
        said = done(*command).stderr
        line = "clipped.warc.gz: nothing in it could be read (truncated gzip 1)"
        assert f"webecho: {line}\n" in said
        assert said.count("nothing in it could be read") == 1
    assert unread_sources(Workspace.open("w.echo")) == [line]


def test_of_very_many_the_first_are_named(here: Path) -> None:
    (here / "in").mkdir()
    for number in range(12):
        saved(here / "in", f"{number:02d}.warc.gz", CLIPPED)
    saved(here / "in", "good.warc.gz", gzipped(ONE))
    done("sketch", "in", "-o", "w.echo")
    lines = unread_sources(Workspace.open("w.echo"))
    assert [line.partition(":")[0] for line in lines[:10]] == [
        f"in/{n:02d}.warc.gz" for n in range(10)
    ]
    assert lines[10:] == ["and 2 more files like these"]


@pytest.mark.parametrize("verb", ["sketch", "dedup"])
def test_inputs_of_which_all_failed(here: Path, verb: str) -> None:
    saved(here, "clipped.warc.gz", CLIPPED)
    result = webecho(verb, "clipped.warc.gz", "-o", "out")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "webecho: no pages: clipped.warc.gz: nothing in it could be read (truncated gzip 1)"
    )
    assert not (here / "out/data").exists()


@pytest.mark.parametrize("verb", ["sketch", "dedup"])
@pytest.mark.parametrize("records", [(INFO, WAT), (WAT, WAT)])
def test_files_of_metadata(here: Path, verb: str, records: tuple[bytes, ...]) -> None:
    saved(here, "a.warc.wat.gz", gzipped(*records))
    result = webecho(verb, "a.warc.wat.gz", "-o", "out")
    assert result.exit_code == 1
    assert (
        "webecho: no pages: a.warc.wat.gz: holds metadata records alone, as WAT files do; the "
        "pages are in the WARC or WET files of the same crawl"
    ) in result.stderr


@pytest.mark.parametrize("verb", ["sketch", "dedup"])
def test_no_pages_by_choice_are_explained_unless_quiet(here: Path, verb: str) -> None:
    saved(here, "a.warc", INFO + REQUEST + ONE.replace(b"200 OK", b"404 No"))
    said = "no pages: skipped: request 1, skipped: status 1, skipped: warcinfo 1; --status takes"
    assert said in done(verb, "a.warc", "-o", "loud").stderr
    assert done(verb, "a.warc", "-o", "quiet", "-q").stderr == ""
    assert nothing_read(Workspace.open("loud" if verb == "sketch" else "loud.echo")) is None


@pytest.mark.parametrize("verb", ["sketch", "dedup"])
def test_a_file_of_no_bytes_stops_nobody(here: Path, verb: str) -> None:
    as_jsonl(here / "a.jsonl", small_web())
    for name in ("b.jsonl", "c.parquet", "d.warc.gz", "e.csv", "f.html"):
        (here / name).touch()
    result = done(verb, *sorted(file.name for file in here.iterdir()), "-o", "out")
    for name in ("b.jsonl", "c.parquet", "d.warc.gz", "e.csv", "f.html"):
        assert f"{name}: is empty\n" in result.stderr
    workspace = Workspace.open("out" if verb == "sketch" else "out.echo")
    counts = workspace.manifest.counts
    assert (counts["pages"], counts["skipped: empty file"], counts.get("failed", 0)) == (16, 5, 0)
    if verb == "dedup":
        sizes = {file.name: file.stat().st_size for file in (here / "out/data").iterdir()}
        assert [sizes.pop("a.jsonl") > 0, *sizes.values()] == [True, 0, 0, 0, 0, 0]


def test_files_of_no_bytes_alone_are_an_error(here: Path) -> None:
    (here / "a.jsonl").touch()
    (here / "b.warc").touch()
    result = webecho("sketch", "a.jsonl", "b.warc", "-o", "out")
    assert (result.exit_code, "a.jsonl: is empty; check how it was made" in result.stderr) == (
        1,
        True,
    )


def test_a_file_of_no_bytes_in_a_folder_is_named(here: Path) -> None:
    (here / "web").mkdir()
    as_jsonl(here / "web/a.jsonl", small_web())
    (here / "web/b.warc.gz").touch()
    assert "web/b.warc.gz: is empty\n" in done("sketch", "web", "-o", "out").stderr
