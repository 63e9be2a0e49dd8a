"""`webecho dedup`: what stays of a collection, and what was removed and why."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar, Unpack, overload

import pyarrow as pa

from webecho.api.call import estimates, public, warn
from webecho.api.dry_run import DryRun, DryRunRequest, check_only_dry, run_dry_run
from webecho.api.frames import FrameSink, engine_for
from webecho.api.inputs import as_inputs
from webecho.api.reading import Reading, ReadingOptions, as_reading
from webecho.api.rules import RuleChoice
from webecho.api.runs import EngineChoice, RunOptions, running, running_locally
from webecho.api.values import Name, as_out, as_recipe, as_share, as_workspace, several
from webecho.deduplication.annotating import ANNOTATIONS_FILE
from webecho.deduplication.folder import FolderSink, open_for
from webecho.deduplication.in_memory import (
    Deduplicated,
    MemorySink,
    check_readable_again,
    read_results,
)
from webecho.deduplication.losses import LOSSES_FILE
from webecho.deduplication.plan import Output, Plan, open_inputs
from webecho.deduplication.run import deduplicate
from webecho.engine.spark.frames import is_frame, spooled_inputs
from webecho.errors import OUT, SettingsError, flag, in_python, setting
from webecho.group.decision import DedupSettings
from webecho.group.dropping import Dropping
from webecho.group.keeping import columns_of, keeps
from webecho.read.collection import Collection
from webecho.read.table_kinds import is_split, is_table
from webecho.run import Report, Run
from webecho.safe_text import plain
from webecho.settings import WEBECHO, Recipe
from webecho.workspace.scratch import lasting_folder, temporary_folder
from webecho.workspace.stored import read_file

Frame = TypeVar("Frame")


@dataclass(frozen=True)
class DedupRequest:
    """What is deduplicated and how (see `DedupSettings`), and which earlier workspace counts too
    (see `Plan`)."""

    inputs: tuple[Any, ...]
    rule: RuleChoice = field(default_factory=RuleChoice)
    link: str = "kept"
    keep: tuple[str, ...] = ("first",)
    within: tuple[str, ...] = ("collection",)
    by: tuple[str, ...] = ()
    revisit: bool = False
    dropping: Dropping = field(default_factory=Dropping)
    output: Output = field(default_factory=Output)
    against: Path | None = None
    only_against: bool = False
    append_kept: bool = False
    recipe: Recipe = WEBECHO
    reading: Reading = field(default_factory=Reading)

    def __post_init__(self) -> None:
        # It is checked when it is made.
        _ = self.plan

    @property
    def plan(self) -> Plan:
        order, rule = keeps(self.keep), self.rule.of(self.recipe)
        values, ranked = (columns_of(order, kind) for kind in ("values", "ranked"))
        # Columns that are only told of are read as those that keep pages apart are.
        by = tuple(dict.fromkeys((*self.by, *self.output.losses_by)))
        return Plan(
            options=self.reading.for_rule(rule).options(by, values, ranked),
            settings=DedupSettings(
                *(rule, self.link, order, self.within, self.by, self.revisit, self.dropping),
                only_against=self.only_against,
            ),
            recipe=self.recipe,
            against=self.against,
            append_kept=self.append_kept,
            output=self.output,
        )


def run_in_memory(request: DedupRequest, run: Run) -> Deduplicated[Any]:
    """Deduplicates into tables in memory."""
    plan = request.plan
    if plan.append_kept:
        raise SettingsError(
            *(flag("append_kept"), " needs ", OUT, ": what is added must be there to read again")
        )
    if all(map(is_frame, request.inputs)):
        folder = lasting_folder()
        tables = spooled_inputs(request.inputs, folder)
        collection = open_inputs(plan, tables, run)
        return deduplicate(plan, collection, FrameSink(folder, request.inputs, tables), run)
    with temporary_folder() as folder:
        inputs = spooled_inputs(request.inputs, folder)
        collection = open_inputs(plan, inputs, run)
        check_readable_again(collection)
        return deduplicate(plan, collection, MemorySink(folder, inputs), run)


@dataclass(frozen=True)
class FolderRequest:
    """A dedup whose result is written into a folder; `force` replaces an earlier one, `cdx` adds an
    index of the archives; what was `removed` and `dropped` goes to folders of its own."""

    dedup: DedupRequest
    out: Path
    force: bool = False
    cdx: bool = False
    removed: Path | None = None
    dropped: Path | None = None

    def __post_init__(self) -> None:
        if self.dedup.output.annotate and self.removed is not None:
            raise SettingsError(
                *(flag("annotate"), " removes nothing; leave out ", setting("removed"))
            )
        if any(is_table(each) or is_split(each) or is_frame(each) for each in self.dedup.inputs):
            raise SettingsError("a table in memory is not written; leave out ", OUT)
        for given in self.dedup.inputs:
            for path in filter(None, (self.out, self.removed, self.dropped)):
                if lies_in(path, given):
                    raise SettingsError(
                        f"{path} lies in the input {given}, of which it would be a part when that "
                        "is read again; choose another ",
                        OUT,
                    )

    @property
    def sink(self) -> FolderSink:
        return FolderSink(self.out, self.force, self.cdx, self.removed, self.dropped)


def lies_in(path: Path, given: Any) -> bool:
    """Whether a path is within an input that is a folder of this machine."""
    name = os.fspath(given)
    folder = Path(name)
    return folder.is_dir() and path.resolve().is_relative_to(folder.resolve())


@dataclass(frozen=True)
class DedupFolder:
    """Where what stays was written, the workspace beside it, and the summary."""

    out: Path
    workspace: Path
    summary: dict[str, Any]

    @property
    def beside(self) -> Path | None:
        """The annotations of pages whose files have no columns for them, if there are such."""
        path = self.out / ANNOTATIONS_FILE
        return path if path.is_file() else None


def run_into_folder(request: FolderRequest, run: Run) -> DedupFolder:
    """Deduplicates into a folder."""
    plan, sink = request.dedup.plan, request.sink
    with opened(request, run) as collection:
        summary = deduplicate(plan, collection, sink, run)
    run.log("counts", summary["counts"])
    return DedupFolder(sink.out, sink.workspace, summary)


@contextmanager
def opened(request: FolderRequest, run: Run) -> Iterator[Collection]:
    """The inputs, and notes on how they are read."""
    names = [os.fspath(each) for each in request.dedup.inputs]
    with open_for(request.dedup.plan, names, request.sink, run) as collection:
        for choice in collection.choices:
            run.note(choice)
        yield collection


class DedupOptions(ReadingOptions, RunOptions, total=False):
    """The keywords of `dedup`, which are the same whatever is deduplicated."""

    rule: str
    resemblance: float | None
    equal_words: float | None
    least_b: int | None
    least_c: int | None
    least_c_across: int | None
    pieces: int | None
    chunk: str | None
    shared: int | None
    most_pages: int | None
    fingerprint: int | None
    link: str
    keep: str | Sequence[str]
    within: str | Sequence[str]
    by: str | Sequence[str] | None
    min_words: int
    min_chars: int
    drop_empty: bool
    drop_failed: bool
    lost_words: bool
    most_lost: float | str | None
    losses_by: str | Sequence[str] | None
    annotate: bool
    counts: bool
    prefix: str
    revisit: bool
    against: Name | None
    only_against: bool
    append_kept: bool
    recipe: str | Recipe
    force: bool
    cdx: bool
    removed: Name | None
    dropped: Name | None


# What was given comes back of the same kind; of paths a table of the pages that stay.
@overload
def dedup(
    data: object,
    out: Name | None = None,
    *,
    dry_run: Literal[True],
    limit: int | None = None,
    sample: float | str | None = None,
    **options: Unpack[DedupOptions],
) -> DryRun: ...
@overload
def dedup(
    data: Name | Sequence[Name], out: Name | None = None, **options: Unpack[DedupOptions]
) -> Deduplicated[pa.Table]: ...
@overload
def dedup(
    data: Sequence[object], out: None = None, **options: Unpack[DedupOptions]
) -> Deduplicated[Any]: ...
@overload
def dedup(
    data: Frame, out: None = None, **options: Unpack[DedupOptions]
) -> Deduplicated[Frame]: ...
@public
def dedup(
    data: Any,
    out: Name | None = None,
    *,
    rule: str = "similar",
    resemblance: float | None = None,
    equal_words: float | None = None,
    least_b: int | None = None,
    least_c: int | None = None,
    least_c_across: int | None = None,
    pieces: int | None = None,
    chunk: str | None = None,
    shared: int | None = None,
    most_pages: int | None = None,
    fingerprint: int | None = None,
    link: str = "kept",
    keep: str | Sequence[str] = "first",
    within: str | Sequence[str] = "collection",
    by: str | Sequence[str] | None = None,
    min_words: int = 0,
    min_chars: int = 0,
    drop_empty: bool = False,
    drop_failed: bool = False,
    lost_words: bool = True,
    most_lost: float | str | None = None,
    losses_by: str | Sequence[str] | None = None,
    annotate: bool = False,
    counts: bool = False,
    prefix: str = "webecho_",
    revisit: bool = False,
    against: Name | None = None,
    only_against: bool = False,
    append_kept: bool = False,
    recipe: str | Recipe = "webecho",
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
    force: bool = False,
    cdx: bool = False,
    removed: Name | None = None,
    dropped: Name | None = None,
    dry_run: bool = False,
    limit: int | None = None,
    sample: float | str | None = None,
    report: Report | None = None,
    progress: bool = False,
) -> Deduplicated[Any] | DryRun:
    """What stays of a collection, and what was removed and why.

    With `out`, for paths, it is also written there, as `webecho dedup` does.

    Arguments:
        data: a path, several, a table of any common library, or a list or generator of texts or of
            dictionaries; what stays of it is of the same kind.
        out: the folder to write to, for paths.
        link: kept: what goes is similar to the page named for it; chain: to one that is similar.
        keep: which page stays, the most important first, such as `["max:score", "longest"]`.
        within: compare pages only within the same host or site; by default in the collection.
        by: compare pages only within the same value of this column, or of these.
        min_words: drop pages of fewer words.
        min_chars: drop pages of fewer characters.
        drop_empty: drop pages without text.
        drop_failed: drop records that could not be read.
        lost_words: count the words of each removed page that the page which stays lacks.
        most_lost: an error, before anything is written, if a source, host or group loses more, such
            as 0.5 or "50%".
        losses_by: tell what each value of this column, or of these, loses; pages are compared
            whatever they have there.
        annotate: remove nothing, and tell in columns of each row what was decided.
        counts: tell in columns of what stays how often it was seen, on how many hosts, and when.
        prefix: what the names of these columns begin with.
        revisit: of archives: leave a revisit record for a copy of the same bytes.
        against: an earlier workspace; what that has is removed too.
        only_against: compare with that workspace alone, not the pages of `data` with one another:
            decontamination.
        append_kept: add what stays to the workspace of `against` afterwards.
        force: replace what an earlier dedup wrote to `out`.
        cdx: of archives: write `out/index.cdxj`, a sorted index.
        removed: a folder for what was removed.
        dropped: a folder for what was dropped.
        dry_run: write nothing; `.facts` of what is given tells how many pages there are, about how
            many will be removed, and what that takes.
        limit: of a dry run: pages to read, about.
        sample: of a dry run: share of the inputs to read, such as 0.1 or "10%".

    Example:
        >>> webecho.dedup(["one text", "another text", "One text."]).kept
        ['one text', 'another text']
        >>> webecho.dedup("web/pages", "clean").summary["counts"]["read"]
        150
    """
    request = DedupRequest(
        inputs=as_inputs(data),
        rule=RuleChoice(
            *(rule, resemblance, equal_words, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        link=link,
        keep=several(keep),
        within=several(within),
        by=() if by is None else several(by),
        revisit=revisit,
        dropping=Dropping(min_words, min_chars, drop_empty, drop_failed),
        output=as_output(lost_words, most_lost, annotate, counts, prefix, losses_by),
        against=None if against is None else as_workspace(against),
        only_against=only_against,
        append_kept=append_kept,
        recipe=as_recipe(recipe),
        reading=as_reading(text, html, url, id, date, statuses, types, convert, format),
    )
    if dry_run:
        share = None if sample is None else as_share("sample", sample)
        foreseen = DryRunRequest(request.plan, request.inputs, limit, share)
        with running_locally(threads, memory, report, progress, engine=engine) as run:
            return run_dry_run(foreseen, run)
    check_only_dry(limit, sample)
    beside = [None if path is None else as_out(path) for path in (removed, dropped)]
    folder = None
    if out is not None:
        folder = FolderRequest(
            request, as_out(out), force, cdx=cdx, removed=beside[0], dropped=beside[1]
        )
    elif any(beside):
        name = setting("removed" if beside[0] else "dropped")
        raise SettingsError(name, " names a folder beside ", OUT, ", which is missing; give both")
    with running(threads, memory, report, progress, engine=engine_for(data, engine)) as run:
        return deduplicated(request, folder, run)


def as_output(
    lost_words: bool,
    most_lost: float | str | None,
    annotate: bool,
    counts: bool,
    prefix: str,
    losses_by: str | Sequence[str] | None = None,
) -> Output:
    """What is told and written beside what stays, as users say it."""
    share = None if most_lost is None else as_share("most_lost", most_lost)
    columns = () if losses_by is None else tuple(dict.fromkeys(several(losses_by)))
    return Output(lost_words, share, annotate, counts, prefix, columns)


def deduplicated(
    request: DedupRequest, folder: FolderRequest | None, run: Run
) -> Deduplicated[Any]:
    """What stays, in memory or of what was written, with warnings in Python's words."""
    if folder is None:
        found = run_in_memory(request, run)
    else:
        written = run_into_folder(folder, run)
        losses = read_file(written.out / LOSSES_FILE)
        found = read_results(written.out, written.summary, losses)
    lost = (f"could not be passed on: {plain(text)}" for text in found.summary.get("lost", ()))
    warnings = in_python(found.summary["warnings"])
    warn(estimates(found.summary["estimated"]), *lost, *map(plain, warnings), above=1)
    return replace(found, summary=found.summary | {"warnings": warnings})
