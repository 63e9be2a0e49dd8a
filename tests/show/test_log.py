"""The log of a run."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import click
import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done, started, webecho
from webecho.cli.main import STUDIES, VERBS
from webecho.run import Progress
from webecho.show.log import RunLog, exit_code, logged, problem, safe

MEMORY = {"memory", "peak memory", "peak memory of children"}
ALWAYS = {"time", "process", "seconds", "event"}


def lines(file: str | Path = "log") -> list[dict[str, Any]]:
    """What the log says; every line is one of JSON."""
    content = Path(file).read_bytes()
    assert content.endswith(b"\n")
    found = [json.loads(line) for line in content.splitlines()]
    assert all(line.keys() >= ALWAYS for line in found)
    return found


def events(file: str | Path = "log") -> list[str]:
    return [line["event"] for line in lines(file)]


def of(event: str, file: str | Path = "log") -> dict[str, Any]:
    """The last line of an event, with what it says alone."""
    found = [line for line in lines(file) if line["event"] == event]
    return {name: value for name, value in found[-1].items() if name not in ALWAYS}


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pages, and a line that is none."""
    monkeypatch.chdir(tmp_path)
    file = as_jsonl(tmp_path / "pages.jsonl", small_web())
    with file.open("ab") as more:
        more.write(b"{broken\n")
    return file


@pytest.mark.usefixtures("crawl")
def test_a_dedup_tells_its_phases_counts_and_what_was_not_read() -> None:
    done("dedup", "pages.jsonl", "-o", "clean", "--log", "log", "--threads", 1)
    found = lines()
    assert [found[0]["event"], found[-1]["event"]] == ["start", "end"]
    given = {"inputs": ["pages.jsonl"], "out": "clean", "log": "log", "threads": 1}
    assert (of("start")["verb"], of("start")["given"]) == ("dedup", given)
    begun = [line["phase"] for line in found if line["event"] == "phase begins"]
    ended = [line for line in found if line["event"] == "phase ends"]
    assert begun == [line["phase"] for line in ended]
    assert {"reading", "comparing", "writing"} <= {*begun}
    assert all(line.keys() >= {"phase seconds"} | MEMORY for line in ended)
    reading = next(line for line in ended if line["phase"] == "reading")
    summary = json.loads(Path("clean/summary.json").read_text())
    assert reading["pages"] == summary["counts"]["read"] == of("counts")["read"]
    unread = of("not read")
    assert (unread["failed"], unread["skipped"]) == ({"bad JSON": 1}, {})
    assert unread["listed in"] == "clean.echo/skipped/*.parquet"
    assert of("end")["exit code"] == 0
    assert of("end")["peak memory"] > of("end")["memory"] > 1 << 20
    passed = [line["seconds"] for line in found]
    assert passed == sorted(passed)


@pytest.mark.usefixtures("crawl")
def test_runs_add_to_the_log_that_is_there_after_a_line_that_was_broken_off() -> None:
    Path("log").write_bytes(b'{"event": "brok')
    done("sketch", "pages.jsonl", "-o", "w.echo", "--log", "log")
    done("clusters", "w.echo", "--log", "log", "-q")
    first, *rest = Path("log").read_bytes().splitlines()
    assert first == b'{"event": "brok'
    found = [json.loads(line) for line in rest]
    assert [line["verb"] for line in found if line["event"] == "start"] == ["sketch", "clusters"]
    sketched = next(line for line in found if line["event"] == "counts")
    assert sketched["records"] == sketched["pages"] + 1 == len(small_web()) + 1
    # Notes that nobody was told are there too.
    notes = [line["text"] for line in found if line["event"] == "note"]
    assert notes[-1].startswith("w.echo: records that are no pages: 1 failed (bad JSON 1)")
    written = [line["file"] for line in found if line["event"] == "written"]
    assert written == ["w.echo/clusters/similar-0.8.parquet"]


@pytest.mark.usefixtures("crawl")
@pytest.mark.parametrize(
    ("command", "code", "kind", "text"),
    [
        (("clusters", "none.echo"), 1, "WorkspaceError", "none.echo is no workspace"),
        (("sketch", "none.warc", "-o", "w.echo"), 1, "InputError", "none.warc: no such file"),
        (
            ("dedup", "pages.jsonl", "-o", "w", "--rule", "text", "--resemblance", "0.9"),
            *(2, "SettingsError", "the rule text has no --resemblance"),
        ),
        (
            ("dedup", "pages.jsonl", "-o", "w", "--memory", "1MB"),
            *(1, "MemoryBudgetError", "needs at least"),
        ),
    ],
)
def test_what_fails_is_told(command: tuple[str, ...], code: int, kind: str, text: str) -> None:
    assert webecho(*command, "--log", "log").exit_code == code
    assert events()[-2:] == ["error", "end"]
    assert (of("error")["kind"], of("end")["exit code"]) == (kind, code)
    assert text in of("error")["text"]


@pytest.mark.usefixtures("crawl")
def test_strict_tells_its_code() -> None:
    assert (
        webecho("sketch", "pages.jsonl", "-o", "w.echo", "--strict", "--log", "log").exit_code == 3
    )
    assert of("end")["exit code"] == 3
    # Nothing went wrong that the run did not expect.
    assert not {"error", "stopped"} & {*events()}


def test_a_killed_run_leaves_whole_lines(crawl: Path) -> None:
    os.mkfifo(crawl.parent / "pipe")
    run = started("sketch", "pipe", "-o", "w.echo", "--log", "log")
    with (crawl.parent / "pipe").open("wb") as pipe:
        pipe.write(crawl.read_bytes())
        pipe.flush()
        while not Path("log").exists() or not Path("log").read_bytes().count(b"\n"):
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
        run.communicate()
    assert events()[0] == "start"
    assert "end" not in events()


def test_ctrl_c_is_told(crawl: Path) -> None:
    os.mkfifo(crawl.parent / "pipe")
    run = started("sketch", "pipe", "-o", "w.echo", "--log", "log")
    with (crawl.parent / "pipe").open("wb"):
        while not Path("log").exists() or not Path("log").read_bytes().count(b"\n"):
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        run.communicate()
    assert run.returncode == 130
    assert events()[-2:] == ["stopped", "end"]
    assert of("end")["exit code"] == 130


@pytest.mark.usefixtures("crawl")
def test_a_log_that_cannot_be_written() -> None:
    refused = webecho("sketch", "pages.jsonl", "-o", "w.echo", "--log", "no/such/folder/log")
    assert refused.exit_code == 2
    assert "log: No such file or directory; give a file that can be written" in refused.stderr
    assert not Path("w.echo").exists()
    # On a full disk the run goes on.
    full = done("sketch", "pages.jsonl", "-o", "w.echo", "--log", "/dev/full")
    assert full.stderr.count("nothing more is written to this log") == 1
    assert "No space left" in full.stderr


def test_every_verb_has_it() -> None:
    commands = [each for each in (*VERBS, *STUDIES) if not isinstance(each, click.Group)]
    without = [each.name for each in commands if "log" not in {one.name for one in each.params}]
    # That prints a script.
    assert without == ["completion"]


def test_how_far_a_long_phase_has_come(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "log", every=0)
    for share in (0.25, 0.5):
        log.report(Progress("reading", share, pages=10, bytes=1_000))
    log.report(Progress("comparing"))
    log.end_phase()
    log.close()
    found = lines(tmp_path / "log")
    shown = [(line["event"], line["phase"], line.get("share")) for line in found]
    assert shown == [
        ("phase begins", "reading", None),
        ("progress", "reading", 0.25),
        ("progress", "reading", 0.5),
        ("phase ends", "reading", None),
        ("phase begins", "comparing", None),
        ("progress", "comparing", None),
        ("phase ends", "comparing", None),
    ]
    assert (found[1]["pages"], found[3]["bytes"], "pages" in found[-1]) == (10, 1_000, False)


def test_nothing_breaks_a_line_and_no_password_is_in_one(tmp_path: Path) -> None:
    given = {"spark_conf": {"fs.s3a.secret.key": "hidden"}, "inputs": ("s3://me:hidden@bucket/a",)}
    with logged(tmp_path / "log", "sketch", "1", given) as log:
        log.note("a line\nand \ud800 another\u2028, at http://me:hidden@host.example/")
    text = (tmp_path / "log").read_text(encoding="ascii")
    assert "hidden" not in text
    assert [*map(json.loads, text.splitlines())][1]["text"].startswith("a line\nand \ud800 another")
    assert of("start", tmp_path / "log")["given"]["spark_conf"] == ["fs.s3a.secret.key"]


def test_codes_and_reasons() -> None:
    ends = (SystemExit(), SystemExit("bad"), SystemExit(3), KeyboardInterrupt())
    assert [exit_code(each) for each in ends] == [0, 1, 3, 130]
    assert problem(ValueError("bad")) == {"kind": "ValueError", "text": "bad"}
    assert safe({"path": Path("a"), "many": (1, None, 0.5)}) == {
        "path": "a",
        "many": [1, None, 0.5],
    }


def test_what_nobody_foresaw_is_told_too(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), logged(tmp_path / "log", "sketch", "1", {}):
        _ = 1 / 0
    assert of("error", tmp_path / "log")["kind"] == "ZeroDivisionError"
    assert of("end", tmp_path / "log")["exit code"] == 1
