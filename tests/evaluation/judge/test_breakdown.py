"""Tables of reasons: worked out by hand, by a slow second way, and on a made-up web."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.command import done
from tests.evaluation.labelled_pairs import Made, labelled_pairs
from webecho.engine.local.engine import local_run
from webecho.evaluation.judge.breakdown import breakdown, by_c_range
from webecho.evaluation.judge.derived import of_sample
from webecho.evaluation.judge.evaluation import EvaluationSettings, evaluate
from webecho.evaluation.judge.labelled import Labelled
from webecho.evaluation.judge.precision import LabelledStratum
from webecho.evaluation.label.planted import REASONS as PLANTED
from webecho.evaluation.label.reasons import BY_CODE, REASONS, LabelName, category, fitting
from webecho.workspace.workspace import Workspace

# Of 60 pairs of one stratum six are labelled, so each stands for 10, and of 12 of another six, so
# each stands for 2: same site or not, range of C-similarity, label, reasons.
Judged = tuple[bool, str, LabelName, tuple[str, ...]]
DOZEN: tuple[list[Judged], list[Judged]] = (
    [
        (True, "376-378", "correct", ("time-stamp",)),
        (True, "376-378", "correct", ("time-stamp", "url")),
        (True, "379-381", "correct", ()),
        (True, "372-375", "incorrect", ("main-item",)),
        (True, "372-375", "undecided", ("form",)),
        (False, "372-375", "undecided", ("form", "minor-item")),
    ],
    [
        (False, "372-375", "correct", ("url",)),
        (False, "372-375", "correct", ("url",)),
        (False, "372-375", "correct", ("url",)),
        (True, "376-378", "correct", ("url",)),
        (True, "372-375", "correct", ("other",)),
        (False, "372-375", "undecided", ("cannot-evaluate",)),
    ],
)


def labelled(strata: Sequence[Sequence[Judged]], sizes: Sequence[int]) -> Labelled:
    """Strata of so many pairs, with their labelled pairs."""
    made: list[Made] = [(2, 0, same, label) for own in strata for same, _, label, _ in own]
    known = labelled_pairs(made)
    said = [(n, row) for n, own in enumerate(strata) for row in own]
    pairs = tuple(
        replace(pair, stratum=("sample", n), c_range=c_range, reasons=reasons)
        for pair, (n, (_, c_range, _, reasons)) in zip(known.pairs, said, strict=True)
    )
    counts: dict[object, LabelledStratum] = {
        ("sample", n): LabelledStratum(size, len(own))
        for n, (size, own) in enumerate(zip(sizes, strata, strict=True))
    }
    return replace(known, pairs=pairs, strata=counts)


def told(known: Labelled) -> list[dict[str, Any]]:
    return breakdown(known, [("b-2", of_sample(known, "b-2"))]).to_pylist()


def test_a_dozen_pairs_worked_out_by_hand() -> None:
    rows = told(labelled(DOZEN, (60, 12)))
    found = [tuple(row.values())[1:7] for row in rows]
    about = pytest.approx
    # In the sample the URL alone has four of eight correct pairs; it stands for 8 of 40.
    assert found == [
        ("correct", "all", "time stamp only", 1, 10.0, about(10 / 40)),
        ("correct", "all", "combination", 1, 10.0, about(10 / 40)),
        ("correct", "all", "URL only", 4, 8.0, about(8 / 40)),
        ("correct", "all", "other", 1, 2.0, about(2 / 40)),
        ("correct", "all", "no reason given", 1, 10.0, about(10 / 40)),
        ("correct", "same site", "time stamp only", 1, 10.0, about(10 / 34)),
        ("correct", "same site", "combination", 1, 10.0, about(10 / 34)),
        ("correct", "same site", "URL only", 1, 2.0, about(2 / 34)),
        ("correct", "same site", "other", 1, 2.0, about(2 / 34)),
        ("correct", "same site", "no reason given", 1, 10.0, about(10 / 34)),
        ("correct", "different sites", "time stamp only", 0, 0.0, 0.0),
        ("correct", "different sites", "combination", 0, 0.0, 0.0),
        ("correct", "different sites", "URL only", 3, 6.0, 1.0),
        ("correct", "different sites", "other", 0, 0.0, 0.0),
        ("correct", "different sites", "no reason given", 0, 0.0, 0.0),
        ("incorrect", "all", "main item differs", 1, 10.0, 1.0),
        ("incorrect", "same site", "main item differs", 1, 10.0, 1.0),
        ("undecided", "all", "form", 1, 10.0, about(10 / 22)),
        ("undecided", "all", "combination", 1, 10.0, about(10 / 22)),
        ("undecided", "all", "cannot evaluate", 1, 2.0, about(2 / 22)),
        ("undecided", "same site", "form", 1, 10.0, 1.0),
        ("undecided", "same site", "combination", 0, 0.0, 0.0),
        ("undecided", "same site", "cannot evaluate", 0, 0.0, 0.0),
        ("undecided", "different sites", "form", 0, 0.0, 0.0),
        ("undecided", "different sites", "combination", 1, 10.0, about(10 / 12)),
        ("undecided", "different sites", "cannot evaluate", 1, 2.0, about(2 / 12)),
    ]
    for row in rows:
        assert 0 <= row["share_low"] <= row["share"] <= row["share_high"] <= 1
        # None of it is known exactly.
        assert row["share_low"] < row["share_high"]


def test_ranges_of_c_similarity_worked_out_by_hand() -> None:
    known = labelled(DOZEN, (60, 12))
    table = by_c_range(known, [("b-2", of_sample(known, "b-2"))], 384)
    found = [
        (row["label"], row["reason"], row["c_range"], row["labelled"], row["pairs"],
         row["share_of_reason"], row["share_of_range"])
        for row in table.to_pylist()
    ]  # fmt: skip
    about = pytest.approx
    # Three of four pairs with another URL lie in 372–375, where they are 6 of 8 correct pairs.
    assert found == [
        ("correct", "time stamp only", "376-378", 1, 10.0, 1.0, about(10 / 22)),
        ("correct", "combination", "376-378", 1, 10.0, 1.0, about(10 / 22)),
        ("correct", "URL only", "372-375", 3, 6.0, about(6 / 8), about(6 / 8)),
        ("correct", "URL only", "376-378", 1, 2.0, about(2 / 8), about(2 / 22)),
        ("correct", "other", "372-375", 1, 2.0, 1.0, about(2 / 8)),
        ("correct", "no reason given", "379-381", 1, 10.0, 1.0, 1.0),
        ("incorrect", "main item differs", "372-375", 1, 10.0, 1.0, 1.0),
        ("undecided", "form", "372-375", 1, 10.0, 1.0, about(10 / 22)),
        ("undecided", "combination", "372-375", 1, 10.0, 1.0, about(10 / 22)),
        ("undecided", "cannot evaluate", "372-375", 1, 2.0, 1.0, about(2 / 22)),
    ]


def test_what_is_labelled_as_a_whole_is_known_exactly() -> None:
    rows = told(labelled(DOZEN, (6, 6)))
    assert next(row for row in rows if row["kind"] == "all")["reason"] == "URL only"
    assert all(row["share_low"] == row["share"] == row["share_high"] for row in rows)


def slowly(strata: Sequence[Sequence[Judged]], sizes: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Label, kind, reason and share, by writing each labelled pair down as often as it stands for
    one, in fractions."""
    every: list[tuple[Fraction, Judged]] = [
        (Fraction(size, len(own)), row)
        for size, own in zip(sizes, strata, strict=True)
        for row in own
    ]
    for kind, wanted in (
        ("all", (True, False)),
        ("same site", (True,)),
        ("different sites", (False,)),
    ):
        for label in ("correct", "incorrect", "undecided"):
            of_label = [(w, row) for w, row in every if row[2] == label]
            own = [(w, row) for w, row in of_label if row[0] in wanted]
            for reason in {category(row[3]) for _, row in of_label} if own else ():
                having = sum(w for w, row in own if category(row[3]) == reason)
                yield label, kind, reason, float(having / sum(w for w, _ in own))


def test_shares_by_a_slow_second_way() -> None:
    chance = random.Random(14)
    codes = [reason.code for reason in REASONS]
    verdicts: tuple[LabelName, ...] = ("correct", "incorrect", "undecided")
    seen = 0
    for _ in range(40):
        strata = []
        for _ in range(chance.randrange(1, 5)):
            labels = chance.choices(verdicts, k=chance.randrange(1, 12))
            strata.append(
                [
                    (chance.random() < 0.7, "372-375", label,
                     fitting(label, chance.choices(codes, k=chance.randrange(4))))
                    for label in labels
                ]
            )  # fmt: skip
        sizes = [len(own) * chance.choice([1, 3, 50]) + chance.randrange(3) for own in strata]
        codes_of = {reason.name: reason.code for reason in REASONS}
        found = {
            (row["label"], row["kind"], codes_of.get(bare, bare)): row["share"]
            for row in told(labelled(strata, sizes))
            for bare in [row["reason"].removesuffix(" only")]
        }
        expected = {(label, kind, reason): s for label, kind, reason, s in slowly(strata, sizes)}
        assert found == {key: pytest.approx(share) for key, share in expected.items()}
        seen += len(found)
    assert seen > 400


FAMILIES = [
    f"--family={name}={share}"
    for name, share in {"parked": 3, "own address": 3, "time stamp": 2, "execution time": 2,
                        "visitor count": 1, "form": 3, "shop": 1, "database": 2}.items()
]  # fmt: skip


def planted_shares(workspace: Workspace, truth: Path, rule: str) -> dict[tuple[str, ...], float]:
    """Of all pairs of a rule, label by label: which share has which planted reason."""
    pages = pq.read_table(truth).to_pylist()
    made = {page["cluster"]: page["kind"] for page in pages if page["kind"] != "original"}
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in pq.read_table(workspace.files.pairs(rule)).to_pylist():
        one, other = (pages[row[side]]["cluster"] for side in ("left", "right"))
        code = PLANTED[made[one]] if one == other else "main-item"
        reason = BY_CODE[code]
        name = f"{reason.name} only" if reason.label == "correct" else reason.name
        for kind in ("all", "same site" if row["same_site"] else "different sites"):
            own = counts.setdefault((reason.label or "undecided", kind), {})
            own[name] = own.get(name, 0) + 1
    return {
        (label, kind, name): count / sum(own.values())
        for (label, kind), own in counts.items()
        for name, count in own.items()
    }


def test_planted_shares_of_a_made_up_web_are_found(tmp_path: Path) -> None:
    """Of the intervals of twelve samples as many hold the planted share as 95 % intervals should;
    the shares of the samples themselves are far off."""
    web, crawl = tmp_path / "web", tmp_path / "web.echo"
    done("synth", web, "--pages", 3000, "--seed", 3, "--duplicates", 0.6, *FAMILIES)
    done("sketch", web / "pages", "-o", crawl, "--recipe", "henzinger2006")
    rules = ("--rule", "b", "--rule", "c")
    for name in ("b", "c"):
        done("pairs", crawl, "--rule", name)
    workspace, truth = Workspace.open(crawl), web / "truth.parquet"
    planted = {rule: planted_shares(workspace, truth, rule) for rule in ("b-2", "c-372")}
    inside: list[bool] = []
    weighted_off = raw_off = 0.0
    for seed in range(12):
        labels = tmp_path / f"labels-{seed}.jsonl"
        drawn = ("--sample", 150, "--seed", seed, "--labels", labels)
        done("label", crawl, *rules, *drawn, "--from-truth", web)
        sample = workspace.files.sample(f"sample-b-2+c-372-150-seed-{seed}")
        settings = EvaluationSettings(labels=labels, samples=(sample,))
        rows = evaluate(workspace, settings, local_run()).tables["reasons"].to_pylist()
        sampled: dict[tuple[str, ...], int] = {}
        for row in rows:
            key = row["rule"], row["label"], row["kind"]
            sampled[key] = sampled.get(key, 0) + row["labelled"]
        for row in rows:
            key = row["rule"], row["label"], row["kind"]
            share = planted.get(row["rule"], {}).get((*key[1:], row["reason"]), 1.0)
            # What is the only reason there is has no share to be wrong about.
            if share < 1:
                inside.append(row["share_low"] - 1e-9 <= share <= row["share_high"] + 1e-9)
                weighted_off += abs(row["share"] - share)
                raw_off += abs(row["labelled"] / sampled[key] - share)
    assert len(inside) > 150 and sum(inside) / len(inside) > 0.93
    assert weighted_off < raw_off / 2
