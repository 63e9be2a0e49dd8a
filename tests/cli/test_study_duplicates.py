"""`webecho study duplicates` as a user sees it."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.command import done
from tests.command import webecho as run
from tests.lettered import sketched
from webecho.workspace.layout import Layout

# A cluster of three, one of two, one that is near to it at 3 of 4, and two that are too short.
LETTERS = ["abcd", "abcd", "efgh", "dcba", "ijkl", "efgh", "efgx", "mnop", "ab", "ab"]


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    return sketched(tmp_path, LETTERS)


def test_what_is_written_and_printed(letters: Path) -> None:
    result = done("study", "duplicates", letters, "--match", "paper", "--near", "0.6")
    folder = Layout(letters).study("duplicates")
    written = {file.name for file in folder.iterdir()}
    assert written == {
        *(
            f"{name}.{kind}"
            for kind in ("parquet", "csv", "tex")
            for name in (
                "beside_paper",
                "cluster_sizes",
                "collections",
                "documents-letters",
                "duplicates",
                "near_clusters",
                "near_duplicates",
                "power_laws",
                "sites",
                "statistics",
            )
        ),
        *(
            f"cluster_sizes-complete{form}.{kind}"
            for form in ("", "-at_least")
            for kind in ("pdf", "svg", "png", "caption.txt")
        ),
        "checksums.json",
        "study.json",
    }
    assert "37.5%" in result.stdout
    assert "letters: 37.5% of the documents are unique." in result.stdout
    rows = pq.read_table(folder / "documents-letters.parquet").to_pylist()
    assert [row["cluster"] for row in rows] == [0, 0, 2, 0, 4, 2, 6, 7]
    assert [row["near_0.6"] for row in rows] == [0, 0, 2, 0, 4, 2, 2, 7]
    as_json = json.loads(done("study", "duplicates", letters, "--format", "json").stdout)
    assert as_json["tables"]["duplicates"][0]["duplicates"] == 3
    as_csv = done("study", "duplicates", letters, "--format", "csv").stdout
    assert as_csv.startswith("collection,")


def test_each_share_is_told_once(letters: Path) -> None:
    options = ("--near", "0.6", "--near", "0.6", "--format", "json", "-q")
    tables = json.loads(done("study", "duplicates", letters, *options).stdout)["tables"]
    # Three of eight documents repeat another, and one more is near.
    assert tables["near_duplicates"] == [
        {"collection": "letters", "share of duplicates": 3 / 8, "share near at 60%": 4 / 8}
    ]
    [row] = tables["near_clusters"]
    assert (row["clusters"], row["near-duplicates"]) == (2, 4)
    noted = json.loads((Layout(letters).study("duplicates") / "study.json").read_bytes())
    assert noted["settings"]["near"] == [0.6]


def test_it_is_noted_in_the_first_workspace(letters: Path) -> None:
    done("study", "duplicates", letters, "--threads", 1, "-q")
    noted = json.loads((letters / "run.json").read_bytes())["study duplicates"]
    assert noted["threads"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--near", "0"), "0.0 is not in the range 0<x<=1"),
        (("--match", "nearly"), "'nearly' is not one of 'multiset', 'paper'"),
        (("--compare", "bytes"), "'bytes' is not one of 'fingerprints', 'text'"),
    ],
)
def test_wrong_use(letters: Path, options: tuple[str, str], message: str) -> None:
    refused = run("study", "duplicates", letters, *options)
    assert refused.exit_code == 2 and message in " ".join(refused.stderr.split())
