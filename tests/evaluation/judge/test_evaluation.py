"""Evaluations: tables worked out by hand, rules told from the pairs of others, planted labels."""

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import done, webecho
from tests.evaluation.made_pairs import sketched, with_pairs
from tests.evaluation.ten_pairs import PAIRS, label_all, with_ten_pairs
from webecho.engine.local.engine import local_run
from webecho.evaluation.judge.derived import members
from webecho.evaluation.judge.evaluation import EvaluationSettings, evaluate
from webecho.evaluation.judge.labelled import labelled
from webecho.evaluation.judge.precision_tables import share_of
from webecho.evaluation.label.reasons import Judgement
from webecho.evaluation.sample.drawing import SamplePlan, draw, sample_file
from webecho.settings import WEBECHO
from webecho.workspace.stored import read_file
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return with_ten_pairs(tmp_path)


def rows_of(workspace: Workspace, *options: object) -> dict[tuple[str, str], dict[str, Any]]:
    told = json.loads(done("evaluate", workspace.path, "--format", "json", *options).stdout)
    return {(row["rule"], row["kind"]): row for row in told["tables"]["precision"]}


@pytest.fixture
def shares(workspace: Workspace) -> Callable[..., list[float]]:
    label_all(workspace)
    found = rows_of(workspace)

    def told(rule: str, kind: str) -> list[float]:
        row = found[rule, kind]
        names = ("labelled", "correct", "incorrect", "undecided", "forms", "correct_with_forms")
        return [row[name] for name in names]

    return told


def test_tables_worked_out_by_hand(shares: Callable[..., list[float]]) -> None:
    # Tables 2 and 5: all are labelled, so shares are counts.
    assert shares("b-2", "all") == pytest.approx([7, 3 / 7, 2 / 7, 2 / 7, 1 / 7, 4 / 7])
    assert shares("b-2", "same site") == pytest.approx([5, 2 / 5, 2 / 5, 1 / 5, 1 / 5, 3 / 5])
    assert shares("b-2", "different sites") == pytest.approx([2, 1 / 2, 0, 1 / 2, 0, 1 / 2])
    assert shares("b-2", "B-similarity 2") == pytest.approx([3, 0, 1 / 3, 2 / 3, 1 / 3, 1 / 3])
    assert shares("b-2", "B-similarity 6") == pytest.approx([2, 1, 0, 0, 0, 1])
    assert shares("c-372", "all") == pytest.approx([6, 4 / 6, 2 / 6, 0, 0, 4 / 6])
    assert shares("c-372", "C-similarity 382-384") == pytest.approx([1, 1, 0, 0, 0, 1])
    assert shares("c-372", "C-similarity 372-375") == pytest.approx([3, 1 / 3, 2 / 3, 0, 0, 1 / 3])


def test_rules_that_others_tell_of(shares: Callable[..., list[float]]) -> None:
    # Table 12: pairs of b with C-similarity 355 or more.
    assert shares("combined-2-355", "all") == pytest.approx([5, 3 / 5, 1 / 5, 1 / 5, 1 / 5, 4 / 5])
    # Those on the same site, and of c those on different sites.
    assert shares("by-site-2-355-372", "all") == pytest.approx(
        [7, 4 / 7, 2 / 7, 1 / 7, 1 / 7, 5 / 7]
    )
    assert shares("by-site-2-355-372", "different sites") == pytest.approx(
        [3, 2 / 3, 1 / 3, 0, 0, 2 / 3]
    )


def test_thresholds_in_a_rules_name(workspace: Workspace) -> None:
    label_all(workspace)
    found = rows_of(workspace, "--rule", "b-3", "--rule", "combined-2-360", "--rule", "c")
    # `c` is the paper's, and keeps the name that was given.
    assert {rule for rule, _ in found} == {"b-3", "combined-2-360", "c"}
    assert found["b-3", "all"]["correct"] == pytest.approx(3 / 4)
    assert found["combined-2-360", "all"]["labelled"] == 4
    failed = webecho("evaluate", workspace.path, "--rule", "c-371")
    assert failed.exit_code == 2
    assert "labels on pairs of b-2, c-372 do not tell of c-371" in failed.stderr
    failed = webecho("evaluate", workspace.path, "--rule", "similar")
    assert "do not tell of similar; label its pairs with: webecho label" in failed.stderr


def test_sites_of_most_incorrect_pairs(workspace: Workspace) -> None:
    label_all(workspace)
    told = json.loads(done("evaluate", workspace.path, "--format", "json").stdout)
    found = [row for row in told["tables"]["incorrect_sites"] if row["rule"] == "c-372"]
    # One pair within a.example, and one with b.example; a.example has five of the rule's pairs.
    assert found == [
        {"rule": "c-372", "site": "a.example", "labelled": 6, "incorrect": 2,
         "incorrect_pairs": 2.0, "share": 1.0},
        {"rule": "c-372", "site": "b.example", "labelled": 3, "incorrect": 1,
         "incorrect_pairs": 1.0, "share": 0.5},
    ]  # fmt: skip


def test_what_is_missing_is_told(workspace: Workspace) -> None:
    failed = webecho("evaluate", workspace.path)
    assert failed.exit_code == 1
    assert "labels.jsonl is not there; label pairs with: webecho label" in failed.stderr
    label_all(workspace)
    for file in (workspace.path / "labels").glob("sample-*"):
        file.unlink()
    failed = webecho("evaluate", workspace.path)
    assert "no pair of a sample" in failed.stderr and "though 10 others have" in failed.stderr
    assert "--export FILE.csv elsewhere, and then --import FILE.csv" in failed.stderr
    # A sample of other pairs than there are now is told, and so are kinds without a label.
    draw(workspace, SamplePlan(("b-2",), 100), local_run())
    with_pairs(workspace, "b-2", [pair for pair, _, _ in PAIRS[:2]])
    assert "was drawn from other pairs than there are now" in (
        done("evaluate", workspace.path).stderr
    )


def test_pairs_that_are_found_again_and_are_the_same_leave_a_sample_as_it_is(
    tmp_path: Path,
) -> None:
    common = " ".join(f"common{n}" for n in range(300))
    pages = [(f"http://a.example/{n}", f"<p>{common} end{n}".encode()) for n in range(4)]
    workspace = sketched(tmp_path, pages)
    find = ("pairs", workspace.path, "--rule", "b", "--quiet")
    done(*find)
    plan = SamplePlan(("b-2",), 10)
    draw(workspace, plan, local_run())
    gold = tmp_path / "gold.csv"
    gold.write_text("left,right,label\n#0,#1,correct\n#0,#2,incorrect\n#1,#2,correct\n")
    done("label", workspace.path, "--import", gold, "--quiet")
    known = "no term difference is known"
    assert known in done("evaluate", workspace.path).stderr
    # Who asked for quiet is still warned.
    assert done("evaluate", workspace.path, "--quiet").stderr == (
        "webecho: 16.7% of the pairs of b-2 are of kinds without any label yet; nothing here is "
        "about them\n"
    )
    # What is measured later is known; the sample is still of the same pairs.
    done(*find, "--measure", "difference")
    told = done("evaluate", workspace.path).stderr
    assert "other pairs" not in told and known not in told
    sample_file(workspace, plan).unlink()
    draw(workspace, plan, local_run())
    # And what the sample has of measures stays when pairs are found again without.
    done(*find)
    told = done("evaluate", workspace.path).stderr
    assert "other pairs" not in told and known not in told
    # Fewer pairs are other pairs.
    done("pairs", workspace.path, "--rule", "b", "--least-b", "6", "--quiet")
    fewer = read_file(workspace.files.pairs("b-6"))
    workspace.write(workspace.files.pairs("b-2"), [fewer])
    assert "drawn from other pairs" in done("evaluate", workspace.path).stderr


def test_kinds_without_a_label_are_told(workspace: Workspace) -> None:
    table = draw(workspace, SamplePlan(("b-2",), 100), local_run())
    first = table.slice(0, 1).to_pylist()[0]
    said = {(first["left"], first["right"]): Judgement("correct", ())}
    found = labelled(
        workspace, [sample_file(workspace, SamplePlan(("b-2",), 100))], said, local_run()
    )
    # Each is alone in its stratum.
    assert found.unseen == {"b-2": pytest.approx(6 / 7)}
    [share] = [share_of(found, members(found, "b", WEBECHO), lambda pair: pair.label == "correct")]
    assert share is not None and (share.share, share.all_pairs) == (1, 1)


def planted(count: int) -> list[tuple[tuple[int, int, int, int, bool], bool]]:
    """Pairs of all kinds; the more alike, the more of them are correct."""
    chance = random.Random(3)
    found = []
    for number in range(count):
        b, c = (
            chance.choice([0, 2, 2, 2, 3, 4, 5, 6]),
            chance.choice([340, 356, 372, 376, 380, 384]),
        )
        same = chance.random() < 0.9
        correct = chance.random() < 0.1 + 0.08 * b + (0 if same else 0.3) + (c - 340) / 400
        found.append(((number, number + 1, b, c, same), correct))
    return found


def of_rules(
    pairs: Sequence[tuple[tuple[int, int, int, int, bool], bool]],
) -> dict[str, list[bool]]:
    """By the definitions of the rules, whether each of their pairs is correct."""
    found: dict[str, list[bool]] = {}
    for (_, _, b, c, same), correct in pairs:
        for rule, holds in {
            "b-2": b >= 2,
            "c-372": c >= 372,
            "combined-2-355": b >= 2 and c >= 355,
            "by-site-2-355-372": (b >= 2 and c >= 355) if same else c >= 372,
        }.items():
            if holds:
                found.setdefault(rule, []).append(correct)
    return found


def check_coverage(folder: Path, repetitions: int, least: float, most: float) -> None:
    """Draws samples by that many seeds, and holds intervals of all rules against the truth."""
    workspace = sketched(folder, [("http://a.example/", b"<p>one page")])
    pairs = planted(3000)
    with_pairs(workspace, "b-2", [pair for pair, _ in pairs if pair[2] >= 2], named=False)
    with_pairs(workspace, "c-372", [pair for pair, _ in pairs if pair[3] >= 372], named=False)
    said = {
        (pair[0], pair[1]): Judgement("correct" if correct else "incorrect", ())
        for pair, correct in pairs
    }
    truth = {rule: sum(own) / len(own) for rule, own in of_rules(pairs).items()}
    covered, estimates = dict.fromkeys(truth, 0), {rule: list[float]() for rule in truth}
    for seed in range(repetitions):
        plan = SamplePlan(("b-2", "c-372"), 200, seed)
        draw(workspace, plan, local_run())
        found = labelled(workspace, [sample_file(workspace, plan)], said, local_run())
        for rule, share in truth.items():
            told = share_of(
                found, members(found, rule, WEBECHO), lambda pair: pair.label == "correct"
            )
            assert told is not None
            covered[rule] += told.low <= share <= told.high
            estimates[rule].append(told.share)
        sample_file(workspace, plan).unlink()
    for rule, share in truth.items():
        mean = sum(estimates[rule]) / repetitions
        spread = sum((each - mean) ** 2 for each in estimates[rule]) / (repetitions - 1)
        assert abs(mean - share) < 4 * (spread / repetitions) ** 0.5
        assert least <= covered[rule] / repetitions <= most, (rule, covered[rule])


def test_intervals_of_drawn_samples_cover_the_truth(tmp_path: Path) -> None:
    check_coverage(tmp_path, 60, 0.85, 1.0)


@pytest.mark.soak
def test_intervals_of_1000_drawn_samples_cover_the_truth(tmp_path: Path) -> None:
    check_coverage(tmp_path, 1000, 0.93, 0.97)


def test_rules_are_judged_by_the_sample_with_most_labels(workspace: Workspace) -> None:
    label_all(workspace)
    draw(workspace, SamplePlan(("c-372",), 3), local_run())
    found = evaluate(workspace, EvaluationSettings(), local_run())
    assert found.facts["samples"] == "sample-b-2+c-372-100-seed-0"
    few = workspace.path / "labels" / "sample-c-372-3-seed-0.parquet"
    found = evaluate(workspace, EvaluationSettings(samples=(few,)), local_run())
    assert [*dict.fromkeys(found.tables["precision"]["rule"].to_pylist())] == ["c-372"]
    assert found.facts["labelled pairs"] == 3


def test_a_pair_of_two_samples_is_counted_once(workspace: Workspace) -> None:
    """The one sample has seven pairs and the other six, three of which are the same."""
    label_all(workspace)
    plans = [SamplePlan((rule,), 100) for rule in ("b-2", "c-372")]
    for plan in plans:
        draw(workspace, plan, local_run())
    samples = tuple(sample_file(workspace, plan) for plan in plans)
    found = evaluate(workspace, EvaluationSettings(samples=samples), local_run())
    assert found.facts["labelled pairs"] == 10
    labelled = {
        row["rule"]: row["labelled"]
        for row in found.tables["precision"].to_pylist()
        if row["kind"] == "all"
    }
    assert (labelled["b-2"], labelled["c-372"]) == (7, 6)


def test_two_rules_equal_recall_and_a_chosen_threshold(workspace: Workspace) -> None:
    label_all(workspace)
    options = ("--compare", "b", "combined", "--equal-recall", "b", "--least-r", "0.5")
    told = json.loads(done("evaluate", workspace.path, "--format", "json", *options).stdout)
    tables = told["tables"]
    two = {(row["kind"], row["rule"]): row for row in tables["side_by_side"]}
    assert two["all", "difference"]["precision"] == pytest.approx(3 / 7 - 3 / 5)
    assert two["all", "both"]["labelled"] == 5
    # `b` has three correct pairs, and so has `c` from 373 to 377.
    assert told["C-similarity with the recall of b"] == 374
    assert [row["threshold"] for row in tables["thresholds"]] == list(range(340, 385))
    assert told["why"].startswith(
        "of the thresholds with an R (the share of correct pairs that is left) of at least 0.5 it "
    )
    assert {row["rule"] for row in tables["checked"]} >= {"b-2", "b-3"}
    shown = done("evaluate", workspace.path, *options, "--all").stdout
    assert "What was chosen, on the other half" in shown
    assert "-0.00" not in shown
    # What the other half says of it is among the first things told.
    headline = done("evaluate", workspace.path, *options).stdout
    assert re.search(r"^checked +it (holds|FAILS|GAINS NOTHING): ", headline, re.MULTILINE)
    folder = workspace.files.study("evaluation")
    assert (folder / "thresholds.svg").is_file() and (folder / "training.svg").is_file()


def test_large_differences_with_and_without_image_terms(workspace: Workspace) -> None:
    """Table 8: of the five pairs measured four have large differences, one of them in images alone;
    one is above the limit that is looked for."""
    label_all(workspace)
    file = workspace.files.pairs("b-2")
    table = pq.read_table(file)
    measured = {
        (0, 1): (250, 10),
        (0, 3): (900, 800),
        (1, 3): (5, 5),
        (1, 4): (None, None),
        (2, 3): (201, 201),
    }
    limits = {(1, 4): 5000}
    rows = [(row["left"], row["right"]) for row in table.to_pylist()]
    for name, values in (
        ("term_difference", [measured.get(row, (None, None))[0] for row in rows]),
        ("text_difference", [measured.get(row, (None, None))[1] for row in rows]),
        ("more_than", [limits.get(row) for row in rows]),
    ):
        table = table.append_column(name, pa.array(values, pa.int64()))
    workspace.write(file, [table.replace_schema_metadata(None)])
    told = done("evaluate", workspace.path, "--rule", "b", "--format", "json")
    assert "term differences are known of 5 of the 10 labelled pairs" in told.stderr
    found = {row["kind"]: row for row in json.loads(told.stdout)["tables"]["precision"]}
    every = found["term difference over 200"]
    shares = [every[name] for name in ("labelled", "correct", "incorrect", "undecided")]
    assert shares == pytest.approx([4, 1 / 4, 1 / 4, 2 / 4])
    without = found["term difference over 200 without image terms"]
    shares = [without[name] for name in ("labelled", "correct", "incorrect", "undecided")]
    assert shares == pytest.approx([3, 0, 1 / 3, 2 / 3])


def test_measured_pairs_stand_for_those_that_are_not(tmp_path: Path) -> None:
    """Of 40 labelled pairs of one stratum 30 differ in much, but only half of all are measured."""
    pages = [(f"http://a.example/{n}", f"<p>page {n}".encode()) for n in range(41)]
    workspace = sketched(tmp_path, pages)
    file = with_pairs(workspace, "b-2", [(0, n, 2, 340, True) for n in range(1, 41)])
    draw(workspace, SamplePlan(("b-2",), 40), local_run())
    gold = tmp_path / "gold.csv"
    gold.write_text("left,right,label\n" + "".join(f"#0,#{n},correct\n" for n in range(1, 41)))
    done("label", workspace.path, "--import", gold, "--quiet")
    table = pq.read_table(file)
    differences = [(300 if n % 4 else 10) if n <= 20 else None for n in range(1, 41)]
    for name in ("term_difference", "text_difference"):
        table = table.append_column(name, pa.array(differences, pa.int64()))
    table = table.append_column("more_than", pa.nulls(40, pa.int64()))
    workspace.write(file, [table.replace_schema_metadata(None)])
    found = rows_of(workspace)["b-2", "term difference over 200"]
    assert (found["labelled"], found["pairs"]) == (15, pytest.approx(30))
    assert found["correct_low"] < found["correct"] == 1


def test_term_differences_of_labelled_pairs_are_measured(tmp_path: Path) -> None:
    common = " ".join(f"common{n}" for n in range(50))
    texts = [common, f"{common} more", f"{common} {' '.join(f'other{n}' for n in range(250))}"]
    pages = [(f"http://a.example/{n}", f"<p>{text}".encode()) for n, text in enumerate(texts)]
    workspace = sketched(tmp_path, pages)
    with_pairs(workspace, "b-2", [(0, 1, 6, 384, True), (0, 2, 2, 360, True), (1, 2, 2, 360, True)])
    draw(workspace, SamplePlan(("b-2",), 10), local_run())
    file = tmp_path / "gold.csv"
    file.write_text("left,right,label\n#0,#1,correct\n#0,#2,incorrect\n#1,#2,correct\n")
    done("label", workspace.path, "--import", file, "--quiet")
    before = done("evaluate", workspace.path)
    assert "no term difference is known; --measure reads" in before.stderr
    found = rows_of(workspace, "--measure")["b-2", "term difference over 200"]
    assert (found["labelled"], found["correct"]) == (2, 0.5)
