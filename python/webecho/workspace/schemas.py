"""The columns of the tables of a workspace."""

from collections.abc import Sequence

import pyarrow as pa

from webecho.chunkings import chunking_of

# A user's ids stay what they are, as far as one column can: whole numbers, or else text.
NO_IDS = "none"
ID_TYPES = {"int64": pa.int64(), "string": pa.string(), NO_IDS: pa.string()}
# Of fingerprints; of any length, for Spark refuses lists of a fixed one.
LIST = pa.list_(pa.field("element", pa.int64()))

# Of the user's own columns; sort keys as in read/sort_keys.py.
TEXTS = pa.list_(pa.field("element", pa.string()))
SORT_KEYS = pa.list_(pa.field("element", pa.binary()))


def sketch_schema(columns: Sequence[str], id_type: str) -> pa.Schema:
    """The `sketches` table, with these of the larger columns."""
    return pa.schema(
        [
            ("page", pa.int64()),
            ("id", ID_TYPES[id_type]),
            ("url", pa.string()),
            ("host", pa.string()),
            ("site", pa.string()),
            ("ip", pa.string()),
            ("fetched", pa.timestamp("us", tz="UTC")),
            ("source", pa.int32()),
            ("place", pa.int64()),
            # The page whose content a WARC revisit has, where that is known.
            ("revisit_of", pa.int64()),
            # Of a WARC response: the fingerprint of the record that belongs to it.
            ("beside", pa.int64()),
            # What the user's columns say: the group, and by what one page stays, a value from each.
            ("by", TEXTS),
            ("values", SORT_KEYS),
            ("ranked", TEXTS),
            # Of the body as read, which `markup_digest` is of too.
            ("bytes", pa.int64()),
            ("chars", pa.int64()),
            ("tokens", pa.int64()),
            ("title", pa.string()),
            # Next to nothing is left of it, for its text stands in scripts or the like.
            ("hollow", pa.bool_()),
            # Of the body as stored and as read, where these differ; as read; of the visible text,
            # white space folded; of the tokens.
            ("payload_digest", pa.binary()),
            ("markup_digest", pa.binary()),
            ("text_digest", pa.binary()),
            ("digest", pa.binary()),
            *((name, LIST) for name in columns),
        ]
    )


# Records that are no pages, and why.
SKIPPED = pa.schema(
    [
        pa.field("source", pa.int32(), nullable=False),
        pa.field("place", pa.int64(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("detail", pa.string()),
        pa.field("url", pa.string()),
        pa.field("location", pa.string()),
        pa.field("failed", pa.bool_(), nullable=False),
        pa.field("key", pa.int64()),
        pa.field("beside", pa.int64()),
    ]
)

# By which fingerprints pages can be referred to, and which ones revisits refer to.
RECORDS = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("key", pa.int64(), nullable=False),
        pa.field("refers", pa.bool_(), nullable=False),
    ]
)

# The shingle sets of pages, where they are kept.
SHINGLES = pa.schema([("page", pa.int64()), ("shingles", LIST)])

# One row a page; null where it has no sentence.
PARAGRAPHS = pa.schema(
    [("page", pa.int64()), ("paragraphs", LIST), ("overlapping_paragraphs", LIST)]
)

# One row a page: the characters of each sentence of its paragraphs; null where it has none.
SENTENCES = pa.schema([("page", pa.int64()), ("sentence_chars", LIST)])

# One row a page: its chunks by one chunking, in the order of the page, repeats included; null where
# it has no content of its own.
CHUNKS = pa.schema([("page", pa.int64()), ("chunks", LIST)])

# A row for each different link of a page: see sketches/links.py.
LINKS = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("target", pa.int64(), nullable=False),
        pa.field("kind", pa.int8(), nullable=False),
        pa.field("nofollow", pa.bool_(), nullable=False),
    ]
)

# Tables of the parts that lie beside the sketches; the page tables can be made again by themselves.
# There is one more of those for each chunking.
PAGE_TABLE_SCHEMAS = {"paragraphs": PARAGRAPHS, "sentences": SENTENCES, "links": LINKS}
BESIDE = {"records": RECORDS, "skipped": SKIPPED, "shingles": SHINGLES, **PAGE_TABLE_SCHEMAS}


def beside_schema(table: str) -> pa.Schema:
    """The columns of a table of the parts that lies beside the sketches."""
    return CHUNKS if is_chunks(table) else BESIDE[table]


def is_beside(table: str) -> bool:
    """Whether there is such a table."""
    return table in BESIDE or is_chunks(table)


def is_page_table(table: str) -> bool:
    """Whether it is one that can be made again by itself."""
    return table in PAGE_TABLE_SCHEMAS or is_chunks(table)


def is_chunks(table: str) -> bool:
    """Whether it has the chunks of a chunking."""
    return chunking_of(table) is not None
