"""Tables of query logs, as people are shown them."""

import pyarrow as pa

from webecho.study.query_logs import QueryLog
from webecho.study.querylog_tables import by_number, log_row, mean_row
from webecho.study.reuse_conditions import NAMES


def test_minimal_numbers_are_columns_for_people() -> None:
    rows = [
        {"pair": "a", "log": "l", "minimal number": minimal, "condition": name}
        | {"before": 9 - number, "after": 8 - number}
        for minimal in (5, 10)
        for number, name in enumerate(NAMES)
    ]
    found = by_number(pa.Table.from_pylist(rows), ["pair", "log", "condition"], "after").to_pylist()
    assert [row["condition"] for row in found] == ["new similar documents", *NAMES]
    assert [row["at 5"] for row in found] == [9, 8, 7, 6, 5, 4, 3]
    assert found[0].keys() == {"pair", "log", "condition", "at 5", "at 10"}


def test_shares_and_means() -> None:
    one = QueryLog("one", "f", ("a", "b"), 9, 200, 30, 20, 10)
    two = QueryLog("two", "f", ("a",), 9, 100, 10, 10, 10)
    assert log_row(one)["share of requests covered"] == 0.15
    assert log_row(QueryLog("topics", "f", ("a",), 9))["share of requests covered"] is None
    found = mean_row(QueryLog("log", "f", (), 9, periods=(one, two)))
    assert (found["average most frequent"], found["average least frequent"]) == (15, 10)
    assert found["average share of requests covered"] == 0.125
