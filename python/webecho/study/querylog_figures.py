"""Figures 3 to 5 of Baeza-Yates 2007: new documents left, by the minimal number of identical
paragraphs."""

from collections.abc import Sequence

from webecho.study.figures import Figure, Lines, Series
from webecho.study.query_logs import QueryLog
from webecho.study.querylog_pair import PairFound, last_two
from webecho.study.querylog_settings import QuerylogSettings

X, Y = "minimal number of identical paragraphs", "new documents"


def shown_names(logs: Sequence[QueryLog]) -> list[str]:
    """The names of all curves, which have their colours in this order."""
    return [name for log in logs for name in (log.name, *(each.name for each in log.periods))]


def figures(
    found: Sequence[PairFound], logs: Sequence[QueryLog], settings: QuerylogSettings
) -> dict[str, Figure]:
    """Figure 3 of each pair: all logs. Figure 4: the periods of its real log, or of each log with
    periods where none is real. Figure 5: the last two periods of each log that has them."""
    drawn: dict[str, Figure] = {}
    for each in found:
        pair = each.pair.name
        title = f"New documents left by queries of each log ({pair})"
        drawn[f"logs-{pair}"] = lines(title, each, {log.name: log.name for log in logs}, settings)
        for log in logs:
            if not log.periods or each.real not in (None, log):
                continue
            title = f"New documents left by queries of each period of {log.name} ({pair})"
            series = {period.name: period.name for period in log.periods}
            drawn[f"periods-{file_name(log.name)}-{pair}"] = lines(title, each, series, settings)
        both = {log.name: last_two(log) for log in logs if last_two(log) in each.left}
        if both:
            title = f"New documents left by queries of the last two periods of each log ({pair})"
            drawn[f"last_two-{pair}"] = lines(title, each, both, settings)
    return drawn


def lines(
    title: str, found: PairFound, series: dict[str, str], settings: QuerylogSettings
) -> Lines:
    """A curve for each name, of what is left by the queries that it stands for."""
    curves = [
        Series([(minimal, found.left[key][minimal]) for minimal in settings.minimal], name)
        for name, key in series.items()
    ]
    return Lines(title, X, Y, curves, counted=True)


def file_name(text: str) -> str:
    """A name as a part of a file's name."""
    return "".join(char if char.isalnum() or char in "-_" else "_" for char in text)
