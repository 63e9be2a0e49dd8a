"""*Queries of a log*: the most frequent ones, less the very most frequent (Baeza-Yates 2007,
section 4.2): sorted by how often they were asked, queries that were asked as often by their place
in the file; the first 1,000 are dropped, and 15,000 taken.

A log with times is parted at the crawls, and each part again into periods of two months, the last
of which is dropped if the log ends before it; of a period 5,000 queries are taken. Of topics nobody
knows how often they were asked: none are dropped, and the first are taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.errors import InputError, SettingsError, setting
from webecho.read.named_rows import RowCounts
from webecho.read.query_logs import REQUESTS, QueryLogFile, requests
from webecho.run import Run
from webecho.study.query_periods import Crawl, Period, calendar, gaps

_TIMED = pa.schema([*REQUESTS, ("moment", pa.int64()), ("month", pa.int64()), ("gap", pa.int64())])
_PARTS = """
SELECT gap, min(moment) AS first, max(moment) AS last, min(month) AS first_month,
    max(month) AS last_month
FROM requests WHERE gap IS NULL OR gap >= 0 GROUP BY gap ORDER BY gap NULLS FIRST
"""
_SELECTED = """
WITH counted AS (
    SELECT query, CAST(sum(count) AS BIGINT) AS count, min(place) AS place
    FROM requests WHERE {where} GROUP BY query
), ordered AS (
    SELECT query, count, row_number() OVER (
        ORDER BY count DESC NULLS LAST, place NULLS LAST
    ) AS number FROM counted
)
SELECT query, count, number FROM ordered WHERE number > {drop} AND number <= {end}
ORDER BY number NULLS LAST
"""
_WHOLE = """
SELECT count(DISTINCT query) AS queries, CAST(sum(count) AS BIGINT) AS requests,
    min(moment) AS first, max(moment) AS last
FROM requests WHERE {where}
"""
# Those that have requests: the first and the last may be thousands of years apart.
_PERIODS = """
SELECT DISTINCT {number} AS number FROM requests WHERE {where} ORDER BY number NULLS LAST
"""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class LogSettings:
    """How many of the most frequent queries are dropped, and how many of the next are taken, of a
    log and of a period; how long periods are; and what is left out around crawls."""

    drop: int = 1000
    take: int = 15_000
    period: Period = field(default_factory=lambda: Period(2, "mo"))
    period_take: int = 5000
    around: Period = field(default_factory=lambda: Period(1, "mo"))

    def __post_init__(self) -> None:
        for name, least in (("drop", 0), ("take", 1), ("period_take", 1)):
            if getattr(self, name) < least:
                raise SettingsError(
                    setting(name).to(getattr(self, name)), f": give {least} or more"
                )
        if self.period.count < 1:
            raise SettingsError(setting("period").to(self.period), ": give 1 or more units")


@dataclass(frozen=True)
class QueryLog:
    """The queries that are taken from a log, or from a period of it, the most frequent first.

    `highest` and `lowest` are how often the first and the last were asked, `requests` and
    `distinct` all requests and queries, `covered` the requests for those that are taken; None where
    it is not known. `periods` are those of the log, `dropped` how many were incomplete.
    """

    name: str
    file: str
    queries: tuple[str, ...]
    distinct: int
    requests: int | None = None
    covered: int | None = None
    highest: int | None = None
    lowest: int | None = None
    first: datetime | None = None
    last: datetime | None = None
    periods: "tuple[QueryLog, ...]" = ()
    dropped: int = 0


@dataclass(frozen=True)
class ReadLogs:
    """All logs, and what of them was left out: bad rows, and requests around crawls."""

    logs: tuple[QueryLog, ...]
    bad: int
    around: int


def read_logs(
    files: Sequence[QueryLogFile], crawls: Sequence[Crawl], settings: LogSettings, run: Run
) -> ReadLogs:
    """The logs in these files, cut at the crawls."""
    logs: list[QueryLog] = []
    bad = around = 0
    for file in files:
        run.begin(f"reading {file.name}")
        counts = RowCounts()
        with run.database() as database:
            rows = pa.RecordBatchReader.from_batches(_TIMED, timed(file, counts, crawls, settings))
            database.add("requests", rows)
            database.keep("requests", "SELECT * FROM requests")
            left_out = "SELECT coalesce(sum(count), 0) AS requests FROM requests WHERE gap < 0"
            around += int(database.row(left_out)["requests"])
            parts = database.table(_PARTS).to_pylist()
            logs += [part_of(database, file, part, len(parts), settings) for part in parts]
        bad += counts.bad
        check_taken(logs, settings)
        if not parts:
            raise InputError(
                f"{file.file} has no queries"
                + (" but those asked around a crawl; give " if around else "; give another file"),
                *([setting("around").to("0")] if around else []),
            )
    return ReadLogs(tuple(logs), bad, around)


def check_taken(logs: Sequence[QueryLog], settings: LogSettings) -> None:
    """Refuses a log of which all queries are dropped."""
    for log in logs:
        if not log.queries:
            raise InputError(
                f"{log.file} has {log.distinct:,} different queries, all of which are dropped; "
                "give less for ",
                setting("drop").to(settings.drop),
            )


def timed(
    file: QueryLogFile, counts: RowCounts, crawls: Sequence[Crawl], settings: LogSettings
) -> Iterator[pa.RecordBatch]:
    """The requests, with their times in microseconds and months, and between which crawls."""
    for batch in requests(file.file, counts):
        known = batch["time"].is_valid()
        moments = batch["time"].cast(pa.int64())
        filled = pc.fill_null(moments, 0).to_numpy()
        month = pa.array(calendar(filled, "mo"), mask=~known.to_numpy(zero_copy_only=False))
        gap = pa.array(
            gaps(filled, crawls, settings.around), mask=~known.to_numpy(zero_copy_only=False)
        )
        columns = [*batch.columns, moments, month, gap]
        yield pa.RecordBatch.from_arrays(columns, schema=_TIMED)


def part_of(
    database: Database, file: QueryLogFile, part: dict[str, Any], parts: int, settings: LogSettings
) -> QueryLog:
    """What of a log lies between the same crawls, with its periods."""
    here = "gap IS NULL" if part["gap"] is None else f"gap = {part['gap']}"
    name = file.name
    if part["gap"] is None:
        # Beside others that have times.
        name += " (no times)" if parts > 1 else ""
        return selected(database, name, file.file, here, settings.drop, settings.take)
    if parts > 1:
        ends = [month_name(part[end]) for end in ("first_month", "last_month")]
        name += f" {'–'.join(dict.fromkeys(ends))}"
    found, dropped = [], 0
    number_of = within(part, settings.period)
    there = database.table(_PERIODS.format(number=number_of, where=here))
    numbers = there["number"].to_pylist()
    for number, first, whole in period_numbers(part, numbers, settings.period):
        where = f"{here} AND {number_of} = {number}"
        if not whole:
            dropped += 1
            continue
        title = f"{name} {period_name(first, settings.period)}"
        found.append(
            selected(database, title, file.file, where, settings.drop, settings.period_take)
        )
    return selected(
        database, name, file.file, here, settings.drop, settings.take, tuple(found), dropped
    )


def selected(
    database: Database,
    name: str,
    file: str,
    where: str,
    drop: int,
    take: int,
    periods: tuple[QueryLog, ...] = (),
    dropped: int = 0,
) -> QueryLog:
    """The queries that are taken of these requests."""
    whole = database.row(_WHOLE.format(where=where))
    # Of topics nobody knows which are asked most.
    skipped = 0 if whole["requests"] is None else drop
    rows = database.table(
        _SELECTED.format(where=where, drop=skipped, end=skipped + take)
    ).to_pydict()
    counts = [count for count in rows["count"] if count is not None]
    return QueryLog(
        name,
        file,
        tuple(rows["query"]),
        whole["queries"],
        whole["requests"],
        sum(counts) if counts else None,
        max(counts, default=None),
        min(counts, default=None),
        moment(whole["first"]),
        moment(whole["last"]),
        periods,
        dropped,
    )


def period_numbers(
    part: dict[str, Any], numbers: Sequence[int], period: Period
) -> Iterator[tuple[int, datetime, bool]]:
    """Of the periods of a log with these numbers when they begin, and whether the log goes on to
    the last unit of them."""
    if period.length is None:
        units = part["last_month"] - part["first_month"] + 1
    else:
        units = (part["last"] - part["first"]) // period.length + 1
    for number in numbers:
        if period.length is None:
            month = part["first_month"] + number * period.count
            first = datetime(1970 + month // 12, month % 12 + 1, 1, tzinfo=UTC)
        else:
            first = _EPOCH + timedelta(
                microseconds=part["first"] + number * period.count * period.length
            )
        yield number, first, (number + 1) * period.count <= units


def within(part: dict[str, Any], period: Period) -> str:
    """The number of the period that a request lies in, in SQL."""
    if period.length is None:
        return f"CAST(floor((month - {part['first_month']}) / {period.count}) AS BIGINT)"
    length = period.count * period.length
    return f"CAST(floor((moment - {part['first']}) / {length}) AS BIGINT)"


def period_name(first: datetime, period: Period) -> str:
    return f"{first:%Y-%m}" if period.unit == "mo" else f"{first:%Y-%m-%d %H:%M}"


def month_name(month: int) -> str:
    return f"{1970 + month // 12}-{month % 12 + 1:02d}"


def moment(micros: int | None) -> datetime | None:
    return None if micros is None else _EPOCH + timedelta(microseconds=micros)
