"""What persists, is gone and new; and hosts that are absent at once."""

import pyarrow as pa

from tests.study.clusters_given import database_of
from webecho.engine.local.engine import local_run
from webecho.study.persistence import (
    ABSENT,
    Addresses,
    absent_hosts,
    known_addresses,
    lost_at_once,
    persistence,
)

ONE = {"h/1": 1, "h/2": 2, "i/1": 3}
TWO = {"h/1": 1, "h/3": 5}
THREE = {"h/1": 9, "i/1": 3, "h/3": 5}


def test_from_each_snapshot_to_the_next() -> None:
    with local_run().database() as database:
        database_of(database, [ONE, TWO, THREE])
        known = known_addresses(database, 3)
        rows = persistence(database, known.there).to_pylist()
        hosts = absent_hosts(database, 3).to_pylist()
    # Of h/1, h/2, i/1 two are absent in the second; of these and h/3, h/2 is in the third.
    assert known == Addresses((3, 2, 3), (0, 2, 1))
    first, second = ([*row.values()][2:8] for row in rows)
    # Addresses, persisting, byte-identical, with the same words, gone, new.
    assert first == [3, 1, 1, 1, 2, 1]
    assert second == [2, 2, 1, 1, 0, 1]
    assert rows[0]["share persisting"] == 1 / 3
    assert [tuple(row.values()) for row in hosts] == [
        (2, 2, 1, 0.5, 1, 1),
        (3, 1, 0, 0.0, 0, None),
    ]


def absent(*shares: float) -> pa.Table:
    rows = [
        dict(zip(ABSENT.names, (number, 1000, round(1000 * share), share, 1, 0), strict=True))
        for number, share in enumerate(shares, 2)
    ]
    return pa.Table.from_pylist(rows, ABSENT)


def test_a_failed_disk_is_told_from_hosts_that_go() -> None:
    def told(*shares: float) -> list[int]:
        return [row["snapshot"] for row in lost_at_once(absent(*shares))]

    assert told(0.01, 0.25, 0.02, 0.01) == [3]
    # Always so many, or hardly any: that is the web.
    assert told(0.1, 0.12, 0.09, 0.1) == []
    assert told(0.001, 0.04, 0.001) == []
    assert told(0.3) == [2]
    assert told(0.0) == []
