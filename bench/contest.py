"""webecho among the tools that people would pick instead: one job, the same files, one machine.

The job: clusters at Jaccard 0.8 on shingles of 5 words, from a Parquet file of (id, text) to a
Parquet table of (id, cluster). Each run is a process of its own; its seconds are those from its
start, imports included, to the table on disk.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow.parquet as pq

from bench.corpora import Corpus
from bench.environments import CACHE, HERE, OURS, Environment, environment
from bench.process import Run, run

RESULTS = CACHE / "results"
THREADS = 2
# A peer that would take longer than this on a whole corpus runs on a sample of it.
PATIENCE = 180.0  # seconds
TIMEOUT = 600.0
TRIAL = 250  # documents, to foresee how long a peer takes
SAMPLES = (2, 5, 10, 20, 50, 100, 200)  # a whole corpus divided by these
REPEATED_BELOW = 60.0  # seconds: runs that are shorter are repeated, and the best counts


@dataclass(frozen=True)
class Peer:
    """A script, the library it answers for, with which parameters, and what it compares."""

    script: str
    library: str
    how: str
    shingles: str  # what they are made of; none where only exact copies are looked for

    @property
    def near(self) -> bool:
        return bool(self.shingles)


PEERS = (
    Peer(
        "webecho_similar",
        OURS,
        "84 features, 16 bands of 5, candidates counted exactly",
        "letters, marks and digits, case-folded",
    ),
    Peer(
        "gaoya_minhash",
        "gaoya",
        "126 hashes, 21 bands of 6, candidates estimated",
        "words at white space and ASCII punctuation",
    ),
    Peer(
        "rensa_lsh",
        "rensa",
        "128 hashes, 32 bands of 4, candidates estimated",
        "words at white space",
    ),
    Peer(
        "rensa_deduplicator",
        "rensa",
        "128 hashes, 32 bands of 4, candidates estimated",
        "words at white space",
    ),
    Peer(
        "datasketch_lsh",
        "datasketch",
        "128 hashes, 21 bands of 6, candidates estimated",
        "words at white space",
    ),
    Peer(
        "text_dedup_minhash",
        "text-dedup",
        "128 hashes, 9 bands of 13, unverified",
        "words between two characters that are none",
    ),
    Peer(
        "datatrove_minhash",
        "datatrove",
        "112 hashes, 14 bands of 8, unverified",
        "words at white space and its punctuation",
    ),
    Peer("simhash_index", "simhash", "64 bits, at most 3 differ", "words at white space"),
    Peer("text_dedup_simhash", "text-dedup", "64 bits, at most 3 differ", "30 characters"),
    Peer("duckdb_exact", "duckdb", "equal hashes of the text", ""),
    Peer("polars_exact", "polars", "equal hashes of the text", ""),
)


@dataclass(frozen=True)
class Entry:
    """A peer's result on a corpus or a sample of it."""

    peer: Peer
    version: str
    corpus: str
    documents: int
    bytes: int
    run: Run
    duplicates: int | None  # documents less clusters
    runs: int

    @property
    def done(self) -> bool:
        return not self.run.failure

    @property
    def speed(self) -> float:
        """MB of text a second."""
        return self.bytes / self.run.seconds / 1e6


def compare(corpus: Corpus, repeat: int, peers: tuple[Peer, ...] = PEERS) -> Iterator[list[Entry]]:
    """Every peer on the corpus, or on as much of it as it can do in a few minutes: after each
    round the best so far.

    They take turns, so that what else the machine does strikes all alike.
    """
    asked = [Asked(peer, environment(peer.library), fitting(peer, corpus)) for peer in peers]
    runs: list[list[Run]] = [[] for _ in asked]
    for _ in range(repeat):
        for one, found in zip(asked, runs, strict=True):
            if not found or (not found[-1].failure and found[-1].seconds < REPEATED_BELOW):
                found.append(one.run())
                said = found[-1].failure or f"{found[-1].seconds:.1f} s"
                print(
                    f"  {one.peer.script}, {one.corpus.documents:,} documents: {said}", flush=True
                )
        yield [one.entry(found) for one, found in zip(asked, runs, strict=True)]


def fitting(peer: Peer, corpus: Corpus) -> Corpus:
    """The corpus, or a sample if the peer would take too long: foreseen from small samples, by
    processor time, which others' work on the machine disturbs least."""
    place = environment(peer.library)
    small = corpus.sample(TRIAL)
    first = Asked(peer, place, small).run()
    ran, sample = first, small
    # Until it is the documents that take the time, not the start.
    while not ran.failure and ran.cpu < 2 * first.cpu:
        sample = corpus.sample(4 * sample.documents)
        if sample is corpus:
            return corpus
        ran = Asked(peer, place, sample).run()
    if ran.failure:
        return corpus
    each = (ran.cpu - first.cpu) / (sample.bytes - small.bytes)
    for part in (1, *SAMPLES):
        if (first.cpu + each * corpus.bytes / part) / THREADS <= PATIENCE:
            return corpus.sample(corpus.documents // part)
    return corpus.sample(corpus.documents // SAMPLES[-1])


@dataclass(frozen=True)
class Asked:
    """A peer with its environment and the documents it is given."""

    peer: Peer
    place: Environment
    corpus: Corpus

    @property
    def target(self) -> Path:
        return RESULTS / f"{self.peer.script}-{self.corpus.path.stem}.parquet"

    def run(self, what: str = "clusters") -> Run:
        """One run of the peer's script, whose table is then in `target`."""
        if self.place.failure:
            return Run(0.0, 0.0, 0, 0, 0.0, self.place.failure)
        RESULTS.mkdir(parents=True, exist_ok=True)
        script = HERE / "peers" / f"{self.peer.script}.py"
        command = [self.place.python, str(script), what, str(self.corpus.path), str(self.target)]
        return run([*command, str(THREADS)], self.target, TIMEOUT)

    def entry(self, runs: list[Run]) -> Entry:
        """The fastest of the runs, with the most memory that any of them took."""
        best = min(runs, key=lambda found: (bool(found.failure), found.seconds))
        best = replace(
            best,
            memory=max(found.memory for found in runs),
            own_memory=max(found.own_memory for found in runs),
        )
        duplicates = None
        if not best.failure:
            found = pq.read_table(self.target, columns=["cluster"])["cluster"]
            duplicates = len(found) - len(found.unique())
        return Entry(
            self.peer,
            self.place.version,
            self.corpus.name,
            self.corpus.documents,
            self.corpus.bytes,
            best,
            duplicates,
            len(runs),
        )
