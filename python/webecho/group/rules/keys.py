"""*Keys*: what two pages must share to be looked at together.

Some keys decide by themselves, and make *sets* of pages that are the same; by others pages only
become *candidates*, which a check decides on (checks.py). They are values: how pages with a key in
common are found is an engine's business.
"""

from dataclasses import dataclass


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
