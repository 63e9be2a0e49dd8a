"""`webecho pairs --report`, for Python programs: what Henzinger 2006 reports of pairs."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from webecho.api.call import estimates, public, warn
from webecho.api.inputs import as_pages
from webecho.api.pairs import PairsRequest, run_pairs
from webecho.api.reading import as_reading
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, running
from webecho.api.values import several
from webecho.group.hot_buckets import HotSettings
from webecho.run import Report
from webecho.settings import Recipe
from webecho.show.files.drawable import DrawableReport, drawable_report
from webecho.study.pair_report import PairReport
from webecho.study.power_law import REPETITIONS


@public
def pair_report(
    data: Any,
    rule: str = "b",
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
) -> DrawableReport:
    """What Henzinger 2006 reports of pairs, by the rules `b`, `c`, `combined` or `by-site`:
    `.facts`, `.tables` by name, `.draw(folder)` for the figures and `.write(folder)` for all.

    Arguments:
        rule: b, c, combined or by-site.
        hot: a bucket of more pages gives a sample of its pairs; None: never.
        drawn: how many pairs such a bucket gives.
        measure: difference, resemblance or equal-words: read the pages again and measure.
        measured: of how many pairs, by chance; None: of all.

    Example:
        >>> found = webecho.pair_report("web.echo", "b", repetitions=0)
        >>> found.facts["pairs"] > 0
        True
    """
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    request = PairsRequest(
        pages=as_pages(data, recipe, reading),
        rule=RuleChoice(rule, None, None, least_b, least_c, least_c_across, pieces),
        hot=hot,
        drawn=drawn,
        measure=several(measure),
        measured=measured,
        seed=seed,
        report=True,
        most=1,
        repetitions=repetitions,
        write=False,
    )
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        found = run_pairs(request, run)
    warn(found.failure, estimates(found.estimated))
    # It was asked for, and so is there.
    return drawable_report(cast(PairReport, found.report))
