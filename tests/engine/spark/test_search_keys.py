"""Keys of searches: equal where the kernels hold them for equal."""

import numpy as np
import pyarrow as pa
import pytest

from webecho.chunkings import Chunking
from webecho.engine.spark.search_keys import (
    agreeing_keys,
    key_column,
    mixed,
    piece_bits,
    positions,
    search_keys,
)
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Bands, Chunks, Pieces, Supershingles
from webecho.group.rules.rule import Search


def test_pieces_are_the_bits_at_a_place() -> None:
    number = int.from_bytes(bytes(range(1, 25)), "little")
    words = np.frombuffer(number.to_bytes(24, "little"), np.uint64).reshape(1, 3)
    for start, end in ((0, 29), (50, 80), (64, 96), (170, 192)):
        expected = number >> start & ((1 << (end - start)) - 1)
        assert piece_bits(words, start, end).tolist() == [expected]


def test_pieces_cover_the_projection() -> None:
    rows = np.arange(12, dtype=np.int64).reshape(2, 6)
    assert len([*positions(Pieces(13), rows)]) == 13


def test_bands_are_equal_where_their_features_are() -> None:
    rows = np.array([[1, 2, 3, 4], [1, 2, 4, 3], [2, 1, 3, 4]], np.int64)
    first, second = positions(Bands(2, 2, 1), rows)
    assert first[0] == first[1] != first[2]
    assert second[0] == second[2] != second[1]
    assert mixed(rows[:, :0]).tolist() == [0, 0, 0]


def rows_of(lists: list[list[int] | None]) -> pa.RecordBatch:
    column = pa.array(lists, pa.list_(pa.int64()))
    pages = pa.array(range(len(lists)), pa.int64())
    return pa.RecordBatch.from_arrays([pages, column], ["page", "supershingles"])


def test_pages_of_other_groups_have_other_keys() -> None:
    search = Search(Supershingles(), Agreement(1))
    rows = rows_of([[7, 8], None, [7, 9]])
    known = {"partition": pa.array([0, 0, 1], pa.uint32())}
    alone, apart = ([*search_keys([search], rows, each)] for each in ({}, known))
    assert [each.page.tolist() for each in alone] == [[0, 2], [0, 2]]
    assert alone[0].kind.tolist() == [0, 0]
    assert apart[0].kind[0] != apart[0].kind[1]
    assert apart[0].k0.tolist() == [7, 7]


def test_megashingles_are_two_supershingles() -> None:
    rows = rows_of([[1, 2, 3], [1, 9, 3]])
    found = [(each.k0.tolist(), each.k1.tolist()) for each in agreeing_keys(2, rows, {})]
    assert found == [([1, 1], [2, 9]), ([1, 1], [3, 3]), ([2, 9], [3, 3])]
    [all_three] = agreeing_keys(3, rows, {})
    assert all_three.k1[0] != all_three.k1[1]
    assert not [*agreeing_keys(2, rows_of([None]), {})]


def test_chunks_have_no_column() -> None:
    with pytest.raises(TypeError, match="table of their own"):
        key_column(Chunks(Chunking("page"), 64))
