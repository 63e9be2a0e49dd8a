"""Pages, and the sources they are read from.

A *page* is one fetched document: url, bytes, date, ip. A *source* is one file (or table) that
holds pages; a *place* is where in its source a page stands: the byte offset of its record in a
WARC or ARC file, the number of its row in a table, 0 in a file that is one page. Places grow
strictly in the order in which a source gives its pages and skipped records.

Every reader makes `Source`s, and every source gives `Batch`es; nothing after this stage knows
which format a page came from. What a later stage has to know of a source, the source says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from webecho.formats.looks import Look
from webecho.formats.skipped import Skipped

# `body` may be of any binary or string type, so that a table's column is handed on without a copy.
# `markup` says whether the body is HTML or plain text, null that it is neither, such as an image,
# of which only the bytes are compared. `stored_digest` is that of the bytes as they were stored,
# where the body was decoded or converted and is not the same any more. `charset` is what the HTTP
# header declared, or that of text; null is to be told by what the bytes look like.
# `keys` are the fingerprints by which a WARC revisit record can refer to this page (its record id,
# its address and date, its payload digest); `refers` are those that this page, being a revisit,
# refers to: then it has no body of its own; `beside` is that of the record (the request) which it
# says belongs to it. `by`, `values` and `ranked` come from columns of a table that the user named,
# a value from each: what keeps groups of pages apart, and by what it is decided which of several
# pages stays, as sort keys (see `sort_keys.py`) and as names.
PAGES = pa.schema(
    [
        pa.field("id", pa.string()),
        pa.field("url", pa.string()),
        pa.field("ip", pa.string()),
        pa.field("fetched", pa.timestamp("us", tz="UTC")),
        pa.field("place", pa.int64(), nullable=False),
        pa.field("markup", pa.bool_()),
        pa.field("charset", pa.string()),
        pa.field("body", pa.large_binary()),
        pa.field("keys", pa.list_(pa.int64())),
        pa.field("refers", pa.list_(pa.int64())),
        pa.field("beside", pa.int64()),
        pa.field("by", pa.list_(pa.string())),
        pa.field("values", pa.list_(pa.binary())),
        pa.field("ranked", pa.list_(pa.string())),
        pa.field("stored_digest", pa.binary()),
    ]
)

# A batch is cut at whichever comes first. Measured: smaller batches starve the threads, larger
# ones only cost memory.
BATCH_BYTES = 16 << 20
BATCH_PAGES = 8192

# Longer decoded bodies are not pages but accidents or attacks; they are skipped and counted.
MAX_PAGE_BYTES = 256 << 20


@dataclass(frozen=True)
class Batch:
    """Some pages of one source, in order of place, and what was skipped on the way."""

    pages: pa.RecordBatch
    skipped: tuple[Skipped, ...] = ()

    @property
    def end(self) -> int:
        """The last place in it."""
        last = [skipped.place for skipped in self.skipped[-1:]]
        last += self.pages["place"][-1:].to_pylist()
        return max(last, default=0)


@dataclass(frozen=True)
class Choice:
    """What is read of a source, in words, how many files that is, and whether one that is alone in
    that is called by its own name, not by that of its folder."""

    words: str
    files: int = 1
    by_name: bool = False


class Source(Protocol):
    """One file or table that holds pages, or the files of a folder that are pages."""

    @property
    def name(self) -> str:
        """The path or address that a person would use."""

    @property
    def format(self) -> str:
        """The format it is read as: `warc`, `parquet`, `jsonl`, `csv`, `html`, …"""

    @property
    def rereadable(self) -> bool:
        """Whether `read` works: false for standard input and other streams."""

    @property
    def in_memory(self) -> bool:
        """Whether it is a table that stands in no file."""

    @property
    def table(self) -> pa.Table | None:
        """The table, where it is one in memory whose rows can be read again."""

    @property
    def has_columns(self) -> bool:
        """Whether its pages are rows, made from columns that can be named."""

    @property
    def id_type(self) -> pa.DataType | None:
        """The type of its ids, text where it declares none; None where it has no ids."""

    @property
    def numeric_ids(self) -> bool:
        """Whether it declares no types, and its first ids are written as whole numbers."""

    @property
    def path_prefix(self) -> str | None:
        """Where each page is a file, with its path for a url: what stands before those paths in the
        names of the files. None where one file, or none, holds all pages."""

    @property
    def look(self) -> Look:
        """What its files looked like when it was opened."""

    def choice(self) -> Choice | None:
        """What is read of it, where there was something to choose and it was found."""

    def stamp(self) -> dict[str, int | str]:
        """Size and digest, to notice later that the source has changed."""

    def span(self) -> int | None:
        """About the last place in it, where that is known beforehand: how far is how much."""

    def passed(self, place: int) -> float | None:
        """About how much of its bytes, from 0 to 1, is read when this place is; None if unknown."""

    def breaks(self, size: int) -> Sequence[int]:
        """Places after which another reader can begin, about so many bytes apart."""

    @property
    def sure_breaks(self) -> bool:
        """Whether its breaks are such in any case; else one is, if a record turns out to stand
        there."""

    def narrowed(self, after: int, last: int | None) -> "Source":
        """What reads the same between these places, with no more at hand than that takes: it is
        sent to whoever reads them."""

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        """All pages and skipped records whose place is greater than `after`, and at most `last` if
        that is said."""

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        """The pages at these places (ascending) once more, as a batch of `PAGES`."""

    def close(self) -> None:
        """Lets go of what `read` holds to go on from; it begins anew when it is called again."""


@dataclass(frozen=True)
class Input:
    """One thing that was given, and the sources it has."""

    name: str
    sources: tuple[Source, ...]


def share_of(span: int | None, place: int) -> float | None:
    """About how much is read when this place is, where places go evenly up to the span."""
    return min(1.0, max(0, place) / span) if span else None
