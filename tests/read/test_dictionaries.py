"""Columns of categories."""

import pyarrow as pa
import pytest

from webecho.read.dictionaries import decoded


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_values_are_told_for_their_numbers(kind: pa.DataType) -> None:
    values = pa.array(["long enough to be a view of something", "b"]).cast(kind)
    column = pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 1], pa.uint32()), values)
    assert decoded(column.slice(1)).to_pylist() == [None, values[0].as_py(), "b"]
