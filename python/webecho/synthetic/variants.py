"""Families of documents by their shingle paragraphs (Pereira 2006, Definition 1).

Documents of a family that have the same paragraphs, in whatever order, are a *variant* of it; the
original's is number 0. A variant has paragraphs of the original and others of its own, and at
least as many as the original. So it has in common with another variant no more of its paragraphs
than with the original, and whether it belongs to the others at a share p is told by its *share*
alone: paragraphs in common with the original / the greater number of paragraphs of the two.

A repeated paragraph makes a false match (section 3): the first stands again in place of the last.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from webecho.synthetic.content import page_words
from webecho.synthetic.plan import drawing, power_law, too_many_copies
from webecho.synthetic.web import Web

# How a document came to be, as KINDS of pages.
DOCUMENT_KINDS = (
    "original",
    "same paragraphs",
    "other order",
    "shared paragraphs",
    "repeated paragraph",
    "short",
)
# What families are made of, with shares of them. Short documents have at most 450 characters.
FAMILIES = (
    ("same paragraphs", 0.55),
    ("shared paragraphs", 0.33),
    ("repeated paragraph", 0.04),
    ("short", 0.08),
)
# Of the documents that stay alone this share is short.
SHORT = 0.05
# Paragraphs: as few as are more than 450 characters for sure, and no page is endless.
LEAST, MOST = 4, 120
PARAGRAPH_WORDS = 45  # a paragraph has, about
# Every other variant has one of these shares (Pereira 2006, Table 3), to the paragraph; the others
# have any. With these numbers of paragraphs all are possible.
SHARES = (0.9, 0.7, 0.5)
ROUND = (10, 20)
MOST_ADDED = 3
# Of the documents of a family with shared paragraphs this share has those of an earlier one.
AGAIN = 0.3
# False matches are rare (section 3).
MOST_REPEATED = 3


class FamilyDocument(NamedTuple):
    """A document of a family: its variant, how it came to be, and its paragraphs, each by the
    number in the family of the document that it was written for, and its place there."""

    variant: int
    kind: str
    common: int
    paragraphs: list[tuple[int, int]]


def families(web: Web, chance: Random) -> Iterator[list[FamilyDocument]]:
    """All families, and the documents that stay alone, each with what its documents say."""
    copies = round(web.pages * web.duplicates)
    alone = web.pages - copies
    size = power_law(web.power, copies)
    kind = drawing([part for _, part in FAMILIES])
    lengths = page_words(web.words)

    def length() -> int:
        words = lengths[int(chance.random() * len(lengths))]
        return min(max(LEAST, words // PARAGRAPH_WORDS), MOST)

    first = iter(range(len(FAMILIES)))
    while copies:
        # First one of each, so that small webs have all.
        name, _ = FAMILIES[next(first, kind(chance.random()))]
        made = min(size(chance.random()) - 1, copies)
        if name == "repeated paragraph":
            made = min(made, MOST_REPEATED)
        copies -= made
        alone -= 1
        if alone < 0:
            raise too_many_copies(web)
        if name == "same paragraphs":
            yield same_paragraphs(length(), made)
        elif name == "short":
            yield [
                FamilyDocument(0, "original", 1, [(0, 0)]),
                *[FamilyDocument(0, name, 1, [(0, 0)])] * made,
            ]
        elif name == "repeated paragraph":
            yield repeated_paragraph(ROUND[made % 2], made)
        else:
            yield shared_paragraphs(made, chance)
    for _ in range(alone):
        count = 1 if chance.random() < SHORT else length()
        yield [FamilyDocument(0, "original", count, own(0, range(count)))]


def own(member: int, places: Sequence[int]) -> list[tuple[int, int]]:
    return [(member, place) for place in places]


def same_paragraphs(length: int, made: int) -> list[FamilyDocument]:
    """Documents with the same paragraphs; in every third copy those after the first in another
    order."""
    paragraphs = own(0, range(length))
    turned = [paragraphs[0], *paragraphs[:0:-1]]
    return [
        FamilyDocument(0, "original", length, paragraphs),
        *(
            FamilyDocument(0, "other order", length, turned)
            if member % 3 == 0
            else FamilyDocument(0, "same paragraphs", length, paragraphs)
            for member in range(1, made + 1)
        ),
    ]


def repeated_paragraph(length: int, made: int) -> list[FamilyDocument]:
    """An original, and documents with its first paragraph also in place of its last."""
    paragraphs = own(0, range(length))
    repeated = [*paragraphs[:-1], paragraphs[0]]
    return [
        FamilyDocument(0, "original", length, paragraphs),
        *[FamilyDocument(1, "repeated paragraph", length - 1, repeated)] * made,
    ]


def shared_paragraphs(made: int, chance: Random) -> list[FamilyDocument]:
    """An original, and variants that have some of its paragraphs."""
    length = ROUND[chance.random() < 0.5]
    found = [FamilyDocument(0, "original", length, own(0, range(length)))]
    for member in range(1, made + 1):
        if chance.random() < AGAIN:
            earlier = found[int(chance.random() * member)]
            kind = "shared paragraphs" if earlier.variant else "same paragraphs"
            found.append(earlier._replace(kind=kind))
            continue
        added = 0
        if chance.random() < 0.5:
            common = round(SHARES[int(chance.random() * len(SHARES))] * length)
        else:
            common = 1 + int(chance.random() * (length - 1))
            added = int(chance.random() * (MOST_ADDED + 1))
        keys = [chance.random() for _ in range(length)]
        others = sorted(range(length), key=keys.__getitem__)[common:]
        paragraphs = [(member if place in others else 0, place) for place in range(length)]
        paragraphs += own(member, range(length, length + added))
        found.append(FamilyDocument(member, "shared paragraphs", common, paragraphs))
    return found
