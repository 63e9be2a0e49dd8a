"""Inputs that can be read only once."""

import fcntl
import gzip
import json
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.command import WEBECHO, done, webecho
from tests.read.archives import gzipped, response
from tests.read.test_streams import fifo

TEXTS = ("one page of some words", "another page of other words", "one page of some words")
ROWS = [
    {"id": number, "url": f"http://a/{number}", "text": text} for number, text in enumerate(TEXTS)
]
LINES = [json.dumps(row).encode() + b"\n" for row in ROWS]
JSONL = b"".join(LINES)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_bytes(JSONL)
    return tmp_path


@pytest.mark.parametrize("shell", ["dedup /dev/stdin", "dedup /proc/self/fd/0", "dedup -"])
def test_pipes(here: Path, shell: str) -> None:
    result = subprocess.run(
        [*WEBECHO, *shell.split(), "-o", "out"],
        input=JSONL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert (here / "out/data/stdin.jsonl").read_bytes() == b"".join(LINES[:2])
    assert pq.read_table(here / "out/duplicates.parquet").num_rows == 1


def test_several_pipes_of_a_shell(here: Path) -> None:
    command = f"{' '.join(WEBECHO)} dedup <(head -n 1 in.jsonl) <(tail -n 2 in.jsonl) -o out"
    result = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    assert (here / "out/data/stdin.jsonl").read_bytes() == LINES[0]
    assert (here / "out/data/stdin-2.jsonl").read_bytes() == LINES[1]


def test_a_fifo_is_of_the_format_of_its_name(here: Path) -> None:
    pages = [
        response(f"http://a.example/{n}", f"<p>{text}".encode()) for n, text in enumerate(TEXTS)
    ]
    done("dedup", fifo(here / "crawl.warc.gz", gzipped(*pages)), "-o", "out")
    written = (here / "out/data/stdin.warc.gz").read_bytes()
    assert gzip.decompress(written) == b"".join(pages[:2])


def test_the_format_that_is_said(here: Path) -> None:
    content = b"id\ttext\n" + b"".join(b"%d\t%b\n" % (n, t.encode()) for n, t in enumerate(TEXTS))
    pipe = fifo(here / "pipe", content)
    done("dedup", pipe, "-o", "out", "--input-format", "tsv-plain")
    assert (here / "out/data/stdin.tsv").read_bytes() == content[: content.index(b"2\t")]


def test_one_stream_given_twice(here: Path) -> None:
    result = webecho("dedup", "-", "-", "-o", "out", stdin=JSONL)
    assert (result.exit_code, (here / "out.echo").exists()) == (1, False)
    assert "-: was given before" in result.stderr


def test_the_lock_comes_before_the_copy(here: Path) -> None:
    done("dedup", "-", "-o", "out", stdin=JSONL)
    copy = here / ".out.stdin.jsonl"
    with (here / ".out.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = webecho("dedup", "-", "-o", "out", "--force", stdin=b'{"text": "else"}\n')
    assert result.exit_code == 1
    assert "another process is writing out; wait until it ends" in result.stderr
    assert copy.read_bytes() == JSONL
    assert not list(here.glob(".*.new"))


def test_two_at_once(here: Path) -> None:
    """The second is refused while the first waits for the rest of its input."""
    first = subprocess.Popen(
        [*WEBECHO, "dedup", "-", "-o", "out"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert first.stdin is not None
    first.stdin.write(LINES[0])
    first.stdin.flush()
    while not (here / ".out.stdin.jsonl.new").exists():
        assert first.poll() is None
    second = webecho("dedup", "-", "-o", "out", stdin=b'{"text": "else"}\n')
    assert (second.exit_code, "wait until it ends" in second.stderr) == (1, True)
    first.stdin.write(b"".join(LINES[1:]))
    assert (first.communicate(timeout=60)[1], first.returncode)[1] == 0
    assert (here / "out/data/stdin.jsonl").read_bytes() == b"".join(LINES[:2])


def test_what_a_workspace_was_made_of_is_not_replaced(here: Path) -> None:
    done("dedup", "-", "-o", "out", stdin=JSONL)
    (here / "out").rename(here / "moved")
    result = webecho("dedup", "-", "-o", "out", stdin=b'{"text": "else"}\n')
    assert result.exit_code == 1
    assert "out.echo was made of something else than what comes from -" in result.stderr
    assert (here / ".out.stdin.jsonl").read_bytes() == JSONL
    # The same goes on with it.
    done("dedup", "-", "-o", "out", stdin=JSONL)


def test_others_that_read(here: Path) -> None:
    refused = webecho("restore", fifo(here / "r.warc", b""), "-o", "restored")
    assert (refused.exit_code, "save it to a file first" in refused.stderr) == (1, True)
    (here / "folder").mkdir()
    (here / "folder/a.jsonl").write_bytes(JSONL)
    fifo(here / "folder/b.jsonl", b"")
    for given in ("folder", "folder/*"):
        shown = done("sketch", given, "-o", f"{len(given)}.echo").stdout
        assert "pages                3\n" in shown
        assert "skipped: pipe        1\n" in shown


def test_the_page_of_a_stream_is_not_waited_for_again(here: Path) -> None:
    done("sketch", fifo(here / "pipe", JSONL), "-o", "crawl.echo")
    shown = done("why", "crawl.echo", "#0", "#1").stdout
    assert "cannot be read twice" in shown
