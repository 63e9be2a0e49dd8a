"""Precision by threshold, of labelled pairs made by hand and of a made-up web."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.command import done
from tests.command import webecho as run
from tests.evaluation.labelled_pairs import labelled_pairs
from webecho.errors import SettingsError
from webecho.evaluation.judge.derived import members
from webecho.evaluation.judge.labelled import Labelled
from webecho.evaluation.judge.precision_curves import Base, bases, chosen, curve, in_words, verdict
from webecho.group.rules.registry import RULES
from webecho.settings import WEBECHO


def shares(count: int = 40) -> Labelled:
    """Pairs of `similar-0.5` with resemblances from 0.5 up; those below 0.7 are incorrect, and one
    in ten of the others."""
    every = [0.5 + number / count / 2 for number in range(count + 1)]
    made = [
        (0, 0, True, "incorrect" if value < 0.7 or number % 10 == 9 else "correct")
        for number, value in enumerate(every)
    ]
    known = labelled_pairs(made, each=3, rules=("similar-0.5",))  # type: ignore[arg-type]
    pairs = tuple(
        replace(pair, b_similarity=None, c_similarity=None, resemblance=value)
        for pair, value in zip(known.pairs, every, strict=True)
    )
    return replace(known, pairs=pairs)


def test_higher_thresholds_are_told_from_lower_ones() -> None:
    known = shares()
    for threshold in (0.5, 0.7, 0.95, 1):
        own = members(known, f"similar-{threshold}", WEBECHO)
        assert len(own) == sum(pair.resemblance >= threshold - 1e-9 for pair in known.pairs)
    with pytest.raises(webecho.SettingsError, match=r"do not tell of similar-0.4"):
        members(known, "similar-0.4", WEBECHO)
    with pytest.raises(webecho.SettingsError, match=r"do not tell of edited-0.9"):
        members(known, "edited-0.9", WEBECHO)


def test_a_curve_has_every_hundredth() -> None:
    known = shares()
    [base] = bases(known, WEBECHO)
    assert base == Base("similar-0.5", "resemblance", 0.5)
    rows = [*curve(known, base, {0.5: 123})]
    assert [row["threshold"] for row in rows] == [round(0.5 + n / 100, 2) for n in range(51)]
    for row in rows:
        left = [pair for pair in known.pairs if pair.resemblance >= row["threshold"] - 1e-9]
        correct = sum(pair.label == "correct" for pair in left)
        assert row["labelled"] == len(left)
        assert row["precision"] == pytest.approx(correct / len(left))
        assert row["precision_low"] <= row["precision"] <= row["precision_high"]
        every = sum(pair.label == "correct" for pair in known.pairs)
        assert row["r"] == pytest.approx(correct / every)
    assert rows[0]["pairs"] == 123 and rows[1]["pairs"] is None


def test_the_lowest_threshold_of_the_wanted_precision_is_chosen() -> None:
    table = chosen(shares(400), WEBECHO, 0.85, seed=0)
    [row] = table.to_pylist()
    # Below 0.7 all are incorrect, so that a little below it 0.85 is reached.
    assert 0.66 <= row["threshold"] <= 0.72
    assert row["chosen_by"] >= 0.85
    assert row["precision_low"] <= row["precision"] <= row["precision_high"]
    [(name, told)] = in_words(table).items()
    assert name == "similar-0.5, for precision 0.85"
    assert told.startswith(f"resemblance {row['threshold']:g}; it ")
    assert told.endswith(f" on the other half of the labels ({row['labelled']})")
    assert f"({row['precision_low']:.2f}–{row['precision_high']:.2f})" in told


@pytest.mark.parametrize(
    ("precision", "low", "told"),
    [
        (0.98, 0.95, "it holds"),
        # What --require-precision would not take for met.
        (1.0, 0.1, "it holds, but labels are too few to be sure"),
        (0.94, 0.9, "it FAILS"),
    ],
)
def test_a_threshold_holds_surely_where_its_interval_does(
    precision: float, low: float, told: str
) -> None:
    assert verdict({"wanted": 0.95, "precision": precision, "precision_low": low}) == told


def test_no_threshold_may_have_it() -> None:
    [row] = chosen(shares(), WEBECHO, 1.0, seed=0).to_pylist()
    assert row["threshold"] is None or row["chosen_by"] == 1.0
    none = pa.Table.from_pylist([{"rule": "b-2", "wanted": 0.9, "threshold": None}])
    assert in_words(none) == {
        "b-2, for precision 0.9": "no threshold has it on the half of the labels that chooses"
    }


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("curves")
    done("synth", folder / "web", "--pages", 400, "--seed", 1)
    done("sketch", folder / "web" / "pages", "-o", folder / "web.echo")
    return folder


@pytest.mark.parametrize(
    ("rule", "given", "higher"),
    [("similar", "--resemblance", "similar-0.8"), ("edited", "--equal-words", "edited-0.9")],
)
def test_labels_on_a_low_threshold_tell_what_a_higher_one_has(
    web: Path, rule: str, given: str, higher: str
) -> None:
    crawl, truth = web / "web.echo", web / "web"
    low = f"{rule}-0.5"
    done("pairs", crawl, "--rule", rule, given, 0.5)
    done("pairs", crawl, "--rule", rule)
    labels = web / f"{rule}.jsonl"
    asked = ("--rule", low, "--sample", 5000, "--labels", labels)
    done("label", crawl, *asked, "--from-truth", truth)
    found = webecho.evaluate(crawl, rules=[low, higher], labels=labels, truth=truth)
    # All pairs have a label, so that the share is exact, and is that of the truth.
    told = {
        row["rule"]: row for row in found.tables["precision"].to_pylist() if row["kind"] == "all"
    }
    true = {
        row["rule"]: row
        for row in found.tables["true_precision"].to_pylist()
        if row["kind"] == "all"
    }
    assert told.keys() == true.keys() == {low, higher}
    for name, row in told.items():
        assert row["correct"] == pytest.approx(true[name]["correct"])
        assert row["pairs"] == true[name]["pairs"] and not row["estimated"]
    curves = [row for row in found.tables["curves"].to_pylist() if row["rule"] == low]
    at = {row["threshold"]: row for row in curves}
    threshold = float(higher.rpartition("-")[2])
    assert at[threshold]["precision"] == pytest.approx(true[higher]["correct"])
    assert at[threshold]["pairs"] == true[higher]["pairs"]
    assert f"curve-{low}" in found.figures


def test_a_build_can_depend_on_a_precision(web: Path) -> None:
    crawl, labels = web / "web.echo", web / "required.jsonl"
    done("pairs", crawl, "--resemblance", 0.6)
    asked = ("--rule", "similar-0.6", "--sample", 60, "--labels", labels)
    done("label", crawl, *asked, "--from-truth", web / "web")
    command = (
        "evaluate",
        crawl,
        "--labels",
        labels,
        "--rule",
        "similar-0.9",
        "--require-precision",
    )
    met = run(*command, 0.5)
    assert met.exit_code == 0
    assert "a precision of at least 0.5 is required, found " in met.stderr
    assert met.stderr.rstrip().endswith(": met")
    missed = run(*command, 1)
    assert missed.exit_code == 1
    assert missed.stderr.rstrip().endswith(": MISSED")
    found = webecho.evaluate(crawl, labels=labels, rules="similar-0.9", require_precision=1)
    assert not found.met and [each.rule for each in found.required] == ["similar-0.9"]
    assert found.required[0].low is not None and found.required[0].low < 1
    assert webecho.evaluate(crawl, labels=labels, rules="similar-0.9").met


@pytest.mark.parametrize("rule", RULES)
def test_the_truth_judges_pairs_of_every_rule(web: Path, rule: str) -> None:
    crawl, truth = web / "web.echo", web / "web"
    given = ("--shared", 3, "--chunk", "words:8") if rule == "overlap" else ()
    if rule in ("paragraphs", "overlap"):
        crawl = web / f"{rule}.echo"
        tables = ("--paragraphs",) if rule == "paragraphs" else ("--chunks", "words:8")
        done("sketch", truth / "pages", "-o", crawl, *tables)
    done("pairs", crawl, "--rule", rule, *given)
    found = webecho.evaluate(crawl, rules=rule, truth=truth, labels=None)
    [true] = [row for row in found.tables["true_precision"].to_pylist() if row["kind"] == "all"]
    [recall] = [row for row in found.tables["recall"].to_pylist() if row["kind"] == "all"]
    assert true["rule"] == recall["rule"]
    assert true["pairs"] > 0 and recall["gold_pairs"] > 0
    assert true["correct"] + true["incorrect"] + true["undecided"] == pytest.approx(1)


def test_a_rule_of_which_labels_do_not_tell_is_judged_by_the_truth(
    web: Path, tmp_path: Path
) -> None:
    # A workspace of its own: others have samples of other rules.
    crawl, labels = tmp_path / "web.echo", tmp_path / "others.jsonl"
    done("sketch", web / "web" / "pages", "-o", crawl)
    done("pairs", crawl, "--resemblance", 0.6)
    done("pairs", crawl, "--rule", "exact")
    asked = ("--rule", "similar-0.6", "--sample", 20, "--labels", labels)
    done("label", crawl, *asked, "--from-truth", web / "web")
    both = webecho.evaluate(crawl, labels=labels, rules=["exact", "similar-0.6"], truth=web / "web")
    assert {*both.tables["precision"]["rule"].to_pylist()} == {"similar-0.6"}
    assert {*both.tables["true_precision"]["rule"].to_pylist()} == {"text", "similar-0.6"}
    note = "the labels on pairs of similar-0.6 do not tell of exact; the truth alone judges it"
    assert note in both.notes
    alone = webecho.evaluate(crawl, labels=labels, rules="exact", truth=web / "web")
    assert "precision" not in alone.tables and note in alone.notes
    # Without a truth nothing tells.
    with pytest.raises(SettingsError, match="do not tell of exact; label its pairs with"):
        webecho.evaluate(crawl, labels=labels, rules="exact")
