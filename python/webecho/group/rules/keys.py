"""*Keys*: what two pages must share to be looked at together.

Some keys decide by themselves, and make *sets* of pages that are the same; by others pages only
become *candidates*, which a check decides on (checks.py). They are values: how pages with a key in
common are found is an engine's business.
"""

from dataclasses import dataclass
from math import comb

from webecho.errors import SettingsError

# Pieces are at most so wide, and at most so many.
PIECE_BITS, MOST_PIECES = 32, 64


@dataclass(frozen=True)
class Digest:
    """The same digest, in the first of these columns in which a page has one; a page that has none
    is the same as nobody. `name` is that of the rule which goes by it alone, `of` in words what is
    the same."""

    name: str
    columns: tuple[str, ...]
    of: str

    @property
    def evidence(self) -> str:
        """What a pair of such pages is said to have."""
        return f"same_{self.name}"


# The same bytes stored and read: a body that was decoded has a digest of both.
PAYLOAD = Digest("payload", ("payload_digest", "markup_digest"), "stored bytes")
# The same visible text, white space folded, case and symbols as they are.
TEXT = Digest("text", ("text_digest", "markup_digest"), "visible text")
# Henzinger 2006: the pages with the same token sequence.
IDENTITY = Digest("tokens", ("digest", "markup_digest"), "tokens")
# A page without text or tokens belongs only with pages of the same raw bytes, and an empty page
# with none. The strictest comes first.
DIGESTS = (PAYLOAD, TEXT, IDENTITY)
# The columns that are of bytes, whatever these say.
OF_BYTES = PAYLOAD.columns


@dataclass(frozen=True)
class Paragraphs:
    """The same shingle paragraphs, each as often, of pages with more characters than this."""

    longer_than: int
    name: str = "paragraphs"
    evidence: str = "same_paragraphs"


Sets = Digest | Paragraphs


@dataclass(frozen=True)
class Bands:
    """A *band*: some adjacent features, at the same place. Of candidates those stay that agree in
    at least so many features in all."""

    bands: int
    width: int
    least: int


@dataclass(frozen=True)
class Supershingles:
    """A supershingle, at the same place."""


@dataclass(frozen=True)
class Pieces:
    """A *piece*: some adjacent bits of the projection, at the same place. Where fewer are `asked`
    for than it takes to find all pairs, what those do not find counts as missed."""

    count: int
    asked: int | None = None


Keys = Bands | Supershingles | Pieces


def bands_for(m: int, resemblance: float) -> Bands:
    """The bands of m features by which nearly all pairs of a resemblance become candidates."""
    chosen = banding(m, resemblance)
    return Bands(chosen.bands, chosen.width, sifting(m, resemblance))


@dataclass(frozen=True)
class Banding:
    """How many bands of how many features make candidates for a resemblance."""

    bands: int
    width: int

    def recall(self, resemblance: float) -> float:
        """The chance that two pages of this resemblance agree in at least one band."""
        return 1 - (1 - resemblance**self.width) ** self.bands


# The chance with which a pair just at the threshold must become a candidate; pairs above it have
# a greater one. Wider bands are fewer false candidates, so the widest that reaches it is taken.
WANTED_RECALL = 0.995


def banding(m: int, resemblance: float) -> Banding:
    """The widest bands of m features that still find nearly all pairs of the resemblance."""
    options = (Banding(m // width, width) for width in range(m, 0, -1))
    return next(
        (option for option in options if option.recall(resemblance) >= WANTED_RECALL),
        Banding(m, 1),
    )


# The chance with which a pair just at the threshold agrees in fewer features than asked for.
SIFTED_OUT = 0.0001


def sifting(m: int, resemblance: float) -> int:
    """In how many of m features two pages agree at the least if they have the resemblance.

    The number is binomial for independent functions; features by rounds spread less.
    """
    below = 0.0
    for count in range(m):
        below += comb(m, count) * resemblance**count * (1 - resemblance) ** (m - count)
        if below > SIFTED_OUT:
            return count
    return m


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
        raise SettingsError(f"pieces = {asked}: {bits} bits make {fewest} to {MOST_PIECES} pieces")
    if asked is None or asked >= enough:
        return Pieces(max(enough, asked or 0))
    return Pieces(enough, asked)


def all_pieces(least: int, bits: int) -> int:
    """How many pieces it takes to find all pairs of which so many bits agree: one more than can
    differ."""
    return max(bits - least + 1, -(-bits // PIECE_BITS))
