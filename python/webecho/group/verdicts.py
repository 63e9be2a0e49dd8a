"""*Verdict*: whether a rule holds two pages together, and the measure that decides it."""

from collections.abc import Mapping
from dataclasses import dataclass

from webecho.group.rules.checks import Agreement, Check, EqualWords, Resemblance, Shared
from webecho.group.rules.keys import Bands, Digest, Keys, Paragraphs, SameChunks
from webecho.group.rules.rule import Rule
from webecho.settings import Recipe

# Whether two pages are together, None if that cannot be known, and why.
Reasoned = tuple[bool | None, str]


@dataclass(frozen=True)
class Measures:
    """What rules go by. None is what is not known, or what pages without tokens do not have."""

    # By the name of each digest, whether that is the same.
    same: Mapping[str, bool]
    # One of them has no tokens, or one is a revisit of something unknown.
    bare: bool
    unknown: bool
    resemblance: float | None
    estimated: bool
    # The share of equal words, and whether it is no more than at least so high.
    equal_words: float | None
    equal_words_estimated: bool
    b_similarity: int | None
    c_similarity: int | None
    same_paragraphs: bool | None
    # By the chunking, how many different chunks both have, where that is known.
    shared_chunks: Mapping[str, int]
    # The chunkings by which both have the same chunks, and any.
    same_chunks: frozenset[str]
    # The characters of the page that has fewer.
    chars: int | None
    same_site: bool
    recipe: Recipe
    # The places, from 1, at which features are equal.
    equal_features: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Verdict:
    """Whether a rule holds the two together by itself; None if that cannot be known."""

    rule: str
    together: bool | None
    reason: str


def verdict(rule: Rule, measures: Measures) -> Verdict:
    """What a rule says of two pages."""
    if isinstance(rule.sets, Paragraphs):
        return Verdict(rule.label, *by_paragraphs(rule.sets, measures))
    if isinstance(rule.sets, SameChunks):
        return Verdict(rule.label, *by_chunks(rule, rule.sets, measures))
    return Verdict(rule.label, *by_digest(rule, rule.sets, measures))


def by_digest(rule: Rule, sets: Digest, measures: Measures) -> Reasoned:
    """What a rule says under which pages with the same digest belong together."""
    if measures.same[sets.name]:
        return True, f"they have the same {sets.of}"
    if measures.unknown:
        return None, "nothing is known of a page's content"
    searches = rule.searches(measures.recipe)
    if not searches:
        return False, f"they do not have the same {sets.of}"
    if measures.bare:
        return False, "a page without tokens has no shingles"
    search = next(search for search in searches if applies(search.check, measures))
    together, reason = by_check(search.check, measures)
    missed = why_missed(search.keys, measures.equal_features) if together else None
    return together, reason if missed is None else f"{reason}; yet it is missed: {missed}"


def why_missed(keys: Keys, equal: tuple[int, ...] | None) -> str | None:
    """Why pages whose features are equal at these places never become candidates; None if they do,
    or nobody knows. Bands find nearly all pairs and not all (see rules/banding.py)."""
    if not isinstance(keys, Bands) or equal is None:
        return None
    places = {place - 1 for place in equal}
    starts = range(0, keys.bands * keys.width, keys.width)
    if not any(places.issuperset(range(start, start + keys.width)) for start in starts):
        features = f"{keys.width} feature{'s'[: keys.width != 1]}"
        return f"none of the {keys.bands} bands of {features} that make candidates is equal"
    if len(equal) < keys.least:
        return f"{len(equal)} features are equal, and of candidates at least {keys.least} must be"
    return None


def applies(check: Check, measures: Measures) -> bool:
    """Whether a check is for two pages on the same site, or on different ones, as they are."""
    here = "same" if measures.same_site else "different"
    return not isinstance(check, Agreement) or check.sites in ("any", here)


def by_check(check: Check, measures: Measures) -> Reasoned:
    if isinstance(check, Resemblance):
        return by_resemblance(check, measures)
    if isinstance(check, EqualWords):
        return by_words(check, measures)
    if isinstance(check, Shared):
        return None, "the chunks are not known"
    return by_similarities(check, measures)


def by_similarities(check: Agreement, measures: Measures) -> Reasoned:
    """What supershingles, bits and sites say."""
    recipe = measures.recipe
    asked = [
        (found, least, count, what)
        for found, least, count, what in (
            (measures.b_similarity, check.least_b, recipe.supershingles, "supershingles"),
            (measures.c_similarity, check.least_c, recipe.bits, "bits"),
        )
        if least is not None
    ]
    unknown = [what for found, _, _, what in asked if found is None]
    if unknown:
        return None, f"the {' and '.join(unknown)} are not known"
    reasons = [
        f"{found} of {count} {what} agree, {least} are asked for"
        for found, least, count, what in asked
    ]
    if check.sites != "any":
        reasons.insert(0, "the site is the same" if measures.same_site else "the sites differ")
    together = all(found is not None and found >= least for found, least, _, _ in asked)
    return together, "; ".join(reasons)


def by_resemblance(check: Resemblance, measures: Measures) -> Reasoned:
    if measures.resemblance is None:
        return None, "the resemblance is not known"
    how = "is estimated as" if measures.estimated else "is"
    # The slack keeps exact quotients on the near side, as it does where pairs are found.
    together = measures.resemblance >= check.least - 1e-9
    reason = f"the resemblance {how} {measures.resemblance:.4f}, {check.least} is asked for"
    return together, reason


def by_words(check: EqualWords, measures: Measures) -> Reasoned:
    if measures.equal_words is None:
        return None, "the share of equal words is not known"
    how = "is at least" if measures.equal_words_estimated else "is"
    together = measures.equal_words >= check.least - 1e-9
    found = f"the share of equal words {how} {measures.equal_words:.4f}"
    return together, f"{found}, {check.least} is asked for"


def by_chunks(rule: Rule, sets: SameChunks, measures: Measures) -> Reasoned:
    if measures.unknown:
        return None, "nothing is known of a page's content"
    shared = measures.shared_chunks.get(str(sets.chunking))
    if shared is None:
        return None, "the chunks are not known"
    if str(sets.chunking) in measures.same_chunks:
        return True, f"they have the same chunks of {sets.chunking}"
    [least] = (
        search.check.least
        for search in rule.searches(measures.recipe)
        if isinstance(search.check, Shared)
    )
    chunks = (
        f"{shared} chunk of {sets.chunking} is"
        if shared == 1
        else f"{shared} chunks of {sets.chunking} are"
    )
    return shared >= least, f"{chunks} on both, {least} are asked for"


def by_paragraphs(sets: Paragraphs, measures: Measures) -> Reasoned:
    if measures.unknown or measures.chars is None:
        return None, "nothing is known of a page's content"
    if measures.chars <= sets.longer_than:
        least = f"more than {sets.longer_than} are asked for"
        return False, f"a page has {measures.chars} characters, {least}"
    if measures.same_paragraphs is None:
        return None, "the paragraphs are not known"
    are = "the same" if measures.same_paragraphs else "not the same"
    return measures.same_paragraphs, f"their paragraphs are {are}"
