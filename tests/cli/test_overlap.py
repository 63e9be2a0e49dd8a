"""`webecho overlap` as a user sees it."""

import json
import random
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import WarcFile, as_jsonl, page, prose
from tests.command import done, lines
from tests.command import webecho as run
from webecho.memory import overlapping

NAMES = "left_url,right_url,left_id,right_id"
COLUMNS = f"left,right,shared_chunks,left_containment,right_containment,same_site,copy,{NAMES}"
LINES = [" ".join(prose(seed, 4)) for seed in range(300)]
PASSAGE = LINES[100:180]


def texts() -> list[list[str]]:
    """Pages that share 80 lines, which begin at line 0, 4 and 1; a copy, and one of few lines."""
    return [
        [*PASSAGE, *LINES[0:8]],
        [*LINES[20:24], *PASSAGE, *LINES[24:27]],
        [*LINES[30:31], *PASSAGE],
        [*PASSAGE, *LINES[0:8]],
        PASSAGE[:9],
    ]


@pytest.fixture
def crawl(here: Path) -> Path:
    hosts = ("a.example.org", "b.example.org", "c.example.net", "a.example.org", "d.example.com")
    pages = [
        page(number, "".join(f"<p>{line}</p>" for line in text), hosts[number])
        for number, text in enumerate(texts())
    ]
    as_jsonl(here / "lines.jsonl", pages)
    done("sketch", "lines.jsonl", "-o", "lines.echo")
    return here / "lines.echo"


def test_as_a_table(crawl: Path) -> None:
    result = done("overlap", crawl.name)
    shown = lines(result.stdout)
    # 22 chunks of the first page, 22 of the second, 21 of the third, 3 of the last; the first and
    # second share those of the passage, and two chunks stand on the last one too.
    assert shown[:11] == [
        "chunking            lines:4",
        "shared              15",
        "method              sorted",
        "different chunks    46",
        "of several pages    20",
        "comparisons         20",
        "pairs               1",
        "of one site         1",
        "copies              1",
        # The copy with both others too.
        "pairs of all pages  3",
        "",
    ]
    assert shown[11].split() == COLUMNS.split(",")
    assert shown[12].split()[:7] == ["0", "1", "20", "0.9091", "0.9091", "yes", "no"]
    assert shown[13].split()[:7] == ["0", "3", "22", "1.0000", "1.0000", "yes", "yes"]
    assert len(shown) == 14
    assert result.stderr == (
        "method sorted: 20 comparisons find room at once\n"
        "written: lines.echo/overlap/lines-4-15.parquet\n"
    )


def test_as_csv_and_json(crawl: Path) -> None:
    a, b = "http://a.example.org", "http://b.example.org"
    result = done("overlap", crawl.name, "--format", "csv", "--quiet")
    assert result.stdout == (
        f"{COLUMNS}\n"
        f"0,1,20,{20 / 22},{20 / 22},True,False,{a}/0.html,{b}/1.html,doc-0,doc-1\n"
        f"0,3,22,1.0,1.0,True,True,{a}/0.html,{a}/3.html,doc-0,doc-3\n"
    )
    assert result.stderr == ""
    told = json.loads(done("overlap", crawl.name, "--format", "json").stdout)
    assert (told["chunking"], told["pairs"], told["copies"]) == ("lines:4", 1, 1)
    assert [row["shared_chunks"] for row in told["rows"]] == [20, 22]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"chunk": "lines:2"},
        {"chunk": "lines:4:sliding", "shared": 3, "method": "coarse"},
        {"chunk": "words:8:sliding", "shared": 9, "most_pages": 2, "fingerprint": 32},
        {"chunk": "lines:2", "shared": 3, "level": "host"},
        {"chunk": "lines:2", "shared": 3, "level": "site"},
        {"chunk": "page"},
    ],
)
def test_both_faces_give_the_same(crawl: Path, given: dict[str, object]) -> None:
    options = [
        each
        for name, value in given.items()
        for each in (f"--{name.replace('_', '-')}", str(value))
    ]
    shown = json.loads(done("overlap", crawl.name, *options, "--format", "json").stdout)
    assert shown["rows"] == webecho.overlap(crawl, **given).to_pylist()
    assert shown["rows"]


def test_both_faces_give_the_same_of_two_collections(crawl: Path, here: Path) -> None:
    questions = [
        # Two lines of the passage, in another case and with other signs, and what is nowhere.
        *(" ".join(PASSAGE[start : start + 5]).upper().replace(" ", ", ") for start in (3, 50)),
        " ".join(prose(9_999, 20)),
    ]
    as_jsonl(here / "asked.jsonl", [page(n, text) for n, text in enumerate(questions)])
    done("sketch", "asked.jsonl", "-o", "asked.echo")
    across = ("overlap", "asked.echo", "--with", crawl.name)
    report = done(*across, "--report-left", "-o", "report.parquet", "--format", "json")
    rows = json.loads(report.stdout)["rows"]
    python = webecho.overlap(here / "asked.echo", other=crawl, report_left=True)
    assert rows == python.to_pylist() == pq.read_table("report.parquet").to_pylist()
    assert [(row["left_id"], row["found"], row["pages"]) for row in rows] == [
        ("doc-0", True, 5),
        ("doc-1", True, 4),
        ("doc-2", False, 0),
    ]
    assert rows[1]["passage"] == "\n".join(PASSAGE[50:55])
    assert "written: report.parquet\n" in report.stderr
    shown = lines(done(*across, "--report-left").stdout)
    assert "left pages        3" in shown and "found             2" in shown
    pairs = ("--chunk", "words:8:sliding", "--shared", "3")
    told = json.loads(done(*across, *pairs, "--format", "json").stdout)
    same = webecho.overlap(here / "asked.echo", "words:8:sliding", 3, other=crawl)
    assert told["rows"] == same.to_pylist() and told["pairs"] == 9
    # Another word is asked for less of.
    higher = done(*across, "--report-left", "--containment", "1", "--format", "json").stdout
    assert json.loads(higher)["found"] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--report-left",), "--report-left is for two collections; give --with"),
        (("--containment", "0.5"), "--containment is for two collections; give --with"),
        (("-o", "a.parquet"), "-o is for two collections; give --with"),
        (
            ("--with", "lines.echo", "--level", "host"),
            "--level host is for one collection; leave out --with",
        ),
        (("--with", "lines.echo", "-o", "a.csv"), "a.csv: give a name that ends in .parquet"),
        (("--method", "slow"), "'slow' is not one of 'auto', 'sorted', 'coarse'"),
        (("--level", "path"), "'path' is not one of 'page', 'host', 'site'"),
        (("--chunk", "words:8"), "of words:8 must two pages share? Give --shared"),
        (("--chunk", "words"), "'words' is no chunking: say how many words, as in words:4"),
        (("--shared", "0"), "--shared 0: give 1 to 4,294,967,295"),
        (("--fingerprint", "16"), "--fingerprint 16: give 64, or the paper's 32"),
        (("--show", "#0", "#1", "--shared", "3"), "whatever --shared says"),
        (("--show", "#0", "#1", "--level", "host"), "whatever --level says"),
        (("--show", "#0", "#1", "-o", "a.parquet"), "whatever -o says"),
        (("--show", "#0", "#1", "--fingerprint", "16"), "--fingerprint 16: give 64"),
        (("--show", "#0"), "Option '--show' requires 2 arguments"),
    ],
)
def test_what_is_refused(crawl: Path, options: tuple[str, ...], message: str) -> None:
    failed = run("overlap", crawl.name, *options)
    assert failed.exit_code == 2
    assert message in " ".join(failed.stderr.replace("│", " ").split())
    assert not (crawl / "overlap").exists()


def test_hosts_with_the_pages_that_carry_it(crawl: Path) -> None:
    result = done("overlap", crawl.name, "--level", "host", "--shared", "2")
    shown = lines(result.stdout)
    assert "pairs of hosts    3" in shown
    row = next(line.split() for line in shown if line.startswith("a.example.org  b."))
    assert row == ["a.example.org", "b.example.org", "20", "0.9091", "0.9091", "yes"]
    names = ("lines-4-2-host", "lines-4-2-host-pages")
    written = [f"written: lines.echo/overlap/{name}.parquet" for name in names]
    assert result.stderr.splitlines()[-2:] == written
    pages = pq.read_table(crawl / "overlap" / "lines-4-2-host-pages.parquet").to_pylist()
    first = [row["page"] for row in pages if row["right_host"] == "b.example.org"]
    # Both copies on the left host carry it.
    assert first[:3] == [0, 3, 1]


def test_what_is_left_out_is_said(crawl: Path) -> None:
    result = done("overlap", crawl.name, "--shared", "1", "--most-pages", "2")
    # Two chunks stand on pages 0, 1 and 4; that on 3 is page 0's copy.
    assert result.stderr.splitlines()[0] == (
        "left out: 2 chunks that stand on more than 2 pages; "
        "the counts of 3 pages are lower by that"
    )
    shown = lines(result.stdout)
    assert "chunks left out     2" in shown and "pages with such     3" in shown


def test_short_fingerprints_say_what_they_cost(crawl: Path) -> None:
    told = json.loads(done("overlap", crawl.name, "--fingerprint", "32", "--format", "json").stdout)
    # 46 chunks are 1,035 pairs of them, of which one in 2³² is equal.
    assert told["accidental matches"] == 0.0
    usual = json.loads(done("overlap", crawl.name, "--format", "json").stdout)
    assert "accidental matches" not in usual and usual["rows"] == told["rows"]


def crowded(pages: int) -> pa.Table:
    """Pages with 30 lines from a pool of 600 and 30 of their own; the first 60 are pairs that share
    their own too."""
    chance = random.Random(5)
    pool = [f"pool {number}" for number in range(600)]
    every = []
    for number in range(pages):
        own = number // 2 * 2 if number < 60 else number
        every.append([*chance.sample(pool, 30), *(f"own {own} line {line}" for line in range(30))])
    return pa.table({"text": ["\n".join(each) for each in every]})


def test_what_each_filter_left_in_little_memory(here: Path) -> None:
    """Twelve million comparisons find room for 37,000; each filter leaves fewer false ones."""
    pages = 4_000
    pq.write_table(crowded(pages), here / "crowded.parquet")
    done("sketch", "crowded.parquet", "-o", "crowded.echo", "--chunks", "lines:1")
    command = ("overlap", "crowded.echo", "--chunk", "lines:1", "--shared", "15")
    little = ("--method", "coarse", "--memory", f"{overlapping(pages) + 900_000}")
    told = json.loads(done(*command, *little, "--format", "json").stdout)
    filters = told["filters"]
    assert len(filters) > 1
    for one, other in pairwise(filters):
        assert other["before"] == one["left"] and other["false"] < one["false"]
    first, last = filters[0], filters[-1]
    assert first["before"] == told["comparisons"] > 10_000_000
    assert last["false"] < first["before"] / 4
    shared = sum(row["shared_chunks"] for row in told["rows"])
    assert last["left"] - last["false"] == shared
    assert [(row["left"], row["right"]) for row in told["rows"]] == [
        (number, number + 1) for number in range(0, 60, 2)
    ]
    usual = json.loads(done(*command, "--method", "sorted", "--format", "json").stdout)
    assert "filters" not in usual and usual["rows"] == told["rows"]
    shown = lines(done(*command, *little).stdout)
    at = shown.index("What each filter left")
    assert shown[at + 1].split() == ["filter", "cells", "heavy", "before", "left", "false"]
    assert f"{last['false']:,}" == shown[at + 1 + len(filters)].split()[-1]
    assert "The first 20 of 30 rows" in shown


def test_show_prints_what_two_pages_share(crawl: Path) -> None:
    result = done("overlap", crawl.name, "--show", "doc-1", "http://d.example.com/4.html")
    assert lines(result.stdout) == [
        "left   http://b.example.org/1.html, 22 different chunks",
        "right  http://d.example.com/4.html, 3 different chunks",
        "shared 2 different chunks",
        "",
        "left lines 5–12 = right lines 1–8",
        *(f"| {line}" for line in PASSAGE[:8]),
    ]
    assert result.stderr == ""
    assert not (crawl / "overlap").exists()
    # One line further down no chunk of four is the same; those that slide are.
    two = ("--show", "#2", "#4")
    assert "shared 0 different chunks" in done("overlap", crawl.name, *two).stdout
    sliding = done("overlap", crawl.name, *two, "--chunk", "lines:4:sliding", "--format", "json")
    [passage] = json.loads(sliding.stdout)["shared"]
    assert (passage["chunks"], passage["left_lines"], passage["right_lines"]) == (
        *(6, [2, 10], [1, 9]),
    )
    found = webecho.passages(crawl, "#2", "#4", "lines:4:sliding")
    assert found.shared[0].left_text == passage["left_text"] == "\n".join(PASSAGE[:9])


def test_show_of_two_collections_and_of_a_revisit(crawl: Path, here: Path) -> None:
    html = "".join(f"<p>{line.upper()}</p>" for line in PASSAGE[:9])
    with WarcFile(here / "a.warc.gz") as warc:
        warc.revisit("http://e.example/1", Refers_To="<urn:uuid:a.warc.gz-2>")
        warc.response("http://e.example/2", html.encode())
    done("sketch", "a.warc.gz", "-o", "a.echo")
    for name in ("http://e.example/1", "http://e.example/2"):
        shown = lines(
            done("overlap", crawl.name, "--with", "a.echo", "--show", "doc-4", name).stdout
        )
        assert shown[1] == f"right  {name}, 3 different chunks"
        assert shown[4] == "left lines 1–9 = right lines 1–9"
        # Each in its own words.
        assert shown[5] == f"| {PASSAGE[0]}" and shown[14] == f"> {PASSAGE[0].upper()}"
    failed = run("overlap", crawl.name, "--show", "doc-4", "http://e.example/1")
    assert failed.exit_code == 1 and "no page is called 'http://e.example/1'" in failed.stderr


def test_passages_that_cannot_be_read_again_are_said(crawl: Path, here: Path) -> None:
    as_jsonl(here / "asked.jsonl", [page(0, " ".join(PASSAGE[3:8]))])
    done("sketch", "asked.jsonl", "-o", "asked.echo")
    command = ("overlap", "asked.echo", "--with", crawl.name, "--report-left")
    done(*command)
    (here / "lines.jsonl").unlink()
    result = done(*command, "--format", "json")
    [row] = json.loads(result.stdout)["rows"]
    assert (row["found"], row["passage"]) == (True, None)
    assert "webecho: passages cannot be read again: " in result.stderr
    assert run(*command, "--strict").exit_code == 3


def test_what_a_run_took_is_kept(crawl: Path) -> None:
    done("overlap", crawl.name, "--quiet")
    told = json.loads((crawl / "run.json").read_text())
    assert "overlap lines-4-15" in told
