"""The file of labels: appended, read, taken back, and what a crash leaves of it."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.evaluation.made_pairs import lines
from webecho import _core
from webecho.errors import SettingsError
from webecho.evaluation.label.labels import Label, append, read_labels, settled, standing, undone

ADA = Label(
    "http://a.example/",
    "http://b.example/",
    None,
    7,
    1,
    2,
    "correct",
    ("url",),
    "",
    "ada",
    "2026-01-01T00:00:00Z",
)


def test_a_line_a_label_that_others_can_read(tmp_path: Path) -> None:
    file = tmp_path / "labels" / "labels.jsonl"
    append(file, [ADA])
    append(file, [replace(ADA, label="undecided", reasons=(), note="ü\n", labeller="bob")])
    assert lines(file) == [
        {
            "left_url": "http://a.example/",
            "right_url": "http://b.example/",
            "left_id": None,
            "right_id": 7,
            "left": 1,
            "right": 2,
            "label": "correct",
            "reasons": ["url"],
            "note": "",
            "labeller": "ada",
            "time": "2026-01-01T00:00:00Z",
            "check": lines(file)[0]["check"],
        },
        lines(file)[0]
        | {"label": "undecided", "reasons": [], "note": "ü\n", "labeller": "bob"}
        | {"check": lines(file)[1]["check"]},
    ]
    # What stands before it, as anybody can count it.
    before = file.read_bytes().splitlines()[0].rpartition(b', "check"')[0]
    assert lines(file)[0]["check"] == _core.checksum_of(before)[:16]
    assert read_labels(file).labels[0] == ADA
    assert read_labels(tmp_path / "none.jsonl").labels == ()


def test_the_last_line_holds_and_null_takes_back() -> None:
    changed = replace(ADA, label="incorrect", reasons=("main-item",))
    assert standing([ADA, changed]) == {(1, 2): {"ada": changed}}
    assert standing([ADA, changed, replace(ADA, label=None)]) == {}
    bob = replace(ADA, labeller="bob")
    assert standing([ADA, bob, replace(ADA, label=None)]) == {(1, 2): {"bob": bob}}


def test_undoing_goes_back_line_by_line() -> None:
    other = replace(ADA, left=5, right=6)
    changed = replace(ADA, label="undecided", reasons=("form",), note="hm")
    said = [ADA, other, changed]
    back = []
    while (line := undone(said, "ada")) is not None:
        said.append(line)
        back.append((line.pair, line.label, line.reasons))
    assert back == [((1, 2), "correct", ("url",)), ((5, 6), None, ()), ((1, 2), None, ())]
    assert standing(said) == {}
    assert undone(said, "bob") is None
    # After an undo one goes on labelling, and undoing.
    said.append(changed)
    again = undone(said, "ada")
    assert again is not None and again.label is None


def test_lines_that_are_no_labels_are_left_out_and_told(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    append(file, [ADA])
    with file.open("a") as out:
        out.write('{"label": "maybe", "left": 1, "right": 2, "labeller": "x"}\n[]\n\xff\n')
        out.write('{"left_url": "http://a.exa')  # what a crash left
    append(file, [replace(ADA, left=3, right=4)])
    found = read_labels(file)
    assert [label.pair for label in found.labels] == [(1, 2), (3, 4)]
    assert [text.split(":")[0] for text in found.broken] == [
        f"{file}, line {number}" for number in (2, 3, 4, 5)
    ]
    assert "no label is called 'maybe'" in found.broken[0]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"left": 1, "right": 2}', "it has no label, labeller; add what is missing"),
        ('{"left": 1, "label": "correct", "labeller": "x"}', "it has no right; add"),
        ('{"left": 1, "right": "b", "label": "correct", "labeller": "x"}', "right is 'b'; write"),
        ('{"left": 1, "right": true, "label": null, "labeller": "x"}', "right is True; write"),
        ('{"left": 1, "right": -2, "label": null, "labeller": "x"}', "right is -2; write"),
        ("7", "it is no JSON object, as in {…}; mend the line, or remove it"),
        ("{", "it is no JSON; mend the line, or remove it"),
        ("[" * 100_000, "it is no JSON; mend the line, or remove it"),
        (
            '{"left": 1, "right": 2, "label": "correct", "labeller": "x", "reasons": 3}',
            'reasons is 3; write a list, such as ["time-stamp"]',
        ),
        (
            '{"left": 1, "right": 2, "label": "correct", "labeller": "x", "left_url": ["a"]}',
            "left_url is ['a']; write what the page is called, as text",
        ),
        (
            '{"left": 1, "right": 2, "label": "correct", "labeller": "x", "left_id": "\\ud800"}',
            "left_id is '\\ud800'; write what the page is called, as text",
        ),
        (
            f'{{"left": 1, "right": "{"1" * 5000}", "label": "correct", "labeller": "x"}}',
            "right is '111",
        ),
        (
            '{"left": 1, "right": 2, "label": "correct", "labeller": "x", "right_id": 1e400}',
            "right_id is inf; write what the page is called, as text",
        ),
        (
            '{"left": 1, "right": 2, "label": "correct", "labeller": "x", "reasons": ["why"]}',
            "no reason is called why; there are url,",
        ),
    ],
)
def test_what_is_wrong_with_a_line_and_how_to_mend_it(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(f"\n{line}\n")
    found = read_labels(file)
    assert found.labels == ()
    [text] = found.broken
    assert text.startswith(f"{file}, line 2: {told}")


def test_sides_may_stand_either_way_round(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    turned = {"left": 2, "right": 1, "left_url": "b", "right_url": "a", "label": "correct"}
    file.write_text(json.dumps(turned | {"labeller": "x"}) + "\n")
    [label] = read_labels(file).labels
    assert (label.left, label.right, label.left_url, label.right_url) == (1, 2, "a", "b")


def test_several_labellers_write_at_the_same_time(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    program = (
        "import sys; from dataclasses import replace; from pathlib import Path;"
        "from tests.evaluation.label.test_labels import ADA;"
        "from webecho.evaluation.label.labels import append;"
        "[append(Path(sys.argv[1]), [replace(ADA, labeller=sys.argv[2], note='x' * 5000)])"
        " for _ in range(20)]"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(file), name], env=os.environ)
        for name in ("ada", "bob")
    ]
    assert [process.wait() for process in running] == [0, 0]
    found = read_labels(file)
    assert found.broken == () and len(found.labels) == 40


def test_what_several_labellers_say_together() -> None:
    no = replace(ADA, label="incorrect", reasons=())
    assert settled([ADA, ADA, no]) == "correct"
    assert settled([ADA, no]) == "undecided"
    assert settled([no]) == "incorrect"


def test_half_of_a_character_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    append(file, [ADA])
    before = file.read_bytes()
    with pytest.raises(SettingsError, match=r"half of a character \('\\ud800'\)"):
        append(file, [ADA, replace(ADA, note="a\ud800")])
    assert file.read_bytes() == before
