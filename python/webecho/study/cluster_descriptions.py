"""*Description* of a cluster: the words that set it apart from the rest of its collection.

A word sets a cluster apart by how much more of its pages say it than of others: the difference of
the logarithms of the odds,

    ln (a + ½) / (m − a + ½)  −  ln (b + ½) / (r − b + ½),

where a of m pages of the cluster and b of r other pages have it. Only words that at least half of
the m pages have can describe them all. What a page says often, in its title or in a heading is more
likely what it is about: odds count as many times as it says the word, and `TITLED` or `HEADED`
times; but words that more than a tenth of the r pages have come after all others. The best words
stand in the order of the text, and such as follow each other there make a phrase. A page with no
more words than that is described by all of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from webecho.study.page_terms import HEADING, TITLE, Numbers, Terms

# Words of a description, and of a list of words.
WORDS = 8
TITLED, HEADED = 20.0, 4.0
# A word that a larger share of the other pages has sets little apart, however often it is said.
KNOWN = 0.1
# A letter alone says nothing, but for scripts in which one is a word or a token; nor do words that
# broken markup glued together.
SAYING = r"^.{2,30}$|[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Frequencies:
    """In how many of `pages` each token is; tokens are ascending."""

    tokens: Numbers
    counts: Numbers
    pages: int

    def of(self, tokens: Numbers) -> Numbers:
        """In how many pages these are."""
        if not len(self.tokens):
            return np.zeros(len(tokens), np.int64)
        at = np.searchsorted(self.tokens, tokens).clip(max=len(self.tokens) - 1)
        return np.where(self.tokens[at] == tokens, self.counts[at], 0)


def frequencies(pages: Sequence[Terms]) -> Frequencies:
    """In how many of these pages each token is."""
    every = [np.array([], np.int64), *(page.tokens for page in pages)]
    tokens, counts = np.unique(np.concatenate(every), return_counts=True)
    return Frequencies(tokens, counts, len(pages))


def log_odds(own: Frequencies, rest: Frequencies, tokens: Numbers) -> Floats:
    """By how much each token sets the pages of `own` apart from those of `rest`."""

    def odds(within: Frequencies) -> Floats:
        having = within.of(tokens)
        found: Floats = np.log((having + 0.5) / (within.pages - having + 0.5))
        return found

    return odds(own) - odds(rest)


def description(members: Sequence[Terms], rest: Frequencies) -> str | None:
    """The words that set these pages, of which the first stands for them, apart from the rest; or
    all its words where they are few. None if none sets them apart."""
    first = members[0]
    if len(first.tokens) <= WORDS:
        words = zip(first.firsts.tolist(), first.words.to_pylist(), strict=True)
        few = phrases([(0, at, word) for at, word in words])
        return f"nothing but {few}" if few else "no words"
    own = frequencies(members)
    common = own.tokens[2 * own.counts >= own.pages]
    known = rest.of(common) > KNOWN * rest.pages
    ranked = zip(known.tolist(), log_odds(own, rest, common).tolist(), strict=True)
    scores = dict(zip(common.tolist(), ranked, strict=True))
    # Of each word the first page that has it, as it spells it.
    found: dict[int, tuple[bool, float, int, int, str]] = {}
    for number, page in enumerate(members):
        if len(found) == len(scores):
            break
        saying = pc.match_substring_regex(page.words, SAYING).to_pylist()
        columns = (page.tokens, page.counts, page.places, page.firsts)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for index, (token, count, place, first) in enumerate(rows):
            if saying[index] and token in scores and token not in found:
                weight = TITLED if place == TITLE else HEADED if place == HEADING else 1.0
                is_known, odds_of = scores[token]
                score = odds_of + math.log(weight * count)
                found[token] = is_known, -score, number, first, page.words[index].as_py()
    apart = sorted(each for each in found.values() if each[1] < 0)
    return phrases([(number, first, word) for _, _, number, first, word in apart])


def phrases(best: Sequence[tuple[int, int, str]]) -> str | None:
    """The first of these words in the order of the text, those that follow each other together."""
    chosen = sorted(best[:WORDS])
    if not chosen:
        return None
    text = chosen[0][2]
    for (number, first, _), (other, second, word) in pairwise(chosen):
        text += f"{' ' if (number, first + 1) == (other, second) else ', '}{word}"
    return text
