"""The one way of a dedup: sketch the inputs, decide what stays, hand it to a *sink*.

A workspace that lies beside what is written lets a run that was stopped go on.
"""

import shutil
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from webecho.deduplication.plan import Plan
from webecho.errors import OUT, BusyError, WorkspaceError
from webecho.group.decision import Decision, decide
from webecho.group.lost_words import shelves_words, with_lost_words
from webecho.memory import give_back, grouping
from webecho.read.collection import Collection
from webecho.run import Run
from webecho.sketches.sketching import report_unread
from webecho.workspace.append import append_workspace, is_appended
from webecho.workspace.layout import Layout
from webecho.workspace.locks import locked, reading
from webecho.workspace.lookup import are_whole_numbers
from webecho.workspace.reread import Reread, shelf_in
from webecho.workspace.resume import added_since
from webecho.workspace.spilling import spilling
from webecho.workspace.workspace import Workspace

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
WRITTEN = "what stays was written before; nothing is written again"


@dataclass(frozen=True)
class Decided:
    """What stays of a collection, and of what and by what it was decided."""

    plan: Plan
    collection: Collection
    workspace: Workspace
    decision: Decision
    # Why the words of some removed pages could not be compared, if so.
    unread: str | None = None

    @property
    def whole_ids(self) -> bool:
        """Whether all ids are whole numbers, also of files that declare no types."""
        return are_whole_numbers(self.collection, self.decision.pages)


class Sink(Protocol[Result_co]):
    """Where goes what a dedup decides."""

    @property
    def workspace(self) -> Path:
        """Where the pages are sketched."""

    @property
    def temporary(self) -> bool:
        """Whether nobody goes on with that workspace later."""

    @property
    def replaces(self) -> bool:
        """Whether a workspace of other inputs that lies there is an earlier dedup's, which is to be
        replaced."""

    def already(self, plan: Plan) -> Result_co | None:
        """What an earlier run of this plan has put there."""

    def put(self, found: Decided, run: Run) -> Result_co:
        """Takes what was decided."""


def deduplicate(plan: Plan, collection: Collection, sink: Sink[Result], run: Run) -> Result:
    """Decides what stays of a collection, and gives what the sink makes of it."""
    run = replace(run, convert=plan.options.convert)
    if (before := done_before_others(plan, collection, sink)) is not None:
        run.note(WRITTEN)
        return before
    with spilling(run):
        return _deduplicate(plan, collection, sink, run)


def _deduplicate(plan: Plan, collection: Collection, sink: Sink[Result], run: Run) -> Result:
    workspace, reread = sketched(plan, collection, sink, run)
    report_unread(workspace, run)
    with locked(sink.workspace):
        result = sink.already(plan)
        if result is None:
            with nullcontext() if plan.against is None else reading(plan.against) as old:
                if plan.output.annotate or plan.output.counts:
                    # What is told in columns of every row is held of every page.
                    run.check_memory(grouping(workspace.pages), f"telling of {workspace.path}")
                run.begin("comparing")
                with collection.look.watched():
                    decision = decide(workspace, plan.settings, run, old=old, reread=reread)
                    decision, unread = told(plan, decision, reread, run)
                give_back()
                run.begin("writing")
                with collection.look.watched():
                    found = Decided(plan, collection, workspace, decision, unread)
                    result = sink.put(found, run)
        else:
            run.note(WRITTEN)
    if plan.against is not None and plan.append_kept:
        run.begin("adding to the earlier workspace")
        append_workspace(plan.against, workspace)
    return result


def done_before_others(plan: Plan, collection: Collection, sink: Sink[Result]) -> Result | None:
    """What an earlier run of this plan has put there, where the pages of later dedups were added to
    its workspace since. Among those pages nothing is decided once more."""
    if sink.replaces or not Layout(sink.workspace).manifest.exists():
        return None
    with locked(sink.workspace):
        workspace = added_since(sink.workspace, collection, plan.options)
        if workspace is None:
            return None
        result = sink.already(plan)
    added = True
    if plan.against is not None and plan.append_kept:
        added = is_appended(Workspace.open(plan.against), workspace)
    if result is None or not added:
        raise WorkspaceError(
            f"{sink.workspace} holds more inputs by now, which later dedups were compared with and "
            "added to it; choose another ",
            OUT,
        )
    return result


def told(plan: Plan, decision: Decision, reread: Reread, run: Run) -> tuple[Decision, str | None]:
    """The decision with what it loses, if that is wanted, and why some of it is not known."""
    stars, problem = with_lost_words(
        decision.pages, decision.stars, reread, run, wanted=plan.output.lost_words
    )
    if reread.shelf is not None:
        reread.shelf.close()
    return replace(decision, stars=stars), problem


def sketched(
    plan: Plan, collection: Collection, sink: Sink[object], run: Run
) -> tuple[Workspace, Reread]:
    """The sketched pages, and how to have them once more."""
    try:
        return sketch(plan, collection, sink, run)
    except BusyError:
        raise
    except WorkspaceError:
        # What the dedup that is to be replaced left there is of other inputs, or read in another
        # way. Beside no such dedup it is somebody's own workspace.
        if not sink.replaces:
            raise
        with locked(sink.workspace):
            check_no_labels(sink.workspace)
            shutil.rmtree(sink.workspace)
        return sketch(plan, collection, sink, run)


def check_no_labels(path: Path) -> None:
    """Refuses to remove what people have said of pairs."""
    labels = Layout(path).labels.parent
    if labels.is_dir() and any(labels.iterdir()):
        raise WorkspaceError(
            f"{labels} holds labels of other inputs, which nothing here removes; move them "
            "elsewhere, or choose another ",
            OUT,
        )


def sketch(
    plan: Plan, collection: Collection, sink: Sink[object], run: Run
) -> tuple[Workspace, Reread]:
    # Where tokens wait to become shingles, if the rule compares these, and for who asks for words.
    rule = plan.settings.rule
    words = plan.output.lost_words and shelves_words(plan.recipe)
    shelved = rule.compares_shingles or (words and bool(rule.searches(plan.recipe)))
    folder = sink.workspace.absolute().parent
    shelf = shelf_in(folder, run, words=words) if shelved else None
    workspace = run.engine.sketch(
        collection,
        plan.options,
        sink.workspace,
        plan.sketches,
        run,
        temporary=sink.temporary,
        shelf=shelf,
    )
    return workspace, Reread.of(collection, shelf)
