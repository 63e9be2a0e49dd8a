"""What is printed of labels."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from tests.command import lines
from webecho.api.label import Agreed, FromTruth, Guessed, LabellingPage, Served, TakenIn
from webecho.evaluation.label.importing import Imported
from webecho.evaluation.label.labellers import LabellerAgreement, TwoLabellers
from webecho.show.label import show_labelled, show_page

FILE = Path("labels.jsonl")


def test_the_address_stands_alone_on_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    show_page(LabellingPage("http://127.0.0.1:8000/?token=x", True, FILE), quiet=False)
    shown = capsys.readouterr()
    assert shown.out == "http://127.0.0.1:8000/?token=x\n"
    assert shown.err == "labels: labels.jsonl\nopen this address in a browser; end with Ctrl-C\n"
    show_page(LabellingPage("http://127.0.0.1:8000/?token=x", True, FILE), quiet=True)
    assert capsys.readouterr().err == ""


def test_other_machines_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    show_page(LabellingPage("http://10.0.0.1:8000/?token=x", False, FILE), quiet=False)
    said = capsys.readouterr().err.splitlines()
    assert said[1] == "webecho: who knows the address can read pages and label from other machines"


def test_of_labelling_itself_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert not show_labelled(Served(), "table", quiet=False)
    assert capsys.readouterr() == ("", "")


def test_rows_that_were_taken_in(capsys: pytest.CaptureFixture[str]) -> None:
    rows = Imported(rows=9, imported=6, known=2, problems=("a.csv, line 3: no page",), unfound=1)
    assert show_labelled(TakenIn(rows, FILE), "table", quiet=False)
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "rows                 9",
        "imported             6",
        "known already        2",
        "left out             1",
        "pairs no rule found  1",
    ]
    assert shown.err == "webecho: a.csv, line 3: no page\nlabels: labels.jsonl\n"
    none = Imported(rows=6, imported=6, known=0, problems=(), unfound=0)
    assert not show_labelled(TakenIn(none, FILE), "table", quiet=False)


def test_twenty_problems_are_told_and_the_rest_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    problems = tuple(f"line {number}" for number in range(1_021))
    rows = Imported(rows=1_021, imported=0, known=0, problems=problems, unfound=0)
    show_labelled(TakenIn(rows, FILE), "table", quiet=True)
    said = capsys.readouterr().err.splitlines()
    assert said[19:] == ["webecho: line 19", "webecho: and 1,001 rows more like these"]


def test_a_sample_labelled_by_the_truth(capsys: pytest.CaptureFixture[str]) -> None:
    show_labelled(FromTruth(pairs=50, labelled=50), "table", quiet=False)
    assert capsys.readouterr().out == "pairs     50\nlabelled  50\n"
    show_labelled(FromTruth(pairs=50, labelled=20), "json", quiet=False)
    assert json.loads(capsys.readouterr().out) == {
        "pairs": 50,
        "labelled": 20,
        "labelled before": 30,
    }


def test_guesses_say_that_they_are_none_but_guesses(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = pa.table({"rule": ["b-2"], "reason": ["execution-time"], "pairs": [3]})
    found = Guessed(("b-2", "c-372"), 3, Path("guesses.jsonl"), reasons)
    show_labelled(found, "table", quiet=False)
    shown = capsys.readouterr()
    assert lines(shown.out) == [
        "rules   b-2, c-372",
        "pairs   3",
        "labels  guessed",
        "",
        "Guesses, by nobody checked",
        "rule  reason          pairs",
        "b-2   execution-time      3",
    ]
    assert shown.err == "written: guesses.jsonl\n"


def test_how_far_labellers_agree(capsys: pytest.CaptureFixture[str]) -> None:
    two = TwoLabellers("ann", "bob", pairs=4, agreed=3, kappa=None)
    said = {"ann": "correct", "bob": "undecided"}
    pair = {"left": 3, "right": 7, "left_url": "http://a/", "right_url": "http://b/", "said": said}
    found = Agreed(LabellerAgreement((two,), pairs=4, alpha=0.5), (pair,))
    show_labelled(found, "json", quiet=False)
    assert json.loads(capsys.readouterr().out) == {
        "pairs labelled by several": 4,
        "Krippendorff's alpha": 0.5,
        "pairs they disagree on": 1,
        "rows": [
            {
                "one": "ann",
                "other": "bob",
                "pairs": 4,
                "agreed": 3,
                "share": 0.75,
                "Cohen's kappa": None,
            }
        ],
        "disputed": [pair],
    }
    show_labelled(found, "table", quiet=False)
    assert lines(capsys.readouterr().out)[-3:] == [
        "The pairs they disagree on",
        "left  right  left_url   right_url  ann says  bob says",
        "   3      7  http://a/  http://b/  correct   undecided",
    ]
    show_labelled(Agreed(LabellerAgreement((), 0, None), (pair,) * 21), "table", quiet=False)
    told = lines(capsys.readouterr().out)
    assert told[4] == "The first 20 of the pairs they disagree on" and len(told) == 26
    show_labelled(Agreed(LabellerAgreement((), pairs=0, alpha=None), ()), "table", quiet=False)
    assert lines(capsys.readouterr().out) == [
        "pairs labelled by several  0",
        "Krippendorff's alpha",
        "pairs they disagree on     0",
    ]
