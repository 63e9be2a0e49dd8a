"""Whether the pages of a cluster differ in a meaningful way, and in which words.

Each page is held against the one that stands for the cluster. They *differ in words* if one says a
word more often than the other that counts (page_terms.py: neither a number, nor part of a date, nor
an image), and that is not its own name: a word of at least three letters that is a label of its
host, a part of one between hyphens, or its beginning or end. Order, numbers, dates and the page's
own name are no meaningful difference.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from webecho.study.cluster_descriptions import WORDS, Frequencies
from webecho.study.page_terms import Numbers, Terms

# What members differ in.
NOTHING, NOTHING_MEANINGFUL, IN_WORDS = "nothing", "nothing meaningful", "words"
LEAST_NAME = 3


@dataclass(frozen=True)
class Member:
    """A page of a cluster: what it says, and on which host, if that is known."""

    terms: Terms
    host: str | None


@dataclass(frozen=True)
class Differences:
    """How many pages were held against the one that stands for their cluster, how many of them have
    other tokens, or the same in another order, and how many differ in words; the words that this
    one has and others lack, and those of the others, what tells most first."""

    compared: int
    other_tokens: int
    other_words: int
    own: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def kind(self) -> str:
        if self.other_words:
            return IN_WORDS
        return NOTHING_MEANINGFUL if self.other_tokens else NOTHING


def differences(first: Member, others: Sequence[Member], rest: Frequencies) -> Differences:
    """How the others differ from the first; words that few pages of the rest have tell most."""
    lacking, adding = Counter[int](), Counter[int]()
    spelt: dict[int, str] = {}
    changed = meaningful = 0
    for other in others:
        if other.terms.digest == first.terms.digest:
            continue
        changed += 1
        less = dict(said_more(first, other))
        more = dict(said_more(other, first))
        meaningful += bool(less or more)
        lacking.update(less.keys())
        adding.update(more.keys())
        spelt = more | less | spelt

    def named(found: Counter[int]) -> tuple[str, ...]:
        tokens = np.array([*found], np.int64)
        rare = np.log((rest.pages + 1) / (rest.of(tokens) + 0.5))
        told = {
            token: often * float(each)
            for (token, often), each in zip(found.items(), rare, strict=True)
        }
        best = sorted(told, key=lambda token: (-told[token], spelt[token]))
        return tuple(spelt[token] for token in best[:WORDS])

    return Differences(len(others), changed, meaningful, named(lacking), named(adding))


def said_more(one: Member, other: Member) -> Iterator[tuple[int, str]]:
    """The tokens that one page has more often than the other, its own name apart, and its words."""
    ours, theirs = one.terms, other.terms
    often = counts_of(theirs, ours.tokens)
    rows = np.flatnonzero(ours.counts > often)
    words = ours.words.take(pa.array(rows)).to_pylist()
    for token, word in zip(ours.tokens[rows].tolist(), words, strict=True):
        if not is_name(word, one.host):
            yield token, word


def counts_of(terms: Terms, tokens: Numbers) -> Numbers:
    return Frequencies(terms.tokens, terms.counts, 1).of(tokens)


def is_name(word: str, host: str | None) -> bool:
    """Whether a word is part of the name of a host."""
    if host is None or len(word) < LEAST_NAME:
        return False
    folded = word.casefold()
    return any(
        label.startswith(folded) or label.endswith(folded) or folded in label.split("-")
        for label in host.split(".")
    )
