"""datasketch: MinHash in bulk, MinHashLSH over it.

128 permutations by its default scheme, 21 bands of 6 (its own optimum for 0.8, 9 bands of 13, finds
a pair just at 0.8 with a chance of 0.4), the candidates of a band kept if their sketches agree in
0.8. xxHash, which its documentation recommends over the default SHA-1. Two processes.
"""

from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import pyarrow as pa
from contract import JACCARD, K, answer, joined, row_group, row_groups, word_shingles
from datasketch import LeanMinHash, MinHash, MinHashLSH
from xxhash import xxh32_intdigest

PERMUTATIONS = 128
BANDS = (21, 6)
SEED = 1


def byte_shingles(text: str) -> list[bytes]:
    """The `word_shingles` as bytes, which hash functions want: encoded once, not one by one."""
    words = " ".join(text.lower().split()).encode().split(b" ")
    if len(words) < K:
        return [b" ".join(words)] if words != [b""] else []
    return list(map(b" ".join, zip(*(words[i:] for i in range(K)), strict=False)))


def sketches(source: str, number: int) -> tuple[list[int], np.ndarray]:
    """The ids of one row group, with the hash values of each document."""
    ids, texts = row_group(source, number)
    sets = map(byte_shingles, texts)
    made = MinHash.generator(sets, num_perm=PERMUTATIONS, seed=SEED, hashfunc=xxh32_intdigest)
    return ids, np.array([sketch.hashvalues for sketch in made])


def clusters(source: str, threads: int) -> pa.Table:
    ids: list[int] = []
    made: list[LeanMinHash] = []
    with ProcessPoolExecutor(threads) as pool:
        for some, rows in pool.map(partial(sketches, source), range(row_groups(source))):
            ids.extend(some)
            made.extend(LeanMinHash(seed=SEED, hashvalues=row, scheme="affine32") for row in rows)
    return joined(ids, pairs(made))


def pairs(made: list[LeanMinHash]):
    """Each document is looked up among those before it, then added."""
    index = MinHashLSH(num_perm=PERMUTATIONS, params=BANDS)
    for place, sketch in enumerate(made):
        for other in index.query(sketch):
            if sketch.jaccard(made[other]) >= JACCARD:
                yield place, other
        index.insert(place, sketch, check_duplication=False)


if __name__ == "__main__":
    answer(clusters, word_shingles)
