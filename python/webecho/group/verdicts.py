"""*Verdict*: whether a rule holds two pages together, and the measure that decides it."""

from dataclasses import dataclass

from webecho.group.rules import Rule


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
    supershingles: int


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
    if measures.b_similarity is None:
        return Verdict(rule.label, None, "the supershingles are not known")
    all_of_them = measures.supershingles
    least = rule.least_agreeing(all_of_them)
    return Verdict(
        rule.label,
        measures.b_similarity >= least,
        f"{measures.b_similarity} of {all_of_them} supershingles agree, {least} are asked for",
    )


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
