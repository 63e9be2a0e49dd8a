"""The files that mutations are made of: a few short pages, of which some repeat others, in every
format that is read."""

import csv
import gzip
import io
import json
import os
import pickle
import random
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import zstandard

from tests.any_bytes.mutations import (
    BINARY,
    JSON,
    TEXT,
    Change,
    any_of,
    by_members,
    in_gzip,
    in_zip,
    in_zstd,
    parquet,
)
from tests.collections_made import Page, edited, markup, prose
from tests.golden.input_archives import make_archives
from tests.write.keeping import members
from tests.write.test_wacz_mutations import mutated as mutated_wacz

TEXTS, LINES, VALUES = any_of(TEXT), any_of(TEXT), any_of(JSON)


@dataclass(frozen=True)
class Seed:
    """A file that is read, and what is changed in it."""

    file: str
    data: bytes
    change: Change

    def mutated(self, by: random.Random) -> bytes:
        return self.change(self.data, by)


def pages() -> list[Page]:
    """Seven pages: two are copies, one is near, one is empty, one is in another script."""
    text, other = prose(1, 40), prose(2, 24)
    bodies = (
        *(markup(text, "First"), markup(other), markup(text, "First"), markup(edited(text, 20))),
        *("", "<p>zwei Wörter 中文。&amp; ein <a href='/x?y#z'>Link", f"<p>{' '.join(other)}"),
    )
    return [
        Page(f"d{at}", f"http://h{at % 2}.example.org/{at}", each) for at, each in enumerate(bodies)
    ]


def table(rows: list[Page]) -> pa.Table:
    """With columns of other kinds than text beside those that are read."""
    columns = pa.Table.from_pylist([asdict(each) for each in rows])
    dates = pa.array([1_600_000_000_000 + at for at in range(len(rows))], pa.timestamp("ms"))
    nested = pa.array([{"tags": ["a", None]} if at % 2 else None for at in range(len(rows))])
    return columns.append_column("date", dates).append_column("meta", nested)


def written(write: Callable[[io.BytesIO], object]) -> bytes:
    made = io.BytesIO()
    write(made)
    return made.getvalue()


def as_arrow(rows: pa.Table, stream: bool) -> bytes:
    def write(file: io.BytesIO) -> None:
        new = pa.ipc.new_stream if stream else pa.ipc.new_file
        with new(file, rows.schema) as writer:
            writer.write_table(rows, max_chunksize=3)

    return written(write)


def as_delimited(rows: list[Page], sign: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=sign)
    writer.writerow(("id", "url", "html"))
    writer.writerows((each.id, each.url, each.html + '\n"x') for each in rows)
    return text.getvalue().encode()


def archives(rows: list[Page]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        make_archives(Path(folder), rows)
        names = ("small.warc", "small.warc.gz", "small.warc.zst", "broken.warc", "small.arc.gz")
        names += ("small.warc.wet", "revisits.warc", "small.arc", "small.wacz", "whole.warc.gz")
        return {name: Path(folder, name).read_bytes() for name in names}


def contents() -> dict[str, bytes]:
    """The files that Arrow makes, and archives."""
    rows = pages()
    cells = table(rows)
    return archives(rows) | {
        "packed": written(lambda file: pq.write_table(cells, file, row_group_size=3)),
        "plain": written(
            lambda file: pq.write_table(
                cells, file, compression="none", use_dictionary=False, data_page_version="2.0"
            )
        ),
        "file": as_arrow(cells, stream=False),
        "stream": as_arrow(cells, stream=True),
        "feather": written(lambda file: pa.feather.write_feather(cells, file)),
    }


def apart(work: Callable[[], dict[str, bytes]]) -> dict[str, bytes]:
    """What a process of its own gives: whoever forks must not have worked with Arrow, whose threads
    its children would not have."""
    reading, writing = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            with os.fdopen(writing, "wb") as out:
                pickle.dump(work(), out)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as given:
        made: dict[str, bytes] = pickle.load(given)
    os.waitpid(pid, 0)
    return made


@cache
def collections() -> dict[str, Seed]:
    """What pages are read from, by the name of the attack."""
    rows, made = pages(), apart(contents)
    lines = "".join(json.dumps(asdict(each)) + "\n" for each in rows).encode()
    found = {
        "jsonl": Seed("a.jsonl", lines, VALUES),
        "jsonl.gz": Seed("a.jsonl.gz", gzip.compress(lines, 1, mtime=0), in_gzip(VALUES)),
        "jsonl.zst": Seed(
            "a.jsonl.zst", zstandard.ZstdCompressor(1).compress(lines), in_zstd(VALUES)
        ),
        "csv": Seed("a.csv", as_delimited(rows, ","), LINES),
        "tsv": Seed("a.tsv", as_delimited(rows, "\t"), LINES),
        "csv.gz": Seed("a.csv.gz", gzip.compress(as_delimited(rows, ","), 1), in_gzip(LINES)),
        "parquet": Seed("a.parquet", made.pop("packed"), parquet),
        "parquet, not packed": Seed("a.parquet", made.pop("plain"), parquet),
        "arrow file": Seed("a.arrow", made.pop("file"), any_of(BINARY)),
        "arrow stream": Seed("a.arrows", made.pop("stream"), any_of(BINARY)),
        "feather": Seed("a.feather", made.pop("feather"), any_of(BINARY)),
        "text": Seed("a.txt", "\n\n".join(each.html for each in rows).encode(), TEXTS),
        "html": Seed("a.html", rows[5].html.encode() + rows[0].html.encode(), TEXTS),
    }
    of_records = in_gzip(TEXTS)
    changes: dict[str, Change] = {
        "small.warc.gz": by_members(members, TEXTS),
        "small.arc.gz": by_members(members, TEXTS),
        "whole.warc.gz": of_records,
        "small.warc.zst": in_zstd(TEXTS),
        "small.wacz": in_zip(VALUES),
    }
    for name, data in made.items():
        found[name.replace("small.", "")] = Seed(name, data, changes.get(name, TEXTS))
    # Its metadata in particular.
    found["wacz metadata"] = Seed("a.wacz", b"", lambda _, by: mutated_wacz(by.randrange(1 << 40)))
    return found


QUERIES = b"time\tquery\tcount\n2020-01-05T00:00:00\tword3 word14\t3\n2020-02-01\tother words\t\n"
EDGES = (
    b"source,target\nhttp://h0.example.org/0,http://h1.example.org/1\nhttp://h1.example.org/1,x\n"
)
LABELS = (
    b"left_url,right_url,label,reasons,note\n"
    b"http://h0.example.org/0,http://h0.example.org/2,correct,,same\n"
    b"http://h1.example.org/1,http://h0.example.org/6,0,,\n"
)
LABEL_LINES = (
    b'{"left": 0, "right": 2, "left_url": "http://h0.example.org/0", "right_url": '
    b'"http://h0.example.org/2", "label": "correct", "reasons": [], "note": "", "labeller": "me", '
    b'"time": "2020-01-01T00:00:00Z"}\n'
    b'{"left_id": "d1", "right_id": "d6", "label": "incorrect", "reasons": [], "labeller": "me"}\n'
)


@cache
def beside() -> dict[str, Seed]:
    """What is read beside pages."""
    lines = b'{"query": "word3 word14", "count": 3}\n{"query": "other", "time": "2020-01-01"}\n'
    return {
        "query log, tsv": Seed("log.tsv", QUERIES, TEXTS),
        "query log, jsonl": Seed("log.jsonl", lines, VALUES),
        "query log, topics": Seed("log.txt", b"1: word3 word14\n2:other words\n", TEXTS),
        "edges, csv": Seed("edges.csv", EDGES, TEXTS),
        "edges, gz": Seed(
            "edges.tsv.gz", gzip.compress(EDGES.replace(b",", b"\t")), in_gzip(TEXTS)
        ),
        "labels, csv": Seed("labels.csv", LABELS, TEXTS),
        "labels, jsonl": Seed("labels.jsonl", LABEL_LINES, VALUES),
    }
