"""Columns in mapped files are what they were."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.workspace import mapped
from webecho.workspace.mapped import (
    by_blocks,
    flagged,
    mapped_numbers,
    mapped_texts,
    mapped_values,
    mapped_zeros,
)

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


@given(st.lists(NUMBERS | st.none(), max_size=40))
def test_what_is_made_of_many_rows_is_what_is_made_of_all(values: list[int | None]) -> None:
    column = pa.array(values, pa.int64())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapped, "BLOCK", 4)
        for work in (
            pc.is_null,
            lambda some: some.drop_null(),
            lambda some: pc.max_element_wise(some, 3),
        ):
            assert by_blocks(work, column).equals(work(column))
            chunked = pa.chunked_array([column[:3], column[3:]])
            assert by_blocks(work, chunked).equals(work(column))


def test_many_zeros_can_be_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "BLOCK", 4)
    for count in (0, 3, 4, 9):
        zeros = mapped_zeros(count, np.int64)
        assert zeros.tolist() == [0] * count
        zeros[count // 2 :] = 7
        assert zeros.tolist() == [0] * (count // 2) + [7] * (count - count // 2)


@given(st.lists(st.integers(0, 40), max_size=40))
def test_flags_are_those_of_the_pages(pages: list[int]) -> None:
    found = flagged(31, pa.chunked_array([pa.array(pages, pa.uint32())]))
    assert found.to_pylist() == [page in pages for page in range(31)]
