"""Pieces are made for the bits that must agree."""

import pytest

from webecho import SettingsError
from webecho.group.rules.keys import Pieces
from webecho.group.rules.pieces import all_pieces, pieces_for


def test_one_piece_more_than_bits_may_differ_finds_all() -> None:
    assert all_pieces(372, 384) == 13
    assert all_pieces(355, 384) == 30
    # Pieces of more than 32 bits are not made.
    assert all_pieces(384, 384) == 12


def test_fewer_pieces_than_find_all_pairs_are_asked_for_beside() -> None:
    assert pieces_for(384, 372, None) == Pieces(13)
    assert pieces_for(384, 372, 12) == Pieces(13, asked=12)
    # As many, or more, find all.
    assert pieces_for(384, 372, 13) == Pieces(13)
    assert pieces_for(384, 372, 20) == Pieces(20)


def test_what_pieces_cannot_find() -> None:
    with pytest.raises(SettingsError, match="320 is too low to be looked for; give 321 or more"):
        pieces_for(384, 320, None)
    for asked in (11, 65):
        with pytest.raises(SettingsError, match=f"--pieces {asked}: 384 bits make 12 to 64"):
            pieces_for(384, 372, asked)
