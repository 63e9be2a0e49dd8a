"""*Comparison*: what two pages have in common by every measure, and their difference.

| measure | of two pages | from |
| --- | --- | --- |
| resemblance | shared / all distinct shingles of the two | Broder 1997 |
| containment | shared / one's own distinct shingles | Broder 1997 |
| B-similarity | how many supershingles agree, position by position | Henzinger 2006 |
| C-similarity | how many bits of the projections agree | Henzinger 2006 |
| share of equal words | twice those that a minimal diff leaves / all words of both | Myers 1986 |

Where shingles are neither kept nor can be made again, the share of equal features stands in for the
resemblance and is called an estimate; containments are then not known.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.difference import Stretch, difference
from webecho.group.memberships import Membership
from webecho.group.rules.keys import DIGESTS, PAYLOAD, Digest
from webecho.group.rules.registry import RULES, rule, rules_with
from webecho.group.rules.rule import Rule
from webecho.group.sides import CHUNKINGS, Side
from webecho.group.verdicts import Measures, Verdict, verdict
from webecho.read.urls import hosts, sites
from webecho.settings import Recipe
from webecho.shown import Outline, Shown

WORD = 2**64 - 1


@dataclass(frozen=True)
class ComparedPage:
    """What a page is called, and how much there is of it."""

    page: int | None
    url: str | None
    id: str | int | None
    title: str | None
    tokens: int | None
    shingles: int | None  # distinct ones

    @property
    def name(self) -> str:
        """What it is called by, as far as that is known."""
        number = None if self.page is None else f"#{self.page}"
        return str(self.url or self.id or number or self.title or "a page")


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Two pages by every measure; None is what cannot be known, or what pages without tokens lack.

    Supershingles are numbered from 1.
    """

    left: ComparedPage
    right: ComparedPage
    recipe: Recipe
    # Bytes as stored and read, and as read; the visible text, white space folded; the tokens.
    same_payload: bool
    same_bytes: bool
    same_text: bool
    same_tokens: bool
    shared_shingles: int | None
    resemblance: float | None
    left_containment: float | None
    right_containment: float | None
    # Why the resemblance is an estimate, if it is one.
    estimated: str | None
    equal_features: int | None
    agreeing_supershingles: tuple[int, ...] | None
    c_similarity: int | None
    # The share of words that a minimal diff leaves equal; it is at least that if it is estimated.
    equal_words: float | None
    equal_words_estimated: bool
    verdicts: tuple[Verdict, ...]
    # None where the pages cannot be read again; `gone` says why.
    difference: tuple[Stretch, ...] | None
    gone: str | None
    # The words of each page that stand nowhere in the other, once each, in their order.
    left_only: tuple[str, ...] | None = None
    right_only: tuple[str, ...] | None = None
    clusters: tuple[Membership, ...] = ()
    # What the dedup of the workspace decided of the two, if one went with the other.
    dedup: str | None = None
    notes: tuple[str, ...] = ()

    def outline(self) -> Outline:
        measures = {
            "resemblance": self.resemblance,
            "B-similarity": self.b_similarity,
            "C-similarity": self.c_similarity,
            "equal words": self.equal_words,
            "same tokens": self.same_tokens,
            "same text": self.same_text,
            "same payload": self.same_payload,
        }
        by: dict[bool | None, list[str]] = {True: [], False: [], None: []}
        for each in self.verdicts:
            by[each.together].append(each.rule)
        rules = {
            f"{said} by": ", ".join(by[together])
            for said, together in (("together", True), ("apart", False))
            if by[together]
        }
        pages = {"left": self.left.name, "right": self.right.name}
        return Outline("Comparison", pages | measures | rules, notes=self.notes)

    @property
    def b_similarity(self) -> int | None:
        """How many supershingles agree."""
        return None if self.agreeing_supershingles is None else len(self.agreeing_supershingles)


def compare(
    left: Side,
    right: Side,
    recipe: Recipe,
    resemblance: float | None = None,
    decided: Rule | None = None,
) -> Comparison:
    """The comparison of two pages; `resemblance` is what the rule `similar` asks for. Of the rule
    by which a dedup has `decided` its own parameters are taken, where none are given."""
    pages = described(left), described(right)
    gone = left.gone or right.gone
    features = equal_places(left, right, "features")
    agreeing = equal_places(left, right, "supershingles")
    bits = equal_bits(left, right)
    shared = shared_shingles(left, right)
    share = estimated = left_share = right_share = None
    if shared is not None:
        left_size, right_size = (page.shingles or 0 for page in pages)
        share = shared / (left_size + right_size - shared)
        left_share, right_share = shared / left_size, shared / right_size
    elif gone and features is not None:
        share, estimated = len(features) / recipe.m, gone
    equal, exact = equal_words(left, right)
    tokens = [page.tokens for page in pages]
    same_bytes = None not in tokens and agree(left, right, "markup_digest")
    similar = rules_with("resemblance")
    asked = [rule(name, resemblance if name in similar else None, recipe) for name in RULES]
    if decided is not None and not (resemblance is not None and decided.name in similar):
        asked = [decided if each.name == decided.name else each for each in asked]
    digests = [each.sets for each in asked if isinstance(each.sets, Digest)]
    same = {digest.name: same_by(digest, left, right) for digest in (*DIGESTS, *digests)}
    measures = Measures(
        same=same,
        bare=0 in tokens,
        unknown=None in tokens,
        resemblance=share,
        estimated=estimated is not None,
        equal_words=equal,
        equal_words_estimated=not exact,
        b_similarity=None if agreeing is None else len(agreeing),
        c_similarity=bits,
        same_paragraphs=same_paragraphs(left, right),
        shared_chunks=shared_chunks(left, right),
        same_chunks=same_chunks(left, right),
        chars=fewer_chars(left, right),
        same_site=same_site(left, right, recipe),
        recipe=recipe,
        equal_features=features,
    )
    known = left.words is not None and right.words is not None
    return Comparison(
        *pages,
        recipe=recipe,
        same_payload=same[PAYLOAD.name],
        same_bytes=same_bytes,
        same_text=left.fact("text_digest") is not None and agree(left, right, "text_digest"),
        same_tokens=left.fact("digest") is not None and agree(left, right, "digest"),
        shared_shingles=shared,
        resemblance=share,
        left_containment=left_share,
        right_containment=right_share,
        estimated=estimated,
        equal_features=None if features is None else len(features),
        agreeing_supershingles=agreeing,
        c_similarity=bits,
        equal_words=equal,
        equal_words_estimated=not exact,
        verdicts=tuple(verdict(each, measures) for each in asked),
        difference=difference(left.words, right.words) if known else None,
        gone=gone,
        left_only=only(left, right) if known else None,
        right_only=only(right, left) if known else None,
    )


def only(side: Side, other: Side) -> tuple[str, ...]:
    """The words of one page that stand nowhere in the other, once each, as it first spells them."""
    if side.words is None or other.words is None:
        return ()
    theirs = {*other.words["tokens"][0].as_py()}
    tokens, words = (side.words[name][0].as_py() for name in ("tokens", "words"))
    own: dict[int, str] = {}
    for token, word in zip(tokens, words, strict=True):
        if token not in theirs:
            own.setdefault(token, word)
    return tuple(own.values())


def described(side: Side) -> ComparedPage:
    shingles = side.values("shingles")
    facts = {name: side.fact(name) for name in ("title", "tokens")}
    return ComparedPage(**side.names, **facts, shingles=None if shingles is None else len(shingles))


def agree(left: Side, right: Side, name: str) -> bool:
    return bool(left.fact(name) == right.fact(name))


def same_by(digest: Digest, left: Side, right: Side) -> bool:
    """Whether the first of the digest's columns in which either has one is the same in both."""
    values = (tuple(side.fact(name) for side in (left, right)) for name in digest.columns)
    one, other = next((pair for pair in values if pair != (None, None)), (None, None))
    return one is not None and bool(one == other)


def same_site(left: Side, right: Side, recipe: Recipe) -> bool:
    """Whether the addresses of both are known and on one site."""
    one, other = sites(hosts(pa.array([left.names["url"], right.names["url"]])), recipe.site)
    return bool(one.is_valid and one == other)


def same_paragraphs(left: Side, right: Side) -> bool | None:
    """Whether both have the same shingle paragraphs, each as often, where they are known."""
    if not (left.has("paragraphs") and right.has("paragraphs")):
        return None
    one, other = (side.values("paragraphs") for side in (left, right))
    return Counter(one.to_pylist() if one else ()) == Counter(other.to_pylist() if other else ())


def shared_chunks(left: Side, right: Side) -> dict[str, int]:
    """How many different chunks both have, by the chunking, as far as they are known."""
    return {name: len({*one} & {*other}) for name, one, other in chunks_of(left, right)}


def same_chunks(left: Side, right: Side) -> frozenset[str]:
    """The chunkings by which both have the same chunks, and any."""
    return frozenset(name for name, one, other in chunks_of(left, right) if one and one == other)


def chunks_of(left: Side, right: Side) -> Iterator[tuple[str, list[int], list[int]]]:
    """The chunks of both in their order, by the chunking, as far as they are known."""
    for chunking in CHUNKINGS:
        if left.has(chunking.table) and right.has(chunking.table):
            one, other = (side.values(chunking.table) for side in (left, right))
            yield str(chunking), one.to_pylist() if one else [], other.to_pylist() if other else []


def fewer_chars(left: Side, right: Side) -> int | None:
    """How many characters the shorter one has."""
    one, other = left.fact("chars"), right.fact("chars")
    return None if one is None or other is None else min(one, other)


def shared_shingles(left: Side, right: Side) -> int | None:
    """How many distinct shingles both have, where they are known."""
    ours, theirs = left.values("shingles"), right.values("shingles")
    if ours is None or theirs is None:
        return None
    count: int = pc.is_in(ours, value_set=theirs).true_count
    return count


def equal_words(left: Side, right: Side) -> tuple[float | None, bool]:
    """The share of equal words, and whether it is that of a minimal diff; None where a page has no
    words, or they are not known."""
    if left.words is None or right.words is None:
        return None, True
    ours, theirs = (words["tokens"][0].values for words in (left.words, right.words))
    if not ours or not theirs:
        return None, True
    middle, end = len(ours), len(ours) + len(theirs)
    starts, ends = (pa.array(each, pa.int64()) for each in ((0, middle), (middle, end)))
    words = pa.concat_arrays([ours, theirs]), starts, ends
    one, other = (pa.array([place]) for place in (0, 1))
    found = _core.equal_words(words, one, other, 1)
    return found["share"][0].as_py(), found["exact"][0].as_py()


def equal_places(left: Side, right: Side, column: str) -> tuple[int, ...] | None:
    """At which places, from 1, the lists have the same value."""
    ours, theirs = left.values(column), right.values(column)
    if ours is None or theirs is None:
        return None
    pairs = zip(ours.to_pylist(), theirs.to_pylist(), strict=True)
    return tuple(place for place, (one, other) in enumerate(pairs, 1) if one == other)


def equal_bits(left: Side, right: Side) -> int | None:
    """How many bits of the projections agree."""
    ours, theirs = left.values("projection"), right.values("projection")
    if ours is None or theirs is None:
        return None
    pairs: Iterable[tuple[int, int]] = zip(ours.to_pylist(), theirs.to_pylist(), strict=True)
    return sum((~(one ^ other) & WORD).bit_count() for one, other in pairs)
