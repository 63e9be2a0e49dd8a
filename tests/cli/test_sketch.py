"""`webecho sketch` as a user sees it."""

import json
import signal
import time
from pathlib import Path

import pytest

from tests.collections_made import WarcFile, small_web
from tests.command import counts, done, started, webecho


@pytest.mark.usefixtures("here")
def test_sketch_prints_what_was_counted() -> None:
    result = done("sketch", "pages.jsonl", "-o", "crawl.echo")
    assert result.stdout == (
        "records               17\n"
        "pages                 16\n"
        "pages without tokens  5\n"
        "skipped               0\n"
        "failed                1\n"
        "failed: bad JSON      1\n"
        "left out, listed in   crawl.echo/skipped/*.parquet\n"
        "bytes of pages        13.9 KB\n"
        "workspace             crawl.echo\n"
    )
    assert result.stderr == "pages.jsonl: html = html, url = url, id = id\n"


@pytest.mark.usefixtures("here")
def test_sketch_for_programs() -> None:
    result = done("sketch", "pages.jsonl", "-o", "crawl.echo", "--format", "json")
    assert json.loads(result.stdout) == {
        "records": 17,
        "pages": 16,
        "pages without tokens": 5,
        "skipped": 0,
        "failed": 1,
        "failed: bad JSON": 1,
        "left out, listed in": "crawl.echo/skipped/*.parquet",
        "bytes of pages": sum(len(each.html) for each in small_web()),
        "workspace": "crawl.echo",
    }
    table = done("sketch", "pages.jsonl", "-o", "crawl.echo", "--format", "csv").stdout
    names, values = table.splitlines()
    assert names.startswith("records,pages,pages without tokens,skipped,failed,")
    assert values.startswith("17,16,5,0,1,")


def test_stdin_is_jsonl(here: Path) -> None:
    pages = (here / "pages.jsonl").read_bytes()
    result = done("sketch", "-", "-o", "stdin.echo", stdin=pages)
    assert "-: html = html, url = url, id = id\n" in result.stderr
    done("sketch", "pages.jsonl", "-o", "file.echo")
    assert counts(here / "stdin.echo") == counts(here / "file.echo")
    for verb in ("clusters", "pairs"):
        shown = done(verb, "stdin.echo", "--format", "json").stdout
        assert shown == done(verb, "file.echo", "--format", "json").stdout


@pytest.mark.usefixtures("here")
def test_stdin_may_be_csv() -> None:
    result = done("sketch", "-", "-o", "w.echo", "--input-format", "csv", stdin=b"id,text\na,one\n")
    assert "pages           1\n" in result.stdout


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("content", [b"", b"\n\n", b"not json\n"])
def test_a_stream_without_pages_is_an_error(content: bytes) -> None:
    result = webecho("sketch", "-", "-o", "w.echo", stdin=content)
    assert result.exit_code == 1
    assert result.stderr.startswith("webecho: -: ")
    assert not Path("w.echo").exists()


def test_a_run_without_pages_says_why(here: Path) -> None:
    with WarcFile(here / "in.warc") as warc:
        for number in range(3):
            warc.response(f"http://a.example.org/{number}", b"x", status="404 Not Found")
        warc.response("http://a.example.org/9", b"x", kind="image/png")
        warc.request("http://a.example.org/9")
    said = done("sketch", "in.warc", "-o", "w.echo").stderr
    assert said == (
        "no pages: skipped: status 3, skipped: request 1, skipped: type 1;"
        " --status takes other responses; --type takes other types\n"
    )
    assert done("sketch", "in.warc", "-o", "w.echo", "--quiet").stderr == ""
    assert "no pages" not in done("sketch", "pages.jsonl", "-o", "some.echo").stderr


def test_convert_pipes_other_types_through_a_command(here: Path) -> None:
    with WarcFile(here / "in.warc") as warc:
        warc.response("http://a.example.org/1", b"<p>a page</p>")
        warc.response("http://a.example.org/2", b"EGAP A", kind="application/x-odd")
        warc.response("http://a.example.org/3", b"x", kind="application/x-bad")
    convert = ("--convert", "application/x-odd=rev", "--convert", "application/x-bad=false")
    done("sketch", "in.warc", "-o", "w.echo", *convert)
    counted = counts(here / "w.echo")
    assert (counted["pages"], counted["failed"]) == (2, 1)
    assert "pages in clusters    2\n" in done("clusters", "w.echo", "--rule", "tokens").stdout
    pairs = done("pairs", "w.echo", "--resemblance", "1", "--format", "csv").stdout
    assert pairs.splitlines()[1].startswith("0,1,1.0,1.0,1.0,False,")


def test_a_converter_ends_with_the_run(here: Path) -> None:
    """Also what it started itself, as shells do."""
    with WarcFile(here / "in.warc") as warc:
        warc.response("http://a.example.org/1", b"x", kind="application/x-slow")
    command = f"sh -c 'echo $$ > {here}/pid; sleep 300 & echo $! > {here}/child; wait'"
    process = started(
        "sketch", "in.warc", "-o", "w.echo", "--convert", f"application/x-slow={command}"
    )
    while not (here / "child").exists() and process.poll() is None:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    time.sleep(0.5)
    for name in ("pid", "child"):
        status = Path("/proc", (here / name).read_text().strip(), "status")
        # Until someone takes note of its end a process is a zombie.
        assert not status.exists() or "State:\tZ" in status.read_text()
