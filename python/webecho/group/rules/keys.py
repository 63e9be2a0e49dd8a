"""*Keys*: what two pages must share to be looked at together.

Some keys decide by themselves, and make *sets* of pages that are the same; by others pages only
become *candidates*, which a check decides on (checks.py). Sets say which pages can be the same as
others at all: those that have a value in one of their `columns`, if they name any, and are
`longer_than` so many characters. They are values: how pages with a key in
common are found is an engine's business.
"""

from dataclasses import dataclass

from webecho.chunkings import Chunking

# What a page of any length is longer than.
ANY_LENGTH = -1


@dataclass(frozen=True)
class Digest:
    """The same digest, in the first of these columns (of digests of 16 bytes) in which a page has
    one; a page that has none is the same as nobody. `name` is that of the rule which goes by it
    alone, `of` in words what is the same."""

    name: str
    columns: tuple[str, ...]
    of: str

    @property
    def evidence(self) -> str:
        """What a pair of such pages is said to have."""
        return f"same_{self.name}"

    @property
    def longer_than(self) -> int:
        return ANY_LENGTH

    @property
    def tables(self) -> tuple[str, ...]:
        """The page tables that it is about."""
        return ()


# The same bytes stored and read: a body that was decoded has a digest of both.
PAYLOAD = Digest("payload", ("payload_digest", "markup_digest"), "stored bytes")
# The same visible text, white space folded, case and symbols as they are.
TEXT = Digest("text", ("text_digest", "markup_digest"), "visible text")
# Henzinger 2006: the pages with the same token sequence.
IDENTITY = Digest("tokens", ("digest", "markup_digest"), "tokens")
# A page without text or tokens belongs only with pages of the same raw bytes, and an empty page
# with none. By these every dedup tells how pages agree; the strictest comes first.
DIGESTS = (PAYLOAD, TEXT, IDENTITY)
# The columns that are of bytes, whatever these say.
OF_BYTES = PAYLOAD.columns


@dataclass(frozen=True)
class Paragraphs:
    """The same shingle paragraphs, each as often, of pages with more characters than this."""

    longer_than: int
    name: str = "paragraphs"
    evidence: str = "same_paragraphs"
    tables: tuple[str, ...] = ("paragraphs",)
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class SameChunks:
    """The same sequence of chunks, of pages with at least so many different ones. Of fingerprints
    so many bits are compared."""

    chunking: Chunking
    least: int
    bits: int
    name: str = "chunks"
    evidence: str = "copy"
    longer_than: int = ANY_LENGTH
    columns: tuple[str, ...] = IDENTITY.columns[:1]

    @property
    def tables(self) -> tuple[str, ...]:
        return (self.chunking.table,)


Sets = Digest | Paragraphs | SameChunks


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


@dataclass(frozen=True)
class Chunks:
    """A chunk, unless it stands on more than `most` pages."""

    chunking: Chunking
    bits: int
    most: int | None = None


Keys = Bands | Supershingles | Pieces | Chunks
