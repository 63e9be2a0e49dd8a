"""The compiled kernels, typed and documented. Arrow data goes in and out; threads run in Rust.

Everything here is private: `webecho.sketch`, `webecho.pairs` and the like are the doors.
Arrays are handed over by the Arrow C data interface, without a copy where their layout allows it.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

__version__: str

def features_in_common(
    left: pa.Array,
    right: pa.Array,
    left_rows: pa.Array,
    right_rows: pa.Array,
    m: int,
    threads: int,
) -> pa.Array:
    """How many features, place by place, a row of `left` and one of `right` have in common, for
    each number in `left_rows` and the one beside it in `right_rows`; the features are flat, m a
    row."""

def difference(left: pa.Array, right: pa.Array) -> pa.RecordBatch:
    """The runs of equal values that two sequences of fingerprints have in common, in order.

    Columns `left` and `right` say where a run begins, `length` how long it is. Any two sequences
    take little more than a sort; what is found is not always the shortest difference.
    """

def address_keys(pages: pa.RecordBatch, threads: int) -> tuple[pa.Array, pa.Array]:
    """For each `url` the key of its normal form, and the key of the folder whose first page it is
    (`/a/` of `/a/index.html`); null where there is none. An address without a host is a path."""

def link_keys(links: pa.RecordBatch) -> pa.Array:
    """The key of each address in `location`, as seen from the address in `url`."""

def file_checksum(path: os.PathLike[str], hole: tuple[int, int] = (0, 0)) -> str:
    """The XXH3 of a file in 128 bits, as `xxhsum -H128` tells it, as if all bytes from the first to
    the second place of the hole were `0`."""

def checksum_of(content: bytes) -> str:
    """The same of bytes."""

def normal_address(address: str, base: str | None = None) -> str | None:
    """The normal form of an address, absolute or as seen from a base; None if it has none."""

def text_keys(texts: pa.Array) -> pa.Array:
    """Keys of what has no address, such as hosts; null for null."""

def registered(host: str) -> str:
    """The registered domain of a host in lower case, by ICANN's part of the public suffix list.

    A host that is itself a public suffix is one of its own.
    """

def term_differences(
    terms: tuple[pa.Array, pa.Array, pa.Array],
    left: pa.Array,
    right: pa.Array,
    most: int,
    threads: int,
) -> pa.RecordBatch:
    """How many terms a minimal diff of pairs of pages removes and adds.

    `terms` are the values of all pages (from `Sketcher.terms`), and where each page's start (−1 if
    they are not known) and end; `left` and `right` are places among these pages. Columns
    `term_difference` and `text_difference`, the latter without image terms: −1 is more than `most`,
    null is not known.
    """

def equal_words(
    terms: tuple[pa.Array, pa.Array, pa.Array], left: pa.Array, right: pa.Array, threads: int
) -> pa.RecordBatch:
    """The share of equal words of pairs of pages, given as to `term_differences`: twice those that
    a minimal diff leaves over all words of both.

    Columns `share`, null where the words of a page are not known, and `exact`: two pages that are
    too long and too different for a minimal diff have at least the share that is given.
    """

def lost_words(
    words: tuple[pa.Array, pa.Array, pa.Array], left: pa.Array, right: pa.Array, threads: int
) -> pa.Int64Array:
    """How many words of the pages on the left those on the right lack; null where they are not
    known. `words` are as the terms of `term_differences`, from `Sketcher.vocabulary`."""

class Documents:
    """Documents as the sequences of their shingle paragraphs.

    `paragraphs` are the values of all; `starts` and `ends` say where those of each document lie
    (Pereira 2006). Clusters are named by their lowest document, as places among the documents.
    """

    def __new__(
        cls, paragraphs: pa.Array, starts: pa.Array, ends: pa.Array, threads: int
    ) -> Documents: ...
    def equal(self) -> pa.UInt32Array:
        """For every document its cluster of those with the same paragraphs, each as often."""

    def identical(self) -> pa.UInt32Array:
        """The same of those with the same paragraphs in the same order."""

    def matching(self, equal: pa.Array) -> tuple[pa.UInt32Array, int]:
        """For every document its cluster of those with as many paragraphs, where all of one are
        found in the other; and the pairs of documents that match so and are not equal."""

    def near(self, least: float, equal: pa.Array, known: pa.Array) -> pa.UInt32Array:
        """For every document its cluster of near-duplicates: common paragraphs / max(n1, n2) is at
        least `least`. `known` are clusters that are joined anyway."""

    def growth(
        self, order: pa.Array, ends: Sequence[int], paper: bool
    ) -> tuple[pa.UInt32Array, list[pa.UInt32Array]]:
        """The clusters of `equal`, or if `paper` those of `matching`, found step by step: the
        documents in this order are cut at the `ends`, and each part is a step. As far as the steps
        go: for every document its cluster; and step, size, and number of clusters of that size."""

class ParagraphIndex:
    """A table of the paragraphs of old documents, in which those of new ones are looked up;
    paragraphs that more than `most` old documents have are left out (Baeza-Yates 2007)."""

    # How many paragraphs are left out.
    left_out: int

    def __new__(cls, old: Documents, most: int) -> ParagraphIndex: ...
    def left_out_of(self) -> pa.UInt32Array:
        """For every old document how many of its paragraphs are left out."""

    def look_up(
        self,
        new: Documents,
        lengths: Documents,
        wanted: tuple[pa.Array, pa.Array, pa.Array],
        least: int,
    ) -> tuple[pa.RecordBatch, pa.RecordBatch]:
        """What is found of some of the new documents: first a row for each old one that shares at
        least `least` paragraphs: `new`, the place among the wanted, `old`, `shared`, the different
        paragraphs, and `chars`, the characters of the new one in them; sorted by new and old. Then
        a row for each: `own_shared`, the paragraphs that it shares with its own old document,
        `left_out`, those of it that are left out, `chars` in all, those `kept` from its own, and of
        the others those `reused` from the rest.

        `lengths` has the characters of sentences in the place of paragraphs. Wanted are the places
        of new documents; of each its own old document, that of the same address, or 2³² − 1; and,
        if not 0, that others have the text of that, so that what is shared with it is reused
        too."""

    def shared(
        self,
        new: Documents,
        lengths: Documents,
        news: pa.Array,
        olds: pa.Array,
    ) -> tuple[pa.Int64Array, pa.Int64Array]:
        """For each pair the different paragraphs that both have, and the characters of the new
        one in them."""

class ParagraphTexts:
    """Compares the texts behind equal fingerprints of paragraphs; `folder` is for a file that takes
    a text for each, and goes away by itself."""

    # How many paragraphs had the fingerprint of another text.
    accidents: int

    def __new__(cls, paragraphs: pa.Array, folder: os.PathLike[str]) -> ParagraphTexts: ...
    def mended(self) -> pa.Int64Array:
        """All paragraphs, those with a value of their own that had the fingerprint of another."""

class Sketcher:
    """Takes pages to sketches by one recipe, on its own threads.

    Blocks whose keys are in `boilerplate` make no tokens, on pages whose `site` is given.
    """

    def __new__(
        cls, recipe: Mapping[str, Any], threads: int, boilerplate: pa.Array | None = None
    ) -> Sketcher: ...
    def sketch(
        self,
        pages: pa.RecordBatch,
        columns: Sequence[str],
        shelf: Shelf | None = None,
        numbers: pa.Array | None = None,
    ) -> pa.RecordBatch:
        """One row for each page: `chars`, `tokens`, `title`, `hollow`, `payload_digest`,
        `markup_digest`, `text_digest`, `digest`, and of `features`, `supershingles`, `projection`,
        `shingles`, `paragraphs` (with `overlapping_paragraphs`), `sentence_chars`, `links` (with
        `link_kinds`) and chunks (`chunks-lines-4`: see `chunks`) those in `columns`.

        `pages` needs `body` (any binary or string type), `markup` (null for what is neither HTML
        nor text), `charset` and `url`, and may have `stored_digest`. A null body gives a row of
        nulls; a page without tokens gives null lists. `shingles` are the distinct ones, ascending
        as unsigned numbers.

        A `shelf` takes the tokens of all pages, which have these `numbers`.
        """

    def words(self, pages: pa.RecordBatch) -> pa.RecordBatch:
        """One row for each page: `text`; `words`, its tokens as the text spells them (folded where
        normalising changes what is a token); and one for each of these `tokens`, their
        fingerprints, `starts` and `ends`, where in the text they stand (an image term stands
        between two characters), and `places`: 0 body, 1 title, 2 heading, 3 text area or menu,
        4 navigation, aside or footer, 5 hidden, 6 image term.

        `pages` is as for `sketch`; a null body gives a row of nulls.
        """

    def terms(self, pages: pa.RecordBatch) -> pa.RecordBatch:
        """One row for each page: `terms`, the fingerprints of its tokens less their lowest bit,
        which is set where a token is an image's. `pages` is as for `sketch`."""

    def vocabulary(self, pages: pa.RecordBatch) -> pa.RecordBatch:
        """One row for each page: `vocabulary`, the fingerprints of its different words, ascending
        as unsigned numbers, without image terms. `pages` is as for `sketch`."""

    def paragraphs(self, pages: pa.RecordBatch) -> pa.RecordBatch:
        """One row for each page: `paragraphs`, the fingerprints of its shingle paragraphs, in order
        and without overlap, `overlapping_paragraphs`, and `sentence_chars`, the characters of each
        sentence: those of the n-th overlapping paragraph begin with the n-th; null where it has no
        sentence. `pages` is as for `sketch`."""

    def sentences(self, pages: pa.RecordBatch) -> pa.RecordBatch:
        """One row for each page: `sentences`, the texts of the sentences of its shingle paragraphs,
        in order, white space collapsed; null without a body. `pages` is as for `sketch`."""

    def links(self, pages: pa.RecordBatch) -> pa.RecordBatch:
        """One row for each page: `links`, the keys of the addresses that it links to, ascending and
        each kind of link to one once, and `link_kinds`: twice the number of the kind (0 a, 1 area,
        2 frame, 3 iframe, 4 redirect, 5 canonical), and one more where it is not to be followed;
        null where it has none. `pages` is as for `sketch`; a `url` may be a path in a folder."""

    def chunks(self, pages: pa.RecordBatch, columns: Sequence[str]) -> pa.RecordBatch:
        """One row for each page: for each of the `columns`, such as `chunks-lines-4`, its chunks by
        that chunking, in order; an empty list where it has none, null without a body. `pages` is as
        for `sketch`."""

    def passages(self, pages: pa.RecordBatch, column: str) -> pa.RecordBatch:
        """One row for each page: its `text`, its `chunks` as that column has them, and one for each
        of these `first_lines`, `last_lines`, on which lines that count it stands, from 1 on,
        `starts` and `ends`, from which byte of the text on and up to which. `pages` is as for
        `sketch`."""

    def compare_paragraphs(
        self, pages: pa.RecordBatch, texts: ParagraphTexts, starts: pa.Array, ends: pa.Array
    ) -> None:
        """Hands the texts of the paragraphs of these pages, which lie from `starts` to `ends` among
        all, over to be compared."""

    def blocks(self, pages: pa.RecordBatch) -> pa.RecordBatch:
        """One row for each page: `blocks`, the keys of the different lines of its text, of pages
        that have a `site`."""

    def text(self, body: bytes, markup: bool, charset: str | None) -> str:
        """The text of one page."""

    def tokens(
        self, body: bytes, markup: bool, charset: str | None, url: str | None
    ) -> pa.Int64Array:
        """The fingerprints of one page's tokens, in order."""

# Reason, detail, url, location, whether it should have been readable, and of a request or the like
# the fingerprints of its own id and of the record it belongs to.
_Skip = tuple[str, str | None, str | None, str | None, bool, int | None, int | None]

class Judge:
    """Decides which records of an archive are pages.

    `types` may have `text/*`; documents of the `converted` types are wanted and left to a
    converter; blocks of more than `longest` bytes are not read, but skipped as `too_long`.
    """

    # So many bytes of a block are enough to judge it.
    HEAD: int

    def __new__(
        cls,
        statuses: Sequence[int],
        types: Sequence[str],
        converted: Sequence[str],
        longest: int,
        too_long: str = "too long",
    ) -> Judge: ...
    def judge(self, fields: dict[bytes, bytes], head: bytes, length: int) -> Wanted | _Skip:
        """What a record is, by its header (names in lower case), the first `HEAD` bytes of its
        block, and the block's length."""

    def wants(self, type: str) -> bool:
        """Whether documents of this media type are pages."""

class Wanted:
    """What is known of a page before its block is decoded. No `type`: look at the body."""

    @property
    def url(self) -> str | None: ...
    @property
    def type(self) -> str | None: ...
    @property
    def charset(self) -> str | None: ...
    @property
    def revisit(self) -> bool: ...
    @property
    def start(self) -> int:
        """Where the body begins in the block."""

    @property
    def length(self) -> int | None:
        """The length of the body by the HTTP header."""

    @property
    def chunked(self) -> bool: ...
    @property
    def codings(self) -> list[str]:
        """The content encodings, in the order in which they were applied."""

class PageRows:
    """Collects pages as rows of `PAGES`, without what only tables have, the dates as written."""

    def __new__(cls, most_bytes: int, most_pages: int) -> PageRows: ...
    def __len__(self) -> int: ...
    def has_room(self, size: int) -> bool:
        """Whether a body of so many bytes fits; the first one always does."""

    def add(
        self,
        place: int,
        wanted: Wanted,
        body: bytes | None,
        type: str | None,
        charset: str | None,
        stored_digest: bytes | None,
    ) -> None:
        """Takes in a page; what is HTML, text or neither is told by its type, or by its bytes."""

    def take(self) -> pa.RecordBatch:
        """The rows so far; then there are none."""

class SwiftReader:
    """Reads an archive file from offset `start` on, as long as it is in order."""

    def __new__(
        cls, file: BinaryIO, start: int, gzip: bool, judge: Judge, after: int
    ) -> SwiftReader: ...
    @property
    def ended(self) -> bool:
        """Whether all that it can read has been given."""

    @property
    def last(self) -> int:
        """The place of the last record that was given, `after` if none was."""

    def read(
        self, rows: PageRows, skipped: list[tuple[int, _Skip]], most: int
    ) -> tuple[int, Wanted, bytes] | None:
        """Adds records beyond the place `after` until a page does not fit or `most` are skipped.

        A page whose body needs decoding or looking at is given back instead: its place, what is
        known of it, and its block.
        """

class ParquetRows:
    """The columns with these numbers, ascending, of an open Parquet file, row group after row
    group; the one with the number `body` as views, none of whose bytes is copied.

    `file` is the file's descriptor. It raises `ValueError` at whatever is not in order.
    """

    def __new__(cls, file: int, columns: list[int], body: int) -> ParquetRows: ...
    @property
    def schema(self) -> pa.Schema:
        """The columns as they will come."""

    def begin(self, group: int, step: int, rows: int) -> None:
        """Goes to a row group, of which `step` rows are unpacked at a time, `rows` at the most."""

    def next(self, rows: int, bytes: int) -> pa.RecordBatch | None:
        """The next rows of the group: so many, or as many whole steps as it takes for so many
        bytes; None at its end."""

def is_parquet_footer(footer: bytes, length: int) -> bool:
    """Whether the footer of a file of so many bytes is one that a library can be given: every
    column chunk is there and within the file, numbers of rows agree, names are text."""

def parquet_pages(file: int, start: int, end: int, most: int) -> tuple[int, int, int | None]:
    """What the headers of pages between two offsets of an open file say: bytes of the dictionary,
    bytes of the largest page, and, where one has more than `most` bytes, how many values come
    before it."""

class Forest:
    """A union-find forest over the pages 0 … n − 1; a cluster is named by its lowest page."""

    def __new__(cls, pages: int, threads: int) -> Forest: ...
    def unite(self, left: pa.Array, right: pa.Array) -> None:
        """Joins page with page, row by row."""

    def unite_equal(self, keys: Keys) -> None:
        """Joins pages whose keys are equal, and takes the keys."""

    def unite_agreeing(self, rows: Rows, least: int, start: int, end: int) -> None:
        """Joins pages that agree in at least `least` supershingles, the first of which is one of
        `start` … `end` − 1, and takes the rows."""

    def lowest(self) -> pa.Array:
        """For every page whether it is the lowest of its cluster."""

    def firsts(self, ranks: pa.Array) -> pa.Array:
        """For every page the one of its cluster with the lowest rank."""

    def clusters(self) -> tuple[pa.Array, pa.Array]:
        """The cluster of every page, and its size."""

# Bytes of a piece of memory that can be spilled.
LARGE: int

def spill_into(folder: str | Path | None = None) -> None:
    """Lets large pieces of memory that the kernels ask for lie in mapped files of this folder from
    now on, or with none no more."""

def spilled_pieces() -> int:
    """How many pieces of memory lie in files now."""

def unspilled_pieces() -> int:
    """How many pieces of memory were to lie in files, and found no room there."""

def digest(content: bytes) -> bytes:
    """The digest of bytes, as sketches have it: 128 bits (XXH3)."""

def byte_lengths(bodies: pa.Array) -> pa.Array:
    """How many bytes each body has, 0 where there is none."""

def sizes(values: pa.Array, pages: int) -> pa.Array:
    """For each value, a page of so many, how often it occurs."""

class Repeats:
    """Tells which values of `width` columns occur more than once: never misses one, but may take
    some that do not, the fewer the more bytes it has."""

    def __new__(cls, width: int, bytes: int, threads: int) -> Repeats: ...
    def add(self, pages: pa.Array, lists: pa.Array, wanted: pa.Array) -> None:
        """Takes in the lists, of `width` values or null, of pages that are wanted: `wanted` has a
        boolean for each page that there is."""

class Rows:
    """Holds pages with `width` values each, of so many pages; none any more if there are more rows
    than there is room for."""

    def __new__(cls, width: int, pages: int, room: int) -> Rows: ...
    @property
    def seen(self) -> int:
        """How many rows there were."""

    @property
    def complete(self) -> bool:
        """Whether there was room for all of them."""

    def pages(self) -> pa.Array:
        """For every page whether `add` had a row of it, there being room or not."""

    def add(
        self,
        pages: pa.Array,
        lists: pa.Array,
        wanted: pa.Array,
        repeats: Repeats | None = None,
        least: int = 0,
    ) -> None:
        """Takes in the wanted pages, with `repeats` those of which at least `least` values do."""

    def add_class(
        self,
        pages: pa.Array,
        lists: pa.Array,
        wanted: pa.Array,
        chosen: tuple[int, int, int],
    ) -> None:
        """Takes in the wanted pages whose value at a place, of so many classes, is of this one:
        equal ones are of one class."""

class Keys:
    """Collects what pages can be equal in, of one of several classes: equals are of one class."""

    def __new__(cls, classes: int, number: int) -> Keys: ...
    def add(
        self, pages: pa.Array, digests: pa.Array, kind: int, partition: pa.Array | None = None
    ) -> None:
        """Takes in pages with their digests (16 bytes); a null equals nothing, and a digest none of
        another kind. With `partition`, a number for each page, only pages of the same number are
        equal."""

class Bands:
    """Collects bands of `width` adjacent features of every page, some bands a round."""

    def __new__(cls, m: int, width: int, threads: int) -> Bands: ...
    def begin(self, bands: int, pages: int = 0) -> None:
        """Begins a round for the next `bands` bands: all pages, about so many, are added, or added
        again."""

    def add(self, pages: pa.Array, features: pa.Array, partition: pa.Array | None = None) -> None:
        """Takes in pages by ascending number, with their flat features, m each.

        With `partition`, a number for each page, only pages of the same number can agree.
        """

    def close(self) -> Candidates:
        """Groups the pages by each band. Can be done once."""

class Candidates:
    """Pages that agree with another in at least one band."""

    @property
    def bands(self) -> int:
        """How many there are to ask for pairs, with a last one for the pairs that agree in hot
        groups only."""

    def members(self) -> pa.Array:
        """The pages in at least one candidate pair, ascending."""

    def sift(self, features: pa.Array, m: int, least: int) -> None:
        """Drops the members that agree with no other of a group in at least `least` features.

        `features` are m for each member, flat.
        """

    def pairs(self, band: int, resemblance: float, evidence: Evidence) -> pa.RecordBatch:
        """The pairs that agree in this band and none before, and have the resemblance; in groups
        that are not hot, or for the last band in hot ones only.

        Columns: `left`, `right`, `shared`, `left_size`, `right_size`, `estimated`.
        """

    def unite(self, forest: Forest, resemblance: float, evidence: Evidence) -> None:
        """Joins in the forest what all `pairs` would join, without comparing what is joined."""

    def stars(
        self, resemblance: float, evidence: Evidence, ranks: pa.Array, fixed: int
    ) -> tuple[pa.Array, pa.Array]:
        """The pages that go, and for each the page it goes with.

        In the order of `ranks` (one for each member) a page stays unless it has the resemblance to
        one that stays, and goes with the first such. Pages below `fixed` always stay.
        """

class Evidence:
    """What members are compared by: one of the `sets` for each member, and where one is missing,
    `features`, m for each member."""

    def __new__(
        cls, m: int, features: pa.Array | None = None, sets: Sets | None = None
    ) -> Evidence: ...
    @staticmethod
    def of_words(
        m: int,
        features: pa.Array,
        words: tuple[pa.Array, pa.Array, pa.Array],
        least_features: int,
    ) -> Evidence:
        """The same of words: the values of all members in their order, and where each one's start
        (−1 if they are not known, then features tell what they can) and end. Members with fewer
        equal features than `least_features` are not compared."""

    def measure(
        self, members: pa.Array, left: pa.Array, right: pa.Array, threads: int
    ) -> pa.RecordBatch:
        """Pairs of members with the columns of `Candidates.pairs`, whatever their resemblance."""

class Shelf:
    """The tokens of some pages, in a file without a name in a folder; with `words` how many of a
    page's another lacks can be asked for."""

    def __new__(cls, folder: os.PathLike[str], threads: int, *, words: bool = False) -> Shelf: ...
    @property
    def bytes(self) -> int: ...
    def renumber(self, by: int) -> None:
        """Adds this to the numbers of all pages."""

    def missing(self, pages: pa.Array) -> pa.Array:
        """Of these pages those that are not there."""

    def add(self, pages: pa.Array, shingles: pa.ListArray) -> None:
        """Puts lists of shingles there, one for each page; a null is an empty one."""

    def take(self, pages: pa.Array, recipe: dict[str, Any]) -> Sets:
        """The sets of distinct shingles of these pages, made of their tokens as the recipe says;
        nothing can be taken after."""

    def lost_words(self, left: pa.Array, right: pa.Array) -> pa.Array:
        """For pairs of pages how many different words of the left one stand nowhere in the right
        one; null where the tokens of one of them are not there. Nothing can be taken after."""

    def close(self) -> None:
        """Gives up the file; sets that were taken stay."""

class Sets:
    """Ascending sets of distinct shingles, one for each page asked for, or none."""

    @property
    def complete(self) -> bool:
        """Whether none is missing."""

class ChunkSets:
    """Pages with the same sequence of chunks, and at least `least` different ones. Of fingerprints
    so many bits are compared. So many bytes of them are held, the others wait in files."""

    def __new__(
        cls, pages: int, least: int, bits: int, room: int, folder: os.PathLike[str], threads: int
    ) -> ChunkSets: ...
    def add(self, pages: pa.Array, chunks: pa.ListArray, groups: pa.Array | None = None) -> None:
        """Takes in the chunks of pages. With `groups`, a number for each, only pages of the same
        number can be the same."""

    def close(self) -> None:
        """Tells pages that are the same, when all have come."""

    def standing(self) -> pa.Array:
        """For every page whether it stands for itself, being the lowest of its set."""

    def copies(self, start: int) -> tuple[pa.Array, pa.Array]:
        """Some pages for which others stand, and these, in whose order they come; so many have come
        before."""

    def counts(self, pages: pa.Array) -> pa.Array:
        """How many pages each of these, which stand for themselves, stands for, itself included."""

    def unite(self, forest: Forest) -> None:
        """Joins pages that are the same."""

class ChunkPostings:
    """The chunks of units: of pages, or of the hosts that pages are on."""

    def __new__(
        cls, units: int, bits: int, room: int, folder: os.PathLike[str]
    ) -> ChunkPostings: ...
    def add(self, units: pa.Array, chunks: pa.ListArray, groups: pa.Array | None = None) -> None:
        """Takes in chunks of units, of which each may come several times. With `groups`, a number
        for each, only units of the same number can share chunks."""

    def __len__(self) -> int: ...

class Overlaps:
    """The pairs of units that share chunks, of what has come.

    Of `settings`: at least `shared` chunks, within `room` bytes, by the `method` sorted, coarse or
    auto; chunks of more than `most` units do not count; a pair has one unit below `right` and one
    that is not, if that is given.
    """

    def __new__(
        cls, postings: ChunkPostings, settings: Mapping[str, Any], threads: int
    ) -> Overlaps: ...
    def forecast(self) -> dict[str, Any]:
        """What is known before pairs are counted."""

    @property
    def functions(self) -> int:
        """How many filters are to be made before pairs are asked for."""

    def filter(self) -> None:
        """Makes one filter more."""

    def filtered(self) -> list[tuple[int, int, int, int]]:
        """Of each filter its cells, the heavy ones, the pairs that came to it, those it left."""

    @property
    def passes_left(self) -> int:
        """How many passes there are still to be made, once pairs were asked for."""

    def next(self) -> pa.RecordBatch | None:
        """Some pairs, in their order: `left`, `right`, `shared`, and the different chunks of each,
        `left_size` and `right_size`. None when there are no more."""

    def sizes(self, units: pa.Array) -> pa.Array:
        """How many different chunks units have."""

class OverlapStars:
    """For each of so many units the first that makes a pair with it, while pairs come.

    With `fixed`, a flag for each unit, only units that stay count: those that have no such one, and
    those that are fixed, which always stay.
    """

    def __new__(cls, units: int, fixed: pa.Array | None = None) -> OverlapStars: ...
    def add(self, left: pa.Array, right: pa.Array, shared: pa.Array) -> None:
        """Takes in pairs with what they share, sorted by `left` and `right`, `left` the lower."""

    def gone(self) -> pa.Array:
        """The units that have such a one, ascending."""

    def of(self, units: pa.Array) -> tuple[pa.Array, pa.Array]:
        """The first that makes a pair with each of these units, or itself, and what they share."""

class Pairing:
    """Finds the pairs of pages that a rule holds together, each once, batch by batch.

    `pages` ascend; `sites` has a number for each, 2³² − 1 where the site is not known.
    `supershingles` and `projections` are flat, as many values for each page. Of `settings`: `by` is
    `supershingles` (at least `least_b` agree, and `least_c` bits unless that is 0) or `projections`
    (at least `least_c` bits agree; `pieces` bring them together, and pairs that agree in none of
    `asked` pieces are counted as missed); `sites` is `any`, `same` or `different`. A bucket of more
    than `hot` pages is compared as far as `comparisons` go, and gives `sample` pairs, by `seed`.
    With `partition`, a number for each page, only pages of the same number make pairs.
    """

    def __new__(
        cls,
        pages: pa.Array,
        sites: pa.Array,
        supershingles: pa.Array | None,
        projections: pa.Array | None,
        settings: Mapping[str, Any],
        threads: int,
        partition: pa.Array | None = None,
    ) -> Pairing: ...
    def next(self) -> pa.RecordBatch | None:
        """The next pairs, in no order: `left`, `right`, `b_similarity` and `c_similarity` (null
        where the values were not given), `same_site`, `weight`. None when there are no more."""

    def unite(self, forest: Forest) -> None:
        """Joins in the forest what all pairs would join, whatever is hot."""

    def measure(self, left: pa.Array, right: pa.Array) -> pa.RecordBatch:
        """Pairs of its pages with the columns of `next`, whatever their similarities."""

    @property
    def counts(self) -> tuple[float, float, int, int]:
        """So far: the pairs there are (an estimate where a hot bucket's count is one), those that
        the pieces asked for miss, the comparisons made, and the pairs given."""

    def degrees(self) -> tuple[pa.Array, pa.Array]:
        """The pages in at least one pair, ascending, and in how many each is."""

    def hot_buckets(self) -> pa.RecordBatch:
        """The hot buckets so far: `position`, `pages`, `comparisons`, `pairs`, `standard_error` (0
        where the pairs were counted), `drawn`, `weight`."""

def pair_stars(
    searches: Sequence[Pairing], ranks: pa.Array, fixed: int
) -> tuple[pa.Array, pa.Array]:
    """The pages that go, and for each the page it goes with, by searches among the same pages.

    In the order of `ranks` (one for each page) a page stays unless it makes a pair, by any of the
    searches, with one that stays, and goes with the first such. Pages below `fixed` always stay;
    nothing is hot.
    """

class Graph:
    """The links of a collection: which pages lead to which.

    `keys` are those of the pages' addresses: pages with one key are one node. `folders` are keys
    under which pages also answer, where no page has them itself, and `redirects` lead from key to
    key. `links` is how many are expected at the most; memory for that many is set aside.
    """

    def __new__(
        cls,
        keys: pa.Array,
        folders: pa.Array | None = None,
        redirects: tuple[pa.Array, pa.Array] | None = None,
        *,
        links: int = 0,
        threads: int = 1,
    ) -> Graph: ...
    def add(self, pages: pa.Array, targets: pa.Array) -> int:
        """Adds links from pages to keys, and gives the number of those that lead to pages."""

    def add_between(self, sources: pa.Array, targets: pa.Array) -> int:
        """The same with keys at both ends."""

    def close(self) -> None:
        """Ends the adding; what follows needs that."""

    @property
    def nodes(self) -> int: ...
    @property
    def edges(self) -> int:
        """The different edges between two nodes."""

    def page_at(self, key: int) -> int | None:
        """The first page that is found by this key."""

    def reached(self, page: int) -> pa.BooleanArray:
        """For each page whether links lead to it from this one, which is reached itself."""

    def bow_tie(self) -> pa.UInt8Array:
        """For each page where it lies: 0 core, 1 in, 2 out, 3 tube, 4 tendril, 5 disconnected."""
