"""text-dedup: its `simhash` command, as it is.

It knows shingles of characters only; 30 are about five English words. 64 bits, of which 3 may
differ, in 4 buckets: its defaults. Two processes.
"""

import pyarrow as pa
from contract import answer
from text_dedup.simhash import main
from text_dedup.utils import ngrams
from text_dedup_run import clustered

CHARACTERS = 30


def clusters(source: str, threads: int) -> pa.Table:
    options = {"ngram": CHARACTERS, "f": 64, "bit_diff": 3, "num_bucket": 4}
    return clustered(main, source, threads, options)


def shingles(text: str) -> list[str]:
    return ["".join(found) for found in ngrams(list(text.lower()), CHARACTERS)]


if __name__ == "__main__":
    answer(clusters, shingles)
