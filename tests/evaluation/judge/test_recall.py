"""Recall: against the truth of a made-up web, and against gold pairs in three formats."""

import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import done
from tests.command import webecho as run
from tests.evaluation.made_pairs import sketched, with_pairs
from webecho.engine.local.engine import local_run
from webecho.evaluation.judge.recall import against_truth
from webecho.evaluation.label.planted import BY_KIND
from webecho.synthetic.web import FAMILY_KINDS
from webecho.workspace.layout import Layout
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    hosts = ["www.a.example"] * 3 + ["www.b.example"]
    pages = [(f"http://{host}/{n}", f"<p>page {n}".encode()) for n, host in enumerate(hosts)]
    # The last is a copy of the first.
    found = sketched(tmp_path, [*pages, ("http://www.c.example/", b"<p>page 0")])
    with_pairs(found, "b-2", [(0, 1, 6, 384, True), (1, 3, 2, 360, False, 50.0)])
    return found


def told(workspace: Workspace, *options: object) -> dict[str, Any]:
    found = done("evaluate", workspace.path, "--format", "json", *options)
    values: dict[str, Any] = json.loads(found.stdout)
    return values | {"notes": found.stderr}


GOLD = [
    {"left": "http://www.a.example/0", "right": "doc-1", "label": "correct"},
    # The same pair, by the copy.
    {"left": "http://www.c.example/", "right": "doc-1", "label": "correct"},
    {"left": "doc-0", "right": "doc-2", "label": None},
    {"left": "doc-0", "right": "doc-3", "label": "incorrect"},
    {"left": "doc-2", "right": "doc-3", "label": "correct"},
    {"left": "doc-9", "right": "doc-3", "label": "correct"},
]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_recall_of_gold_pairs_worked_out_by_hand(workspace: Workspace, ending: str) -> None:
    file = workspace.path.parent / f"gold.{ending}"
    if ending == "parquet":
        pq.write_table(pa.Table.from_pylist(GOLD), file)
    elif ending == "csv":
        lines = [",".join(str(value or "") for value in row.values()) for row in GOLD]
        file.write_text("\n".join(["left,right,label", *lines]) + "\n")
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in GOLD))
    found = told(workspace, "--truth", file)
    # Correct are (0, 1), (0, 2) on one site and (2, 3) on two; the rule found the first.
    assert [tuple(row.values()) for row in found["tables"]["recall"]] == [
        ("b-2", "all", 3, 1.0, pytest.approx(1 / 3)),
        ("b-2", "different sites", 1, 0.0, 0.0),
        ("b-2", "same site", 2, 1.0, 0.5),
    ]
    assert "no page is called doc-9" in found["notes"]
    # Gold pairs do not tell what is wrong, so there is no precision.
    assert found["tables"].keys() == {"recall"}


def test_rows_that_are_no_gold_pairs_are_summed_up(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "gold.csv"
    file.write_text("left,right\n#0,#1\n" + "".join(f"#0,#{n}\n" for n in range(100, 112)))
    _, notes = against_truth(workspace, file, (), local_run())
    assert [note.split(": ")[1] for note in notes[:5]] == [
        f"no page is called #{n}" for n in range(100, 105)
    ]
    assert notes[5:] == [f"{file}: and 7 rows more that mean no gold pair"]


def test_wrong_truths_are_refused(workspace: Workspace, tmp_path: Path) -> None:
    for name, text, why in (
        ("empty.csv", "left,right\n", "names no correct pair of .*: it is empty"),
        ("gold.txt", "x", "labels are read from .csv"),
        ("bad.parquet", "x", "bad.parquet cannot be read"),
    ):
        file = tmp_path / name
        file.write_text(text)
        failed = run("evaluate", workspace.path, "--truth", file)
        assert failed.exit_code == 1
        assert re.search(why, failed.stderr), failed.stderr
    webecho.synth(tmp_path / "web", pages=50, form="parquet")
    failed = run("evaluate", workspace.path, "--truth", tmp_path / "web")
    assert "is not the truth about" in failed.stderr


def test_every_kind_of_family_has_a_label() -> None:
    assert BY_KIND.keys() == {*FAMILY_KINDS, "mirror", "alias"}


def test_precision_and_recall_by_the_truth_of_a_made_up_web(tmp_path: Path) -> None:
    families = {"database": 2.0, "parked": 1.0, "time stamp": 1.0, "form": 1.0, "near-copy": 1.0}
    webecho.synth(tmp_path / "web", pages=1500, form="parquet", seed=4, families=families)
    path = tmp_path / "c.echo"
    done("sketch", tmp_path / "web" / "pages", "-o", path, "--quiet")
    done("pairs", path, "--rule", "b", "--quiet")
    found = told(Workspace.open(path), "--truth", tmp_path / "web")["tables"]

    truth = pq.read_table(tmp_path / "web" / "truth.parquet").to_pylist()
    kind = {row["cluster"]: row["kind"] for row in truth if row["kind"] != "original"}
    pairs = pq.read_table(Layout(path).pairs("b-2")).to_pylist()
    labels: Counter[str] = Counter()
    for pair in pairs:
        ours, theirs = (truth[pair[side]]["cluster"] for side in ("left", "right"))
        labels[BY_KIND[kind[ours]] if ours == theirs else "incorrect"] += 1
    [row] = [row for row in found["true_precision"] if row["kind"] == "all"]
    assert row["pairs"] == len(pairs) > 100
    for label in ("correct", "incorrect", "undecided"):
        assert row[label] == pytest.approx(labels[label] / len(pairs))
    assert min(labels.values()) > 10

    texts: dict[int, set[int]] = {}
    for row in truth:
        texts.setdefault(row["cluster"], set()).add(row["identity"])
    gold = {
        pair
        for cluster, pages in texts.items()
        if BY_KIND.get(kind.get(cluster, ""), "") == "correct"
        for pair in combinations(sorted(pages), 2)
    }
    both = gold & {(pair["left"], pair["right"]) for pair in pairs}
    [row] = [row for row in found["recall"] if row["kind"] == "all"]
    assert (row["gold_pairs"], row["found_pairs"]) == (len(gold), len(both))
    kinds = {row["kind"] for row in found["true_precision"]}
    assert kinds >= {"all", "same site", "database", "parked", "time stamp", "form", "near-copy"}
