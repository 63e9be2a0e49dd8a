"""*Fits*: what is fitted to counts by size: a power law by maximum likelihood, and beside it the
line through log-log counts that the papers have; as a row of a table and in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from webecho.study.log_log_line import LEAST_BINS, LEAST_COUNT, Line, log_log_line
from webecho.study.power_law import LEAST_THINGS, MISSED, FitSettings, PowerLaw, power_law

# The columns of a table of power laws, behind those that say of what.
FITTED = {
    "number": pa.int64(),
    "exponent": pa.float64(),
    "error": pa.float64(),
    "from size": pa.int64(),
    "number from there": pa.int64(),
    "distance": pa.float64(),
    "p": pa.float64(),
    "repetitions": pa.int64(),
    "log-normal ratio": pa.float64(),
    "p of the ratio": pa.float64(),
    "exponent of the log-log line": pa.float64(),
    "error of the line": pa.float64(),
    "spread of the line": pa.float64(),
}
TITLE = (
    "Power laws: by maximum likelihood, with the p of their goodness and against a log-normal, and "
    "by a line through log-log counts"
)


@dataclass(frozen=True)
class Fits:
    """What was fitted; None where there are too few things for it."""

    law: PowerLaw | None = None
    line: Line | None = None


def fitted(counts: Mapping[int, float], settings: FitSettings) -> Fits:
    """Both fits of counts by size."""
    return Fits(power_law(counts, settings), log_log_line(counts))


def fit_row(fits: Fits, counts: Mapping[int, float]) -> dict[str, Any]:
    """A row of a table of power laws."""
    law, line = fits.law, fits.line
    number = round(sum(count for size, count in counts.items() if size >= 1))
    values = (
        number,
        *((law and (law.exponent, law.error, law.least, law.tail, law.distance)) or [None] * 5),
        *((law and (law.p, law.repetitions, law.ratio, law.ratio_p)) or [None] * 4),
        *((line and (line.exponent, line.error, line.spread)) or [None] * 3),
    )
    return dict(zip(FITTED, values, strict=True))


def signed(value: float, digits: int = 2) -> str:
    """A number with a minus sign where it is negative."""
    return f"{value:.{digits}f}".replace("-", "−")


def p_value(p: float) -> str:
    """p as people write it."""
    return "p < 0.01" if p < 0.01 else f"p = {p:.2f}"


def in_words(fits: Fits, things: str) -> list[str]:
    """What the fits say, whether they miss, and if there is none why."""
    return [*law_in_words(fits.law, things), *line_in_words(fits.line, things)]


def law_in_words(law: PowerLaw | None, things: str) -> list[str]:
    if law is None:
        return [f"Too few {things} for a power law: it takes {LEAST_THINGS}, not all of one size."]
    said = (
        f"Power law by maximum likelihood: exponent {signed(law.exponent)} ± {law.error:.2f} from "
        f"size {law.least:,} on, {law.tail:,} of {law.things:,} {things}; Kolmogorov–Smirnov "
        f"distance {law.distance:.3f}"
    )
    if law.p is not None:
        verdict = (
            f"it misses its points (p below {MISSED:g})"
            if law.misses
            else "nothing speaks against it"
        )
        said += f", {p_value(law.p)} by {law.repetitions:,} repetitions: {verdict}"
    nearer = "neither it nor a log-normal is nearer"
    if law.ratio_p < MISSED:
        nearer = "it is nearer than a log-normal" if law.ratio > 0 else "a log-normal is nearer"
    return [f"{said}; {nearer} (likelihood ratio {signed(law.ratio)}, {p_value(law.ratio_p)})."]


def line_in_words(line: Line | None, things: str) -> list[str]:
    if line is None:
        return [
            f"Too few {things} for a line through log-log counts: it takes {LEAST_COUNT} in each "
            f"of {LEAST_BINS} ranges of sizes (1, 2 to 3, 4 to 7, 8 to 15, …)."
        ]
    said = (
        f"Line through log-log counts, the papers' way: exponent {signed(line.exponent)} ± "
        f"{line.error:.2f}; the counts of single sizes lie a factor of {10**line.spread:.1f} off it"
    )
    return [f"{said}: it misses them." if line.misses else f"{said}."]
