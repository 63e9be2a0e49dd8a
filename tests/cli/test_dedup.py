"""`webecho dedup` as a user sees it."""

import json
from pathlib import Path

import pytest

from tests.command import done, lines, webecho


def test_dedup_prints_what_stays_and_what_goes(here: Path) -> None:
    result = done("dedup", "pages.jsonl", "-o", "out")
    shown = lines(result.stdout)
    assert shown[:17] == [
        "read                              16",
        "kept                              10",
        "removed                           6",
        "removed, same payload             2",
        "removed, same text                1",
        "removed, same tokens              1",
        "removed, near                     2",
        "removed, resemblance 1            4",
        "removed, resemblance 0.95 to 1    1",
        "removed, resemblance 0.9 to 0.95  1",
        "words lost                        3",
        "removed, with words lost          2",
        "kept, not compared                2",
        "failed                            1",
        "failed: bad JSON                  1",
        "skipped                           0",
        "left out, listed in               out/skipped.parquet",
    ]
    assert shown[-1] == "written to                        out"
    assert result.stderr == "pages.jsonl: html = html, url = url, id = id\n"
    # Ten pages, and the line that could not be read as it was.
    left = (here / "out" / "data" / "pages.jsonl").read_text().splitlines()
    assert len(left) == 10 + 1 and "{broken" in left
    noted = json.loads((here / "out.echo" / "run.json").read_bytes())
    assert noted["dedup"]["seconds"] >= 0


@pytest.mark.usefixtures("here")
def test_dedup_for_programs() -> None:
    result = done("dedup", "pages.jsonl", "-o", "out", "--rule", "exact", "--format", "json", "-q")
    found = json.loads(result.stdout)
    assert (found["read"], found["kept"], found["removed"]) == (16, 13, 3)
    assert (found["removed, same tokens"], found["removed, near"]) == (0, 0)
    assert found["written to"] == "out"
    assert result.stderr == ""


@pytest.mark.usefixtures("here")
def test_strict_is_about_what_could_not_be_read() -> None:
    assert webecho("dedup", "pages.jsonl", "-o", "out", "--strict").exit_code == 3
    Path("whole.jsonl").write_text('{"text": "one two"}\n{"text": "one two"}\n')
    assert webecho("dedup", "whole.jsonl", "-o", "whole", "--strict").exit_code == 0


@pytest.mark.usefixtures("here")
def test_a_dry_run_writes_nothing() -> None:
    shown = done("dedup", "pages.jsonl", "-o", "out", "--dry-run", "--format", "json").stdout
    assert json.loads(shown)["pages in the sample"] == 16
    assert not Path("out").exists() and not Path("out.echo").exists()


WRONG_USE = {
    "no folder": (("pages.jsonl",), "Missing option '-o' / '--out'"),
    "a limit without a dry run": (
        ("pages.jsonl", "-o", "out", "--limit", "5"),
        "--limit and --sample say how much --dry-run reads; add --dry-run",
    ),
    "no share": (
        ("pages.jsonl", "-o", "out", "--dry-run", "--sample", "0"),
        "0.0 is not in the range 0<x<=1",
    ),
    "a link": (
        ("pages.jsonl", "-o", "out", "--link", "loose"),
        "'loose' is not one of 'kept', 'chain'",
    ),
    "which page stays": (
        ("pages.jsonl", "-o", "out", "--keep", "best"),
        "'best' does not say which page stays; give one of first",
    ),
    "nothing to add to": (
        ("pages.jsonl", "-o", "out", "--append-kept"),
        "--append-kept adds to the workspace of --against; name one",
    ),
}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("arguments", "message"), WRONG_USE.values(), ids=WRONG_USE)
def test_wrong_use_is_2_and_names_the_fix(arguments: tuple[str, ...], message: str) -> None:
    refused = webecho("dedup", *arguments)
    assert refused.exit_code == 2
    assert message in " ".join(refused.stderr.split())
    assert not Path("out").exists()
