"""Rows of types from which Arrow takes none, and of all others."""

import pyarrow as pa
import pytest

import webecho
from webecho.read.taking import one_array, stretches, taken_rows

TEXTS = ["one text here", "one text here", "another text", None]
RUNS = pa.RunEndEncodedArray.from_arrays(pa.array([1, 3, 4]), pa.array(["a", "b", None]))


@pytest.mark.parametrize(
    "column",
    [
        pa.array(TEXTS),
        pa.array(TEXTS, pa.string_view()),
        pa.array([None if text is None else text.encode() for text in TEXTS], pa.binary_view()),
        pa.array([[1], [2, 3], [], None], pa.list_view(pa.int64())),
        pa.array([{"a": text} for text in TEXTS], pa.struct([("a", pa.string_view())])),
        RUNS,
    ],
    ids=lambda column: str(column.type),
)
def test_rows_keep_their_types(column: pa.Array) -> None:
    table = pa.table({"more": [1, 2, 3, 4], "column": column})
    for rows in ([0, 2, 3], [1], [], [0, 1, 2, 3]):
        found = taken_rows(table, rows)
        assert found.schema == table.schema
        assert found.to_pylist() == [table.to_pylist()[row] for row in rows]
        assert one_array(found["column"]).to_pylist() == found["column"].to_pylist()


def test_rows_that_follow_each_other() -> None:
    assert [*stretches([0, 1, 4, 6, 7, 8])] == [(0, 2), (4, 1), (6, 3)]
    assert [*stretches([])] == []


@pytest.mark.parametrize("kind", [pa.string_view(), pa.binary_view()])
def test_views_are_deduplicated(kind: pa.DataType) -> None:
    texts = pa.array(TEXTS[:3], pa.large_string()).cast(
        pa.large_binary() if kind == pa.binary_view() else pa.large_string()
    )
    text = texts.cast(kind)
    table = pa.table({"text": text, "runs": RUNS.slice(0, 3)})
    expected = [table.to_pylist()[row] for row in (0, 2)]
    assert webecho.dedup(table).kept.to_pylist() == expected
    assert webecho.dedup(table).kept.schema == table.schema
    [batch] = table.to_batches()
    assert webecho.dedup(batch).kept.to_pylist() == expected
    if kind == pa.string_view():
        assert webecho.dedup(text).kept.to_pylist() == [TEXTS[0], TEXTS[2]]
