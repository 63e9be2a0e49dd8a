"""What is printed of overlap, and of the passages that two pages share."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.command import lines
from webecho.api.overlap_across import Across
from webecho.api.passages import Passages
from webecho.group.shared_passages import Run, SharedPassage
from webecho.show.overlap import say_left_out, show_overlap, show_passages
from webecho.sketches.passages import Passages as PagePassages

ROWS = pa.table({"left": [0, 1], "right": [4, 5], "shared_chunks": [20, 15], "copy": [False, True]})
FILTERS = pa.table({"filter": [1, 2], "before": [4000, 900], "left": [900, 70], "false": [850, 20]})
FOUND = Across(Path("a.parquet"), 2, ROWS, {"method": "coarse", "pairs": 2}, None, None)


def on_lines(text: str, *lines: tuple[int, int]) -> PagePassages:
    """A page whose pieces, between bars, are chunks on these lines."""
    pieces = text.split("|")
    ends = np.cumsum([len(piece) for piece in pieces])
    starts = ends - [len(piece) for piece in pieces]
    columns = [np.arange(len(pieces)), *np.array(lines).T, starts, ends]
    return PagePassages(text.replace("|", "").encode(), *columns)


LEFT = on_lines("one\n\n|two|Three!", (4, 5), (6, 7), (9, 9))
RIGHT = on_lines("one\n|two|three", (1, 2), (3, 4), (6, 6))
PASSAGES = Passages(
    left={"page": 0, "url": "http://a.example/", "id": "a"},
    right={"page": 3, "url": None, "id": None},
    shared=(
        SharedPassage(Run(0, 0, 2), LEFT, RIGHT),
        SharedPassage(Run(2, 2, 1), LEFT, RIGHT),
    ),
    shared_chunks=3,
    left_chunks=10,
    right_chunks=1,
    notes=(),
    failure=None,
)


def test_rows_with_what_was_counted(capsys: pytest.CaptureFixture[str]) -> None:
    show_overlap(FOUND, "table")
    assert lines(capsys.readouterr().out) == [
        "method  coarse",
        "pairs   2",
        "",
        "left  right  shared_chunks  copy",
        "   0      4             20  no",
        "   1      5             15  yes",
    ]
    show_overlap(replace(FOUND, count=1_021), "table")
    assert "The first 20 of 1,021 rows" in capsys.readouterr().out


def test_what_the_filters_left_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    show_overlap(replace(FOUND, filters=FILTERS), "table")
    assert lines(capsys.readouterr().out) == [
        "method  coarse",
        "pairs   2",
        "",
        "What each filter left",
        "filter  before  left  false",
        "     1   4,000   900    850",
        "     2     900    70     20",
        "",
        "left  right  shared_chunks  copy",
        "   0      4             20  no",
        "   1      5             15  yes",
    ]
    nothing = replace(FOUND, filters=FILTERS, rows=ROWS.slice(0, 0))
    show_overlap(nothing, "table")
    assert lines(capsys.readouterr().out)[-1] == "     2     900    70     20"


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    show_overlap(replace(FOUND, filters=FILTERS), "json")
    told = json.loads(capsys.readouterr().out)
    assert told["filters"] == FILTERS.to_pylist()
    assert (told["pairs"], told["rows"]) == (2, ROWS.to_pylist())
    show_overlap(replace(FOUND, filters=FILTERS), "csv")
    assert capsys.readouterr().out == ("left,right,shared_chunks,copy\n0,4,20,False\n1,5,15,True\n")


def test_passages_on_both_pages(capsys: pytest.CaptureFixture[str]) -> None:
    """Where both have the same words, but for white space, these come once."""
    show_passages(PASSAGES, "table")
    assert lines(capsys.readouterr().out) == [
        "left   http://a.example/, 10 different chunks",
        "right  #3, 1 different chunk",
        "shared 3 different chunks",
        "",
        "left lines 4–7 = right lines 1–4",
        "| one",
        "| two",
        "",
        "left line 9 = right line 6",
        "| Three!",
        "> three",
    ]


def test_passages_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    show_passages(PASSAGES, "json")
    told = json.loads(capsys.readouterr().out)
    assert told["shared"][1]["left_text"] == "Three!"
    assert (told["shared"][0]["left_lines"], told["right_chunks"]) == ([4, 7], 1)
    show_passages(PASSAGES, "csv")
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "chunks,left_lines,right_lines,left_text,right_text"
    assert shown[-1].endswith("Three!,three")


def test_what_strangers_wrote_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    page = on_lines("\x1b[2Jone", (1, 1))
    hostile = SharedPassage(Run(0, 0, 1), page, page)
    show_passages(replace(PASSAGES, shared=(hostile,)), "table")
    assert "\x1b" not in capsys.readouterr().out


def test_what_could_not_be_read_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    say_left_out(None)
    assert capsys.readouterr().err == ""
    say_left_out("a.jsonl: no such file")
    assert capsys.readouterr().err == "webecho: a.jsonl: no such file\n"
