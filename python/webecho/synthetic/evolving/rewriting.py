"""A page is rewritten: so many of the words of its paragraphs give way to others.

Only replacing keeps the others where they are. So what was planted can be counted again, place by
place, in the pages themselves.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from webecho.synthetic.chance import TOP, Key, numbers, share
from webecho.synthetic.content import Content
from webecho.synthetic.edits import other_word
from webecho.synthetic.languages import Vocabulary

# Of a few words so many are replaced at the most; of some and of many words a share of all.
FEW = 5
SHARES = {"some": (0.10, 0.20), "many": (0.40, 0.60)}


def rewritten(said: Content, how: str, vocabulary: Vocabulary, *key: Key) -> Content:
    """The content with a `few`, `some` or `many` of its words replaced; the same key replaces those
    at the same places of texts of the same length."""
    spaced = vocabulary.language.script.spaced
    paragraphs = [words_of(paragraph, spaced) for paragraph in said.paragraphs]
    places = [
        (number, place)
        for number, words in enumerate(paragraphs)
        for place, word in enumerate(words)
        # Most are letters alone, which is told faster.
        if (spaced and word.isalpha()) or is_word(word, spaced)
    ]
    chosen = drawn(places, replaced(how, len(places), *key), *key)
    for (number, place), other in zip(chosen, numbers(len(chosen), *key, "words"), strict=True):
        word = paragraphs[number][place]
        paragraphs[number][place] = exchanged(word, other, vocabulary)
    blank = " " if spaced else ""
    return replace(said, paragraphs=[blank.join(words) for words in paragraphs])


def replaced(how: str, words: int, *key: Key) -> int:
    """How many of so many words are replaced."""
    part = share(*key, "how many")
    if how == "few":
        return min(words, 1 + int(part * FEW))
    least, most = SHARES[how]
    return min(words, max(FEW + 1, round(words * (least + (most - least) * part))))


def drawn(places: Sequence[tuple[int, int]], count: int, *key: Key) -> Sequence[tuple[int, int]]:
    """So many of the places: of every other key a passage, else here and there."""
    style, start = numbers(2, *key, "style")
    if style % 2:
        first = start % (len(places) - count + 1)
        return places[first : first + count]
    order = numbers(len(places), *key, "order")
    return [places[at] for at in sorted(range(len(places)), key=order.__getitem__)[:count]]


def words_of(paragraph: str, spaced: bool) -> list[str]:
    """What is between blanks; in a script without them each character with its marks, and what is
    written in another script as one."""
    if spaced:
        return paragraph.split(" ")
    found: list[str] = []
    for character in paragraph:
        foreign = character.isascii() and found and found[-1].isascii()
        if foreign or (found and unicodedata.category(character)[0] == "M"):
            found[-1] += character
        else:
            found.append(character)
    return found


def is_word(word: str, spaced: bool) -> bool:
    """Whether it is a word alone: neither a number, nor the name of a host, nor a sign."""
    core = core_of(word)
    foreign = not spaced and core.isascii()
    return core[:1].isalpha() and "." not in core and not foreign


def core_of(word: str) -> str:
    """A word without the signs after it."""
    return word.rstrip(",.،।，。")


def exchanged(word: str, number: int, vocabulary: Vocabulary) -> str:
    """Another word, with the signs that were after this one."""
    core = core_of(word)
    signs = word[len(core) :]
    if vocabulary.language.script.spaced:
        return other_word(core.casefold(), number, vocabulary) + signs
    # A character gives way to the first of some other word that begins with a letter and differs.
    for step in range(TOP):
        found = words_of(vocabulary.slots[(number + step * 7) % TOP], False)[0]
        if found != core and found[0].isalpha():
            return found + signs
    raise AssertionError("a language has more than one character")
