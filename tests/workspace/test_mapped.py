"""Columns in mapped files are what they were."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.workspace.mapped import mapped_numbers, mapped_texts, mapped_values

NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.lists(NUMBERS)))
def test_values_come_one_after_the_other(lists: list[list[int]]) -> None:
    found = mapped_values(pa.array(each, pa.int64()) for each in lists)
    assert found.to_pylist() == [value for each in lists for value in each]


@given(st.lists(st.lists(NUMBERS | st.none())))
def test_numbers_may_be_missing(lists: list[list[int | None]]) -> None:
    found = mapped_numbers(pa.array(each, pa.int64()) for each in lists)
    assert found.to_pylist() == [value for each in lists for value in each]


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])) | st.none())))
def test_texts_may_be_missing_empty_and_of_any_script(lists: list[list[str | None]]) -> None:
    found = mapped_texts(pa.array(each, pa.string()) for each in lists)
    assert found.to_pylist() == [text for each in lists for text in each]


@pytest.mark.parametrize("start", [0, 1, 3])
def test_a_slice_has_only_its_own_rows(start: int) -> None:
    texts = pa.array(["a", None, "ccc", "", "é"]).slice(start)
    assert mapped_texts([texts]).to_pylist() == texts.to_pylist()
    numbers = pa.array([1, None, 3, 4, 5]).slice(start)
    assert mapped_numbers([numbers]).to_pylist() == numbers.to_pylist()
