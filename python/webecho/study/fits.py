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
    "log-normal ratio of all sizes": pa.float64(),
    "p of that ratio": pa.float64(),
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
    by_law: list[Any] = [None] * 11
    if law is not None:
        by_law = [law.exponent, law.error, law.least, law.tail, law.distance, law.p]
        by_law += [law.repetitions, law.ratio, law.ratio_p, law.whole_ratio, law.whole_ratio_p]
    by_line = [None] * 3 if line is None else [line.exponent, line.error, line.spread]
    values = (number, *by_law, *by_line)
    return dict(zip(FITTED, values, strict=True))


def signed(value: float, digits: int = 2) -> str:
    """A number with a minus sign where it is negative."""
    return f"{value:.{digits}f}".replace("-", "−")


def p_value(p: float) -> str:
    """p as people write it."""
    if p < 0.01:
        return "p < 0.01"
    # On which side of the limit it is must be seen.
    near = p < MISSED and round(p, 2) >= MISSED
    return f"p = {p:.3f}" if near else f"p = {p:.2f}"


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
    said += f"; {compared(law.ratio, law.ratio_p)}"
    if law.tail < law.things:
        said += f"; of all sizes {compared(law.whole_ratio, law.whole_ratio_p)}"
    return [f"{said}."]


def compared(ratio: float, p: float) -> str:
    """Whether a power law or a log-normal is nearer."""
    nearer = "neither a power law nor a log-normal is nearer"
    if p < MISSED:
        nearer = f"a {'power law' if ratio > 0 else 'log-normal'} is nearer than a "
        nearer += "log-normal" if ratio > 0 else "power law"
    return f"{nearer} (likelihood ratio {signed(ratio)}, {p_value(p)})"


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
