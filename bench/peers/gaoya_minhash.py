"""gaoya: MinHashStringIndex, the built-in word tokeniser in Rust, bulk inserts and queries.

128 hashes of 32 bits; gaoya's own formula makes 21 bands of 6 of them for 0.8. A query gives the
documents of a band whose signatures agree in 0.8. There is no query by number, so that documents
are hashed once to be inserted and once to be looked up.
"""

import re

import gaoya
import pyarrow as pa
from contract import JACCARD, K, answer, batches, joined

# What gaoya takes for white space: found by trying, since its signatures of both are equal.
SEPARATORS = re.compile(r"[\s!-/:-@\[-`{-~]+")


def words(text: str) -> list[str]:
    return [word for word in SEPARATORS.split(text.lower()) if word]


def shingles(text: str) -> list[str]:
    found = words(text)
    return [" ".join(found[i : i + K]) for i in range(len(found) - K + 1)]


def long_enough(text: str) -> bool:
    # gaoya gives all documents of fewer than K words one and the same empty signature.
    return len(text) > 1000 or len(words(text)) >= K


def clusters(source: str, threads: int) -> pa.Table:
    del threads  # rayon's own: as many as there are cores, or RAYON_NUM_THREADS
    index = gaoya.minhash.MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=JACCARD,
        num_bands=None,
        band_size=None,
        num_hashes=128,
        analyzer="word",
        lowercase=True,
        ngram_range=(K, K),
        id_container="vec",
    )
    ids: list[int] = []
    for some, texts in batches(source):
        rows = [row for row, text in enumerate(texts) if long_enough(text)]
        places = [len(ids) + row for row in rows]
        index.par_bulk_insert_docs(places, [texts[row] for row in rows])
        ids.extend(some)
    return joined(ids, pairs(index, source))


def pairs(index: gaoya.minhash.MinHashStringIndex, source: str):
    first = 0
    for some, texts in batches(source):
        rows = [row for row, text in enumerate(texts) if long_enough(text)]
        for row, found in zip(rows, index.par_bulk_query([texts[r] for r in rows]), strict=True):
            yield from ((first + row, other) for other in found if other < first + row)
        first += len(some)


if __name__ == "__main__":
    answer(clusters, shingles)
