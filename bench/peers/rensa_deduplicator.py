"""rensa: RMinHashDeduplicator, which keeps a document unless a kept one resembles it.

The sketches are those of `rensa_lsh`, so are the bands. A document that is not kept belongs to the
kept ones that the deduplicator names for it.
"""

import pyarrow as pa
from contract import JACCARD, answer, joined, word_shingles
from rensa import RMinHashDeduplicator
from rensa_lsh import BANDS, PERMUTATIONS, SEED, all_sketches


def clusters(source: str, threads: int) -> pa.Table:
    ids, made = all_sketches(source, threads)
    keeper = RMinHashDeduplicator(JACCARD, PERMUTATIONS, use_lsh=True, num_bands=BANDS, seed=SEED)
    kept = keeper.add_pairs((str(place), sketch) for place, sketch in enumerate(made))
    gone = [place for place, stays in enumerate(kept) if not stays]
    found = keeper.get_duplicate_sets([made[place] for place in gone])
    return joined(
        ids,
        (
            (place, int(other))
            for place, others in zip(gone, found, strict=True)
            for other in others
        ),
    )


if __name__ == "__main__":
    answer(clusters, word_shingles)
