"""*Period*: so many hours, days, weeks or months of a query log.

Months are those of the calendar; the others are counted from the first request of a log on. A log
is cut at the *crawls*: what was asked around one (by default in a month in which pages were
fetched) is left out, for nobody knows which collection answered it. Table 5 of Baeza-Yates 2007
contradicts its text, which leaves out a month before and after each crawl: the months of its logs
are, but for one, those strictly between the months of the crawls.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

import numpy as np

from webecho.errors import SettingsError
from webecho.workspace.workspace import Workspace

# In microseconds; months are not all of one length.
UNITS = {"h": 3_600_000_000, "d": 86_400_000_000, "w": 604_800_000_000, "mo": None}
_FORM = re.compile(r"(\d{1,4})\s*(h|d|w|mo)")
# The first of January 1970 was a Thursday, and weeks begin on Mondays.
_THURSDAY = 3

Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Period:
    """So many units of time."""

    count: int
    unit: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """The period that is written so: 2mo, 6h, 1d, 3w."""
        if text.strip() == "0":
            return cls(0, "h")
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise SettingsError(
                f"{text!r} is no period; give a number of hours, days, weeks or months: 6h, 1d, 3w "
                "or 2mo"
            )
        return cls(int(found[1]), found[2])

    def __str__(self) -> str:
        return f"{self.count}{self.unit}"

    @property
    def length(self) -> int | None:
        """How long a unit is, in microseconds; None for months."""
        return UNITS[self.unit]


@dataclass(frozen=True)
class Crawl:
    """From when to when the pages of a collection were fetched."""

    first: datetime
    last: datetime


def crawl_of(workspace: Workspace) -> Crawl | None:
    """When a collection was crawled; None if its pages have no dates."""
    first = last = None
    for batch in workspace.batches(["fetched"]):
        dates = [each.as_py() for each in batch["fetched"].drop_null()] if len(batch) else []
        if dates:
            first = min(dates) if first is None else min(first, *dates)
            last = max(dates) if last is None else max(last, *dates)
    return None if first is None or last is None else Crawl(first, last)


def micros(moment: datetime) -> int:
    """Microseconds since 1970."""
    return int(np.datetime64(moment.replace(tzinfo=None), "us").astype(np.int64))


def calendar(times: Numbers, unit: str) -> Numbers:
    """The number of the calendar's unit that each time, in microseconds, lies in."""
    moments = times.astype("M8[us]")
    if unit == "mo":
        return moments.astype("M8[M]").astype(np.int64)
    days: Numbers = moments.astype("M8[D]").astype(np.int64)
    if unit == "w":
        return (days + _THURSDAY) // 7
    return days if unit == "d" else moments.astype("M8[h]").astype(np.int64)


def gaps(times: Numbers, crawls: Sequence[Crawl], around: Period) -> Numbers:
    """For each time how many crawls were before it; −1 for what lies around one."""
    found = np.zeros(len(times), np.int64)
    units = calendar(times, around.unit)
    for crawl in crawls:
        first, last = (micros(end) for end in (crawl.first, crawl.last))
        near = (times >= first) & (times <= last)
        if around.count:
            ends = calendar(np.array([first, last]), around.unit)
            more = around.count - 1
            near |= (units >= ends[0] - more) & (units <= ends[1] + more)
        found[(times > last) & (found >= 0)] += 1
        found[near] = -1
    return found


def distinct_crawls(crawls: Sequence[Crawl | None]) -> list[Crawl]:
    """Those that are known, each once, the earliest first."""
    return sorted({each for each in crawls if each}, key=lambda each: (each.first, each.last))
