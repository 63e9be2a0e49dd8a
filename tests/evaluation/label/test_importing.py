"""Labels made elsewhere: which pair a row means, and what becomes of rows that mean none."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.command import done
from tests.evaluation.made_pairs import lines, sketched, with_pairs
from webecho.engine.local.engine import local_run
from webecho.errors import InputError
from webecho.evaluation.label.importing import Imported, import_labels, labels_of, read_rows
from webecho.evaluation.label.labels import LONGEST, append, read_labels
from webecho.evaluation.label.session import CALLED
from webecho.evaluation.sample.drawing import SamplePlan, draw, sampled_pairs
from webecho.workspace.workspace import Workspace

A, B, C = (f"http://{name}.example/" for name in "abc")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Pages 0 to 4: a, b, c, a copy of a, and another fetch of b; b found the pairs 0–1 and 0–2."""
    texts = ["one two three", "one two four", "one two five", "one two three", "one six"]
    urls = [A, B, C, "http://copy.example/", B]
    pages = [(url, f"<p>{text}".encode()) for url, text in zip(urls, texts, strict=True)]
    found = sketched(tmp_path, pages)
    with_pairs(found, "b-2", [(0, 1, 2, 380, True), (0, 2, 3, 380, True)])
    return found


def taken_in(
    workspace: Workspace, rows: list[dict[str, Any]], kind: str = "jsonl"
) -> tuple[Imported, list[dict[str, Any]]]:
    """What became of these rows, and what stands in the file of labels."""
    source = workspace.path.parent / f"given.{kind}"
    if kind == "csv":
        with source.open("w", newline="") as out:
            names = {name: None for row in rows for name in row}
            writer = csv.DictWriter(out, [*names])
            writer.writeheader()
            writer.writerows(rows)
    else:
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    into = workspace.files.labels
    found = import_labels(workspace, source, into, "ada", local_run())
    return found, lines(into) if into.exists() else []


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_columns_are_told_apart_by_what_the_head_has(workspace: Workspace, sign: str) -> None:
    source = workspace.path.parent / "given.csv"
    rows = [("left_url", "right_url", "label", "note"), (A, C, "1", "a, b"), (A, B, "0", "")]
    quoted = [[f'"{value}"' if "," in value else value for value in row] for row in rows]
    source.write_text("".join(sign.join(row) + "\n" for row in quoted))
    found = import_labels(workspace, source, workspace.files.labels, "ada", local_run())
    assert (found.rows, found.imported) == (2, 2)
    written = [(row["label"], row["note"]) for row in lines(workspace.files.labels)]
    assert written == [("correct", "a, b"), ("incorrect", "")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "it is empty, or has no row below its head"),
        ("left_url,right_url,label\n", "it is empty, or has no row below its head"),
        ("url1,url2,label\na,b,1\n", "line 2: it does not name the left page; give left_url or "),
    ],
)
def test_a_file_of_which_no_row_can_be_taken_is_an_error(
    workspace: Workspace, text: str, told: str
) -> None:
    source = workspace.path.parent / "given.csv"
    source.write_text(text)
    with pytest.raises(InputError, match=f"no row can be taken in; .*{told}"):
        import_labels(workspace, source, workspace.files.labels, "ada", local_run())
    assert not workspace.files.labels.exists()


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_rows_by_url_id_and_number(workspace: Workspace, kind: str) -> None:
    rows = [
        {"left_url": A, "right_url": C, "label": "correct", "reasons": "url;time-stamp"},
        {"left_id": "doc-1", "right_id": "doc-0", "label": "0", "note": "ü", "labeller": "bob"},
        {"left": "#2", "right": "doc-1", "label": "Undecided"},
    ]
    found, written = taken_in(workspace, rows, kind)
    assert found == Imported(rows=3, imported=3, known=0, problems=(), unfound=1)
    names = ("left", "right", "label", "reasons", "note", "labeller")
    assert [tuple(line[name] for name in names) for line in written] == [
        (0, 2, "correct", ["url", "time-stamp"], "", "ada"),
        (0, 1, "incorrect", [], "ü", "bob"),
        (1, 2, "undecided", [], "", "ada"),
    ]
    assert written[0]["left_url"] == A and written[0]["right_id"] == "doc-2"
    # A second time there is nothing new.
    found, again = taken_in(workspace, rows, kind)
    assert found == Imported(rows=3, imported=0, known=3, problems=(), unfound=1)
    assert again == written


def test_a_copy_stands_for_what_it_copies(workspace: Workspace) -> None:
    rows = [{"left_url": "http://copy.example/", "right_url": C, "label": "correct"}]
    found, [written] = taken_in(workspace, rows)
    assert (written["left"], written["right"]) == (0, 2)
    assert (found.imported, found.unfound) == (1, 0)


@pytest.mark.parametrize(
    ("rule", "pairs"), [("similar-0.8", {(0, 1), (0, 2), (1, 2)}), ("text", {(0, 2)})]
)
def test_every_row_of_a_sample_can_be_labelled_elsewhere(
    tmp_path: Path, rule: str, pairs: set[tuple[int, int]]
) -> None:
    """Page 2 copies 0, and 1 is near to both: rules that pair pages have all three pairs."""
    words = " ".join(map(str, range(100)))
    pages = [(A, f"<p>{words}"), (B, f"<p>{words} more"), (C, f"<p>{words}")]
    workspace = sketched(tmp_path, [(url, html.encode()) for url, html in pages])
    done("pairs", workspace.path, "--rule", rule.partition("-")[0], "--quiet")
    sample = draw(workspace, SamplePlan((rule,), 10), local_run())
    rows = [row | {"label": "correct"} for row in sample.select([*CALLED]).to_pylist()]
    taken, written = taken_in(workspace, rows, "csv")
    assert taken == Imported(rows=len(pairs), imported=len(pairs), known=0, problems=(), unfound=0)
    assert {(line["left"], line["right"]) for line in written} == pairs == sampled_pairs(workspace)


def test_of_pages_with_one_url_that_is_meant_which_a_rule_has_paired(workspace: Workspace) -> None:
    _, [written] = taken_in(workspace, [{"left_url": B, "right_url": A, "label": 1}])
    assert (written["left"], written["right"]) == (0, 1)
    # Both names together decide too.
    rows = [{"left_url": A, "right_url": B, "right_id": "doc-4", "label": 1}]
    assert taken_in(workspace, rows)[1][-1]["right"] == 4


def test_rows_that_mean_no_pair_are_told(workspace: Workspace) -> None:
    rows: list[dict[str, Any]] = [
        {"left_url": "http://x.example/", "right_url": A, "label": "correct"},
        {"left_url": A, "right_url": "http://copy.example/", "label": "correct"},
        {"left_url": B, "right_url": C, "label": "correct"},
        {"left_url": A, "right_url": C, "label": "perhaps"},
        {"left_url": A, "label": "correct"},
        {"left_url": A, "right_url": C, "label": "correct", "reasons": ["tired"]},
        {"left_url": A, "right_url": C, "label": "correct", "reasons": 7},
    ]
    found, written = taken_in(workspace, rows)
    assert written == []
    assert (found.rows, found.imported, len(found.problems)) == (7, 0, 7)
    told = {int(text.split("line ")[1].split(":")[0]): text for text in found.problems}
    assert [*told] == [1, 2, 3, 4, 5, 6, 7]
    assert "no page is called http://x.example/" in told[1]
    assert "are one page, or copies of one" in told[2]
    assert f"{B} and {C} are the names of 2 pairs, 0 of them found by a rule" in told[3]
    assert "the label is 'perhaps'; write correct, incorrect, undecided" in told[4]
    assert "it does not name the right page; give right_url or right_id" in told[5]
    assert "no reason is called tired" in told[6]
    assert "reasons is 7; write them with a semicolon between them" in told[7]


def test_files_that_are_none(workspace: Workspace, tmp_path: Path) -> None:
    into = tmp_path / "labels.jsonl"
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(InputError, match=r"labels are read from .csv, .jsonl, .ndjson files"):
        import_labels(workspace, tmp_path / "x.txt", into, "ada", local_run())
    (tmp_path / "z.csv").write_bytes("left_url,right_url,label\n".encode("utf-16"))
    with pytest.raises(InputError, match=r"z.csv is not UTF-8; save it as UTF-8"):
        import_labels(workspace, tmp_path / "z.csv", into, "ada", local_run())
    (tmp_path / "y.jsonl").write_bytes(b"x{\n[1]\n\n")
    with pytest.raises(InputError, match=r"no row can be taken in; .*line 1: the line is no JSON"):
        import_labels(workspace, tmp_path / "y.jsonl", into, "ada", local_run())
    assert not into.exists()


def test_labels_follow_their_pages_to_other_numbers(workspace: Workspace, tmp_path: Path) -> None:
    taken_in(workspace, [{"left_url": A, "right_url": C, "label": "correct"}])
    old = read_labels(workspace.files.labels).labels
    (tmp_path / "other").mkdir()
    other = sketched(tmp_path / "other", [(C, b"<p>one two five"), (A, b"<p>one two three")])
    file = other.files.labels
    append(file, old)
    found = labels_of(other, file, local_run())
    # Ids differ too: doc-0 is another page here, so nothing has both names.
    assert found.labels == () and "no page is called" in found.broken[0]
    changed = file.read_text().replace('"doc-0"', '"doc-1"').replace('"doc-2"', '"doc-0"')
    file.write_text(changed)
    assert "it is not what was written there" in labels_of(other, file, local_run()).broken[0]
    # Who changes a line by hand removes its checksum.
    file.write_text(re.sub(r', "check": "\w+"', "", changed))
    [label] = labels_of(other, file, local_run()).labels
    assert label.pair == (0, 1)


@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl"])
def test_lines_without_an_end_and_more_than_the_memory_allows(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text('label\n{"label": "yes"}\n' * 30)
    assert len([*read_rows(file, 1000)]) >= 30
    with pytest.raises(InputError, match="import it in parts"):
        [*read_rows(file, 100)]
    file.write_bytes(b"label\n" + b"x" * LONGEST)
    with pytest.raises(InputError, match="line 2: has over"):
        [*read_rows(file)]
