"""Precision and recall of clusters against the exact Jaccard of all pairs of a sample.

Tools give clusters, which chains hold together: with a ~ b and b ~ c, a and c are together even if
they resemble each other little. So there are two measures:

- **pairs**: of the true pairs (Jaccard at least 0.8), how many are within one cluster (recall); of
  the pairs within one cluster, how many are true (precision). Chains lower the precision of all,
  of a perfect tool too.
- **clusters**: the same against the clusters of the true pairs, which is what a perfect tool gives:
  both are 1 for it, and only for it.

What a shingle is decides about the Jaccard. So each tool is held against its own shingles, and all
against common ones: lower-cased words of `\\w+`, five of them; shorter documents are one shingle.
Documents without a shingle are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.contest import PEERS, Asked, Peer
from bench.corpora import Corpus
from bench.environments import environment
from bench.jaccard import Numbers, pairs_at
from bench.peers.contract import K, fingerprints

SAMPLE = 10_000  # documents
LEAST = Fraction(4, 5)
COMMON = "words of \\w+"
WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class Score:
    """How well clusters hold together what belongs together."""

    true_pairs: int
    true_duplicates: int  # documents less clusters
    precision: float
    recall: float
    cluster_precision: float
    cluster_recall: float


@dataclass(frozen=True)
class Truth:
    """The true pairs among some documents, and the clusters that they make."""

    ids: Numbers
    pairs: Numbers  # places in `ids`
    clusters: Numbers

    def score(self, clusters: dict[int, int]) -> Score:
        found = np.array([clusters[page] for page in self.ids.tolist()])
        left, right = self.pairs[:, 0], self.pairs[:, 1]
        held = int((found[left] == found[right]).sum())
        in_both = pairs_within(np.stack((found, self.clusters)))
        in_found, in_true = pairs_within(found[None]), pairs_within(self.clusters[None])
        return Score(
            len(self.pairs),
            len(self.clusters) - len(np.unique(self.clusters)),
            share(held, in_found),
            share(held, len(self.pairs)),
            share(in_both, in_found),
            share(in_both, in_true),
        )


def share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def pairs_within(labels: Numbers) -> int:
    """How many pairs of columns are equal in all rows."""
    _, sizes = np.unique(labels, axis=1, return_counts=True)
    return int((sizes * (sizes - 1) // 2).sum())


def truth(ids: Numbers, sets: list[Numbers]) -> Truth:
    """What is true of documents with these sets; those without a shingle are left out."""
    kept = [place for place, one in enumerate(sets) if len(one)]
    pairs = pairs_at([sets[place] for place in kept], LEAST)
    return Truth(ids[kept], pairs, components(len(kept), pairs))


def components(number: int, pairs: Numbers) -> Numbers:
    """The cluster of each place: the lowest place that pairs connect it with."""
    label = np.arange(number)
    while True:
        low = label.copy()
        np.minimum.at(low, pairs[:, 0], label[pairs[:, 1]])
        np.minimum.at(low, pairs[:, 1], label[pairs[:, 0]])
        low = low[low]
        if np.array_equal(low, label):
            return label
        label = low


def common_shingles(text: str) -> list[str]:
    words = WORDS.findall(text.lower())
    if len(words) < K:
        return [" ".join(words)] if words else []
    return [" ".join(words[place : place + K]) for place in range(len(words) - K + 1)]


@dataclass(frozen=True)
class Marks:
    """A peer's scores on the sample, or what went wrong."""

    peer: Peer
    duplicates: int | None = None
    own: Score | None = None
    common: Score | None = None
    failure: str = ""


def marks(sample: Corpus, peers: tuple[Peer, ...] = PEERS) -> Iterator[Marks]:
    """Each peer's, as they are found."""
    common = truth_of(fingerprints(str(sample.path), common_shingles))
    own: dict[str, Truth] = {}
    for peer in peers:
        asked = Asked(peer, environment(peer.library), sample)
        ran = asked.run()
        if ran.failure:
            yield Marks(peer, failure=ran.failure)
            continue
        table = pq.read_table(asked.target)
        clusters = dict(zip(table["id"].to_pylist(), table["cluster"].to_pylist(), strict=True))
        if peer.shingles and peer.shingles not in own:
            ran = asked.run("shingles")
            if not ran.failure:
                own[peer.shingles] = truth_of(pq.read_table(asked.target))
        by_own = own[peer.shingles].score(clusters) if peer.shingles in own else None
        duplicates = len(clusters) - len(set(clusters.values()))
        yield Marks(peer, duplicates, by_own, common.score(clusters), ran.failure)


def truth_of(table: pa.Table) -> Truth:
    sets = [np.unique(np.array(one, np.int64)) for one in table["shingles"].to_numpy()]
    return truth(table["id"].to_numpy(), sets)
