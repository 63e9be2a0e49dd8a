"""The compiled kernels, typed and documented. Arrow data goes in and out; threads run in Rust.

Everything here is private: `webecho.sketch`, `webecho.pairs` and `webecho.clusters` are the doors.
Arrays are handed over by the Arrow C data interface, without a copy where their layout allows it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

__version__: str

class Sketcher:
    """Takes pages to sketches by one recipe, on its own threads."""

    def __new__(cls, recipe: Mapping[str, Any], threads: int) -> Sketcher: ...
    def sketch(self, pages: pa.RecordBatch, columns: Sequence[str]) -> pa.RecordBatch:
        """One row for each page: `chars`, `tokens`, `title`, `hollow`, `markup_digest`, `digest`,
        and of `features`, `supershingles`, `projection`, `shingles` those in `columns`.

        `pages` needs `body` (any binary or string type), `markup`, `charset` and `url`. A null body
        gives a row of nulls; a page without tokens gives null lists. `shingles` are the distinct
        ones, ascending as unsigned numbers.
        """

    def text(self, body: bytes, markup: bool, charset: str | None) -> str:
        """The text of one page."""

    def tokens(
        self, body: bytes, markup: bool, charset: str | None, url: str | None
    ) -> pa.Int64Array:
        """The fingerprints of one page's tokens, in order."""

class Forest:
    """A union-find forest over the pages 0 … n − 1; a cluster is named by its lowest page."""

    def __new__(cls, pages: int, threads: int) -> Forest: ...
    def unite(self, left: pa.Array, right: pa.Array) -> None:
        """Joins page with page, row by row."""

    def unite_equal(self, pages: pa.Array, keys: pa.Array) -> None:
        """Joins pages whose keys (16 bytes) are equal; a null equals nothing."""

    def unite_agreeing(
        self, pages: pa.Array, supershingles: pa.Array, least: int, first: int
    ) -> None:
        """Joins pages that agree in supershingle `first` and in at least `least` − 1 after it.

        `supershingles` are the flat values, the same number for each page.
        """

    def clusters(self) -> tuple[pa.Array, pa.Array]:
        """The cluster of every page, and its size."""

class Bands:
    """Collects bands of `width` adjacent features of every page, some bands a round."""

    def __new__(cls, m: int, width: int, threads: int) -> Bands: ...
    def begin(self, bands: int) -> None:
        """Begins a round for the next `bands` bands: all pages are added, or added again."""

    def add(self, pages: pa.Array, features: pa.Array) -> None:
        """Takes in pages by ascending number, with their flat features, m each."""

    def close(self) -> Candidates:
        """Groups the pages by each band. Can be done once."""

class Candidates:
    """Pages that agree with another in at least one band."""

    @property
    def bands(self) -> int: ...
    def members(self) -> pa.Array:
        """The pages in at least one candidate pair, ascending."""

    def pairs(
        self,
        band: int,
        resemblance: float,
        values: pa.Array,
        starts: pa.Array | None = None,
        ends: pa.Array | None = None,
    ) -> pa.RecordBatch:
        """The pairs that agree in this band and none before, and have the resemblance.

        With `starts` and `ends`, which say where each member's set lies in `values`, these are
        shingle sets, and the resemblance is exact; without, they are the members' features, and it
        is an estimate. Columns: `left`, `right`, `shared`, `left_size`, `right_size`.
        """

    def unite(
        self,
        forest: Forest,
        resemblance: float,
        values: pa.Array,
        starts: pa.Array | None = None,
        ends: pa.Array | None = None,
    ) -> None:
        """Joins in the forest what all `pairs` would join, without comparing what is joined."""
