"""*Terms* of a page: its different words and how often it says each, read again from its source.

A word is a token as the text spells it. Not counted are what has a digit in it (numbers, versions,
most session ids), the words of a date (date_words.py), and the addresses of images, which no reader
sees: by them alone no two pages differ in a meaningful way.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.reread_content import content_pages, contents_of
from webecho.run import Run
from webecho.study.date_words import date_words, in_dates
from webecho.workspace.workspace import Workspace

Numbers = npt.NDArray[np.int64]

DIGIT = r"\pN"
# Where words of a page stand (see `Sketcher.words`).
TITLE, HEADING, IMAGE = 1, 2, 6


@dataclass(frozen=True)
class Terms:
    """The different tokens of a page, ascending; for each how often it counts, how the page spells
    it and at which place it does so first, and where that is. `digest` is of all tokens in order,
    also of those that do not count; it is empty where the page has none."""

    tokens: Numbers
    counts: Numbers
    words: pa.Array
    firsts: Numbers
    places: Numbers
    digest: bytes


def page_terms(
    workspace: Workspace, pages: pa.Array, run: Run, problems: list[str]
) -> dict[int, Terms]:
    """The terms of these pages (ascending) by their numbers, as far as they can be read again; why
    some cannot goes to `problems`. A revisit has those of the page that it repeats."""
    contents = content_pages(workspace, pages)
    found: dict[int, Terms] = {}
    wanted = pc.unique(contents).sort()
    for numbers, rows, sketcher in contents_of(workspace, wanted, {}, run, problems):
        if isinstance(rows, pa.RecordBatch):
            there = zip(numbers.to_pylist(), terms_of(sketcher.words(rows)), strict=True)
            found |= {number: terms for number, terms in there if terms is not None}
    held = zip(pages.to_pylist(), contents.to_pylist(), strict=True)
    return {page: found[content] for page, content in held if content in found}


def terms_of(rows: pa.RecordBatch) -> Iterator[Terms | None]:
    """The terms of each page of `Sketcher.words`; None of one without content."""
    for row in range(len(rows)):
        words, tokens, places = (rows[name][row].values for name in ("words", "tokens", "places"))
        yield None if tokens is None else _terms(words, tokens.to_numpy(), places)


def _terms(words: pa.Array, tokens: Numbers, places: pa.Array) -> Terms:
    # What a word is, is asked once for each that is different.
    _, firsts, inverse = np.unique(tokens, return_index=True, return_inverse=True)
    spelt = words.take(pa.array(firsts))
    numbers = flags(pc.match_substring_regex(spelt, DIGIT))[inverse]
    dated = in_dates(numbers, flags(date_words(spelt))[inverse])
    stands = places.to_numpy(zero_copy_only=False).astype(np.int64)
    counted = np.flatnonzero(~(numbers | dated | (stands == IMAGE)))
    different, firsts, counts = np.unique(tokens[counted], return_index=True, return_counts=True)
    firsts = counted[firsts]
    digest = blake2b(tokens.tobytes(), digest_size=16).digest() if len(tokens) else b""
    return Terms(different, counts, words.take(pa.array(firsts)), firsts, stands[firsts], digest)


def flags(values: pa.Array) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = values.to_numpy(zero_copy_only=False).astype(np.bool_)
    return found
