"""Requests of labels, and what is done instead of labelling by hand."""

from pathlib import Path

import pytest

from tests.api.refusals import in_python, on_command_line
from tests.evaluation.made_pairs import lines, with_pairs
from tests.evaluation.ten_pairs import label_all, with_ten_pairs
from webecho.api.label import (
    Agreed,
    Guessed,
    LabellingPage,
    LabelRequest,
    Nothing,
    TakenIn,
    counted,
    run_label,
)
from webecho.api.runs import as_run
from webecho.workspace.workspace import Workspace

NOWHERE = Path("nowhere.echo")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return with_ten_pairs(tmp_path)


def never(page: LabellingPage) -> None:
    raise AssertionError(page)


def test_one_thing_is_done_at_a_time() -> None:
    def two() -> object:
        return LabelRequest(NOWHERE, "me", guess=True, imported=Path("labels.csv"))

    told = ": each is done instead of labelling; give one after the other"
    assert on_command_line(two) == f"--import and --guess{told}"
    assert in_python(two) == f"imported= and guess=True{told}"
    three = on_command_line(
        lambda: LabelRequest(NOWHERE, "me", from_truth=Path("web"), guess=True, agreement=True)
    )
    assert three == f"--from-truth and --guess and --agreement{told}"


def test_somebody_says_whose_pairs(workspace: Workspace) -> None:
    request = LabelRequest(workspace.path, "me")
    assert on_command_line(lambda: run_label(request, as_run(), never)).startswith(
        f"say whose pairs to label, such as: webecho label {workspace.path} --rule "
    )


def test_a_sample_that_nobody_would_draw_is_refused() -> None:
    told = " is of all labels that are there, and draws no sample; leave "
    for given, name in (({"rules": ("b",)}, "--rule"), ({"sample": 9}, "--sample")):
        asked = lambda given=given: LabelRequest(NOWHERE, "me", agreement=True, **given)  # noqa: E731
        assert on_command_line(asked) == f"--agreement{told}{name} out"
    assert (
        on_command_line(
            lambda: LabelRequest(NOWHERE, "me", imported=Path("labels.csv"), sample=400)
        )
        == "--sample: say whose pairs to draw 400 of, such as --rule b"
    )


def test_the_sample_is_drawn_before_labels_are_taken_in(
    workspace: Workspace, tmp_path: Path
) -> None:
    given = tmp_path / "given.csv"
    given.write_text("left,right,label\n#0,#1,correct\n")
    request = LabelRequest(workspace.path, "ada", ("b",), sample=5, imported=given)
    notes: list[str] = []
    found = run_label(request, as_run(note=notes.append), never)
    assert isinstance(found, TakenIn) and found.rows.imported == 1
    [sample] = workspace.files.samples()
    assert sample.stem == "sample-b-2-5-seed-0" and f"sample: {sample}, 5 pairs" in notes


def test_rules_without_pairs_have_nothing_to_label(workspace: Workspace) -> None:
    with_pairs(workspace, "b-2", [])
    request = LabelRequest(workspace.path, "ada", rules=("b",))
    assert run_label(request, as_run(), never) == Nothing(("b-2",))


def test_labels_are_taken_in(workspace: Workspace, tmp_path: Path) -> None:
    given, labels = tmp_path / "given.csv", tmp_path / "mine.jsonl"
    given.write_text("left,right,label\n#0,#1,correct\n#0,#9,correct\n")
    request = LabelRequest(workspace.path, "ada", labels=labels, imported=given)
    found = run_label(request, as_run(), never)
    assert isinstance(found, TakenIn)
    assert (found.rows.rows, found.rows.imported, len(found.rows.problems)) == (2, 1, 1)
    assert found.file == labels
    [line] = lines(labels)
    assert (line["labeller"], line["label"]) == ("ada", "correct")


def test_pairs_are_guessed(workspace: Workspace) -> None:
    request = LabelRequest(workspace.path, "ada", rules=("b", "b-2"), guess=True)
    notes: list[str] = []
    found = run_label(request, as_run(note=notes.append), never)
    assert isinstance(found, Guessed)
    # One rule by two names.
    assert (found.rules, found.pairs) == (("b-2",), 7)
    assert len(lines(found.file)) == 7
    assert found.file.name == "guesses-b-2-500-seed-0.jsonl"
    assert len(notes) == 1 and notes[0].endswith(", 7 pairs")


def test_two_labellers_agree_or_not(workspace: Workspace, tmp_path: Path) -> None:
    request = LabelRequest(workspace.path, "me", agreement=True)

    def asked() -> object:
        return run_label(request, as_run(), never)

    assert on_command_line(asked).startswith("nobody has labelled pairs here, and to agree takes")
    label_all(workspace, "--labeller", "ada")
    assert on_command_line(asked).startswith("ada alone has labelled pairs here")
    other = tmp_path / "other.csv"
    other.write_text("left,right,label\n#0,#1,correct\n#0,#2,incorrect\n")
    run_label(LabelRequest(workspace.path, "bob", imported=other), as_run(), never)
    found = asked()
    assert isinstance(found, Agreed)
    [two] = found.agreement.two
    assert (two.one, two.other, two.pairs, two.agreed) == ("ada", "bob", 2, 1)
    # The pair on which they do not agree has the names of its pages.
    assert found.disputed == (
        {
            "left": 0,
            "right": 2,
            "left_url": "http://www.a.example/0",
            "right_url": "http://www.a.example/2",
            "left_id": "doc-0",
            "right_id": "doc-2",
            "said": {"ada": "correct", "bob": "incorrect"},
        },
    )


def test_lines_that_are_no_labels_are_warned_of(workspace: Workspace) -> None:
    label_all(workspace, "--labeller", "ada")
    label_all(workspace, "--labeller", "bob")
    file = workspace.files.labels
    file.write_text(f"{file.read_text()}no label\n")
    warned: list[str] = []
    run_label(LabelRequest(workspace.path, "me", agreement=True), as_run(warn=warned.append), never)
    [text] = warned
    assert text.startswith(f"{file}, line 21: ")
    assert text.endswith("; the line is left out")


def test_pairs_are_counted_for_people() -> None:
    assert [counted(number) for number in (0, 1, 1_000)] == ["0 pairs", "1 pair", "1,000 pairs"]
