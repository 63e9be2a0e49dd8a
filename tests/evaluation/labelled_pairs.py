"""Labelled pairs made in code, all of one sample."""

from collections.abc import Sequence

from webecho.evaluation.judge.labelled import Labelled, LabelledPair
from webecho.evaluation.judge.precision import LabelledStratum
from webecho.evaluation.label.reasons import LabelName

Made = tuple[int, int, bool, LabelName]


def labelled_pairs(
    made: Sequence[Made], *, each: int = 1, strata: int = 1, rules: Sequence[str] = ("b-2",)
) -> Labelled:
    """Pairs of B-similarity, C-similarity, same site or not and label, one stratum after the other;
    each stands for as many."""
    pairs = [
        LabelledPair(
            stratum=("sample", number % strata),
            left=number,
            right=number + 1,
            b_similarity=b,
            c_similarity=c,
            c_range=None,
            same_site=same,
            large=None,
            large_without_images=None,
            sites=(None, None),
            weights=dict.fromkeys(rules, 1.0),
            label=label,
            reasons=(),
        )
        for number, (b, c, same, label) in enumerate(made)
    ]
    counts: dict[object, LabelledStratum] = {}
    for stratum in range(strata):
        own = sum(pair.stratum[1] == stratum for pair in pairs)
        counts["sample", stratum] = LabelledStratum(own * each, own)
    return Labelled(counts, tuple(pairs), dict.fromkeys(rules, "sample"), {})
