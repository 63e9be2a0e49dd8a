"""*Keys*: what two pages must share to be looked at together.

Some keys decide by themselves, and make *sets* of pages that are the same; by others pages only
become *candidates*, which a check decides on (checks.py). They are values: how pages with a key in
common are found is an engine's business.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Digest:
    """The same digest, in the first of these columns in which a page has one; a page that has none
    is the same as nobody. `evidence` is what a pair of such pages is said to have."""

    columns: tuple[str, ...]
    evidence: str


# Henzinger 2006: the pages with the same token sequence. A page without tokens belongs only with
# pages of the same raw bytes, and an empty page with none.
IDENTITY = Digest(("digest", "markup_digest"), "same_tokens")


@dataclass(frozen=True)
class Paragraphs:
    """The same shingle paragraphs, each as often, of pages with more characters than this."""

    longer_than: int
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
