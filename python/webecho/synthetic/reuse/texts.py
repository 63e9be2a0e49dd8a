"""Texts as numbers: what pages say before a word of it is made.

Every sentence has a number: `PLACES` times the *text* that it was written for, and its place there.
A *run* is so many sentences one after the other, by the number of the first; what a page says is a
few runs. So what two pages share is known from numbers alone.

The first texts are *popular*: they stand below the text of very many pages. The one after them is a
*licence*, which some pages have and which is long enough to make each the parent of the others.
Then comes a text for each document.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from webecho.synthetic.chance import numbers, share
from webecho.synthetic.hosts import CONSONANTS, STRIDE, SYLLABLES, VOWELS
from webecho.synthetic.languages import Language, vocabulary
from webecho.synthetic.linked import LEAST_LENGTH, MOST_LENGTH, SENTENCES, enough

Run = tuple[int, int]
Runs = tuple[Run, ...]

PLACES = 1024
# Sentences of the popular texts: four overlapping paragraphs each, fewer than any minimal number of
# the paper; and of the licence, fourteen.
POPULAR = (6, 6)
LICENCE, LICENCE_SENTENCES = len(POPULAR), 16
FIRST_TEXT = LICENCE + 1
# Sentences that come into a page when it changes have places from here on.
CHANGED = 512
# The first sentences of a page about a topic have its names, and are never copied alone.
NAMING = 3
NAMES = 3
NAME_SYLLABLES = 5
# Sentences with names are so much longer than the least: with three names still below 150.
MOST_NAMING = 30
# Four sentences of this length are more than 450 characters, and only two overlapping paragraphs.
LONG = 114
# Enough words for that even if each has but one letter; nearly always some are enough, and drawing
# them is most of the time of making pages.
MOST_WORDS, USUAL_WORDS = LONG // 2, 24


def text_of(document: int) -> int:
    """The text that is a document's own."""
    return FIRST_TEXT + document


def run(document: int, place: int, count: int) -> Run:
    """Sentences of a document's own text."""
    return (PLACES * text_of(document) + place, count)


def popular(block: int | None) -> Runs:
    """A whole popular text, or none."""
    return () if block is None else ((PLACES * block, POPULAR[block]),)


def licence() -> Run:
    return (PLACES * LICENCE, LICENCE_SENTENCES)


def length(runs: Iterable[Run]) -> int:
    """The number of sentences."""
    return sum(count for _, count in runs)


def sentence_numbers(runs: Iterable[Run]) -> Iterator[int]:
    """Every sentence in order."""
    for first, count in runs:
        yield from range(first, first + count)


def cut(runs: Runs, start: int, count: int) -> Runs:
    """So many sentences from the one at `start` on, counted from 0."""
    found, at = [], 0
    for first, size in runs:
        begin, end = max(start, at), min(start + count, at + size)
        if begin < end:
            found.append((first + begin - at, end - begin))
        at += size
    return joined(found)


def joined(runs: Iterable[Run]) -> Runs:
    """The same sentences in as few runs as can be."""
    found: list[Run] = []
    for first, count in runs:
        if found and sum(found[-1]) == first:
            found[-1] = (found[-1][0], found[-1][1] + count)
        else:
            found.append((first, count))
    return tuple(found)


def other_order(runs: Runs) -> Runs:
    """The paragraphs after the first in the reverse order; what is less than one stays last."""
    paragraphs, rest = divmod(length(runs), SENTENCES)
    order = [0, *range(paragraphs - 1, 0, -1)]
    parts = [part for at in order for part in cut(runs, SENTENCES * at, SENTENCES)]
    return joined([*parts, *cut(runs, SENTENCES * paragraphs, rest)])


def windows(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The overlapping paragraphs of sentences, by their numbers."""
    if len(numbers) < SENTENCES:
        yield tuple(numbers)
    for at in range(len(numbers) - SENTENCES + 1):
        yield tuple(numbers[at : at + SENTENCES])


def names(seed: int, topic: int) -> tuple[str, ...]:
    """The words that only pages about a topic have. They have more syllables than any word of a
    language, and no two topics have one in common."""
    return tuple(name(seed, NAMES * topic + number) for number in range(NAMES))


def name(seed: int, number: int) -> str:
    every = SYLLABLES**NAME_SYLLABLES
    number = (number * STRIDE + int(share(seed, "topics") * every)) % every
    found = ""
    for _ in range(NAME_SYLLABLES):
        number, syllable = divmod(number, SYLLABLES)
        found += CONSONANTS[syllable // len(VOWELS)] + VOWELS[syllable % len(VOWELS)]
    return found


@lru_cache(maxsize=1 << 14)
def written(
    seed: int, language: Language, number: int, topic: int | None, long: bool = False
) -> str:
    """A sentence in words, with the names of a topic if it is one of the first of its text."""
    words = vocabulary(seed, language)
    named: tuple[str, ...] = ()
    [drawn] = numbers(1, seed, "length", number)
    if long:
        wanted = LONG
    elif topic is not None and number % PLACES < NAMING:
        wanted = LEAST_LENGTH + drawn % MOST_NAMING
        turn = number % NAMES
        named = names(seed, topic)[turn:] + names(seed, topic)[:turn]
    else:
        wanted = LEAST_LENGTH + drawn % (MOST_LENGTH - LEAST_LENGTH)
    for count in (USUAL_WORDS, MOST_WORDS):
        some = words.words(count, seed, "sentence", number)
        if sum(map(len, some)) + count >= wanted:
            break
    return words.sentence([*enough(some, wanted), *named])
