"""*Verdict*: whether a rule holds two pages together, and the measure that decides it."""

from dataclasses import dataclass

from webecho.group.rules import Rule
from webecho.settings import Recipe


@dataclass(frozen=True)
class Measures:
    """What rules go by. None is what is not known, or what pages without tokens do not have."""

    # Of an identity set: the same tokens, or none and the same raw bytes.
    identical: bool
    # One of them has no tokens, or one is a revisit of something unknown.
    bare: bool
    unknown: bool
    resemblance: float | None
    estimated: bool
    b_similarity: int | None
    c_similarity: int | None
    same_site: bool
    recipe: Recipe


@dataclass(frozen=True)
class Verdict:
    """Whether a rule holds the two together by itself; None if that cannot be known."""

    rule: str
    together: bool | None
    reason: str


def verdict(rule: Rule, measures: Measures) -> Verdict:
    """What a rule says of two pages. Identical pages belong together under every rule."""
    if measures.identical:
        return Verdict(rule.label, True, "they are identical")
    if measures.unknown:
        return Verdict(rule.label, None, "nothing is known of a page's content")
    if rule.name == "exact":
        return Verdict(rule.label, False, "they are not identical")
    if measures.bare:
        return Verdict(rule.label, False, "a page without tokens has no shingles")
    if rule.name == "similar":
        return by_resemblance(rule, measures)
    return by_similarities(rule, measures)


def by_similarities(rule: Rule, measures: Measures) -> Verdict:
    """What supershingles, bits and sites say."""
    asked: list[tuple[int | None, int, int, str]] = []
    least_c = rule.least_c
    across = rule.name == "by-site" and not measures.same_site
    if rule.name != "c" and not across:
        count = measures.recipe.supershingles
        asked.append((measures.b_similarity, rule.least_agreeing(count), count, "supershingles"))
    if across:
        least_c = rule.least_c_across
    if least_c is not None:
        asked.append((measures.c_similarity, least_c, measures.recipe.bits, "bits"))
    unknown = [what for found, _, _, what in asked if found is None]
    if unknown:
        return Verdict(rule.label, None, f"the {' and '.join(unknown)} are not known")
    reasons = [
        f"{found} of {count} {what} agree, {least} are asked for"
        for found, least, count, what in asked
    ]
    if rule.name == "by-site":
        reasons.insert(0, "the site is the same" if measures.same_site else "the sites differ")
    together = all(found is not None and found >= least for found, least, _, _ in asked)
    return Verdict(rule.label, together, "; ".join(reasons))


def by_resemblance(rule: Rule, measures: Measures) -> Verdict:
    wanted = rule.resemblance or 0.0
    if measures.resemblance is None:
        return Verdict(rule.label, None, "the resemblance is not known")
    how = "is estimated as" if measures.estimated else "is"
    return Verdict(
        rule.label,
        # The slack keeps exact quotients on the near side, as it does where pairs are found.
        measures.resemblance >= wanted - 1e-9,
        f"the resemblance {how} {measures.resemblance:.4f}, {wanted} is asked for",
    )
