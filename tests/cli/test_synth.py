"""`webecho synth` as a user sees it."""

import json

import pytest

from tests.command import done, lines, webecho


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


@pytest.mark.usefixtures("here")
def test_synth_prints_how_pages_changed() -> None:
    asked = ("synth", "web", "--pages", "100", "--seed", "1", "--words", "40", "--as", "parquet")
    more = ("--snapshots", "3", "--mirrors", "2", "--followers", "22", "--lost", "2=0.5")
    result = done(*asked, *more, "--threads", "1")
    shown = lines(result.stdout)
    assert [line.split()[0] for line in shown[:8]] == [
        *("snapshots", "pages", "URLs", "hosts", "machines", "families", "crawls", "truths")
    ]
    assert shown[0].split() == ["snapshots", "3"]
    assert shown[6].split() == ["crawls", "web/N/pages"]
    assert shown[9:11] == [
        "What was planted",
        "kind      changes  fewest words  most words  lowest resemblance  mean resemblance",
    ]
    assert result.stderr == ""
    wrong = webecho(*asked, "--force", "--snapshots", "3", "--lost", "2")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "give SNAPSHOT=SHARE, such as 3=0.25" in wrong.stderr


@pytest.mark.usefixtures("here")
def test_a_web_over_time_is_printed_by_snapshots() -> None:
    asked = ("synth", "web", "--reuse", "--snapshots", "2", "--pages", "300", "--as", "parquet")
    shown = lines(done(*asked, "--threads", "1").stdout)
    assert shown[:2] == ["snapshots   2", "pages       615"]
    assert shown[6:9] == [
        "query logs  web/queries",
        "",
        "What was planted",
    ]
    assert len(shown) == 12
    refused = webecho(*asked, "--force", "--graph")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.endswith("--graph is not for --reuse; give one of them\n")
