"""What every verb has: exit codes, quiet and progress, memory, and what it notes in `run.json`."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.collections_made import as_warc, small_web
from tests.command import WEBECHO, done, started, webecho
from webecho.api.runs import as_run
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.show.progress import progress
from webecho.show.terminal import say


@pytest.mark.usefixtures("here")
def test_quiet_says_nothing_but_the_result() -> None:
    process = started("sketch", "pages.jsonl", "-o", "quiet.echo", "--quiet")
    out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert out.startswith(b"records               17\n")
    for verb in ("clusters", "pairs"):
        assert done(verb, "quiet.echo", "--quiet").stderr == ""
        assert done(verb, "quiet.echo", "-q").stderr == ""


@pytest.mark.usefixtures("here")
def test_the_real_command_prints_what_is_tested_here() -> None:
    """One run as a shell makes it, with pipes for both outputs."""
    run = subprocess.run(
        [*WEBECHO, "sketch", "pages.jsonl", "-o", "crawl.echo", "--strict"],
        capture_output=True,
        check=False,
    )
    assert run.returncode == 3
    inside = webecho("sketch", "pages.jsonl", "-o", "other.echo", "--strict")
    assert inside.exit_code == 3
    assert run.stdout.decode() == inside.stdout.replace("other.echo", "crawl.echo")
    assert run.stderr.decode() == inside.stderr


@pytest.mark.usefixtures("here")
def test_strict_is_about_records_that_could_not_be_read() -> None:
    assert webecho("sketch", "pages.jsonl", "-o", "a.echo", "--strict").exit_code == 3
    # Also when the same command is given again and nothing is left to do.
    assert webecho("sketch", "pages.jsonl", "-o", "a.echo", "--strict").exit_code == 3
    assert webecho("sketch", "pages.jsonl", "-o", "a.echo").exit_code == 0
    as_warc(Path("pages.warc.gz"), small_web(), requests=True)
    assert webecho("sketch", "pages.warc.gz", "-o", "b.echo", "--strict").exit_code == 0
    assert webecho("clusters", "a.echo", "--strict").exit_code == 0


@pytest.mark.usefixtures("here")
def test_progress_comes_as_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A speed is told after a second, which 16 pages do not take.
    monkeypatch.setattr("webecho.show.progress.SETTLED", 0.0)
    request = SketchRequest(("pages.jsonl",), Path("w.echo"))
    with progress(quiet=False, every=0.0) as report:
        run_sketch(request, as_run(report=report, note=say))
    said = capsys.readouterr().err
    choice, reading, *_ = said.splitlines()
    assert choice == "pages.jsonl: html = html, url = url, id = id"
    assert reading.startswith("reading: 16 pages, 13.9 KB, ")
    assert " pages/s, " in reading and " MB/s" in reading
    assert "\x1b" not in said


def test_a_run_says_how_it_went_in_run_json(crawl: Path) -> None:
    done("pairs", crawl, "--threads", "1", "--memory", "1GB", "--seed", "7")
    found = json.loads((crawl / "run.json").read_bytes())["pairs similar-0.8"]
    assert (found["threads"], found["memory"], found["seed"]) == (1, 10**9, 7)
    assert found["seconds"] >= 0
    assert found["peak memory"] > 10**6


def test_a_damaged_run_json_stops_nothing(crawl: Path) -> None:
    (crawl / "run.json").write_bytes(b"{")
    done("clusters", crawl)
    assert "clusters similar-0.8" in json.loads((crawl / "run.json").read_bytes())


@pytest.mark.parametrize("size", ["1", "100KB", "1MB"])
@pytest.mark.parametrize("verb", ["clusters", "pairs", "sketch"])
def test_too_little_memory_is_an_error_that_names_the_floor(
    crawl: Path, verb: str, size: str
) -> None:
    arguments = (crawl,) if verb != "sketch" else ("pages.jsonl", "-o", "other.echo")
    result = webecho(verb, *arguments, "--memory", size)
    assert result.exit_code in (1, 2)
    assert "memory" in result.stderr
    assert "MB" in result.stderr


def test_memory_may_be_written_in_many_ways(crawl: Path) -> None:
    sizes = {"2GB": 2 * 10**9, "1.5 gb": 15 * 10**8, "900M": 9 * 10**8, "1.5GiB": 3 << 29}
    for size, number in sizes.items():
        done("clusters", crawl, "--memory", size)
        run = json.loads((crawl / "run.json").read_bytes())["clusters similar-0.8"]
        assert run["memory"] == number


@pytest.mark.parametrize("output", ["table", "json"])
def test_a_closed_pipe_is_no_complaint(crawl: Path, output: str) -> None:
    """As in `webecho pairs … | head -1`, whether or not the output fits a buffer."""
    reader = subprocess.Popen(["true"], stdin=subprocess.PIPE)
    assert reader.stdin is not None
    reader.wait()
    run = subprocess.run(
        [*WEBECHO, "pairs", crawl, "--quiet", "--format", output],
        stdout=reader.stdin,
        stderr=subprocess.PIPE,
        check=False,
    )
    reader.stdin.close()
    assert (run.returncode, run.stderr) == (141, b"")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("pages", [1, 200])
def test_an_interrupted_run_says_that_it_can_go_on(pages: int) -> None:
    """Ctrl-C while standard input is silent, before and after its columns are known."""
    process = started("sketch", "-", "-o", "w.echo", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b'{"text": "a b"}\n' * pages)
    process.stdin.flush()
    while not Path("w.echo").exists() and process.poll() is None and pages > 1:
        time.sleep(0.05)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert err.endswith(b"\nwebecho: stopped; the same command goes on from here\n")
    assert b"Traceback" not in err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("sketch nothing.jsonl -o x.echo", "nothing.jsonl: no such file or folder"),
        ("dedup pages.jsonl -o x --text nothing", "there is no column 'nothing'"),
        ("clusters nothing.echo", "nothing.echo is no workspace"),
        ("study duplicates nothing.echo", "nothing.echo is no workspace"),
        ("dedup pages.jsonl -o x --against nothing.echo", "nothing.echo is no workspace"),
    ],
)
def test_what_is_not_there_is_told_before_spark_is_started(command: str, message: str) -> None:
    """Else it would be told that nobody answers at this address."""
    spark = ("--engine", "spark", "--master", "spark://127.0.0.1:1")
    result = webecho(*command.split(), *spark)
    assert result.exit_code == 1
    assert message in result.stderr
