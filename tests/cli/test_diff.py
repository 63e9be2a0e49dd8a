"""`webecho diff` as a user sees it: whole outputs, messages, exit codes."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.two_pages import CAT, FOX, RULES
from tests.collections_made import (
    as_warc,
    prose,
    small_web,
)
from tests.command import WEBECHO, done
from tests.command import webecho as run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two pages in it, where commands are given."""
    (tmp_path / "a.html").write_text(f"<title>A fox</title><p>{FOX}")
    (tmp_path / "b.txt").write_text(CAT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("here")
def test_diff_of_two_files() -> None:
    # 18 and 17 tokens are 14 and 13 shingles, and the 5 between the two changes are shared.
    result = done("diff", "a.html", "b.txt")
    assert result.stderr == ""
    assert result.stdout == (
        "left   a.html\n"
        "       “A fox”, 18 tokens\n"
        "right  b.txt\n"
        "       17 tokens\n"
        "\n"
        "resemblance   0.2273, 5 of 22 distinct shingles are shared\n"
        "containment   0.3571 of left in right, 0.3846 of right in left\n"
        "features      17 of 84 are equal\n"
        "B-similarity  0 of 6 supershingles agree\n"
        "C-similarity  279 of 384 bits agree\n"
        "equal words   0.8000 of the words of both, by a minimal diff\n"
        "same tokens   no\n"
        "same text     no\n"
        "same bytes    no\n"
        "same payload  no\n"
        "difference    4 words removed, 3 added, 14 equal\n"
        "left only     2 words: fox day\n"
        "right only    3 words: cat evening again\n"
        f"{RULES}"
        "\n"
        "[-A fox-] The quick brown [-fox-] {+cat+} jumps over the lazy dog It was a fine\n"
        "[-day-] {+evening+} in May {+again+}\n"
    )
    assert done("diff", "a.html", "b.txt", "--unified").stdout == result.stdout


@pytest.mark.usefixtures("here")
def test_diff_side_by_side() -> None:
    shown = done("diff", "a.html", "b.txt", "--side-by-side").stdout
    assert shown.split("\n\n")[-1] == (
        "[-A fox-] The quick brown [-fox-]      │ The quick brown {+cat+} jumps over the\n"
        "jumps over the lazy dog It was a fine  │ lazy dog It was a fine {+evening+} in\n"
        "[-day-] in May                         │ May {+again+}\n"
    )


@pytest.mark.usefixtures("here")
def test_the_context_may_be_chosen() -> None:
    Path("a.txt").write_text(" ".join(["x", *prose(1, 30)]))
    Path("b.txt").write_text(" ".join(["y", *prose(1, 30)]))
    for context in (0, 2):
        shown = done("diff", "a.txt", "b.txt", "--context", context).stdout.split("\n\n")[-1]
        first = " ".join(["[-x-] {+y+}", *prose(1, context)])
        assert shown == f"{first}\n… {30 - context} equal words …\n"


@pytest.mark.usefixtures("here")
def test_diff_for_programs() -> None:
    found = json.loads(done("diff", "a.html", "b.txt", "--format", "json").stdout)
    rules, difference = found.pop("rules"), found.pop("difference")
    assert found == {
        "left": page_record("a.html", 18, 14, title="A fox"),
        "right": page_record("b.txt", 17, 13),
        "recipe": "webecho",
        "resemblance": 5 / 22,
        "estimated": None,
        "left_containment": 5 / 14,
        "right_containment": 5 / 13,
        "shared_shingles": 5,
        "equal_features": 17,
        "b_similarity": 0,
        "agreeing_supershingles": [],
        "c_similarity": 279,
        "equal_words": 0.8,
        "equal_words_estimated": False,
        "same_tokens": False,
        "same_text": False,
        "same_bytes": False,
        "same_payload": False,
        "clusters": [],
        "notes": [],
        "gone": None,
        "left_only": ["fox", "day"],
        "right_only": ["cat", "evening", "again"],
        "dedup": None,
    }
    assert rules[5] == {
        "rule": "similar-0.8",
        "together": False,
        "reason": "the resemblance is 0.2273, 0.8 is asked for",
    }
    assert {each.pop("right_words") for each in difference} == {None}
    assert difference[:3] == [
        {"kind": "removed", "left": 0, "right": 0, "words": ["A", "fox"]},
        {"kind": "equal", "left": 2, "right": 0, "words": ["The", "quick", "brown"]},
        {"kind": "removed", "left": 5, "right": 3, "words": ["fox"]},
    ]
    assert done("diff", "a.html", "b.txt", "--format", "csv").stdout == (
        "kind,left,right,words,right_words\n"
        "removed,0,0,A fox,\n"
        "equal,2,0,The quick brown,\n"
        "removed,5,3,fox,\n"
        "added,6,3,cat,\n"
        "equal,6,4,jumps over the lazy dog It was a fine,\n"
        "removed,15,13,day,\n"
        "added,16,13,evening,\n"
        "equal,16,14,in May,\n"
        "added,18,16,again,\n"
    )


def page_record(name: str, tokens: int, shingles: int, title: str | None = None) -> dict[str, Any]:
    names = {"page": None, "url": name, "id": name}
    return names | {"title": title, "tokens": tokens, "shingles": shingles}


def test_diff_with_standard_input(here: Path) -> None:
    body = (here / "b.txt").read_bytes()
    usual = done("diff", "a.html", "b.txt").stdout
    assert done("diff", "a.html", "-", stdin=body).stdout == usual.replace("b.txt", "-")
    both = run("diff", "-", "-", stdin=body)
    assert both.exit_code == 2
    assert "standard input is one page; give a file for the other" in both.stderr


def test_diff_of_pages_in_an_archive(here: Path) -> None:
    as_warc(here / "pages.warc.gz", small_web())
    shown = done(
        "diff", "--in", "pages.warc.gz", "http://a.example.org/0.html", "#4", "--context", "2"
    ).stdout
    assert "left   http://a.example.org/0.html\n       page #0, " in shown
    assert "right  http://b.example.org/4.html\n       page #4, " in shown
    assert "difference    1 word removed, 1 added, 204 equal\n" in shown
    assert shown.endswith(
        "… 99 equal words …\n"
        "svhpgo euwifz [-svaxqi-] {+new100+} ltueqe zlxspg\n"
        "… 101 equal words …\n"
    )


@pytest.mark.usefixtures("here")
def test_colours_on_a_terminal() -> None:
    """The real command under a pseudo-terminal, 40 columns wide."""
    leader, follower = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "40"}
    for name in ("NO_COLOR", "FORCE_COLOR"):
        environment.pop(name, None)
    subprocess.run(
        [*WEBECHO, "diff", "a.html", "b.txt"], stdout=follower, env=environment, check=True
    )
    os.close(follower)
    shown = os.read(leader, 65536).decode()
    os.close(leader)
    assert "\x1b[9;31mfox\x1b[0m" in shown
    assert "\x1b[32mcat\x1b[0m" in shown
    assert "[-" not in shown


def test_the_column_of_a_table_may_be_named(here: Path) -> None:
    rows = [{"body": FOX, "text": "one"}, {"body": CAT, "text": "one"}]
    (here / "p.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    asked = ("diff", "#0", "#1", "--in", "p.jsonl", "--format", "json")
    assert json.loads(done(*asked).stdout)["left"]["tokens"] == 1
    assert json.loads(done(*asked, "--text", "body").stdout)["right"]["tokens"] == 17


def test_pages_that_differ_in_symbols_and_case(here: Path) -> None:
    (here / "one.txt").write_text("The operator<< writes, and Operator reads.\n")
    (here / "other.txt").write_text("The operator>> writes, and operator reads.")
    shown = done("diff", "one.txt", "other.txt").stdout
    assert "same tokens   yes\nsame text     no\nsame bytes    no\n" in shown
    assert "0 words removed, 0 added, 4 equal, 2 written differently\n" in shown
    assert "text                 no        they do not have the same visible text\n" in shown
    assert "identical" not in shown.replace("virtually-identical", "")
    assert shown.endswith(
        "\nThe [-operator<<-] {+operator>>+} writes and [-Operator-] {+operator+} reads\n"
    )
