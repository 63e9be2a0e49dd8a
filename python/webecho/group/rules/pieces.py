"""How many pieces of the projection it takes to find the pairs of which so many bits agree."""

from webecho.errors import SettingsError, setting
from webecho.group.rules.keys import Pieces

# Pieces are at most so wide, and at most so many.
PIECE_BITS, MOST_PIECES = 32, 64


def pieces_for(bits: int, least: int, asked: int | None) -> Pieces:
    """The pieces of so many bits by which all pairs become candidates of which so many bits agree,
    and what fewer pieces find, if that is asked for."""
    enough = all_pieces(least, bits)
    if enough > MOST_PIECES:
        lowest = bits - MOST_PIECES + 1
        raise SettingsError(
            f"a C-similarity of {least} is too low to be looked for; give {lowest} or more"
        )
    fewest = -(-bits // PIECE_BITS)
    if asked is not None and not fewest <= asked <= MOST_PIECES:
        raise SettingsError(
            setting("pieces").to(asked), f": {bits} bits make {fewest} to {MOST_PIECES} pieces"
        )
    if asked is None or asked >= enough:
        return Pieces(max(enough, asked or 0))
    return Pieces(enough, asked)


def all_pieces(least: int, bits: int) -> int:
    """How many pieces it takes to find all pairs of which so many bits agree: one more than can
    differ."""
    return max(bits - least + 1, -(-bits // PIECE_BITS))
