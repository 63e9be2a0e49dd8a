"""Visits and their histories, by hand."""

from typing import Any

import pytest

from tests.study.clusters_given import database_of, key
from webecho.engine.local.engine import local_run
from webecho.engine.protocol import Database
from webecho.study.revisit_model import Strengths
from webecho.study.revisits import (
    add_visits,
    calibration_table,
    candidates,
    histories_of,
    most_probable,
    skipping_table,
)

# One cluster of r, a, b, c in all snapshots, whose representative is r, and x by itself; and what
# each says. In the third snapshot c is not there.
CLUSTER = {"h/r": 1, "h/a": 1, "i/b": 1, "i/c": 1, "h/x": 2}
ABSENT = {address: cluster for address, cluster in CLUSTER.items() if address != "i/c"}
SNAPSHOTS = [CLUSTER, CLUSTER, ABSENT, CLUSTER]
WORDS = [
    {"h/r": 1, "h/a": 1, "i/b": 1, "i/c": 9, "h/x": 5},
    # a follows r to another text, b stays with the old one.
    {"h/r": 2, "h/a": 2, "i/b": 1, "i/c": 9, "h/x": 5},
    {"h/r": 2, "h/a": 2, "i/b": 2, "h/x": 5},
    {"h/r": 2, "h/a": 3, "i/b": 2, "i/c": 2, "h/x": 5},
]
NAMES = {key(address): address for address in CLUSTER}


def rows(database: Database, number: int) -> dict[str, dict[str, Any]]:
    table, _ = histories_of(database, number)
    return {NAMES[row["address"]]: row for row in table.to_pylist()}


def test_what_comes_of_visits() -> None:
    with local_run().database() as database:
        database_of(database, SNAPSHOTS, WORDS)
        add_visits(database, 4)
        found = [rows(database, number) for number in (1, 2, 3, 4)]
    # Whether it has the representative's text, and whether it has it in the next snapshot.
    assert [
        {name: (row["same_now"], row["outcome"]) for name, row in each.items()} for each in found
    ] == [
        {"h/a": (1, 1), "i/b": (1, 0), "i/c": (0, 0)},
        {"h/a": (1, 1), "i/b": (0, 1), "i/c": (0, -1)},
        {"h/a": (1, 0), "i/b": (1, 1)},
        {"h/a": (0, -1), "i/b": (1, -1), "i/c": (1, -1)},
    ]
    names = ("visits", "same", "cluster_visits", "cluster_same", "host_visits", "host_same")

    def known(number: int, name: str) -> list[float]:
        return [float(found[number - 1][name][each]) for each in names]

    assert known(1, "h/a") == [0] * 6
    # From the state of having the text: a twice, both the same; b once, and not.
    assert known(3, "h/a") == [2, 2, 1, 0, 0, 0]
    assert known(3, "i/b") == [1, 0, 2, 2, 0, 0]
    # In the fourth b has the text, as before the first and the third visit; a has not.
    assert known(4, "i/b") == [2, 1, 0, 0, 0, 0]
    # b came back from the other state, c did not: a never was in it.
    assert known(4, "h/a") == [0] * 6
    assert known(4, "i/c") == [0, 0, 2, 1, 2, 1]


def test_who_went_away() -> None:
    # All of three addresses that had the text of r have it no more: r went. Of s it is not known.
    clusters = {"h/r": 1, "h/a": 1, "h/b": 1, "h/c": 1, "i/s": 2, "i/t": 2}
    said = [
        {"h/r": 1, "h/a": 1, "h/b": 1, "h/c": 1, "i/s": 2, "i/t": 2},
        {"h/r": 9, "h/a": 1, "h/b": 1, "h/c": 1, "i/s": 2, "i/t": 3},
        {"h/r": 1, "h/a": 1, "h/b": 1, "h/c": 1, "i/s": 2, "i/t": 2},
    ]
    names = {key(address): address for address in clusters}
    with local_run().database() as database:
        database_of(database, [clusters] * 3, said)
        add_visits(database, 3)
        table, histories = histories_of(database, 3)
    known = {names[row["address"]]: row for row in table.to_pylist()}
    assert {name: (row["visits"], row["same"]) for name, row in known.items()} == {
        # From the state of having the text.
        **dict.fromkeys(["h/a", "h/b", "h/c"], (0, 0)),
        "i/t": (1, 0),
    }
    # From the other state they came back to it, which tells nothing of r.
    assert {name: (row["rep_visits"], row["rep_same"]) for name, row in known.items()} == {
        **dict.fromkeys(["h/a", "h/b", "h/c"], (1, 0)),
        "i/t": (0, 0),
    }
    assert histories.standing == (1, 0)


def test_the_others_of_a_large_cluster_count_for_ten() -> None:
    large = {f"h/{number}": 1 for number in range(42)}
    with local_run().database() as database:
        database_of(database, [large, large, large])
        add_visits(database, 3)
        table, histories = histories_of(database, 3)
        found = candidates(database, 3)
    # 41 visits in each of two steps, one's own apart.
    assert len(table) == 41
    assert {round(float(each), 3) for each in table["cluster_visits"].to_pylist()} == {
        round(2 * 10 * 40 / 41, 3)
    }
    assert histories.all[1] == (pytest.approx(20, rel=1e-4), pytest.approx(20, rel=1e-4))
    assert found.strengths == Strengths() and (found.probability > 0.85).all()


def test_tables() -> None:
    with local_run().database() as database:
        database_of(database, SNAPSHOTS, WORDS)
        add_visits(database, 4)
        found = candidates(database, 3)
        listed = most_probable(candidates(database, 4), 2).to_pylist()
    assert [each["addresses"] for each in calibration_table(found.calibration()).to_pylist()] == [
        *(1, 1)
    ]
    # All: 2.5 / 4 of the visits came out the same. a: two of two, beside b's none of one; b: none
    # of one, beside a's two of two; r stood for them twice and stayed: 2.5 / 3 of all did.
    stands = (2 + 4 * (2.5 / 3)) / (2 + 4)
    assert found.probability.tolist() == pytest.approx(
        [
            stands * (2 + 2 * (0 + 4 * 0.625) / (1 + 4)) / (2 + 2),
            stands * (0 + 2 * (2 + 4 * 0.625) / (2 + 4)) / (1 + 2),
        ]
    )
    # Of two of four addresses one, a, has it with a half at the least: it came out otherwise.
    half = skipping_table(found, 4).to_pylist()[0]
    assert half["addresses"] == 1 and half["share of all addresses"] == 0.25
    assert (half["downloaded again"], half["visits missed"]) == (1, 1)
    assert half["share still the same"] == 0
    # c has the text and knows of itself nothing; b had it one of two times.
    assert [row["page"] for row in listed] == [2, 3] or [row["page"] for row in listed] == [3, 2]
    assert listed[0]["probability"] >= listed[1]["probability"]
    assert {row["cluster"] for row in listed} == {0}


def test_of_an_address_without_a_host_nothing_is_known_of_one() -> None:
    """Never less than nothing: probabilities are shares of what was counted."""
    snapshots = [{"/r": 1, "/a": 1, "/b": 1}] * 4
    with local_run().database() as database:
        database_of(database, snapshots)
        add_visits(database, 4)
        table, _ = histories_of(database, 4)
    assert [row["visits"] for row in table.to_pylist()] == [3, 3]
    assert [row["host_visits"] for row in table.to_pylist()] == [0, 0]
    assert [row["host_same"] for row in table.to_pylist()] == [0, 0]
