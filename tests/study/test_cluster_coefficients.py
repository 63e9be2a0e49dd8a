"""Containment and similarity of clusters, by hand, and against sets of addresses."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest

from tests.study.clusters_given import database_of
from webecho.engine.local.engine import local_run
from webecho.errors import SettingsError
from webecho.study.cluster_coefficients import (
    Missing,
    averages,
    check_missing,
    each_address,
)
from webecho.study.persistence import known_addresses
from webecho.study.size_classes import CLASS_NAMES, CLASSES

# Two snapshots: the cluster of each address. Of {a, b, c, d} a and b stay together, c goes to e's,
# and d is gone; e was single, f is gone too, g is new and comes to a and b.
FIRST = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 2, "f": 3}
SECOND = {"a": 7, "b": 7, "g": 7, "c": 8, "e": 8}
Snapshots = Sequence[Mapping[str, int]]


def found(several: Snapshots, number: int, missing: Missing) -> tuple[pa.Table, pa.Table]:
    run = local_run()
    with run.database() as database:
        database_of(database, several)
        absent = known_addresses(database, len(several)).absent[number - 1]
        return (
            averages(database, number, absent, missing),
            each_address(database, number, absent, missing, 10**6),
        )


def by_class(table: pa.Table) -> dict[str, tuple[int, float, float, float]]:
    return {
        row["cluster size in 1"]: (
            row["addresses"],
            row["containment Φ₁ⁿ"],
            row["similarity Ψ"],
            row["containment Φₙ¹"],
        )
        for row in table.to_pylist()
    }


def test_by_hand_with_a_cluster_of_what_could_not_be_downloaded() -> None:
    table, _ = found([FIRST, SECOND], 2, "cluster")
    # a, b: 2 of 4 together, of 3 there, of 5 in all. c: 1 of 4, of 2, of 5. d, with f in the
    # cluster of what could not be downloaded: 1 of 4, of 2, of 5.
    # e: 1 of 1, of 2, of 2. f: 1 of 1, of 2, of 2.
    assert by_class(table) == {
        "1 page": (2, 1.0, 0.5, 0.5),
        "2–10 pages": (
            4,
            pytest.approx((0.5 + 0.5 + 0.25 + 0.25) / 4),
            pytest.approx((0.4 + 0.4 + 0.2 + 0.2) / 4),
            pytest.approx((2 / 3 + 2 / 3 + 0.5 + 0.5) / 4),
        ),
    }


def test_by_hand_with_what_is_missing_left_out() -> None:
    table, _ = found([FIRST, SECOND], 2, "drop")
    # a, b: 2 of {a, b, c}, of {a, b, g}, of {a, b, c, g}; c: 1 of 3, of {c, e}, of {a, b, c, e}.
    assert by_class(table) == {
        "1 page": (1, 1.0, 0.5, 0.5),
        "2–10 pages": (
            3,
            pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 3),
            pytest.approx((2 / 4 + 2 / 4 + 1 / 4) / 3),
            pytest.approx((2 / 3 + 2 / 3 + 1 / 2) / 3),
        ),
    }


def test_a_snapshot_with_itself() -> None:
    table, _ = found([FIRST, SECOND], 1, "cluster")
    assert by_class(table) == {"1 page": (2, 1, 1, 1), "2–10 pages": (4, 1, 1, 1)}


def sets(snapshot: Mapping[str, int]) -> dict[str, frozenset[str]]:
    """The cluster of each address as a set."""
    members = defaultdict(set)
    for address, cluster in snapshot.items():
        members[cluster].add(address)
    return {address: frozenset(members[cluster]) for address, cluster in snapshot.items()}


def brute_force(several: Snapshots, number: int, missing: Missing) -> dict[str, list[Any]]:
    """Φ₁ⁿ, Ψ and Φₙ¹ of each address, by its class."""
    first, last = sets(several[0]), sets(several[number - 1])
    known = {address for each in several[:number] for address in each}
    gone = frozenset(known - {*last})
    values = defaultdict(list)
    for address, one in first.items():
        size = next(
            name
            for name, (low, high) in zip(CLASS_NAMES, CLASSES, strict=True)
            if low <= len(one) <= (high or 10**9)
        )
        other = last.get(address)
        if other is None:
            if missing == "drop":
                continue
            other = gone
        ours = one - gone if missing == "drop" else one
        both = len(ours & other)
        values[size].append((both / len(ours), both / len(ours | other), both / len(other)))
    return values


def made_up(seed: int) -> Snapshots:
    chance = random.Random(seed)
    snapshots = []
    for _ in range(4):
        there = chance.sample(range(900), 700)
        # Some clusters of over a hundred, some of a few, many single.
        snapshots.append({f"u{each}": int(chance.paretovariate(0.4)) for each in there})
    return snapshots


@pytest.mark.parametrize("missing", ["cluster", "drop"])
@pytest.mark.parametrize("seed", range(3))
def test_against_sets(seed: int, missing: Missing) -> None:
    several = made_up(seed)
    for number in (2, 4):
        table, each = found(several, number, missing)
        expected = brute_force(several, number, missing)
        rows = by_class(table)
        assert rows.keys() == expected.keys() and len(rows) > 2
        for name, (addresses, *means) in rows.items():
            assert addresses == len(expected[name])
            for at, mean in enumerate(means):
                assert mean == pytest.approx(sum(v[at] for v in expected[name]) / addresses)
            contained, alike, reverse = means
            assert alike <= min(contained, reverse) + 1e-12
        assert rows["1 page"][1] == 1
        # And of each address by itself.
        columns = [each[name].to_pylist() for name in ("contained", "alike", "reverse")]
        ours = sorted(zip(*columns, strict=True))
        assert ours == sorted(value for values in expected.values() for value in values)
        assert all(
            row["alike"] <= min(row["contained"], row["reverse"]) for row in each.to_pylist()
        )


def test_ways_to_take_what_is_missing() -> None:
    with pytest.raises(SettingsError, match="--missing away"):
        check_missing("away")
