"""Cases on the terminal."""

import pytest

from webecho.show.cases import LONGEST, passage_lines, short, show_cases
from webecho.study.reuse_cases import Case
from webecho.study.reuse_passages import MarkedCase, MarkedPage, Passage

CASE = MarkedCase(
    "old–new",
    Case("log", "a\x1b[31m query", 3, (1, 2), (4, 5), (10, 11)),
    MarkedPage(
        3,
        "http://n.example/\x07",
        (
            Passage("Before.", ()),
            Passage("From one.", (1,)),
            Passage("Between.", ()),
            Passage("From\x1b both.", (1, 2)),
        ),
    ),
    (MarkedPage(1, None, ()), MarkedPage(2, "http://b.example/", ())),
)


def test_control_characters_do_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    show_cases([CASE], "table")
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "\x07" not in printed
    assert printed.splitlines()[3:] == [
        "1. old–new, log: a\N{REPLACEMENT CHARACTER}[31m query",
        "   old 1  #1 (rank 4, 10 identical paragraphs)",
        "   old 2  http://b.example/ (rank 5, 11 identical paragraphs)",
        "   new    http://n.example/\N{REPLACEMENT CHARACTER}",
        "   [1] From one.",
        "   …",
        "   [1+2] From\N{REPLACEMENT CHARACTER} both.",
    ]


def test_programs_have_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    show_cases([CASE], "json")
    show_cases([], "table")
    assert capsys.readouterr().out == ""


def test_long_passages_are_shortened() -> None:
    text = "a" * LONGEST + "b" * LONGEST
    assert short(text) == f"{'a' * 150} […] {'b' * 150}"
    assert short("a" * LONGEST) == "a" * LONGEST
    assert passage_lines(MarkedPage(0, None, (Passage("x", ()),))) == []
    many = tuple(Passage(str(number), (1 + number % 2,)) for number in range(20))
    assert passage_lines(MarkedPage(0, None, many))[10:] == ["[1] 10", "[2] 11", "…"]
