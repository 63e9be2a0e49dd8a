"""`webecho pairs --report`, for Python programs: what Henzinger 2006 reports of pairs."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack, cast, overload

from webecho.api.call import public, warn
from webecho.api.inputs import as_pages
from webecho.api.pairs import (
    PairsRequest,
    by_name,
    check_told,
    run_pairs_by,
    worth_a_warning,
)
from webecho.api.reading import ReadingOptions, as_reading
from webecho.api.runs import EngineChoice, RunOptions, running
from webecho.api.values import several
from webecho.group.hot_buckets import HotSettings
from webecho.run import Report
from webecho.settings import Recipe
from webecho.show.files.drawable import DrawableReport, drawable_report
from webecho.study.pair_report import PairReport
from webecho.study.power_law import REPETITIONS


class PairReportOptions(ReadingOptions, RunOptions, total=False):
    """The keywords of `pair_report`, whatever the number of rules."""

    least_b: int | None
    least_c: int | None
    least_c_across: int | None
    pieces: int | None
    hot: int | None
    drawn: int
    measure: str | Sequence[str]
    measured: int | None
    repetitions: int
    seed: int
    recipe: str | Recipe | None


# By one rule a report, by several one each.
@overload
def pair_report(
    data: object, rule: str = "b", **options: Unpack[PairReportOptions]
) -> DrawableReport: ...
@overload
def pair_report(
    data: object, rule: list[str] | tuple[str, ...], **options: Unpack[PairReportOptions]
) -> dict[str, DrawableReport]: ...
@public
def pair_report(
    data: Any,
    rule: str | Sequence[str] = "b",
    *,
    least_b: int | None = None,
    least_c: int | None = None,
    least_c_across: int | None = None,
    pieces: int | None = None,
    hot: int | None = HotSettings.hot,
    drawn: int = HotSettings.drawn,
    measure: str | Sequence[str] = (),
    measured: int | None = None,
    repetitions: int = REPETITIONS,
    seed: int = 0,
    recipe: str | Recipe | None = None,
    text: str | None = None,
    html: str | None = None,
    url: str | None = None,
    id: str | None = None,
    date: str | None = None,
    statuses: int | Sequence[int] | None = None,
    types: str | Sequence[str] | None = None,
    convert: Mapping[str, str] | None = None,
    format: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableReport | dict[str, DrawableReport]:
    """What Henzinger 2006 reports of pairs, by the rules `b`, `c`, `combined` or `by-site`:
    `.facts`, `.tables` by name, `.draw(folder)` for the figures and `.write(folder)` for all. Of
    several rules one each, by the name that was given.

    Arguments:
        rule: b, c, combined or by-site, or several.
        hot: a bucket of more pages gives a sample of its pairs; None: never.
        drawn: how many pairs such a bucket gives.
        measure: difference, resemblance or equal-words: read the pages again and measure.
        measured: of how many pairs, by chance; None: of all.

    Example:
        >>> found = webecho.pair_report("web.echo", "b", repetitions=0)
        >>> found.facts["pairs"] > 0
        True
    """
    check_told(report)
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    names = several(rule)
    pages = as_pages(data, recipe, reading)
    parameters = {
        "least_b": least_b,
        "least_c": least_c,
        "least_c_across": least_c_across,
        "pieces": pieces,
    }
    asked = {"hot": hot, "drawn": drawn, "measure": several(measure), "measured": measured}
    told = {"report": True, "most": 1, "repetitions": repetitions, "write": False}
    requests = PairsRequest.by_rules(pages, names, parameters, **asked, **told, seed=seed)
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        found = run_pairs_by(requests, run)
    warn(*worth_a_warning(found))
    # They were asked for, and so are there.
    made = [drawable_report(cast(PairReport, each.report)) for each in found]
    return made[0] if isinstance(rule, str) else by_name(names, made)
