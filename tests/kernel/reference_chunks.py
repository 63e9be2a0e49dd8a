"""Chunks once more, slow and obvious (Shivakumar 1998, section 2), of a text as it is extracted.

A chunk is told by what it is made of: its tokens, or the characters of its lines or words.
"""

import re
from collections.abc import Callable

from tests.kernel.reference import words
from tests.kernel.reference_paragraphs import sentences
from webecho.chunkings import Chunking
from webecho.settings import Recipe

Chunk = tuple[str, ...]


def lines(text: str) -> list[str]:
    return re.split("\r\n|\r|\n", text)


def paragraphs(text: str) -> list[list[str]]:
    """Lines up to blank ones; what markup says of paragraphs a text does not have."""
    found: list[list[str]] = [[]]
    for line in lines(text):
        if line.strip():
            found[-1].append(line)
        else:
            found.append([])
    return found


def units(text: str, unit: str, made: Callable[[str], Chunk], recipe: Recipe) -> list[Chunk]:
    """What each unit is made of, empty ones too; `made` is for a line or a sentence."""
    if unit == "page":
        return [tuple(value for line in lines(text) for value in made(line))]
    if unit == "lines":
        return [made(line) for line in lines(text)]
    if unit == "sentence":
        return [made(sentence) for sentence in sentences(text)]
    if unit == "paragraph":
        return [tuple(v for line in some for v in made(line)) for some in paragraphs(text)]
    every = text.split() if recipe.chunk_text == "characters" else words(text, recipe)
    return [(word,) for word in every]


def chunks(text: str, chunking: Chunking, recipe: Recipe) -> list[Chunk]:
    def made(line: str) -> Chunk:
        if recipe.chunk_text == "tokens":
            return tuple(words(line, recipe))
        shown = " ".join(line.split())
        return (shown,) if shown else ()

    counted = [unit for unit in units(text, chunking.unit, made, recipe) if unit]
    size = chunking.size
    starts = range(0, len(counted), size)
    if chunking.sliding:
        starts = range(max(1, len(counted) - size + 1)) if counted else range(0)
    return [sum(counted[start : start + size], ()) for start in starts]
