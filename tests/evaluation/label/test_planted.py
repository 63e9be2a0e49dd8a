"""Labels from the truth of a made-up web, and what is estimated by them."""

import re
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import done
from tests.command import webecho as run
from tests.evaluation.made_pairs import lines
from webecho.evaluation.label.planted import BY_KIND, REASONS
from webecho.workspace.layout import Layout

FAMILIES = {"database": 3.0, "parked": 1.0, "time stamp": 1.0, "form": 1.0, "near-copy": 1.0}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    webecho.synth(tmp_path / "web", pages=1500, form="parquet", seed=4, families=FAMILIES)
    done("sketch", tmp_path / "web" / "pages", "-o", tmp_path / "c.echo", "--quiet")
    for rule in ("b", "c"):
        done("pairs", tmp_path / "c.echo", "--rule", rule, "--quiet")
    return tmp_path / "c.echo"


def test_labels_are_those_of_the_paper() -> None:
    assert {kind for kind, label in BY_KIND.items() if label == "incorrect"} == {
        *("shop", "database", "directory")
    }
    assert {kind for kind, label in BY_KIND.items() if label == "undecided"} == {
        *("near-copy", "form")
    }


def test_a_sample_is_labelled_as_the_truth_has_it(path: Path) -> None:
    web = path.parent / "web"
    options = ("--rule", "b", "--rule", "c", "--sample", "200", "--from-truth", web)
    told = done("label", path, *options, "--quiet").stdout
    assert told.splitlines() == ["pairs     200", "labelled  200"]
    truth = pq.read_table(web / "truth.parquet").to_pylist()
    kinds = {row["cluster"]: row["kind"] for row in truth if row["kind"] != "original"}
    seen: Counter[str] = Counter()
    for label in lines(Layout(path).labels):
        ours, theirs = truth[label["left"]], truth[label["right"]]
        same = ours["cluster"] == theirs["cluster"]
        reason = REASONS[kinds[ours["cluster"]]] if same else "main-item"
        assert (label["labeller"], label["reasons"]) == ("truth", [reason])
        seen[reason] += 1
    assert {"main-item", "time-stamp", "url", "form", "other"} <= seen.keys()
    # What is there is not written twice.
    told = done("label", path, *options, "--quiet").stdout
    assert re.sub(" +", " ", told).splitlines()[1:] == ["labelled 0", "labelled before 200"]


def test_what_is_estimated_by_them_holds(path: Path) -> None:
    web = path.parent / "web"
    done("label", path, "--rule", "b", "--rule", "c", "--sample", "200", "--from-truth", web, "-q")
    found = webecho.evaluate(path, truth=web).tables
    true = {row["rule"]: row for row in found["true_precision"].to_pylist() if row["kind"] == "all"}
    told = {row["rule"]: row for row in found["precision"].to_pylist() if row["kind"] == "all"}
    assert true.keys() == {"b-2", "c-372"} < told.keys()
    for rule, row in true.items():
        for share in ("correct", "incorrect", "undecided"):
            low, high = told[rule][f"{share}_low"], told[rule][f"{share}_high"]
            # Somewhat wider than the interval: of six some may miss.
            assert low - 0.03 <= row[share] <= high + 0.03


def test_another_truth_is_refused(path: Path) -> None:
    webecho.synth(path.parent / "other", pages=1500, form="parquet", seed=5)
    options = ("label", path, "--rule", "b", "--from-truth")
    failed = run(*options, path.parent / "other")
    assert failed.exit_code == 1 and "is the truth of another web" in failed.stderr
    failed = run(*options, Layout(path).pairs("b-2"))
    assert failed.exit_code == 1 and "has no truth of a made-up web" in failed.stderr
    webecho.synth(path.parent / "documents", pages=60, form="parquet", graph=True)
    failed = run(*options, path.parent / "documents")
    assert failed.exit_code == 1 and "was made with --graph" in failed.stderr
