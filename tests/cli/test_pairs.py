"""`webecho pairs` as a user sees it."""

import json
from pathlib import Path

from tests.cli.conftest import UNREAD
from tests.command import done, lines
from tests.command import webecho as run

NAMES = "left_url,right_url,left_id,right_id"


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
    assert result.stderr == f"{UNREAD}written: crawl.echo/pairs/virtually-identical.parquet\n"


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
    found = json.loads(done("pairs", crawl.name, "--rule", "tokens", "--format", "json").stdout)
    assert (found["rule"], found["pairs"]) == ("tokens", 5)
    assert found["rows"][0] == {
        "left": 0,
        "right": 2,
        "same_tokens": True,
        "left_url": "http://a.example.org/0.html",
        "right_url": "http://www.example.net/2.html",
        "left_id": "doc-0",
        "right_id": "doc-2",
    }


def test_what_only_a_report_has_is_refused_without_one(crawl: Path) -> None:
    for option in (("--width", "two"), ("--title",), ("--repetitions", 9)):
        refused = run("pairs", crawl.name, "--rule", "b", *option)
        assert refused.exit_code == 2
        assert f"{option[0]} is for --report, which is not given" in refused.stderr


def test_several_rules_are_shown_one_after_the_other(crawl: Path) -> None:
    command = ("pairs", crawl.name, "--rule", "tokens", "--rule", "similar", "--resemblance", "0.9")
    result = done(*command)
    one, other = (
        done("pairs", crawl.name, *rule).stdout
        for rule in (("--rule", "tokens"), ("--rule", "similar", "--resemblance", "0.9"))
    )
    assert result.stdout == f"{one}\n{other}"
    files = (f"written: crawl.echo/pairs/{name}.parquet\n" for name in ("tokens", "similar-0.9"))
    # What there is to say of the workspace is said once.
    assert result.stderr == "".join((UNREAD, *files))
    told = json.loads(done(*command, "--format", "json").stdout)
    assert [(label, each["pairs"]) for label, each in told.items()] == [
        *(("tokens", 5), ("similar-0.9", 9))
    ]
    header, *rows = done(*command, "--format", "csv").stdout.splitlines()
    assert header.startswith("rule,left,right,same_tokens,left_url,")
    assert header.endswith(",resemblance,left_containment,right_containment,estimated")
    assert [row.split(",")[0] for row in rows] == ["tokens"] * 5 + ["similar-0.9"] * 9
    assert "pairs tokens similar-0.9" in json.loads((crawl / "run.json").read_text())


def test_several_rules_and_reports(crawl: Path) -> None:
    command = ("pairs", crawl.name, "--rule", "b", "--rule", "c", "--report", "--repetitions", 0)
    shown = done(*command).stdout
    assert [line.split()[1] for line in shown.splitlines() if line.startswith("rule ")] == [
        *("b-2", "c-372")
    ]
    for label in ("b-2", "c-372"):
        assert (crawl / "studies" / f"pairs-{label}").is_dir()
    refused = run("pairs", crawl.name, "--rule", "b", "--rule", "similar", "--report")
    assert (refused.exit_code, "the rule similar has no --report" in refused.stderr) == (2, True)
    twice = run("pairs", crawl.name, "--rule", "b", "--rule", "b")
    assert (twice.exit_code, "the rule b is given twice" in twice.stderr) == (2, True)


def test_pairs_that_are_given_are_measured_and_nothing_is_written(crawl: Path) -> None:
    file = crawl.parent / "mine.csv"
    file.write_text("#1,#0\n#0,nobody\n")
    before = sorted(crawl.rglob("*"))
    told = run("pairs", crawl, "--given", file, "--measure", "resemblance", "--strict")
    assert told.exit_code == 3
    assert f"webecho: {file}, line 2: no page is called nobody\n" in told.stderr
    assert told.stdout.startswith(
        "rows      2\npairs     1\nleft out  1\n\nrow  left  right  b_sim"
    )
    assert sorted(crawl.rglob("*")) == before
    rows = json.loads(done("pairs", crawl, "--given", file, "--format", "json").stdout)["rows"]
    assert [(row["row"], row["left"], row["right"]) for row in rows] == [(1, 1, 0)]
    assert {"b_similarity", "c_similarity", "term_difference", "resemblance", "equal_words"} < {
        *rows[0]
    }


def test_what_finds_pairs_is_refused_where_they_are_given(crawl: Path) -> None:
    file = crawl.parent / "mine.csv"
    file.write_text("#1,#0\n")
    for option in (("--rule", "b"), ("--resemblance", "0.5"), ("--measured", "3"), ("--report",)):
        refused = run("pairs", crawl, "--given", file, *option)
        assert refused.exit_code == 2
        assert f"{option[0]} is for finding pairs, and --given names them" in refused.stderr
