"""`webecho dedup --dry-run`: what a dedup will need, and about how much it will remove."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from webecho.deduplication.dry_run import dry_run
from webecho.deduplication.in_memory import check_readable_again
from webecho.deduplication.plan import Plan, open_inputs
from webecho.deduplication.spooling import spooled
from webecho.engine.spark.frames import spooled_inputs
from webecho.errors import Message, SettingsError, flag, setting
from webecho.group.losses import MOST_LOST
from webecho.read.collection import Collection
from webecho.run import Run
from webecho.shown import Outline, Shown
from webecho.workspace.scratch import temporary_folder

_SAMPLED = "removed in the sample"
ALL_PAGES = " is judged by the run itself: of one source, host or group a sample tells too little"
DRY_RUN, LIMIT, SAMPLE = flag("dry_run"), setting("limit"), setting("sample")


@dataclass(frozen=True)
class DryRunRequest:
    """A dedup that is only foreseen, by about `limit` pages (None: as many as usual), or by a share
    of the inputs, the `sample`."""

    plan: Plan
    inputs: tuple[Any, ...]
    limit: int | None = None
    sample: float | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and self.sample is not None:
            raise SettingsError(
                *(LIMIT, " and ", SAMPLE, " both say how much is read; leave one of them out")
            )
        if self.limit is not None and self.limit < 1:
            raise SettingsError(LIMIT.to(self.limit), ": give 1 or more")
        if self.sample is not None and not 0 < self.sample <= 1:
            raise SettingsError(SAMPLE.to(self.sample), " is not above 0 and at most 1; try 0.1")


@dataclass(frozen=True, repr=False)
class DryRun(Shown):
    """What a dedup will need, and about how much it will remove."""

    facts: dict[str, Any]

    def outline(self) -> Outline:
        # What else there is tells of the sample alone, and what the run takes would not be shown.
        told = {name: each for name, each in self.facts.items() if not name.startswith(_SAMPLED)}
        return Outline("DryRun", told)


def check_only_dry(limit: object, sample: object) -> None:
    """Refuses to say how much a dry run reads where there is none."""
    if limit is not None or sample is not None:
        raise SettingsError(
            *(LIMIT, " and ", SAMPLE, " say how much ", DRY_RUN, " reads; add ", DRY_RUN)
        )


def run_dry_run(request: DryRunRequest, run: Run) -> DryRun:
    """Foresees a dedup, of which nothing is written."""
    with opened(request, run) as collection:
        for choice in collection.choices:
            run.note(choice)
        if request.plan.output.most_lost is not None:
            run.note(Message(MOST_LOST, ALL_PAGES))
        facts = dry_run(request.plan, collection, request.limit, request.sample, run)
    run.log("counts", facts)
    return DryRun(facts)


@contextmanager
def opened(request: DryRunRequest, run: Run) -> Iterator[Collection]:
    """The inputs; what can be read only once is copied for a while."""
    plan = request.plan
    with temporary_folder() as folder:
        if not all(isinstance(each, str | os.PathLike) for each in request.inputs):
            collection = open_inputs(plan, spooled_inputs(request.inputs, folder), run)
            check_readable_again(collection)
            yield collection
            return
        names = [os.fspath(each) for each in request.inputs]
        out = folder / "out"
        with spooled(names, plan.options, out, out, force=False) as found:
            yield open_inputs(plan, found, run)
