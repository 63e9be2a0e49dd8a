"""Lists have addresses in the place of page numbers."""

import pyarrow as pa

from webecho.engine.local.engine import local_run
from webecho.engine.protocol import Database
from webecho.study.cluster_events import ARRIVED, SUMMARY, Step
from webecho.study.evolution_lists import coefficient_list, event_lists, revisit_list, urls

ONE, TWO = ["a", "b", "c"], ["x", "a", "b"]


def with_addresses(database: Database) -> None:
    for number, names in ((1, ONE), (2, TWO)):
        table = pa.table({"page": pa.array(range(3), pa.int64()), "url": names})
        database.add(f"sketches_{number}", table)


def test_addresses_of_pages() -> None:
    with local_run().database() as database:
        with_addresses(database)
        assert urls(database, 1, [2, None, 0, 2]) == {0: "a", 2: "c"}
        assert urls(database, 2, []) == {}


def test_events_and_their_pages() -> None:
    largest = [
        ("death", 0, None, 3, 0, 0, 0),
        ("growth", 0, 1, 1, 2, 1, 1),
    ]
    names = ("event", "earlier", "later", "pages_before", "pages_after", "shared", "parts")
    # Of the death: a is with x now, b is single, c is gone; of the growth: a was in its cluster,
    # and x is new.
    earlier = [
        ("death", 0, 0, True, 0, 2),
        ("death", 0, 1, True, 2, 1),
        ("death", 0, 2, False, None, None),
    ]
    later = [("growth", 1, 1, True, 0, 3), ("growth", 1, 0, False, None, None)]
    columns = ("event", "cluster", "page", "there", "other_first", "other_size")

    def table(names: tuple[str, ...], rows: list[tuple[object, ...]]) -> pa.Table:
        return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])

    step = Step(
        *(1, SUMMARY.empty_table(), ARRIVED.empty_table(), table(names, [*largest])),
        (table(columns, [*earlier]), table(columns, [*later])),
    )
    with local_run().database() as database:
        with_addresses(database)
        events, pages = event_lists(database, [step])
    assert [[*row.values()] for row in events.to_pylist()] == [
        [1, 2, "death", "a", None, 3, 0, 0, 0],
        [1, 2, "growth", "a", "a", 1, 2, 1, 1],
    ]
    assert [[*row.values()][2:] for row in pages.to_pylist()] == [
        ["death", "a", "a", "a", "x"],
        ["death", "a", "b", "a", "single"],
        ["death", "a", "c", "a", "gone"],
        ["growth", "a", "a", "a", "a"],
        ["growth", "a", "x", "new", "a"],
    ]


def test_candidates_and_coefficients() -> None:
    found = {"page": [2], "cluster": [0], "size": [3], "same_now": [1], "visits": [4], "same": [3]}
    each = {"page": [1], "one_size": [2], "other_size": [4], "shared": [1]}
    shares = {"contained": [0.5], "reverse": [0.25], "alike": [0.2]}
    with local_run().database() as database:
        with_addresses(database)
        [row] = revisit_list(database, 2, pa.table(found | {"probability": [0.75]})).to_pylist()
        [coefficients] = coefficient_list(database, pa.table(each | shares)).to_pylist()
    assert [*row.values()] == ["b", "x", 3, True, 4, 3, 0.75]
    assert [*coefficients.values()] == ["b", 2, 4, 1, 0.5, 0.2, 0.25]
