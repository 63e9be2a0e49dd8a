"""Whether 15,000 queries over 500,000 documents of 4 KB, 100 answers each, are answered at 500 a
second on two cores, and how long the index takes.

    python -m bench.querylog [--documents 500000] [--queries 15000] [--answers 100] [--threads 2]
    python -m bench.querylog --folder FOLDER      keeps documents and index there for the next run

Words are as frequent as Zipf's law has them, in a vocabulary of 500,000. A query has one to five
words that stand together in a document, among the 50 most frequent words one in twenty as often as
in documents: people seldom ask for them.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import webecho
from bench.measure import machine
from webecho.api.runs import as_run
from webecho.memory import PeakMemory
from webecho.sizes import in_bytes
from webecho.sketches.search_index import require_index
from webecho.study.answers import searched
from webecho.workspace.workspace import Workspace

VOCABULARY = 500_000
# As frequent words are short, these are 4 KB.
WORDS = 660
# Words of a query, and how often.
LENGTHS = (1, 2, 3, 4, 5), (0.25, 0.33, 0.22, 0.12, 0.08)
FREQUENT, SELDOM = 50, 0.05
ROWS = 5000
WANTED = 500


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.querylog", description=__doc__)
    parser.add_argument("--documents", type=int, default=500_000)
    parser.add_argument("--queries", type=int, default=15_000)
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", type=in_bytes, default=in_bytes("4GB"))
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="webecho-bench-") as temporary:
        folder: Path = given.folder or Path(temporary)
        path, asked = folder / "made-up.echo", folder / "queries.json"
        if not asked.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            check_disk(folder, given.documents)
            # In a process of its own: what it took is not to count.
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                made = pool.submit(made_up, path, given.documents, given.queries).result()
            asked.write_text(json.dumps(made))
        queries = json.loads(asked.read_text())
        run = as_run(given.threads, given.memory)
        with PeakMemory() as memory:
            start, work = time.monotonic(), time.process_time()
            require_index(path, run)
            took, worked = time.monotonic() - start, time.process_time() - work
            workspace = Workspace.open(path)
            size = sum(each.stat().st_size for each in workspace.files.search.rglob("*"))
            made = f"{worked:.1f} s of work" if worked > 1 else "made before"
            print(f"index   {took:8.1f} s, {made}, {size / 1e6:,.0f} MB")
            start, work = time.monotonic(), time.process_time()
            found = searched(workspace, queries, given.answers, run)
            took, worked = time.monotonic() - start, time.process_time() - work
        speed = len(queries) / took
        print(
            f"search  {took:8.1f} s, {worked:.1f} s of work, {speed:,.0f} queries/s (wanted: "
            f"{WANTED}), "
            f"{found.rows.num_rows / len(queries):,.1f} answers each"
        )
        print(f"at most {memory.peak / 1e6:,.0f} MB of memory")
        if speed < WANTED:
            sys.exit(f"fewer than {WANTED} queries a second")


def check_disk(folder: Path, documents: int) -> None:
    """Ends here if the disk has no room for so many documents, their sketches and an index."""
    needed, free = documents * 5000, shutil.disk_usage(folder).free
    print(f"{documents:,} documents need {needed / 1e9:.1f} GB of disk; {free / 1e9:.1f} GB free")
    if 2 * needed > free:
        sys.exit(f"{folder} has no room: set TMPDIR to a larger disk, or fewer --documents")


def made_up(path: Path, documents: int, queries: int) -> list[str]:
    """A workspace of so many made-up documents, and so many queries."""
    source = path.with_suffix(".parquet")
    asked: list[str] = []
    schema = pa.schema([("url", pa.string()), ("text", pa.string())])
    with pq.ParquetWriter(source, schema) as writer:
        for table in tables(documents, queries, asked):
            writer.write_table(table.cast(schema))
    size = source.stat().st_size
    start = time.monotonic()
    webecho.sketch(source, path, columns=["features"])
    print(f"sketch  {time.monotonic() - start:8.1f} s, {size / 1e6:,.0f} MB of Parquet", flush=True)
    return asked


def tables(documents: int, queries: int, asked: list[str]) -> Iterator[pa.Table]:
    chance = np.random.default_rng(1)
    words = np.array([spelt(number) for number in range(VOCABULARY)], object)
    weights = 1 / (np.arange(VOCABULARY) + 2.7)
    limits = np.cumsum(weights / weights.sum())
    for first in range(0, documents, ROWS):
        count = min(ROWS, documents - first)
        drawn = np.searchsorted(limits, chance.random((count, WORDS)))
        texts = [" ".join(row) for row in words[drawn].tolist()]
        urls = [
            f"http://h{number % 997}.example/{number}" for number in range(first, first + count)
        ]
        wanted = queries * (first + count) // documents - queries * first // documents
        for row in chance.choice(count, wanted, replace=wanted > count):
            asked.append(query(drawn[row], words, chance))
        yield pa.table({"url": urls, "text": texts})


def query(drawn: np.ndarray, words: np.ndarray, chance: np.random.Generator) -> str:
    """Some words of a document."""
    kept = drawn[(drawn >= FREQUENT) | (chance.random(len(drawn)) < SELDOM)]
    length = chance.choice(LENGTHS[0], p=LENGTHS[1])
    return " ".join(words[chance.choice(kept, length, replace=False)])


def spelt(number: int) -> str:
    """A word of its own for each number: frequent ones are short."""
    consonants, vowels = "bdfgklmnprstvz", "aeiou"
    text = ""
    number += 1
    while number:
        number, at = divmod(number, len(consonants) * len(vowels))
        text += consonants[at // len(vowels)] + vowels[at % len(vowels)]
    return text


if __name__ == "__main__":
    main()
