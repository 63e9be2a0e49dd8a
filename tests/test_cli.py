"""The command line as a user sees it: whole outputs, messages that name the fix, exit codes."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import WarcFile, as_jsonl, as_parquet, as_warc, page, small_web
from tests.command import WEBECHO, counts, done, started, webecho

RULES = ("exact", "very-similar", "virtually-identical", "similar")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with `pages.jsonl` in it, where commands are given."""
    as_jsonl(tmp_path / "pages.jsonl", small_web(), {3: "{broken"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def crawl(here: Path) -> Path:
    done("sketch", "pages.jsonl", "-o", "crawl.echo")
    return here / "crawl.echo"


def lines(text: str) -> list[str]:
    """Without the blanks to which tables are filled up."""
    return [line.rstrip() for line in text.splitlines()]


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
        "bytes of pages": sum(len(each.html) for each in small_web()),
        "workspace": "crawl.echo",
    }
    table = done("sketch", "pages.jsonl", "-o", "crawl.echo", "--format", "csv").stdout
    names, values = table.splitlines()
    assert names.startswith("records,pages,pages without tokens,skipped,failed,")
    assert values.startswith("17,16,5,0,1,")


def test_clusters_as_a_table(crawl: Path) -> None:
    result = done("clusters", crawl.name, "--rule", "exact")
    three, two = (f"    {n}     {n}      2         0                 2" for n in (3, 2))
    assert lines(result.stdout) == [
        "rule                 exact",
        "pages                16",
        "pages in clusters    7",
        "clusters             3",
        "duplicates           4",
        "share of duplicates  0.2500",
        "",
        "The largest clusters",
        "pages  urls  hosts  machines  hosts without ip  title  "
        "representative                  cluster",
        f"{three}  First  http://a.example.org/0.html           0",
        f"{two}         http://www.example.net/8.html         8",
        f"{two}         http://www.example.net/11.html       11",
    ]
    assert result.stderr == "written: crawl.echo/clusters/exact.parquet\n"


def test_clusters_as_json(crawl: Path) -> None:
    result = done("clusters", crawl.name, "--rule", "exact", "--format", "json", "--quiet")
    found = json.loads(result.stdout)
    rows = found.pop("rows")
    assert found == {
        "rule": "exact",
        "pages": 16,
        "pages in clusters": 7,
        "clusters": 3,
        "duplicates": 4,
        "share of duplicates": 0.25,
    }
    assert rows[0] == {
        "pages": 3,
        "urls": 3,
        "hosts": 2,
        "machines": 0,
        "hosts without ip": 2,
        "title": "First",
        "representative": "http://a.example.org/0.html",
        "cluster": 0,
    }
    assert [row["cluster"] for row in rows] == [0, 8, 11]


def test_clusters_as_csv(crawl: Path) -> None:
    result = done("clusters", crawl.name, "--rule", "exact", "--format", "csv", "--quiet")
    assert result.stdout == (
        "pages,urls,hosts,machines,hosts without ip,title,representative,cluster\n"
        "3,3,2,0,2,First,http://a.example.org/0.html,0\n"
        "2,2,2,0,2,,http://www.example.net/8.html,8\n"
        "2,2,2,0,2,,http://www.example.net/11.html,11\n"
    )


def test_pairs_as_a_table(crawl: Path) -> None:
    result = done("pairs", crawl.name, "--rule", "virtually-identical")
    shown = lines(result.stdout)
    assert shown[:3] == ["rule   virtually-identical", "pairs  5", ""]
    assert shown[3].split() == ["left", "right", "b_similarity", *NAMES.split(",")]
    assert shown[4].split() == [
        *("0", "2", "6", "http://a.example.org/0.html", "http://www.example.net/2.html"),
        *("doc-0", "doc-2"),
    ]
    assert len(shown) == 9
    assert result.stderr == "written: crawl.echo/pairs/virtually-identical.parquet\n"


NAMES = "left_url,right_url,left_id,right_id"


def test_pairs_as_csv(crawl: Path) -> None:
    result = done("pairs", crawl.name, "--resemblance", "0.9", "--format", "csv", "--quiet")
    a, b, c = "http://a.example.org", "http://b.example.org", "http://www.example.net"
    # 205 tokens are 201 shingles; one edit changes 5 of them, two change 10.
    near, nearer = f"{191 / 211},{191 / 201},{191 / 201}", f"{196 / 206},{196 / 201},{196 / 201}"
    assert result.stdout == (
        f"left,right,resemblance,left_containment,right_containment,estimated,{NAMES}\n"
        f"0,2,1.0,1.0,1.0,False,{a}/0.html,{c}/2.html,doc-0,doc-2\n"
        f"0,3,1.0,1.0,1.0,False,{a}/0.html,{a}/3.html,doc-0,doc-3\n"
        f"0,4,{nearer},False,{a}/0.html,{b}/4.html,doc-0,doc-4\n"
        f"1,5,{near},False,{b}/1.html,{c}/5.html,doc-1,doc-5\n"
        f"2,3,1.0,1.0,1.0,False,{c}/2.html,{a}/3.html,doc-2,doc-3\n"
        f"2,4,{nearer},False,{c}/2.html,{b}/4.html,doc-2,doc-4\n"
        f"3,4,{nearer},False,{a}/3.html,{b}/4.html,doc-3,doc-4\n"
        f"8,9,1.0,1.0,1.0,False,{c}/8.html,{a}/9.html,doc-8,doc-9\n"
        f"11,13,1.0,1.0,1.0,False,{c}/11.html,{b}/13.html,doc-11,doc-13\n"
    )


def test_pairs_as_json(crawl: Path) -> None:
    found = json.loads(done("pairs", crawl.name, "--rule", "exact", "--format", "json").stdout)
    assert (found["rule"], found["pairs"]) == ("exact", 5)
    assert found["rows"][0] == {
        "left": 0,
        "right": 2,
        "same_tokens": True,
        "left_url": "http://a.example.org/0.html",
        "right_url": "http://www.example.net/2.html",
        "left_id": "doc-0",
        "right_id": "doc-2",
    }


@pytest.mark.usefixtures("here")
def test_a_collection_in_which_nothing_repeats() -> None:
    as_jsonl(Path("other.jsonl"), [page(0, "one page"), page(1, "another one")])
    done("sketch", "other.jsonl", "-o", "w.echo")
    for rule in RULES:
        shown = done("clusters", "w.echo", "--rule", rule).stdout
        assert lines(shown)[1:] == [
            "pages                2",
            "pages in clusters    0",
            "clusters             0",
            "duplicates           0",
            "share of duplicates  0.0000",
        ]
        assert lines(done("pairs", "w.echo", "--rule", rule).stdout)[1:] == ["pairs  0"]


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
@pytest.mark.parametrize("verb", ["sketch", "clusters", "pairs", "synth", "why", "diff"])
def test_help_names_every_option(verb: str) -> None:
    shown = done(verb, "--help").stdout
    assert shown.startswith(f"Usage: main {verb} [OPTIONS] ")
    for option in ("--threads", "--memory", "--seed", "--quiet", "--format", "--strict"):
        assert option in shown
    assert done(verb, "-h").stdout == shown
    own = {
        "sketch": ("--out", "--recipe", "--columns", "--append", "--keep-shingles", "--convert"),
        "clusters": ("--rule", "--resemblance"),
        "pairs": ("--rule", "--resemblance"),
        "synth": ("--pages", "--as", "--words", "--power", "--duplicates", "--force"),
        "why": ("--resemblance", "--unified", "--side-by-side", "--context"),
        "diff": ("--in", "--recipe", "--resemblance", "--unified", "--side-by-side", "--context"),
    }
    assert all(option in shown for option in own[verb])


def test_the_overview_names_the_verbs() -> None:
    shown = done("--help").stdout
    for verb in ("dedup", "sketch", "clusters", "pairs", "synth", "why", "diff", "restore"):
        assert f"  {verb}  " in shown
    assert done("--version").stdout.strip().endswith("0.1.0")


@pytest.mark.usefixtures("here")
def test_synth_prints_what_was_planted() -> None:
    asked = ("synth", "web", "--pages", "200", "--seed", "1", "--words", "40", "--as", "parquet")
    result = done(*asked, "--threads", "1")
    shown = lines(result.stdout)
    assert shown[:7] == [
        "pages         200",
        "hosts         17",
        "machines      11",
        "families      35",
        "exact copies  30",
        "crawl         web/pages",
        "truth         web/truth.parquet",
    ]
    assert shown[7:10] == [
        "",
        "What was planted",
        "kind            pages  same text  lowest resemblance  mean resemblance",
    ]
    assert shown[10] == "original          140          0"
    assert [" ".join(line.split()[:-2]) for line in shown[11:14]] == [
        "near-copy 14 0",
        "exact copy 13 13",
        "mirror 12 12",
    ]
    assert result.stderr == ""
    again = webecho(*asked)
    assert (again.exit_code, again.stdout) == (1, "")
    assert again.stderr == (
        "webecho: web is there already; give another name, or --force to replace it\n"
    )
    little = webecho(*asked, "--force", "--memory", "10MB")
    assert (little.exit_code, little.stdout) == (1, "")
    assert little.stderr.startswith("webecho: synth needs at least ")
    found = json.loads(done(*asked, "--force", "--format", "json").stdout)
    assert (found["pages"], sum(row["pages"] for row in found["rows"])) == (200, 200)


WRONG_USE = {
    "no verb": ((), "Usage:"),
    "unknown verb": (("cluster",), "No such command 'cluster'"),
    "no input": (("sketch", "-o", "w.echo"), "Missing argument 'INPUT…'"),
    "no output": (("sketch", "pages.jsonl"), "Missing option '-o' / '--out'"),
    "unknown option": (("sketch", "pages.jsonl", "-o", "w.echo", "--colour"), "--colour"),
    "unknown recipe": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--recipe", "mine"),
        "no recipe is called 'mine'; there are fetterly2004, henzinger2006, webecho",
    ),
    "unknown column": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--columns", "features,mega"),
        "there is no sketch column mega; there are features, supershingles, projection",
    ),
    "unknown rule": (("clusters", "w.echo", "--rule", "same"), "'same' is not one of"),
    "no resemblance": (("pairs", "w.echo", "--resemblance", "0"), "0.0 is not in the range"),
    "no size": (
        ("pairs", "w.echo", "--memory", "much"),
        "'much' is no size; try 500MB or 2GB",
    ),
    "no threads": (("pairs", "w.echo", "--threads", "0"), "0 is not in the range"),
    "no type": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--type", "html"),
        "'html' is no media type; give one such as text/html, or text/* for all texts",
    ),
    "no status": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--status", "20"),
        "20 is no HTTP status; give one such as 200 or 404",
    ),
    "no converter": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--convert", "application/pdf"),
        "give TYPE=COMMAND, such as application/pdf='pdftotext - -'",
    ),
}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("arguments", "message"), WRONG_USE.values(), ids=WRONG_USE)
def test_wrong_use_is_2_and_names_the_fix(arguments: tuple[str, ...], message: str) -> None:
    result = webecho(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr + result.stdout
    assert not Path("w.echo").exists()


def test_a_resemblance_for_another_rule_is_wrong_use(crawl: Path) -> None:
    result = webecho("clusters", crawl, "--rule", "exact", "--resemblance", "0.9")
    assert result.exit_code == 2
    assert "the rule exact has no resemblance; that is for similar" in result.stderr


def files(folder: Path) -> None:
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "empty").mkdir()
    (folder / "what.bin").write_bytes(bytes(range(256)))
    (folder / "array.json").write_text('[{"text": "one"}]')
    (folder / "cut.parquet").write_bytes(b"PAR1" + bytes(100))
    (folder / "numbers.jsonl").write_text('{"a": 1, "b": 2}\n')
    as_parquet(folder / "pages.parquet", small_web())


FAILURES = {
    "missing file": (("sketch", "nothing.warc.gz"), "no such file or folder; check the spelling"),
    "missing glob": (("sketch", "*.wacz"), "nothing matches; check the pattern, and put it in"),
    "empty file": (("sketch", "empty.jsonl"), "empty.jsonl: is empty; check how it was made"),
    "empty folder": (("sketch", "empty"), "empty: holds no files"),
    "unknown format": (("sketch", "what.bin"), "name it with --input-format warc|"),
    "named format": (
        ("sketch", "what.bin", "--input-format", "pdf"),
        "no format is called 'pdf'; there are warc, wacz, parquet, jsonl, csv, tsv, html",
    ),
    "one array": (("sketch", "array.json"), "convert it: jq -c '.[]' array.json"),
    "broken Parquet": (("sketch", "cut.parquet"), "not a Parquet file, or a broken one"),
    "no text": (
        ("sketch", "numbers.jsonl"),
        "name it with --text or --html. Its columns: a, b",
    ),
    "missing column": (
        ("sketch", "pages.parquet", "--text", "body"),
        "there is no column 'body'; name another with --text. Its columns: id, url, html",
    ),
    "two texts": (
        ("sketch", "pages.parquet", "--text", "html", "--html", "html"),
        "a page is read from one of them, leave the other out",
    ),
    "the same twice": (
        ("sketch", "pages.parquet", "./pages.parquet"),
        "was given before, with pages.parquet; leave one of them out",
    ),
    "no workspace": (("clusters", "empty"), "make one with: webecho sketch 'empty' -o NAME.echo"),
    "no program": (
        ("sketch", "pages.parquet", "--convert", "application/pdf=no-such-program - -"),
        "--convert application/pdf: there is no program 'no-such-program'; install it, or give",
    ),
    "no quote": (
        ("sketch", "pages.parquet", "--convert", "application/pdf=cat 'x"),
        "--convert application/pdf: cat 'x: not a command",
    ),
    "no protocol": (("sketch", "nowhere://a/b.warc"), "nowhere://a/b.warc: "),
}


@pytest.mark.parametrize(("arguments", "message"), FAILURES.values(), ids=FAILURES)
def test_failures_are_1_and_name_the_fix(
    here: Path, arguments: tuple[str, ...], message: str
) -> None:
    files(here)
    out = ("-o", "w.echo") if arguments[0] == "sketch" else ()
    result = webecho(*arguments, *out)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.startswith("webecho: ")
    assert result.stderr.count("\n") == 1
    # Nothing is begun that cannot be ended.
    assert not Path("w.echo").exists()


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


@pytest.mark.usefixtures("here")
def test_progress_comes_as_lines_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webecho.show.terminal.EVERY", 0.0)
    result = done("sketch", "pages.jsonl", "-o", "w.echo")
    said = result.stderr.splitlines()
    assert said[0] == "pages.jsonl: html = html, url = url, id = id"
    assert said[1].startswith("reading: 16 pages, 13.9 KB, ")
    assert " pages/s, " in said[1] and " MB/s" in said[1]
    assert "\x1b" not in result.stderr


def test_a_run_says_how_it_went_in_run_json(crawl: Path) -> None:
    done("clusters", crawl, "--threads", "1", "--memory", "1GB", "--seed", "7")
    found = json.loads((crawl / "run.json").read_bytes())["clusters similar-0.8"]
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


def test_titles_from_a_crawl_do_not_reach_the_terminal_as_commands(here: Path) -> None:
    wicked = "<title>\x1b]0;owned\x07 [red]x[/red]\x1b[2J</title>same words"
    with WarcFile(here / "in.warc") as warc:
        for number in range(2):
            warc.response(f"http://a.example.org/{number}\x1b[31m", wicked.encode())
    done("sketch", "in.warc", "-o", "w.echo")
    for verb in ("clusters", "pairs"):
        shown = done(verb, "w.echo", "--rule", "exact").stdout
        assert "\x1b" not in shown and "\x07" not in shown
    assert "[red]x[/red]" in done("clusters", "w.echo", "--rule", "exact").stdout


def test_odd_texts_come_through_csv_and_json(here: Path) -> None:
    title = 'a, "b"\u2028; é 漢字'
    pages = [{"url": f'u,{i}\n"x"', "html": f"<title>{title}</title>same"} for i in range(2)]
    pq.write_table(pa.Table.from_pylist(pages), here / "odd.parquet")
    done("sketch", "odd.parquet", "-o", "w.echo")
    found = json.loads(done("clusters", "w.echo", "--format", "json").stdout)
    assert found["rows"][0]["title"] == title
    assert found["rows"][0]["representative"] == 'u,0\n"x"'
    table = done("clusters", "w.echo", "--format", "csv").stdout
    assert 'a, ""b""' in table


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
    assert "pages in clusters    2\n" in done("clusters", "w.echo", "--rule", "exact").stdout
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
