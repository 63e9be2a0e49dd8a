"""`webecho pairs`: every two pages that a rule holds together, of inputs or of a workspace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, Unpack, overload

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.api.call import estimates, public, warn
from webecho.api.clusters import opened_for_all
from webecho.api.frames import engine_for
from webecho.api.given_pairs import GivenRequest, as_given, check_alone, in_words, run_given
from webecho.api.inputs import Inputs, InputsOrWorkspace, as_pages, failure, recipe_of
from webecho.api.reading import ReadingOptions, as_reading
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, RunOptions, running
from webecho.api.values import Name, several
from webecho.errors import SettingsError, flag, setting
from webecho.group.hot_buckets import HotSettings
from webecho.group.measures import MeasureSettings
from webecho.group.pairs import write_pairs
from webecho.group.rules.registry import rules_of_sets
from webecho.group.rules.rule import Rule
from webecho.run import Report, Run
from webecho.settings import Recipe
from webecho.show.files.drawing import Drawing, Width
from webecho.study.pair_report import PairReport, report
from webecho.study.power_law import REPETITIONS, FitSettings
from webecho.workspace.reread import Reread
from webecho.workspace.stored import read_file
from webecho.workspace.workspace import Workspace

Answer = TypeVar("Answer")
# What only the rules know whose pairs are of identity sets.
OF_SETS = ("hot", "drawn", "report")
OF_REPORT = ("repetitions", "width", "title")


@dataclass(frozen=True)
class PairsRequest:
    """Whose pairs, and by which rule.

    A bucket of more than `hot` pages gives a sample of `drawn` pairs (None: all, always); what
    `measure` names is measured, of `measured` of the pairs (None: of all); `report` asks for what
    Henzinger 2006 reports, which `write` keeps in the workspace, with power laws tried by so many
    `repetitions`. The first `most` pairs are given (None: all).
    """

    pages: InputsOrWorkspace
    rule: RuleChoice = field(default_factory=RuleChoice)
    hot: int | None = HotSettings.hot
    drawn: int = HotSettings.drawn
    measure: tuple[str, ...] = ()
    measured: int | None = None
    seed: int = 0
    report: bool = False
    most: int | None = None
    repetitions: int = REPETITIONS
    write: bool = True
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        self.check_report()
        kind = self.rule.kind
        if not kind.pairs_of_sets:
            usual = PairsRequest.__dataclass_fields__
            given = [
                setting(name) for name in OF_SETS if getattr(self, name) != usual[name].default
            ]
            if given:
                listed = [part for each in given for part in (", ", each)][1:]
                raise SettingsError(
                    *(f"the rule {kind.name} has no ", *listed),
                    f"; that is for {', '.join(rules_of_sets())}",
                )
        # Each is checked when it is made.
        _ = self.hot_settings, self.measures, self.fits, self.drawing

    def check_report(self) -> None:
        """Refuses what only a report has where none is asked for."""
        usual = PairsRequest.__dataclass_fields__
        given = [setting(name) for name in OF_REPORT if getattr(self, name) != usual[name].default]
        if given and not self.report:
            raise SettingsError(given[0], " is for ", flag("report"), ", which is not given")

    @classmethod
    def by_rules(
        cls,
        pages: InputsOrWorkspace,
        names: Sequence[str],
        parameters: Mapping[str, Any],
        **settings: Any,
    ) -> "list[PairsRequest]":
        """One for each of these rules, with those of the parameters that it has."""
        return [
            cls(pages, chosen, **settings) for chosen in RuleChoice.several(names, **parameters)
        ]

    @property
    def fits(self) -> FitSettings:
        return FitSettings(self.repetitions, self.seed)

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def hot_settings(self) -> HotSettings:
        return HotSettings(self.hot, self.drawn, self.seed)

    @property
    def measures(self) -> MeasureSettings:
        return MeasureSettings(self.measure, self.measured, self.seed)


@dataclass(frozen=True)
class Paired:
    """Where the pairs were written, how many there are and those that were asked for; the report
    and where it was written; why resemblances had to be estimated, and what could not be read."""

    rule: str
    file: Path
    count: int
    rows: pa.Table
    summary: dict[str, Any]
    report: PairReport | None
    folder: Path | None
    estimated: str | None
    failure: str | None


def run_pairs(request: PairsRequest, run: Run) -> Paired:
    """Finds the pairs, and writes `pairs/<rule>.parquet`."""
    [found] = run_pairs_by([request], run)
    return found


def run_pairs_by(requests: Sequence[PairsRequest], run: Run) -> list[Paired]:
    """The same by several rules, of the same pages, which are read once."""
    pages = requests[0].pages
    recipe = recipe_of(pages)
    rules = [request.rule.of(recipe) for request in requests]
    if isinstance(pages, Inputs) and len({rule.any_type for rule in rules}) > 1:
        # What takes part by one rule does not by another.
        return [found for request in requests for found in run_pairs_by([request], run)]
    with opened_for_all(rules, pages, run) as (workspace, reread):
        # Of all, before the pairs of any are written.
        for column in (column for rule in rules for column in rule.columns):
            workspace.require(column)
        return [
            pairs_in(workspace, request, rule, run, reread)
            for request, rule in zip(requests, rules, strict=True)
        ]


def pairs_in(
    workspace: Workspace, request: PairsRequest, rule: Rule, run: Run, reread: Reread | None
) -> Paired:
    """The pairs of a workspace by one rule."""
    run.begin("comparing")
    found = write_pairs(
        workspace, rule, request.hot_settings, request.measures, run=run, reread=reread
    )
    label = found.file.stem
    made = folder = None
    if request.report:
        run.begin("reporting")
        made = report(workspace, label, run, request.fits)
        folder = written(workspace, made, request.drawing) if request.write else None
    count, rows = first_rows(found.file, request.most)
    summary = found.summary or {"pairs": count}
    run.log("counts", {"rule": label} | summary)
    problems = found.estimated, failure(workspace)
    return Paired(rule.label, found.file, count, rows, summary, made, folder, *problems)


def written(workspace: Workspace, made: PairReport, drawing: Drawing) -> Path:
    """The folder in which a report was written."""
    # Drawing takes a second to load, and is not always asked for.
    from webecho.show.files.pair_report import write_report

    folder = workspace.files.study(f"pairs-{made.label}")
    write_report(folder, made, drawing)
    return folder


def first_rows(file: Path, most: int | None) -> tuple[int, pa.Table]:
    """How many rows a table has, and the first of them."""
    with pq.ParquetFile(file, pre_buffer=False) as table:
        count = table.metadata.num_rows
        if most is None:
            return count, read_file(file)
        batches = (batch.replace_schema_metadata(None) for batch in table.iter_batches(most))
        columns = table.schema_arrow.remove_metadata()
        return count, pa.Table.from_batches(islice(batches, 1), columns)


class PairsOptions(ReadingOptions, RunOptions, total=False):
    """The keywords of `pairs`, whatever the number of rules."""

    equal_words: float | None
    least_b: int | None
    least_c: int | None
    least_c_across: int | None
    pieces: int | None
    chunk: str | None
    shared: int | None
    most_pages: int | None
    fingerprint: int | None
    hot: int | None
    drawn: int
    measure: str | Sequence[str]
    measured: int | None
    given: Name | Sequence[Any] | None
    seed: int
    recipe: str | Recipe | None


# By one rule a table, by several one each.
@overload
def pairs(
    data: object,
    rule: str = "similar",
    resemblance: float | None = None,
    **options: Unpack[PairsOptions],
) -> pa.Table: ...
@overload
def pairs(
    data: object,
    rule: list[str] | tuple[str, ...],
    resemblance: float | None = None,
    **options: Unpack[PairsOptions],
) -> dict[str, pa.Table]: ...
@public
def pairs(
    data: Any,
    rule: str | Sequence[str] = "similar",
    resemblance: float | None = None,
    *,
    equal_words: float | None = None,
    least_b: int | None = None,
    least_c: int | None = None,
    least_c_across: int | None = None,
    pieces: int | None = None,
    chunk: str | None = None,
    shared: int | None = None,
    most_pages: int | None = None,
    fingerprint: int | None = None,
    hot: int | None = HotSettings.hot,
    drawn: int = HotSettings.drawn,
    measure: str | Sequence[str] = (),
    measured: int | None = None,
    given: Name | Sequence[Any] | None = None,
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
) -> pa.Table | dict[str, pa.Table]:
    """Every pair of pages that the rule holds together, with what was measured of it: a table. Of
    several rules, `rule=["b", "c"]`, a table each, by the name that was given.

    Arguments:
        rule: when two pages belong together, such as similar, b or combined; or several.
        hot: for `b`, `c`, `combined` and `by-site`: a bucket of more pages gives a sample of its
            pairs; None: never.
        drawn: how many pairs such a bucket gives.
        measure: difference, resemblance or equal-words: read the pages again and measure; what was
            measured before stays.
        measured: of how many pairs, by chance; None: of all.
        given: measure these pairs instead of finding some: a CSV, JSONL or Parquet file, or a list
            such as `[("http://a/", "http://b/"), (0, 12)]`, of urls, ids or page numbers.
        report: is called with a `Progress` (phase, share, pages, bytes) now and then, as in every
            function. What `webecho pairs --report` tells of pairs is `webecho.pair_report`.

    Example:
        >>> found = webecho.pairs("web.echo", resemblance=0.9)
        >>> min(found["resemblance"].to_pylist()) >= 0.9
        True
    """
    check_told(report)
    reading = as_reading(text, html, url, id, date, statuses, types, convert, format)
    names = several(rule)
    pages = as_pages(data, recipe, reading)
    parameters = {
        "resemblance": resemblance,
        "equal_words": equal_words,
        "least_b": least_b,
        "least_c": least_c,
        "least_c_across": least_c_across,
        "pieces": pieces,
        "chunk": chunk,
        "shared": shared,
        "most_pages": most_pages,
        "fingerprint": fingerprint,
    }
    asked: dict[str, Any] = {"hot": hot, "drawn": drawn, "measured": measured}
    if given is not None:
        check_alone(names, parameters | asked, usual_settings())
        request = GivenRequest(pages, as_given(given), several(measure))
        with running(
            threads, memory, report, progress, convert=convert, engine=engine_for(data, engine)
        ) as run:
            named = run_given(request, run)
        warn(named.failure, in_words(named), estimates(named.estimated))
        return named.rows
    asked["measure"] = several(measure)
    requests = PairsRequest.by_rules(pages, names, parameters, **asked, seed=seed)
    with running(
        threads, memory, report, progress, convert=convert, engine=engine_for(data, engine)
    ) as run:
        found = run_pairs_by(requests, run)
    warn(*worth_a_warning(found))
    return found[0].rows if isinstance(rule, str) else by_name(names, [each.rows for each in found])


def usual_settings() -> dict[str, Any]:
    """What the settings of a request are unless somebody says otherwise."""
    return {each.name: each.default for each in fields(PairsRequest)}


def check_told(report: object) -> None:
    """Refuses `report=True`, which the command has for another thing."""
    if isinstance(report, bool):
        raise SettingsError(
            setting("report"),
            " is a function that is told how far the run is; progress=True shows that, and what "
            "`webecho pairs --report` tells of pairs is webecho.pair_report(…)",
        )


def by_name(names: Sequence[str], results: Sequence[Answer]) -> dict[str, Answer]:
    """What was found by each rule, by what it was called."""
    return dict(zip(names, results, strict=True))


def worth_a_warning(found: Sequence[Paired]) -> list[str]:
    """What of the pages could not be read or counted, each once by however many rules."""
    texts = (text for each in found for text in (each.failure, estimates(each.estimated)))
    return [*dict.fromkeys(filter(None, texts))]
