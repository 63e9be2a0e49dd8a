"""Labelled pairs: what is held of each, by which sample rules are judged, and what is not known."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.evaluation.made_pairs import sketched, with_pairs
from webecho.engine.local.engine import local_run
from webecho.errors import InputError
from webecho.evaluation.judge.labelled import (
    TERMS,
    TEXT,
    best_samples,
    found_differences,
    is_large,
    judgements,
    labelled,
    read_sample,
    sites_of,
)
from webecho.evaluation.label.labels import Label
from webecho.evaluation.label.reasons import Judgement, LabelName
from webecho.evaluation.sample.drawing import SamplePlan, draw, sample_file
from webecho.workspace.workspace import Workspace

CORRECT = Judgement("correct", ())


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    hosts = ["www.a.example"] * 3 + ["www.b.example"]
    pages = [(f"http://{host}/{n}", f"<p>page {n}".encode()) for n, host in enumerate(hosts)]
    found = sketched(tmp_path, pages)
    with_pairs(found, "b-2", [(0, 1, 6, 384, True), (0, 2, 2, 350, True), (1, 3, 2, 350, False)])
    return found


def label(labeller: str, name: LabelName, *reasons: str, pair: tuple[int, int] = (0, 1)) -> Label:
    named = dict.fromkeys(("left_url", "right_url", "left_id", "right_id"))
    return Label(
        **named,
        left=pair[0],
        right=pair[1],
        label=name,
        reasons=reasons,
        note="",
        labeller=labeller,
        time="",
    )


def test_what_most_say_holds_with_the_reasons_of_half_of_them() -> None:
    said = [
        label("ada", "correct", "url"),
        label("bob", "incorrect", "main-item"),
        label("eve", "correct", "time-stamp"),
        label("ada", "undecided", pair=(0, 2)),
        label("bob", "correct", "url", pair=(0, 2)),
        # Two of three who say why give the URL; who gives no reason does not speak against it.
        label("ada", "correct", "url", pair=(0, 3)),
        label("bob", "correct", "url", "session-id", pair=(0, 3)),
        label("eve", "correct", "time-stamp", pair=(0, 3)),
        label("zoe", "correct", pair=(0, 3)),
        # Three reasons of three labellers.
        label("ada", "undecided", "form", pair=(0, 4)),
        label("bob", "undecided", "minor-item", pair=(0, 4)),
        label("eve", "undecided", "other", pair=(0, 4)),
    ]
    assert judgements(said) == {
        (0, 1): Judgement("correct", ("time-stamp", "url")),
        # As many say one thing as the other.
        (0, 2): Judgement("undecided", ()),
        (0, 3): Judgement("correct", ("url",)),
        (0, 4): Judgement("undecided", ("form", "minor-item", "other")),
    }


def test_rules_are_judged_by_the_sample_with_the_most_labels() -> None:
    def sample(*rules: str) -> pa.Table:
        return pa.table({"rule": rules, "left": range(len(rules)), "right": [9] * len(rules)})

    tables = {"one": sample("b", "b", "c"), "other": sample("b", "c", "c"), "none": sample("b")}
    said = {(0, 9): CORRECT, (1, 9): CORRECT, (2, 9): CORRECT}
    assert best_samples(tables, said) == {"b": "one", "c": "other"}
    # Of two with as many labels the lower name.
    assert best_samples({"z": sample("b"), "y": sample("b")}, said) == {"b": "y"}
    assert best_samples(tables, {}) == {}


def test_labelled_pairs_have_their_strata_sites_and_weights(workspace: Workspace) -> None:
    plan = SamplePlan(("b-2",), 10)
    draw(workspace, plan, local_run())
    said = {(0, 1): CORRECT, (1, 3): Judgement("undecided", ("form",))}
    found = labelled(workspace, [sample_file(workspace, plan)], said, local_run())
    assert {pair.pair: pair.sites for pair in found.pairs} == {
        (0, 1): ("a.example", "a.example"),
        (1, 3): ("a.example", "b.example"),
    }
    assert {pair.pair: pair.form for pair in found.pairs} == {(0, 1): False, (1, 3): True}
    assert all(pair.weights == {"b-2": 1.0} and pair.large is None for pair in found.pairs)
    # Each of the three is a kind of its own; one has no label.
    assert [(each.pairs, each.labelled) for each in found.strata.values()] == [(1, 1), (1, 1)]
    assert found.unseen == {"b-2": pytest.approx(1 / 3)}
    assert (found.samples, found.notes) == ({"b-2": plan.name}, ())


def row(difference: int | None, more_than: int | None = None) -> dict[str, Any]:
    measured = {
        "term_difference": difference,
        "text_difference": difference,
        "more_than": more_than,
    }
    return {"rule": "b-2", "left": 0, "right": 1} | measured


@pytest.mark.parametrize("column", [TERMS, TEXT])
def test_a_difference_is_large_above_200_terms(column: str) -> None:
    assert [is_large(row(count), column) for count in (0, 200, 201)] == [False, False, True]
    # Beyond a limit it is known only that there are more.
    assert [is_large(row(None, least), column) for least in (None, 199, 200)] == [None, None, True]


def test_what_was_measured_later_is_known(workspace: Workspace) -> None:
    wanted = [row(None), row(None) | {"right": 2}, row(5) | {"right": 3}]
    assert found_differences(workspace, wanted, local_run()) == {}
    file = workspace.files.pairs("b-2")
    pairs = pq.read_table(file)
    for name, values in (
        ("term_difference", [300, None, 7]),
        ("text_difference", [20, None, 7]),
        ("more_than", [None] * 3),
    ):
        pairs = pairs.append_column(name, pa.array(values, pa.int64()))
    plan = SamplePlan(("b-2",), 10)
    draw(workspace, plan, local_run())
    workspace.write(file, [pairs.replace_schema_metadata(None)])
    later = {
        "left": 0,
        "right": 1,
        "term_difference": 300,
        "text_difference": 20,
        "more_than": None,
    }
    assert found_differences(workspace, wanted, local_run()) == {(0, 1): later}
    said = dict.fromkeys([(0, 1), (0, 2), (1, 3)], CORRECT)
    found = labelled(workspace, [sample_file(workspace, plan)], said, local_run())
    assert {pair.pair: (pair.large, pair.large_without_images) for pair in found.pairs} == {
        (0, 1): (True, False),
        (0, 2): (None, None),
        (1, 3): (False, False),
    }
    file.unlink()
    assert found_differences(workspace, wanted, local_run()) == {}


def test_the_sites_of_all_pages_of_samples(workspace: Workspace) -> None:
    samples = [pa.table({"left": [0], "right": [3]}), pa.table({"left": [0], "right": [2]})]
    assert sites_of(workspace, samples) == {0: "a.example", 2: "a.example", 3: "b.example"}
    assert sites_of(workspace, []) == {}


def test_what_is_no_sample_is_named(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "sample-x.parquet").write_text("no table")
    with pytest.raises(InputError, match=r"sample-x\.parquet is no sample .*; draw it again"):
        read_sample(workspace, tmp_path / "sample-x.parquet")
