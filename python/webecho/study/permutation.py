"""*Permutation test*: whether the real log of two collections finds more than another log.

The different queries of both are pooled and handed out again by chance, to each log as many as it
had; queries that both have stay in both. The statistic is by how many more new documents the real
log leaves. If the two were alike any handing out would be as likely as theirs, so that, of B of
them, b that leave at least as many more give p = (b + 1) / (B + 1). What a query adds is known
beforehand: nothing is searched again.
"""

from dataclasses import dataclass

import numpy as np

from webecho.study.reuse_conditions import Flags, Numbers
from webecho.study.reuse_matches import Matches, left_by


@dataclass(frozen=True)
class PermutationTest:
    """How many new documents the real log and the other leave, how many of so many permutations had
    at least that difference, and p."""

    real: int
    other: int
    permutations: int
    as_far: int

    @property
    def p(self) -> float:
        return (self.as_far + 1) / (self.permutations + 1)


def left_in(matches: Matches, queries: Flags) -> int:
    """How many new documents are left with these queries, a flag for each that there is."""
    return len(left_by(matches.of_queries(queries))[1])


def permutation_test(
    matches: Matches, real: Flags, other: Flags, permutations: int, seed: int
) -> PermutationTest:
    """The test of two logs, each a flag for each query, by matches with enough paragraphs."""
    both = real & other
    pool = np.flatnonzero(real ^ other)
    share = int((real & ~other).sum())
    found = [left_in(matches, each) for each in (real, other)]
    chance = np.random.default_rng([seed, len(pool), share])
    as_far = 0
    for _ in range(permutations):
        drawn = drawn_half(both, pool, share, chance)
        rest = both.copy()
        rest[pool] = ~drawn[pool]
        difference = left_in(matches, drawn) - left_in(matches, rest)
        as_far += difference >= found[0] - found[1]
    return PermutationTest(found[0], found[1], permutations, as_far)


def drawn_half(both: Flags, pool: Numbers, share: int, chance: np.random.Generator) -> Flags:
    """The queries of the real log by chance: those of both, and so many of the pool."""
    drawn = both.copy()
    drawn[chance.permutation(pool)[:share]] = True
    return drawn
