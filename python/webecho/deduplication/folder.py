"""A dedup into a folder.

What stays is written in the inputs' own formats under `OUT/data`, beside the tables that tell what
was decided and why; all of it appears at once, when it is complete. The workspace lies beside it as
`OUT.echo`, and lets a run that was stopped go on.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.deduplication.annotating import Told, annotated, write_beside
from webecho.deduplication.beside import check_folder, note, read_note, written_folder
from webecho.deduplication.losses import LOSSES_FILE, checked_losses
from webecho.deduplication.plan import Plan, open_inputs
from webecho.deduplication.run import Decided
from webecho.deduplication.spooling import spooled
from webecho.deduplication.summary import summarise
from webecho.errors import FORCE, OUT, SettingsError, WorkspaceError
from webecho.group.decision import DROPPED, KEPT, REMOVED
from webecho.read.collection import Collection
from webecho.read.limits import USUAL
from webecho.run import Run
from webecho.workspace.atomic import atomic_folder, folder_beside
from webecho.workspace.layout import ENDING, SUMMARY, Layout
from webecho.workspace.listed import LIST, check_listed, files_in, listed, write_list
from webecho.workspace.removed import save_removed
from webecho.workspace.table_files import write_table
from webecho.workspace.union import Union
from webecho.workspace.workspace import Workspace
from webecho.write.cdx import INDEX, write_index
from webecho.write.copying import Copy, copy_source, moved
from webecho.write.decisions import Fates, source_decision
from webecho.write.exact_copies import ExactCopies
from webecho.write.layout import places_of
from webecho.write.results import SKIPPED_FILE, write_results, write_skipped, write_summary
from webecho.write.row_columns import tell_datasets
from webecho.write.selection import Written

NONE = pa.array([], pa.int64())


@dataclass(frozen=True)
class FolderSink:
    """The folder `out`; `force` replaces what an earlier dedup wrote there, `cdx` adds an index of
    the archives; what was `removed` and `dropped` goes to folders of its own, if they are named."""

    out: Path
    force: bool = False
    cdx: bool = False
    removed: Path | None = None
    dropped: Path | None = None
    temporary = False

    @property
    def workspace(self) -> Path:
        return self.out.with_name(f"{self.out.name}{ENDING}")

    @property
    def replaces(self) -> bool:
        return self.force and self.out.exists()

    def already(self, plan: Plan) -> dict[str, Any] | None:
        """The summary of an earlier run of this plan that has written what stays, whether it was
        stopped before it had added it to the earlier workspace or not. Whether its inputs were the
        same, the workspace tells."""
        written = self.out / SUMMARY
        there = [written, self.out / LIST, Layout(self.workspace).manifest]
        there += [self.out / INDEX] if self.cdx else []
        if self.force or not all(file.is_file() for file in there):
            return None
        check_listed(written, "run that dedup again")
        summary: dict[str, Any] = json.loads(written.read_text(encoding="utf-8"))
        then, now = summary.get("against"), plan.earlier()
        if plan.append_kept and then and now:
            # More, if its own pages are among them.
            now |= {"pages": min(then["pages"], now["pages"])}
        same = summary.get("settings") == plan.settings.as_dict() | plan.output.as_dict()
        same &= all(
            read_note(path) == note(path, self.out, fate, summary)
            for fate, path in self.beside.items()
        )
        return summary if same and then == now else None

    def put(self, found: Decided, run: Run) -> dict[str, Any]:
        """Writes what stays and what was decided, all at once, and gives the summary."""
        workspace, sources = found.workspace, found.collection.sources
        copies, whole = None, NONE
        if found.plan.settings.revisit:
            pages = found.decision.pages
            old = pages.left if isinstance(pages, Union) else None
            copies = ExactCopies(workspace, found.decision.removed, sources, run, old)
            # What a revisit stands for is not gone, nor is its request.
            whole = copies.pages
        fates = self._fates(found, whole, run)
        told = annotated(found)
        lost = checked_losses(found, run)
        self.check()
        with atomic_folder(self.out) as folder, ExitStack() as others:
            data = folder / "data"
            written = self._write(found, fates, KEPT, self.out, data, run, copies, told)
            if told is not None:
                tell_datasets(data, told.annotations.schema)
            if copies is not None:
                found = with_kept(found, copies, written)
                fates = self._fates(found, whole, run)
                lost = checked_losses(found, run)
            write_beside(found, fates, told, folder)
            dropping = found.plan.settings.dropping
            write_results(found.decision, dropping, folder, whole_ids=found.whole_ids)
            write_skipped(workspace, folder)
            write_table(folder / LOSSES_FILE, [lost])
            together = len(fates.companions[REMOVED])
            summary = summarise(
                *(found, run, folder, lost, written, together, copies),
                listed_in=SKIPPED_FILE,
            )
            summary["against"] = found.plan.earlier()
            if self.cdx:
                self._write_index(written, folder, summary, run)
            write_summary(summary, folder)
            write_list(folder)
            for fate, path in self.beside.items():
                data = others.enter_context(
                    written_folder(path, note(path, self.out, fate, summary))
                )
                self._write(found, fates, fate, path, data, run)
            # The sources were read once more, to be copied.
            found.collection.look.check()
            save_removed(workspace, found.decision.gone, found.decision.gone_for)
        return summary

    def check(self) -> None:
        """Refuses to replace what is there."""
        check_out(self.out, self.force)
        if self.replaces:
            check_none_added(self.out, self.workspace)
        for fate, path in self.beside.items():
            check_folder(path, self.out, fate, self.force)

    @property
    def beside(self) -> dict[int, Path]:
        """The folders of what does not stay, by what becomes of it."""
        named = {REMOVED: self.removed, DROPPED: self.dropped}
        return {fate: path for fate, path in named.items() if path is not None}

    def _fates(self, found: Decided, whole: pa.Array, run: Run) -> Fates:
        fates = Fates.of(found.workspace, found.decision, found.plan.settings.dropping, whole, run)
        return fates.annotated if found.plan.output.annotate else fates

    def _write(
        self,
        found: Decided,
        fates: Fates,
        fate: int,
        out: Path,
        data: Path,
        run: Run,
        copies: ExactCopies | None = None,
        told: Told | None = None,
    ) -> list[Written]:
        """Writes the records of all sources that have this fate to `data`, which becomes a part of
        `out`."""
        sources, workspace = found.collection.sources, found.workspace
        for source in sources:
            # What it has open is of no use to whoever copies it.
            source.close()
        data.mkdir(exist_ok=True)
        notes = None if told is None else told.annotations
        items = [
            Copy(
                source,
                source_decision(workspace, number, fates, notes),
                path.relative_to(data),
                None if copies is None else copies.originals(number),
                fate,
                found.collection.limits,
            )
            for number, (source, path) in enumerate(
                zip(sources, places_of(found.collection.inputs, data), strict=True)
            )
        ]
        with folder_beside(out) as apart:
            work = partial(copy_source, workspace.bare(), apart.absolute())
            copied = run.engine.each(work, items, replace(run, threads=at_once(run, items)))
            return [moved(each, data) for each in copied if each is not None]

    def _write_index(
        self, written: Sequence[Written], folder: Path, summary: dict[str, Any], run: Run
    ) -> None:
        """Writes the index of the archives, and counts its lines."""
        made = [each.file for each in written]
        lines, lost = write_index(made, folder / "data", folder / INDEX, run)
        summary["counts"]["captures in the index"] = lines
        summary["warnings"] += lost


def at_once(run: Run, items: Sequence[Copy]) -> int:
    """How many sources are copied at a time: each may take what the longest page does."""
    limits = items[0].limits if items else USUAL
    if limits.room is None:
        return run.threads
    return max(1, min(run.threads, limits.room // limits.in_flight))


def with_kept(found: Decided, copies: ExactCopies, written: Sequence[Written]) -> Decided:
    """What was decided, less the copies that were kept since no revisit could stand for them."""
    kept = [copies.pages_at(number, each.in_full) for number, each in enumerate(written)]
    decision = found.decision.with_kept(pa.concat_arrays(kept)) if kept else found.decision
    return replace(found, decision=decision)


@contextmanager
def open_for(plan: Plan, inputs: Sequence[str], sink: FolderSink, run: Run) -> Iterator[Collection]:
    """The inputs, opened, if what stays of them can be written; what can be read only once is first
    copied beside the output."""
    before = sink.already(plan)
    if before is None or before["inputs"] != [*inputs]:
        before = None
        sink.check()
    with spooled(inputs, plan.options, sink.out, sink.workspace, force=sink.force) as names:
        # What is to be replaced may have been begun with another memory.
        into = None if sink.replaces else sink.workspace
        yield open_inputs(plan, names, run, into, appended=before is not None)


def check_out(out: Path, force: bool) -> None:
    """Refuses to replace what is there, but with `force` what a dedup wrote."""
    if not out.exists():
        return
    ours = (out / SUMMARY).is_file() and (out / "data").is_dir()
    if not force:
        raise SettingsError(
            *(f"{out} exists; choose another ", OUT, ", or give ", FORCE, " to replace it")
        )
    if not ours:
        raise SettingsError(f"{out} exists and no dedup wrote it; choose another ", OUT)
    wrote = listed(out, "remove it, or choose another -o") if (out / LIST).is_file() else None
    others = [] if wrote is None else [name for name in files_in(out) if name not in wrote]
    if others:
        raise SettingsError(
            f"{out / others[0]} is no dedup's, and would be lost; move it elsewhere, or choose "
            "another ",
            OUT,
        )


def check_none_added(out: Path, workspace: Path) -> None:
    """Refuses to replace a workspace to which later dedups have added what they kept: nothing else
    knows it."""
    try:
        manifest = Workspace.open(workspace, complete=False).manifest
    except WorkspaceError:
        # There is none, or what it holds can no longer be read by anybody.
        return
    names = [each["name"] for each in manifest.inputs]
    try:
        own = json.loads((out / SUMMARY).read_bytes())["inputs"]
    except (OSError, ValueError, KeyError, TypeError):
        # What was the dedup's own can no longer be told from what was added.
        own = names[:1]
    added = names[len(own) :]
    # Else it is of other inputs, by a run that was to replace this dedup and was stopped.
    if added and names[: len(own)] == own:
        raise SettingsError(
            f"{workspace} would be replaced, and it holds also what later dedups added to it "
            f"({', '.join(added[:5])}{' …' if len(added) > 5 else ''}), which would be forgotten; "
            "choose another ",
            *(OUT, ", or move it elsewhere, if nobody compares with it any more"),
        )
