"""simhash: Simhash of the 5-word shingles, SimhashIndex over them.

64 bits, of which 3 may differ, as in its documentation. xxHash instead of the default MD5. Two
processes make the hashes; the index is looked up and grown document by document.
"""

from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pyarrow as pa
from contract import answer, joined, row_group, row_groups, word_shingles
from simhash import Simhash, SimhashIndex
from xxhash import xxh3_64_digest

DIFFERENT = 3  # bits


def hashes(source: str, number: int) -> tuple[list[int], list[int | None]]:
    """The ids of one row group, with the hash of each document that has words."""
    ids, texts = row_group(source, number)
    sets = (word_shingles(text) for text in texts)
    return ids, [Simhash(words, hashfunc=xxh3_64_digest).value if words else None for words in sets]


def clusters(source: str, threads: int) -> pa.Table:
    ids: list[int] = []
    made: list[int | None] = []
    with ProcessPoolExecutor(threads) as pool:
        for some, new in pool.map(partial(hashes, source), range(row_groups(source))):
            ids.extend(some)
            made.extend(new)
    return joined(ids, pairs(made))


def pairs(made: list[int | None]):
    index = SimhashIndex([], k=DIFFERENT)
    # Equal hashes are looked up once: the index would compare each with all the others.
    first: dict[int, int] = {}
    for place, value in enumerate(made):
        if value is None:
            continue
        if value in first:
            yield place, first[value]
            continue
        first[value] = place
        found = Simhash(value)
        yield from ((place, int(other)) for other in index.get_near_dups(found))
        index.add(str(place), found)


if __name__ == "__main__":
    answer(clusters, word_shingles)
