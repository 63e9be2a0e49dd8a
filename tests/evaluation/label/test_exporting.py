"""A sample that is labelled elsewhere comes back as it went."""

import csv
from pathlib import Path

import pytest

from tests.command import done, webecho
from tests.evaluation.made_pairs import lines, sketched
from tests.evaluation.ten_pairs import PAIRS, with_ten_pairs
from webecho.errors import InputError, SettingsError
from webecho.evaluation.label.exporting import check_export, export_sample

SAID = {pair[:2]: label for pair, label, _ in PAIRS}


def filled_in(file: Path, labels: dict[tuple[int, int], str], rows: int | None = None) -> None:
    """Writes labels into the first rows of a file, as a person would in a spreadsheet."""
    with file.open(newline="") as given:
        found = [*csv.DictReader(given)]
    for row in found[:rows]:
        row["label"] = labels[int(row["left"][1:]), int(row["right"][1:])]
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, [*found[0]])
        writer.writeheader()
        writer.writerows(found)


def test_a_sample_is_drawn_without_a_browser_and_taken_in_again(tmp_path: Path) -> None:
    workspace, file = with_ten_pairs(tmp_path), tmp_path / "sample.csv"
    drawn = done("label", workspace.path, "--rule", "b", "--rule", "c", "--export", file)
    assert drawn.stdout == f"pairs       10\nwritten to  {file}\n"
    assert "fill in the label of each row (correct, incorrect, undecided), then: --im" in (
        drawn.stderr
    )
    head, *rows = file.read_text().splitlines()
    # Nothing tells what to say.
    assert head == "number,left_url,right_url,left_id,right_id,left,right,label,reasons,note"
    assert len(rows) == 10 and rows[0].startswith("1,http://www.") and rows[0].endswith(",,,")
    assert not workspace.files.labels.exists()
    # Some rows are labelled now, and the rest later.
    filled_in(file, SAID, rows=4)
    taken = done("label", workspace.path, "--import", file, "--strict").stdout.splitlines()
    assert taken == [
        "rows                 10",
        "imported             4",
        "known already        0",
        "left out             0",
        "pairs no rule found  0",
        "not labelled yet     6",
    ]
    filled_in(file, SAID)
    taken = done("label", workspace.path, "--import", file, "--strict").stdout.splitlines()
    assert taken[1:] == [
        "imported             6",
        "known already        4",
        "left out             0",
        "pairs no rule found  0",
    ]
    told = {(line["left"], line["right"]): line["label"] for line in lines(workspace.files.labels)}
    assert told == SAID


def test_pages_of_one_address_are_told_apart_by_their_numbers(tmp_path: Path) -> None:
    """Three captures of one address, without ids, each near to the others."""
    words = " ".join(map(str, range(100)))
    source = tmp_path / "pages.jsonl"
    source.write_text("".join(f'{{"url": "u", "text": "{words} {n}"}}\n' for n in range(3)))
    crawl, file = tmp_path / "crawl.echo", tmp_path / "sample.csv"
    done("sketch", source, "-o", crawl, "--quiet")
    done("pairs", crawl, "--quiet")
    done("label", crawl, "--rule", "similar", "--export", file, "--quiet")
    labels = {(0, 1): "correct", (0, 2): "incorrect", (1, 2): "undecided"}
    filled_in(file, labels)
    done("label", crawl, "--import", file, "--strict", "--quiet")
    told = lines(crawl / "labels" / "labels.jsonl")
    assert {(line["left"], line["right"]): line["label"] for line in told} == labels


def test_a_name_that_a_spreadsheet_would_run_is_quoted_and_found_again(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, [("=1+1", b"<p>one two"), ("http://b/", b"<p>one two")])
    done("pairs", workspace.path, "--rule", "text", "--quiet")
    file = tmp_path / "sample.csv"
    done("label", workspace.path, "--rule", "text", "--export", file, "--quiet")
    assert file.read_text().splitlines()[1] == "1,'=1+1,http://b/,doc-0,doc-1,#0,#1,,,"
    filled_in(file, {(0, 1): "correct"})
    done("label", workspace.path, "--import", file, "--strict", "--quiet")
    [line] = lines(workspace.files.labels)
    assert (line["left_url"], line["right_url"]) == ("=1+1", "http://b/")


@pytest.mark.parametrize("name", [" http://ab/ ", "http://ab/\n", "'=1+1"])
def test_names_come_back_as_they_are(tmp_path: Path, name: str) -> None:
    workspace = sketched(tmp_path, [(name, b"<p>one two"), ("http://b/", b"<p>one two")])
    done("pairs", workspace.path, "--rule", "text", "--quiet")
    file = tmp_path / "sample.csv"
    done("label", workspace.path, "--rule", "text", "--export", file, "--quiet")
    filled_in(file, {(0, 1): "correct"})
    done("label", workspace.path, "--import", file, "--strict", "--quiet")
    [line] = lines(workspace.files.labels)
    assert line["left_url"] == name


def test_a_file_that_may_hold_labels_is_not_replaced(tmp_path: Path) -> None:
    workspace, file = with_ten_pairs(tmp_path), tmp_path / "sample.csv"
    file.write_text("label\ncorrect\n")
    refused = webecho("label", workspace.path, "--rule", "b", "--export", file)
    assert refused.exit_code == 1
    assert "is there, and labels may stand in it; take them in with --import" in refused.stderr
    assert file.read_text() == "label\ncorrect\n"
    with pytest.raises(InputError, match="is there"):
        export_sample([], file)
    with pytest.raises(SettingsError, match=r"give a name that ends in \.csv"):
        check_export(tmp_path / "sample.xlsx")
