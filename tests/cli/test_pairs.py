"""`webecho pairs` as a user sees it."""

import json
from pathlib import Path

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
    assert result.stderr == "written: crawl.echo/pairs/virtually-identical.parquet\n"


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
