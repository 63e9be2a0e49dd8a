"""rensa: RMinHash sketches in bulk, RMinHashLSH over them.

128 permutations, 32 bands of 4, the candidates of a band kept if their sketches agree in 0.8.
Two processes make shingles and sketches, row group by row group: making shingles in Python is
what takes the time.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pyarrow as pa
from contract import JACCARD, answer, joined, row_group, row_groups, word_shingles
from rensa import RMinHash, RMinHashLSH

PERMUTATIONS = 128
BANDS = 32
SEED = 42
SOME = 256  # documents, whose shingles are held at once


def sketches(source: str, number: int) -> tuple[list[int], list[RMinHash]]:
    """The ids of one row group, with a sketch of each document."""
    ids, texts = row_group(source, number)
    made: list[RMinHash] = []
    for first in range(0, len(texts), SOME):
        sets = [word_shingles(text) for text in texts[first : first + SOME]]
        made.extend(RMinHash.from_token_sets(sets, PERMUTATIONS, SEED))
    return ids, made


def alone() -> None:
    # The processes share the cores; rayon reads this when it is first used.
    os.environ["RAYON_NUM_THREADS"] = "1"


def all_sketches(source: str, threads: int) -> tuple[list[int], list[RMinHash]]:
    ids: list[int] = []
    made: list[RMinHash] = []
    with ProcessPoolExecutor(threads, initializer=alone) as pool:
        for some, new in pool.map(partial(sketches, source), range(row_groups(source))):
            ids.extend(some)
            made.extend(new)
    return ids, made


def clusters(source: str, threads: int) -> pa.Table:
    ids, made = all_sketches(source, threads)
    index = RMinHashLSH(JACCARD, PERMUTATIONS, BANDS)
    index.insert_many(made)
    return joined(ids, pairs(index, made))


def pairs(index: RMinHashLSH, made: list[RMinHash]):
    for first in range(0, len(made), SOME):
        some = made[first : first + SOME]
        for row, found in enumerate(index.query_all(some), first):
            for other in found:
                if other < row and made[row].jaccard(made[other]) >= JACCARD:
                    yield row, other


if __name__ == "__main__":
    answer(clusters, word_shingles)
