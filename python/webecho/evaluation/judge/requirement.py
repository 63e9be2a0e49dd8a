"""*Requirement*: the precision that a rule must have, so that a build can depend on it. It is met
if the lower end of the 95 % interval is as high."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import pyarrow as pa

from webecho.errors import SettingsError, setting

REQUIRED = pa.schema(
    [
        *(("rule", pa.string()), ("required", pa.float64()), ("precision", pa.float64())),
        *(("low", pa.float64()), ("high", pa.float64()), ("met", pa.bool_())),
    ]
)


@dataclass(frozen=True)
class Requirement:
    """What was required of a rule, and what was found: the precision with its interval, which is
    that of the truth itself where that is known; None where none of its pairs has a label."""

    rule: str
    required: float
    precision: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def met(self) -> bool:
        return self.low is not None and self.low >= self.required - 1e-9

    def __str__(self) -> str:
        found = "none of its pairs was judged"
        if self.precision is not None:
            found = f"found {self.precision:.4f} ({self.low:.4f}–{self.high:.4f})"
        return (
            f"{self.rule}: a precision of at least {self.required:g} is required, {found}: "
            f"{'met' if self.met else 'MISSED'}"
        )


def requirements(
    tables: Mapping[str, pa.Table], rules: Sequence[str], required: float
) -> tuple[Requirement, ...]:
    """What is required of each of these rules, or of all that were judged: by labels, or where
    there are none by the truth of a made-up web."""
    if "precision" in tables:
        rows, ends = whole(tables["precision"]), ("correct", "correct_low", "correct_high")
    elif "true_precision" in tables:
        rows, ends = whole(tables["true_precision"]), ("correct",) * 3
    else:
        raise SettingsError(
            *(setting("require_precision").to(required), ": gold pairs do not tell how precise a "),
            "rule is; label pairs, or give the truth of a made-up web",
        )
    names = dict.fromkeys(rules or rows)
    if not names:
        raise SettingsError(
            setting("require_precision").to(required), ": there is no rule whose pairs were judged"
        )
    return tuple(
        Requirement(name, required, *(rows[name][end] for end in ends if name in rows))
        for name in names
    )


def required_table(found: Sequence[Requirement]) -> pa.Table:
    rows = [asdict(each) | {"met": each.met} for each in found]
    return pa.Table.from_pylist(rows, REQUIRED)


def whole(table: pa.Table) -> dict[str, dict[str, float]]:
    """The rows that are about all pairs of a rule, by its name."""
    return {row["rule"]: row for row in table.to_pylist() if row["kind"] == "all"}
