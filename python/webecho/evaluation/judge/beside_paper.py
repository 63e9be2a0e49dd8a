"""What Henzinger 2006 has for the same rows: shares of pairs of Alg. B (`b-2`), Alg. C (`c-372`)
and of the combined algorithm at the threshold it chose (`combined-2-355`).

Rows that the paper sums up (*Rest*, *Other*) or gives as counts of its sample (Table 8) have no
number.
"""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from webecho.study.papers import with_paper

B, C, COMBINED = "b-2", "c-372", "combined-2-355"


def shares(*values: float) -> dict[str, float]:
    return dict(zip(("correct", "incorrect", "undecided", "forms"), values, strict=True))


def checked(*values: float) -> dict[str, float]:
    return dict(zip(("precision", "incorrect", "undecided", "r"), values, strict=True))


# Tables 2 and 5, by rule and kind.
PRECISION = {
    (B, "all"): shares(0.38, 0.53, 0.09, 0.04),
    (B, "same site"): shares(0.34, 0.57, 0.09, 0.04),
    (B, "different sites"): shares(0.86, 0.06, 0.08, 0.01),
    (B, "B-similarity 2"): shares(0.24, 0.68, 0.08, 0.03),
    (B, "B-similarity 3"): shares(0.42, 0.48, 0.10, 0.04),
    (B, "B-similarity 4"): shares(0.55, 0.36, 0.09, 0.05),
    (B, "B-similarity 5"): shares(0.71, 0.23, 0.06, 0.02),
    (B, "B-similarity 6"): shares(0.85, 0.05, 0.10, 0.08),
    (C, "all"): shares(0.50, 0.27, 0.23, 0.18),
    (C, "same site"): shares(0.36, 0.34, 0.30, 0.25),
    (C, "different sites"): shares(0.90, 0.05, 0.05, 0.0),
    (C, "C-similarity 382-384"): shares(0.47, 0.37, 0.16, 0.10),
    (C, "C-similarity 379-381"): shares(0.40, 0.37, 0.23, 0.18),
    (C, "C-similarity 376-378"): shares(0.37, 0.27, 0.35, 0.30),
    (C, "C-similarity 372-375"): shares(0.62, 0.19, 0.19, 0.12),
}
# Section 3.4.2: with pairs that differ in how a form is filled in as correct ones.
WITH_FORMS = {(B, "all"): 0.42, (C, "all"): 0.68}
# Tables 3, 4, 6 and 7, by rule, label and reason: of all pairs, and of those on the same site.
REASONS = {
    (B, "correct", "URL only"): (0.41, 0.32),
    (B, "correct", "time stamp only"): (0.17, 0.20),
    (B, "correct", "combination"): (0.22, 0.24),
    (B, "correct", "execution time only"): (0.16, 0.19),
    (B, "correct", "visitor count only"): (0.03, 0.03),
    (B, "undecided", "cannot evaluate"): (0.47, 0.43),
    (B, "undecided", "form"): (0.41, 0.43),
    (B, "undecided", "minor item differs"): (0.11, 0.12),
    (C, "correct", "URL only"): (0.72, 0.53),
    (C, "correct", "combination"): (0.11, 0.19),
    (C, "correct", "time stamp only"): (0.04, 0.08),
    (C, "correct", "execution time only"): (0.04, 0.08),
    (C, "correct", "message id only"): (0.02, 0.04),
    (C, "undecided", "form"): (0.80, 0.84),
    (C, "undecided", "cannot evaluate"): (0.15, 0.13),
    (C, "undecided", "minor item differs"): (0.0, 0.0),
}
# Table 11: precision and R by threshold.
TRAINING = {
    351: (0.754, 0.869),
    352: (0.763, 0.858),
    353: (0.768, 0.836),
    354: (0.771, 0.825),
    355: (0.770, 0.808),
    356: (0.776, 0.789),
    357: (0.784, 0.775),
    358: (0.784, 0.747),
    359: (0.789, 0.736),
}
# Table 12, and in section 3.5 what a B-similarity of 3 alone does.
CHECKED: dict[tuple[str, str], dict[str, float]] = {
    (COMBINED, "all"): checked(0.79, 0.15, 0.06, 0.79),
    (COMBINED, "same site"): checked(0.74, 0.19, 0.07, 0.73),
    (COMBINED, "different sites"): checked(0.99, 0.00, 0.01, 0.97),
    ("b-3", "all"): {"precision": 0.56},
}

Known = Mapping[Any, Mapping[str, float]]
# For each table the columns that tell rows apart, and what the paper has for them.
TABLES: dict[str, tuple[list[str], Known]] = {
    "precision": (
        ["rule", "kind"],
        {
            row: own | ({"correct_with_forms": WITH_FORMS[row]} if row in WITH_FORMS else {})
            for row, own in PRECISION.items()
        },
    ),
    "reasons": (
        ["rule", "label", "kind", "reason"],
        {
            (rule, label, kind, reason): {"share": share}
            for (rule, label, reason), both in REASONS.items()
            for kind, share in zip(("all", "same site"), both, strict=True)
        },
    ),
    "training": (
        ["threshold"],
        {threshold: {"precision": p, "r": r} for threshold, (p, r) in TRAINING.items()},
    ),
    "checked": (["rule", "kind"], CHECKED),
}


def beside_paper(tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables of an evaluation, with the paper's numbers beside ours where it has them."""
    return {
        name: with_paper(table, *TABLES[name]) if name in TABLES else table
        for name, table in tables.items()
    }
