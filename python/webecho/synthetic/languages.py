"""Made-up languages: each has a script, a vocabulary, and words as frequent as Zipf's law has them.

Words are put together from the syllables of a language, frequent ones from fewer. Sentences have
no grammar: nothing here looks at meaning, but shingles of natural text repeat no more often.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, product
from operator import itemgetter

from webecho.synthetic.chance import TOP, Key, numbers

# So many words that the rarest still has one of the 65,536 slots that are drawn from.
VOCABULARY = 8000
# More numbers than any language needs for its words; tests make all of them.
MOST_DRAWN = 10 * VOCABULARY
# Mandelbrot's offset: the most frequent words of natural text are less frequent than 1 / rank.
OFFSET = 2.7


# Languages and scripts are compared by identity: they are constants, and keys of a cache.
@dataclass(frozen=True, eq=False)
class Script:
    """The syllables of a script, and how it writes sentences."""

    name: str
    parts: tuple[tuple[str, ...], ...]  # a syllable has one of each
    spaced: bool = True
    comma: str = ", "
    stop: str = "."
    longest: int = 4  # syllables a word


def letters(first: str, last: str) -> tuple[str, ...]:
    return tuple(map(chr, range(ord(first), ord(last) + 1)))


LATIN = Script("Latin", (tuple("bdfghklmnprstvz"), tuple("aeiou"), ("", "", "n", "r", "s")))
ROMANCE = Script("Latin", (tuple("bcdfglmnprstvñç"), tuple("aeiouéàó"), ("", "", "s", "l")))
NORDIC = Script("Latin", (("", *"bdfghjklmnrstv", "st", "sk"), tuple("aeiouyåäöü"), ("", "r", "n")))
CYRILLIC = Script("Cyrillic", (tuple("бвгджзклмнпрстхчш"), tuple("аеиоуыя"), ("", "", "й", "н")))
GREEK = Script("Greek", (tuple("βγδθκλμνπρστφχ"), tuple("αεηιουωάέίό"), ("", "", "ν")))
HAN = Script("Han", (letters("一", "鿋")[::9],), spaced=False, comma="，", stop="。", longest=2)
ARABIC = Script(
    "Arabic",
    (tuple("بتجحخدرسشصطعفقكلمني"), ("", "ا", "و"), tuple("بتدرسعفقلمن")),
    comma="، ",
    longest=3,
)
DEVANAGARI = Script("Devanagari", (letters("क", "न"), ("", *"ािीुूेैो"), ("", "", "र", "न")), stop="।")
THAI = Script(
    "Thai",
    (
        ("", "", "เ", "แ", "โ"),
        tuple("กขคงจชดตทนบปพมยรลวสหอ"),
        ("", "า", "ิ", "ี", "ุ"),
        ("", "น", "ง"),
    ),
    spaced=False,
    comma=" ",
    stop=" ",
    longest=3,
)
HANGUL = Script("Hangul", (letters("가", "힣")[::23],), longest=3)


@dataclass(frozen=True, eq=False)
class Language:
    name: str
    script: Script
    share: float  # of the templates


LANGUAGES = (
    Language("latin-1", LATIN, 0.38),
    Language("latin-2", ROMANCE, 0.18),
    Language("latin-3", NORDIC, 0.12),
    Language("cyrillic", CYRILLIC, 0.08),
    Language("greek", GREEK, 0.03),
    Language("han", HAN, 0.07),
    Language("arabic", ARABIC, 0.04),
    Language("devanagari", DEVANAGARI, 0.03),
    Language("thai", THAI, 0.03),
    Language("hangul", HANGUL, 0.04),
)


@dataclass(frozen=True)
class Vocabulary:
    """The words of a language, each as often as it is frequent: draw a slot, get a word."""

    language: Language
    slots: tuple[str, ...]
    tokens: float  # a word has in the mean: in scripts without spaces each character is one

    def words(self, count: int, *key: Key) -> Sequence[str]:
        """So many words by chance."""
        drawn = numbers(count, *key)
        # Measured: most of the time of making pages goes here; a loop takes three times as long.
        return itemgetter(*drawn)(self.slots) if count > 1 else [self.slots[n] for n in drawn]

    def phrase(self, words: Sequence[str]) -> str:
        """Words as they stand in a title or a link."""
        script = self.language.script
        return " ".join(words).capitalize() if script.spaced else "".join(words)

    def sentence(self, words: Sequence[str]) -> str:
        """Words as a sentence, the longer ones with a comma in the middle."""
        script = self.language.script
        blank = " " if script.spaced else ""
        middle = len(words) // 2 if len(words) > 12 else 0
        text = blank.join(words[middle:]) + script.stop
        if middle:
            text = blank.join(words[:middle]) + script.comma + text
        return text[0].upper() + text[1:]

    def sentences(self, words: Sequence[str], *key: Key) -> list[str]:
        """Sentences of 5 to 20 words, the last one somewhat longer if need be; the same key cuts
        other words at the same places."""
        found, start = [], 0
        for number in numbers(len(words) // 5 + 1, *key):
            end = start + 5 + (number & 15)
            if end + 5 > len(words):
                end = len(words)
            found.append(self.sentence(words[start:end]))
            start = end
            if start == len(words):
                break
        return found


@cache
def vocabulary(seed: int, language: Language) -> Vocabulary:
    """The words of a language of a made-up web."""
    words = tuple(vocabulary_words(seed, language))
    weights = list(accumulate(1 / (rank + OFFSET) for rank in range(1, VOCABULARY + 1)))
    ends = [round(TOP * weight / weights[-1]) for weight in weights]
    slots = tuple(
        word
        for word, start, end in zip(words, [0, *ends], ends, strict=False)
        for _ in range(start, end)
    )
    return Vocabulary(language, slots, tokens_a_word(slots, language.script))


def vocabulary_words(seed: int, language: Language) -> Iterator[str]:
    """Distinct words, the most frequent first."""
    script = language.script
    syllables = ["".join(parts) for parts in product(*script.parts)]
    drawn = iter(numbers(MOST_DRAWN, seed, "words", language.name))
    seen = {""}
    while len(seen) <= VOCABULARY:
        # Zipf's other law: frequent words are short.
        rank = len(seen)
        most = min(script.longest, 1 + (rank > 40) + (rank > 1000) + (rank > 5000))
        count = max(1, most - (next(drawn) & 1))
        word = "".join([syllables[next(drawn) % len(syllables)] for _ in range(count)])
        if word not in seen:
            seen.add(word)
            yield word


def tokens_a_word(slots: Sequence[str], script: Script) -> float:
    if script.spaced:
        return 1.0
    characters = "".join(slots)
    marks = sum(1 for character in characters if unicodedata.category(character)[0] == "M")
    return (len(characters) - marks) / len(slots)


def language_of(template: int) -> Language:
    """The language of a template: by their shares, and spread so evenly that few templates suffice
    to have all of them."""
    # Steps by the golden ratio fill the unit interval as evenly as steps can.
    place = (0.5 + template * 0.6180339887498949) % 1
    ends = accumulate(language.share for language in LANGUAGES)
    return next(
        (one for one, end in zip(LANGUAGES, ends, strict=True) if place < end), LANGUAGES[0]
    )
