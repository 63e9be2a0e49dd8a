"""`webecho pairs --report`, for Python programs: what Henzinger 2006 reports of pairs."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from webecho.api.call import estimates, public, warn
from webecho.api.inputs import as_pages
from webecho.api.pairs import PairsRequest, by_name, run_pairs_by
from webecho.api.reading import as_reading
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, running
from webecho.api.values import several
from webecho.group.hot_buckets import HotSettings
from webecho.run import Report
from webecho.settings import Recipe
from webecho.show.files.drawable import drawable_report
from webecho.study.pair_report import PairReport
from webecho.study.power_law import REPETITIONS


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
) -> Any:
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
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    names = several(rule)
    pages = as_pages(data, recipe, reading)
    requests = [
        PairsRequest(
            pages=pages,
            rule=chosen,
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
        for chosen in RuleChoice.several(
            names,
            least_b=least_b,
            least_c=least_c,
            least_c_across=least_c_across,
            pieces=pieces,
        )
    ]
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        found = run_pairs_by(requests, run)
    warn(
        *dict.fromkeys(text for each in found for text in (each.failure, estimates(each.estimated)))
    )
    # They were asked for, and so are there.
    made = [drawable_report(cast(PairReport, each.report)) for each in found]
    return made[0] if isinstance(rule, str) else by_name(names, made)
