"""datatrove: its MinHash pipeline of three steps, signatures, buckets and clusters, run locally.

14 buckets of 8 hashes, 5-word shingles: its defaults, as FineWeb was made with. It lower-cases and
takes punctuation for space; numbers, names of days and accents stay as they are, which is both
faster and what is asked here. What is left is split at white space, many times faster than by its
English tokeniser. Two workers. Documents that share a bucket are joined, unverified.
"""

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("LOGURU_LEVEL", "ERROR")

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from contract import K, answer, batches, write
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import (
    MinhashConfig,
    MinhashDedupBuckets,
    MinhashDedupCluster,
)
from datatrove.pipeline.readers import ParquetReader
from datatrove.utils.text import TextNormConfig
from datatrove.utils.word_tokenizers import WordTokenizer

CONFIG = MinhashConfig(
    n_grams=K,
    norm_config=TextNormConfig(
        norm_numbers=False,
        norm_weekdays=False,
        norm_monthnames=False,
        norm_unicode_diacritics=False,
    ),
)


class AtSpaces(WordTokenizer):
    """Words of text that is simplified already. Sentences are not asked for."""

    def word_tokenize(self, text: str) -> list[str]:
        return text.split(" ")

    def sent_tokenize(self, text: str) -> list[str]:
        return [text]

    def span_tokenize(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text))]


def clusters(source: str, threads: int) -> pa.Table:
    with tempfile.TemporaryDirectory(prefix="datatrove-") as folder:
        files = shared_out(source, Path(folder, "input"), threads)
        steps = (
            ([ParquetReader(f"{folder}/input", doc_progress=False), signer(folder)], threads),
            ([MinhashDedupBuckets(f"{folder}/signatures", f"{folder}/buckets", config=CONFIG)], 14),
            (
                [
                    MinhashDedupCluster(
                        f"{folder}/buckets",
                        f"{folder}/clusters",
                        config=CONFIG,
                        save_cluster_id=True,
                    )
                ],
                1,
            ),
        )
        for number, (steps_of, tasks) in enumerate(steps):
            LocalPipelineExecutor(
                steps_of,
                tasks=tasks,
                workers=min(tasks, threads),
                start_method="fork",  # others import all anew for each step
                logging_dir=f"{folder}/logs{number}",
            ).run()
        return numbered(files, Path(folder, "clusters"))


def signer(folder: str) -> MinhashDedupSignature:
    return MinhashDedupSignature(f"{folder}/signatures", config=CONFIG, language=AtSpaces())


def shared_out(source: str, folder: Path, parts: int) -> list[list[int]]:
    """The documents in a file for each worker, since a task is a file; gives the ids in each."""
    folder.mkdir()
    with pq.ParquetFile(source) as file:
        groups = file.num_row_groups
        shares = [
            range(part * groups // parts, (part + 1) * groups // parts) for part in range(parts)
        ]
        ids: list[list[int]] = []
        for part, share in enumerate(shares):
            target = folder / f"{part:05d}.parquet"
            ids.append([])
            with pq.ParquetWriter(target, file.schema_arrow, compression="zstd") as writer:
                for group in share:
                    table = file.read_row_group(group)
                    ids[-1].extend(table["id"].to_pylist())
                    writer.write_table(table)
    return ids


def numbered(ids: list[list[int]], folder: Path) -> pa.Table:
    """The clusters that were found, and for every other document one of its own."""
    every = np.concatenate([np.array(part, np.int64) for part in ids])
    # Their numbers count from 0; those of the single documents follow.
    cluster = np.arange(len(every), dtype=np.int64) + len(every)
    first = 0
    for part, in_part in enumerate(ids):
        file = folder / f"{part:06d}.clusters"
        if file.exists():
            found = np.fromfile(file, "<u4").reshape(-1, 2)
            cluster[first + found[:, 0]] = found[:, 1]
        first += len(in_part)
    return pa.table({"id": every, "cluster": cluster})


def shingles_of_all(source: str) -> pa.Table:
    """By its own hash of its own shingles."""
    with tempfile.TemporaryDirectory(prefix="datatrove-") as folder:
        step = signer(folder)
        ids: list[int] = []
        sets: list[np.ndarray] = []
        for some, texts in batches(source):
            ids.extend(some)
            sets.extend(np.unique(step.get_shingles(text)).view(np.int64) for text in texts)
    return pa.table({"id": ids, "shingles": pa.array(sets, pa.large_list(pa.int64()))})


if __name__ == "__main__":
    if sys.argv[1] == "shingles":
        write(shingles_of_all(sys.argv[2]), sys.argv[3])
    else:
        answer(clusters, str.split)
