"""A dedup into a folder.

What stays is written in the inputs' own formats under `OUT/data`, beside the tables that tell what
was decided and why; all of it appears at once, when it is complete. The workspace lies beside it as
`OUT.echo`, and lets a run that was stopped go on.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.deduplication.plan import Plan, open_inputs
from webecho.deduplication.run import Decided
from webecho.deduplication.spooling import spooled
from webecho.deduplication.summary import summarise
from webecho.errors import FORCE, OUT, SettingsError
from webecho.read.collection import Collection
from webecho.run import Run
from webecho.workspace.atomic import atomic_folder
from webecho.workspace.layout import ENDING, Layout
from webecho.workspace.listed import LIST, check_listed, files_in, listed, write_list
from webecho.workspace.removed import save_removed
from webecho.workspace.union import Union
from webecho.write.cdx import INDEX, write_index
from webecho.write.copying import Copy, copy_source, moved
from webecho.write.decisions import companions, source_decision
from webecho.write.exact_copies import ExactCopies
from webecho.write.layout import places_of
from webecho.write.results import SUMMARY, write_results, write_skipped, write_summary
from webecho.write.selection import Written


@dataclass(frozen=True)
class FolderSink:
    """The folder `out`; `force` replaces what an earlier dedup wrote there, `cdx` adds an index of
    the archives."""

    out: Path
    force: bool = False
    cdx: bool = False
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
        same = summary.get("settings") == plan.settings.as_dict()
        return summary if same and then == now else None

    def put(self, found: Decided, run: Run) -> dict[str, Any]:
        """Writes what stays and what was decided, all at once, and gives the summary."""
        workspace, sources = found.workspace, found.collection.sources
        stays, gone = found.decision.stays, found.decision.removed
        copies, dropped = None, gone["page"].combine_chunks()
        if found.plan.settings.revisit:
            pages = found.decision.pages
            old = pages.left if isinstance(pages, Union) else None
            copies = ExactCopies(workspace, gone, sources, run, old)
            # What a revisit stands for is not gone, nor is its request.
            dropped = dropped.filter(pc.invert(pc.is_in(dropped, value_set=copies.pages)))
        gone_too = companions(workspace, dropped, run)
        check_out(self.out, self.force)
        with atomic_folder(self.out) as folder:
            for source in sources:
                # What it has open is of no use to whoever copies it.
                source.close()
            data, apart = folder / "data", folder / ".copies"
            data.mkdir()
            apart.mkdir()
            items = [
                Copy(
                    source,
                    source_decision(workspace, number, stays, gone_too),
                    path.relative_to(data),
                    None if copies is None else copies.originals(number),
                )
                for number, (source, path) in enumerate(
                    zip(sources, places_of(found.collection.inputs, data), strict=True)
                )
            ]
            work = partial(copy_source, workspace.bare(), apart.absolute())
            copied = run.engine.each(work, items, run)
            written = [moved(each, data) for each in copied]
            # With what was written of a source twice, or half.
            shutil.rmtree(apart)
            if copies is not None:
                found = with_kept(found, copies, written)
            write_results(found.decision.pages, found.decision.stars, folder)
            write_skipped(workspace, folder)
            summary = summarise(found, run, written, len(gone_too), copies)
            summary["against"] = found.plan.earlier()
            if self.cdx:
                self._write_index(written, folder, summary, run)
            write_summary(summary, folder)
            write_list(folder)
            # The sources were read once more, to be copied.
            found.collection.look.check()
            save_removed(workspace, found.decision.removed["page"].combine_chunks())
        return summary

    def _write_index(
        self, written: Sequence[Written], folder: Path, summary: dict[str, Any], run: Run
    ) -> None:
        """Writes the index of the archives, and counts its lines."""
        made = [each.file for each in written]
        lines, lost = write_index(made, folder / "data", folder / INDEX, run)
        summary["counts"]["captures in the index"] = lines
        summary["warnings"] += lost


def with_kept(found: Decided, copies: ExactCopies, written: Sequence[Written]) -> Decided:
    """What was decided, less the copies that were kept since no revisit could stand for them."""
    kept = [copies.pages_at(number, each.in_full) for number, each in enumerate(written)]
    decision = found.decision.with_kept(pa.concat_arrays(kept)) if kept else found.decision
    return replace(found, decision=decision)


@contextmanager
def open_for(plan: Plan, inputs: Sequence[str], sink: FolderSink) -> Iterator[Collection]:
    """The inputs, opened, if what stays of them can be written; what can be read only once is first
    copied beside the output."""
    before = sink.already(plan)
    if before is None or before["inputs"] != [*inputs]:
        before = None
        check_out(sink.out, sink.force)
    with spooled(inputs, plan.options, sink.out, sink.workspace, force=sink.force) as names:
        yield open_inputs(plan, names, appended=before is not None)


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
