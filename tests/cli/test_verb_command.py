"""How verbs listen, and how their help reads."""

import click
import pytest
from click.testing import CliRunner

from tests.command import done, webecho
from webecho.cli.main import HEADINGS, STUDIES, VERBS
from webecho.cli.options import block
from webecho.cli.verb_command import SYNONYMS, VerbCommand, near, slips
from webecho.group.rules.registry import KINDS


def sections(shown: str) -> dict[str, list[str]]:
    """What `--help` lists under each heading: the first word of each row."""
    found: dict[str, list[str]] = {}
    for line in shown.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            rows = found.setdefault(line[:-1], [])
        elif line.startswith("  ") and line[2] != " " and found:
            rows.append(line.split()[0])
    return found


def test_options_stand_under_headings() -> None:
    shown = sections(done("clusters", "--help").stdout)
    assert [*shown] == [
        *("Options", "Rule", "Rules, by which two pages belong together if", "Spark"),
        *("Running and printing", "Examples"),
    ]
    assert shown["Options"] == ["--convert"]
    assert shown["Rule"][:2] == ["--rule", "--resemblance"]
    assert shown["Rules, by which two pages belong together if"] == [*KINDS]
    assert shown["Running and printing"] == [
        *("--threads", "--memory", "-q,", "--format", "--strict", "--log", "-h,")
    ]


def test_a_block_has_its_heading_and_others_come_first() -> None:
    @click.command(cls=VerbCommand, name="verify")
    @block(click.option("--wings"), heading="Birds")
    @click.option("--own")
    def command(**_: object) -> None:
        pass

    group = click.Group("webecho", commands=[command])
    shown = sections(CliRunner().invoke(group, ["verify", "--help"]).output)
    assert [*shown][:2] == ["Options", "Birds"]
    assert shown["Options"] == ["--own"] and shown["Birds"] == ["--wings"]


@pytest.mark.parametrize("width", ["80", "120"])
def test_the_overview_cuts_no_sentence(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    for overview in (done("--help").stdout, done("study", "--help").stdout):
        assert "..." not in overview.replace("[ARGS]...", "")
        assert max(map(len, overview.splitlines())) <= int(width)
    assert sections(done("--help").stdout).keys() == {"Options", *HEADINGS}


def test_a_seed_is_offered_where_something_is_drawn() -> None:
    drawing = {
        verb.name for verb in (*VERBS, *STUDIES) if any(each.name == "seed" for each in verb.params)
    }
    assert drawing == {
        *("pairs", "label", "evaluate", "synth", "clusters", "duplicates", "evolution"),
        *("genealogy", "graph", "growth", "mirrors", "querylog"),
    } - {"clusters", "genealogy"} | {verb.name for verb in STUDIES if verb.name in DRAWN}
    assert "No such option '--seed'" in webecho("dedup", "x", "-o", "y", "--seed", "1").stderr
    assert "No such option '--memory'" in webecho("restore", "x", "-o", "y", "--memory=1G").stderr


DRAWN = {"clusters", "genealogy"}


@pytest.mark.parametrize("said", SYNONYMS)
def test_what_other_tools_call_it_is_understood(said: str) -> None:
    given = {}

    @click.command(cls=VerbCommand)
    @click.option("--resemblance", type=float)
    @click.option("--threads", type=float)
    @click.option("--out", type=float)
    @click.argument("names", nargs=-1)
    def command(**values: object) -> None:
        given.update(values)

    name = SYNONYMS[said].lstrip("-")
    for args in ([said, "2"], [f"{said}=2"]):
        assert CliRunner().invoke(command, args).exit_code == 0
        assert given[name] == 2
    assert CliRunner().invoke(command, ["--", said]).exit_code == 0
    assert given["names"] == (said,)
    twice = CliRunner().invoke(command, [said, "2", SYNONYMS[said], "3"])
    assert f"{SYNONYMS[said]} is given 2 times" in twice.output


def test_a_verb_without_such_an_option_does_not_know_it() -> None:
    assert "No such option '--threshold'." in webecho("verify", "x", "--threshold", "1").stderr


@pytest.mark.parametrize(
    ("said", "guessed"),
    [
        *(("--resemblence", "Did you mean '--resemblance'?"), ("--quite", "'--quiet'")),
        *(("--rul", "'--rule'"), ("--min-length", None), ("--shards", None), ("--num-perm", None)),
        *(("--ngram", None), ("--language", None)),
    ],
)
def test_only_slips_are_guessed(said: str, guessed: str | None) -> None:
    told = webecho("dedup", "x", "-o", "y", said, "1").stderr.splitlines()[-1]
    assert (guessed in told) if guessed else told == f"Error: No such option '{said}'."


def test_slips_are_counted() -> None:
    assert [slips("kitten", "sitting"), slips("", "abc"), slips("rule", "rule")] == [3, 3, 0]
    assert near("--tread", "--threads") is False
    assert near("--thread", "--threads")
