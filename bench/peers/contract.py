"""What every peer is asked: a Parquet file of (id, text) in, a Parquet table of (id, cluster) out.

Each script beside this one answers for one library, in that library's own environment, with
pyarrow and the standard library besides. It is run as

    python <peer>.py clusters IN OUT THREADS
    python <peer>.py shingles IN OUT THREADS

The second says what the documents consist of by the library's own tokenisation, as
(id, shingles: 64-bit fingerprints), so that the exact Jaccard of the same sets can be counted.
"""

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

K = 5  # words a shingle
JACCARD = 0.8
BATCH = 4096  # documents


def answer(
    clusters: Callable[[str, int], pa.Table], shingles: Callable[[str], Iterable[str]]
) -> None:
    """Runs what the command line asks for."""
    what, source, target, threads = sys.argv[1:]
    if what == "clusters":
        write(clusters(source, int(threads)), target)
    else:
        write(fingerprints(source, shingles), target)


def write(table: pa.Table, target: str) -> None:
    """The table under its name, which it gets when it is whole: then the clock is stopped."""
    aside = Path(target + ".part")
    pq.write_table(table, aside)
    aside.rename(target)


def batches(source: str) -> Iterator[tuple[list[int], list[str]]]:
    """The ids and texts of some documents at a time."""
    with pq.ParquetFile(source) as file:
        for batch in file.iter_batches(BATCH, columns=["id", "text"]):
            yield batch["id"].to_pylist(), batch["text"].to_pylist()


def row_groups(source: str) -> int:
    with pq.ParquetFile(source) as file:
        return file.num_row_groups


def row_group(source: str, number: int) -> tuple[list[int], list[str]]:
    """The ids and texts of one row group: the unit that processes share the work by."""
    with pq.ParquetFile(source) as file:
        table = file.read_row_group(number, columns=["id", "text"])
    return table["id"].to_pylist(), table["text"].to_pylist()


def word_shingles(text: str) -> list[str]:
    """K words at white space, lower-cased: for libraries that leave tokens to the caller.

    `str.split` is the fastest that Python has, half as long as a regular expression.
    """
    words = text.lower().split()
    if len(words) < K:
        return [" ".join(words)] if words else []
    return list(map(" ".join, zip(*(words[i:] for i in range(K)), strict=False)))


def joined(ids: list[int], pairs: Iterable[tuple[int, int]]) -> pa.Table:
    """The clusters that pairs of positions in `ids` hold together, each under its first id."""
    above = list(range(len(ids)))

    def root(node: int) -> int:
        while above[node] != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    for left, right in pairs:
        low, high = sorted((root(left), root(right)))
        above[high] = low
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "cluster": pa.array([ids[root(node)] for node in range(len(ids))], pa.int64()),
        }
    )


def fingerprints(source: str, shingles: Callable[[str], Iterable[str]]) -> pa.Table:
    """The distinct shingles of every document, as 64 bits each."""
    schema = pa.schema([("id", pa.int64()), ("shingles", pa.large_list(pa.int64()))])
    made = [
        pa.table([ids, [list(map(fingerprint, set(shingles(text)))) for text in texts]], schema)
        for ids, texts in batches(source)
    ]
    return pa.concat_tables(made)


def fingerprint(shingle: str) -> int:
    digest = hashlib.blake2b(shingle.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
