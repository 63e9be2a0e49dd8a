"""*Difference* of two pages: the words that both have, those removed and those added, in order.

Words are tokens as the text spells them. Two are equal if their tokens are and if the text writes
them alike up to the next one, white space folded: case, and symbols such as `<<`, which make no
tokens, are a reader's business. Words with equal tokens that are not written alike are *rewritten*.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import pyarrow as pa

from webecho import _core

Kind = Literal["equal", "removed", "added", "rewritten"]

# Unicode's property of that name, as `text_digest` folds it.
WHITE_SPACE = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


@dataclass(frozen=True)
class Stretch:
    """Words that follow each other on both pages, or on the left or the right one alone; rewritten
    ones with the symbols around them."""

    kind: Kind
    left: tuple[str, ...]
    right: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """As the left page spells them where it has them."""
        return self.left or self.right


@dataclass(frozen=True)
class PageWords:
    """A page's words, and its text around them: `starts` and `ends` are where each word stands."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, row: pa.RecordBatch) -> "PageWords":
        """The page of a row of `Sketcher.words`."""
        lists = (tuple(row[name][0].as_py()) for name in ("words", "starts", "ends"))
        return cls(row["text"][0].as_py(), *lists)

    def around(self, word: int, *, begins: bool, ends: bool) -> str:
        """A word as it is written: with what stands before it if it `begins` the text, and unless
        it `ends` what both pages have in common, with what stands before the next."""
        last = word + 1 == len(self.words)
        start = 0 if begins else self.starts[word]
        end = self.ends[word] if ends else len(self.text) if last else self.starts[word + 1]
        # An image's address stands nowhere in the text.
        name = self.words[word] if self.starts[word] == self.ends[word] else ""
        found = name + WHITE_SPACE.sub(" ", self.text[start:end])
        found = found.lstrip(" ") if begins else found
        return found.rstrip(" ") if last else found


def difference(left: pa.RecordBatch, right: pa.RecordBatch) -> tuple[Stretch, ...]:
    """All words of both pages in stretches; `left` and `right` are rows of `Sketcher.words`."""
    ours, theirs = PageWords.of(left), PageWords.of(right)
    if not ours.words and not theirs.words:
        return tuple(wordless(ours.text, theirs.text))
    runs = _core.difference(*(row["tokens"][0].values for row in (left, right)))
    return tuple(stretches(runs, ours, theirs))


def wordless(left: str, right: str) -> Iterator[Stretch]:
    """What differs in two texts without any token."""
    one, other = (WHITE_SPACE.sub(" ", text).strip(" ") for text in (left, right))
    if one != other:
        sides = (tuple(filter(None, [text])) for text in (one, other))
        yield Stretch("rewritten", *sides)


def stretches(runs: pa.RecordBatch, left: PageWords, right: PageWords) -> Iterator[Stretch]:
    """What is removed, what is added, what is equal or rewritten, and so on; none of them empty."""
    starts = [*zip(*(column.to_pylist() for column in runs.columns), strict=True)]
    left_at = right_at = 0
    end = len(left.words), len(right.words)
    for left_start, right_start, length in [*starts, (*end, 0)]:
        left_end, right_end = left_start + length, right_start + length
        if left_at < left_start:
            yield Stretch("removed", left.words[left_at:left_start], ())
        if right_at < right_start:
            yield Stretch("added", (), right.words[right_at:right_start])
        pairs = zip(range(left_start, left_end), range(right_start, right_end), strict=True)
        # What stands between a word and a change is part of that.
        last = None if (left_end, right_end) == end else (left_end - 1, right_end - 1)
        yield from split([alike(left, right, pair, ends=pair == last) for pair in pairs])
        left_at, right_at = left_end, right_end


# The words of both pages at one place, and whether they are written alike.
Pair = tuple[bool, str, str]


def alike(left: PageWords, right: PageWords, pair: tuple[int, int], *, ends: bool) -> Pair:
    """Two words with the same token: as they are spelt, or if they are not written alike, as they
    are written."""
    begins = pair == (0, 0)
    one, other = (
        page.around(word, begins=begins, ends=ends)
        for page, word in zip((left, right), pair, strict=True)
    )
    if one == other:
        return True, left.words[pair[0]], right.words[pair[1]]
    return False, one.strip(" "), other.strip(" ")


def split(pairs: Sequence[Pair]) -> Iterator[Stretch]:
    """Stretches of words that are written alike, and of others."""
    for same, some in groupby(pairs, key=lambda pair: pair[0]):
        _, left, right = zip(*some, strict=True)
        yield Stretch("equal" if same else "rewritten", left, right)
