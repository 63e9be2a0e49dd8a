"""Near-copies: words are replaced until the resemblance is about what is wanted.

Of n distinct shingles a replaced word, far from others, takes k = 5 away and brings 5 new ones; a
run of w replaced words w + 4. If c are replaced in all, the resemblance is (n − c) / (n + c), so
for a resemblance r it takes c = n (1 − r) / (1 + r). What is over after whole words comes from the
title: the word at its place i < 5, counted from 0, is in i + 1 shingles only, for nothing stands
before it.
"""

from collections.abc import Sequence

from webecho.synthetic.chance import TOP, Key, numbers
from webecho.synthetic.languages import Vocabulary

K = 5


def near_copy(
    title: Sequence[str],
    body: Sequence[str],
    others: int,
    resemblance: float,
    vocabulary: Vocabulary,
    *key: Key,
) -> tuple[list[str], list[str]]:
    """The title and the body with words replaced, for a page that has so many `others` beside."""
    shingles = (len(title) + len(body) + others) * vocabulary.tokens - K + 1
    changed = shingles * (1 - resemblance) / (1 + resemblance)
    a_word = vocabulary.tokens + K - 1
    style, start = numbers(2, *key)
    if style % 2:
        # A passage was written anew.
        run = min(max(0, round((changed - K + 1) / vocabulary.tokens)), len(body))
        first = start % (len(body) - run + 1)
        places = list(range(first, first + run))
        changed -= run * vocabulary.tokens + K - 1 if run else 0
    else:
        # Words here and there, each in a stretch of five of its own.
        stretches = len(body) // K
        count = min(int(changed / a_word), stretches)
        order = numbers(stretches, *key, "order")
        chosen = sorted(range(stretches), key=order.__getitem__)[:count]
        places = [K * stretch + start % K for stretch in chosen]
        changed -= count * a_word
    # With nothing replaced at all it would be an exact copy.
    rest = max(round(changed), 0 if places else 1)
    title, body = list(title), list(body)
    *words, last = numbers(len(places) + 1, *key, "words")
    for place, number in zip(places, words, strict=True):
        body[place] = other_word(body[place], number, vocabulary)
    if rest:
        place = min(max(round(rest / vocabulary.tokens), 1), K, len(title)) - 1
        title[place] = other_word(title[place], last, vocabulary)
    return title, body


def other_word(word: str, number: int, vocabulary: Vocabulary) -> str:
    """The word with this number, or if it is the same one far away from it."""
    found = vocabulary.slots[number]
    # No word has half of the slots.
    return found if found != word else vocabulary.slots[(number + TOP // 2) % TOP]
