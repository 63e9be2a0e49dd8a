"""Pages of a web over time are made: sentences as HTML, and what is true of them."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from webecho.synthetic.files import Piece, write_pages
from webecho.synthetic.hosts import host_name, ip, path
from webecho.synthetic.linked import LAYOUTS, SENTENCES, document_html, language_of_family
from webecho.synthetic.pages import MadePage
from webecho.synthetic.reuse.births import TOO_SHORT
from webecho.synthetic.reuse.lives import Page
from webecho.synthetic.reuse.texts import FIRST_TEXT, NAMING, PLACES, windows, written
from webecho.synthetic.web import Web

# The paper studies documents with more characters, and with so many overlapping paragraphs.
CHARACTERS, PARAGRAPHS = 450, 3

# A page before it is made; `topics` are those of its texts, a run each.
ROWS = pa.schema(
    [
        ("document", pa.int64()),
        ("host", pa.int32()),
        ("kind", pa.string()),
        ("born", pa.int32()),
        ("change", pa.string()),
        ("topic", pa.int64()),
        ("starts", pa.list_(pa.int64())),
        ("counts", pa.list_(pa.int32())),
        ("topics", pa.list_(pa.int64())),
    ]
)
# `key` is the same for pages with the same paragraphs without overlap, in whatever order.
MADE_REUSE = pa.schema(
    [
        ("page", pa.int64()),
        ("url", pa.string()),
        ("host", pa.string()),
        ("ip", pa.string()),
        ("kind", pa.string()),
        ("document", pa.int64()),
        ("born", pa.int32()),
        ("change", pa.string()),
        ("topic", pa.int64()),
        ("characters", pa.int32()),
        ("considered", pa.bool_()),
        ("popular", pa.bool_()),
        ("sentences", pa.list_(pa.int64())),
        ("language", pa.string()),
        ("script", pa.string()),
        ("key", pa.binary(16)),
    ]
)


class Row(NamedTuple):
    page: int
    document: int
    host: int
    kind: str
    born: int
    change: str
    topic: int | None
    starts: list[int]
    counts: list[int]
    topics: list[int | None]


def rows(pages: Iterable[Page], topics: Mapping[int, int]) -> pa.Table:
    """The pages of a snapshot as a table; `topics` are those of all texts."""
    found = [
        {
            "document": page.document,
            "host": page.host,
            "kind": page.kind,
            "born": page.born,
            "change": page.change,
            "topic": names_on(page, topics),
            "starts": [first for first, _ in page.said],
            "counts": [size for _, size in page.said],
            "topics": [topics.get(first // PLACES) for first, _ in page.said],
        }
        for page in pages
    ]
    return pa.Table.from_pylist(found, ROWS)


def names_on(page: Page, topics: Mapping[int, int]) -> int | None:
    """The topic whose names a page has: that of its own text, or of the one that it duplicates."""
    text, place = divmod(page.said[0][0], PLACES)
    return topics.get(text) if place < NAMING else None


def make_reuse_file(web: Web, folder: Path, snapshot: int, piece: Piece) -> tuple[pa.Table, int]:
    """Makes and writes one file of a crawl; gives what is true of its pages, and their bytes."""
    first, table = piece
    planned: Iterator[Row] = map(Row, count(first), *(one.to_pylist() for one in table.columns))
    made = [make_page(web, row) for row in planned]
    return write_pages(web, folder, first // web.file_pages, made, MADE_REUSE, snapshot)


def make_page(web: Web, row: Row) -> MadePage:
    numbers: list[int] = []
    sentences: list[str] = []
    for start, size, topic in zip(row.starts, row.counts, row.topics, strict=True):
        text = start // PLACES
        language = language_of_family(web, text)
        long = row.kind == TOO_SHORT[1]
        for number in range(start, start + size):
            numbers.append(number)
            sentences.append(written(web.seed, language, number, topic, long))
    characters = len(" ".join(sentences))
    host = host_name(web.seed, row.host)
    own = language_of_family(web, row.starts[0] // PLACES)
    overlapping = len(list(windows(numbers)))
    truth = {
        "page": row.page,
        "url": f"http://{host}{path(1 + row.document)}",
        "host": host,
        "ip": ip(web, row.host),
        "kind": row.kind,
        "document": row.document,
        "born": row.born,
        "change": row.change,
        "topic": row.topic,
        "characters": characters,
        "considered": characters > CHARACTERS and overlapping >= PARAGRAPHS,
        "popular": row.starts[-1] // PLACES < FIRST_TEXT - 1,
        "sentences": numbers,
        "language": own.name,
        "script": own.script.name,
        "key": key(numbers),
    }
    return MadePage(document_html(sentences, [], row.document % len(LAYOUTS)), truth)


def key(numbers: list[int]) -> bytes:
    """The same for the same paragraphs without overlap."""
    paragraphs = sorted(numbers[at : at + SENTENCES] for at in range(0, len(numbers), SENTENCES))
    return blake2b(repr(paragraphs).encode(), digest_size=16).digest()
