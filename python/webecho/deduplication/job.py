"""The main job: read, sketch, group, decide what stays, write.

What stays is written in the inputs' own formats under `OUT/data`, beside the tables that tell what
was decided and why; all of it appears at once, when it is complete. The workspace lies beside it as
`OUT.echo`, and lets a run that was stopped go on.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from webecho import _core
from webecho.errors import BusyError, SettingsError, WorkspaceError
from webecho.group.decision import Decision, DedupSettings, counts, decide, loose_clusters
from webecho.group.keeping import undecided
from webecho.read.collection import Collection, ReadOptions, Table, open_collection
from webecho.run import Run
from webecho.settings import SKETCH_COLUMNS, WEBECHO, Recipe
from webecho.sketches.page_tables import lacking
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.append import append_workspace
from webecho.workspace.atomic import atomic_folder
from webecho.workspace.locks import locked, reading
from webecho.workspace.reread import Reread, shelf_in
from webecho.workspace.resume import SketchSettings, check_recipe
from webecho.workspace.sources import known_locations, locations
from webecho.workspace.union import save_removed
from webecho.workspace.workspace import Workspace
from webecho.write.copies import Copies
from webecho.write.decisions import companions, verdicts
from webecho.write.kept import Written, write_kept
from webecho.write.layout import SPOOLED, places_of
from webecho.write.results import SUMMARY, write_results, write_skipped, write_summary

# What dedup needs of every page; all workspaces of dedups have it, so that one can be compared
# with another.
COLUMNS = ("features", "supershingles")


@dataclass(frozen=True)
class Job:
    """A dedup from inputs to a folder."""

    options: ReadOptions
    settings: DedupSettings
    out: Path
    run: Run
    recipe: Recipe = WEBECHO
    against: Path | None = None
    append_kept: bool = False
    force: bool = False

    def __post_init__(self) -> None:
        if self.append_kept and self.against is None:
            raise SettingsError("--append-kept adds to the workspace of --against; name one")

    @property
    def workspace(self) -> Path:
        return self.out.with_name(f"{self.out.name}.echo")

    @property
    def sketches(self) -> SketchSettings:
        """What is made of every page: what all dedups need, and what the rule needs beside."""
        rule = self.settings.rule
        wanted = {*COLUMNS, *rule.columns}
        columns = tuple(name for name in SKETCH_COLUMNS if name in wanted)
        return SketchSettings(self.recipe, columns, tables=rule.tables)

    def open(self, inputs: Sequence[str]) -> Collection:
        """The inputs, opened; standard input is first copied beside the output."""
        if self._written() is None:
            check_out(self.out, self.force)
        collection = open_collection([self._spooled(each) for each in inputs], self.options)
        columns = self.options.columns
        for role, option in (("by", "--by"), ("value", "--keep")):
            for source in collection.sources:
                if getattr(columns, role) and not isinstance(source, Table):
                    raise SettingsError(
                        f"{source.name} has no columns; {option} {getattr(columns, role)} is for "
                        "tables"
                    )
        check_against(self, collection)
        return collection

    def _spooled(self, given: str) -> str:
        if given != "-":
            return given
        self.out.parent.mkdir(parents=True, exist_ok=True)
        file = self.out.with_name(f".{self.out.name}.{SPOOLED}")
        aside = file.with_name(f"{file.name}.new")
        with aside.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy, 1 << 20)
        aside.replace(file)
        return str(file)

    def do(self, collection: Collection) -> dict[str, Any]:
        """Does it, and gives the summary."""
        try:
            workspace, again = self._sketch(collection)
        except BusyError:
            raise
        except WorkspaceError:
            # What the dedup that is to be replaced left there is of other inputs, or read in
            # another way. Beside no such dedup it is somebody's own workspace.
            if not (self.force and self.out.exists()):
                raise
            with locked(self.workspace):
                shutil.rmtree(self.workspace)
            workspace, again = self._sketch(collection)
        with locked(self.workspace):
            if self.against is None:
                return self._finish(collection, workspace, again, None)
            summary = self._written()
            if summary is None:
                with reading(self.against) as old:
                    summary = self._finish(collection, workspace, again, old)
        if self.append_kept:
            append_workspace(self.against, workspace)
        return summary

    def _written(self) -> dict[str, Any] | None:
        """The summary of an earlier run of this command that was stopped after it had written what
        stays and before it had added it to the earlier workspace."""
        if not self.append_kept or self.force or not (self.out / SUMMARY).is_file():
            return None
        summary: dict[str, Any] = json.loads((self.out / SUMMARY).read_text(encoding="utf-8"))
        same = summary.get("settings") == self.settings.as_dict()
        return summary if same and summary.get("against") == self.earlier() else None

    def earlier(self) -> dict[str, Any] | None:
        """The earlier workspace, and how much was in it."""
        if self.against is None:
            return None
        return {"workspace": str(self.against), "pages": Workspace.open(self.against).pages}

    def shelf(self, folder: Path) -> _core.Shelf | None:
        """Where shingles wait to be compared, if the rule compares them."""
        return shelf_in(folder, self.run) if self.settings.rule.compares_shingles else None

    def _sketch(self, collection: Collection) -> tuple[Workspace, Reread]:
        shelf = self.shelf(self.workspace.absolute().parent)
        workspace = sketch_collection(
            collection,
            self.options,
            self.workspace,
            self.sketches,
            self.run,
            shelf=shelf,
        )
        return workspace, Reread.of(collection, shelf)

    def _finish(
        self,
        collection: Collection,
        workspace: Workspace,
        again: Reread,
        old: Workspace | None,
    ) -> dict[str, Any]:
        decision = decide(workspace, self.settings, self.run, old=old, again=again)
        return write_out(collection, workspace, decision, self)


def check_against(job: Job, collection: Collection) -> None:
    """Refuses an earlier workspace that cannot be compared with, or added to, before any work."""
    if job.against is None:
        return
    old = Workspace.open(job.against)
    manifest = old.manifest
    check_recipe(job.against, manifest, job.recipe)
    rule = job.settings.rule
    for column in rule.columns:
        old.require(column)
    if lacking(old, rule.tables):
        raise WorkspaceError(
            f"{job.against} has no {', '.join(rule.tables)}; make them with: webecho clusters "
            f"'{job.against}' --rule {rule.name}"
        )
    columns = [*job.sketches.columns]
    if job.append_kept and manifest.columns != columns:
        raise WorkspaceError(
            f"{job.against} has the columns {','.join(manifest.columns)}, a dedup's are "
            f"{','.join(columns)}; leave out --append-kept"
        )
    if job.settings.by is not None:
        for given in manifest.inputs:
            if given["options"]["columns"].get("by") != job.settings.by:
                raise WorkspaceError(
                    f"{given['name']} in {job.against} was not read with --by {job.settings.by}, "
                    "so that its groups are not known; leave out --by"
                )
    there = {where for where in known_locations(old) if where is not None}
    for each, where in zip(collection.inputs, locations(collection), strict=True):
        if where in there:
            raise WorkspaceError(f"{each.name} is in {job.against} already; leave it out")


def write_out(
    collection: Collection, workspace: Workspace, decision: Decision, job: Job
) -> dict[str, Any]:
    """Writes what stays and what was decided, all at once, and gives the summary."""
    sources = collection.sources
    stays, gone = decision.stays, decision.removed
    found, dropped = None, gone["page"].combine_chunks()
    if job.settings.revisit:
        found = Copies(workspace, gone, sources, job.run)
        # What a revisit stands for is not gone, nor is its request.
        dropped = dropped.filter(pc.invert(pc.is_in(dropped, value_set=found.pages)))
    gone_too = companions(workspace, dropped, job.run)
    check_out(job.out, job.force)
    with atomic_folder(job.out) as folder:
        (folder / "data").mkdir()
        paths = places_of(collection, folder / "data")

        def write(number: int) -> Written:
            return write_kept(
                sources[number],
                verdicts(workspace, number, stays, gone_too),
                paths[number],
                originals=None if found is None else found.originals(number),
            )

        with ThreadPoolExecutor(job.run.threads) as pool:
            written = list(pool.map(write, range(len(sources))))
        write_results(decision.pages, decision.stars, folder, job.run)
        write_skipped(workspace, folder)
        summary = summarise(workspace, decision, job.settings, written, len(gone_too))
        summary["against"] = job.earlier()
        write_summary(summary, folder)
        save_removed(workspace, gone["page"].combine_chunks())
    return summary


def summarise(
    workspace: Workspace,
    decision: Decision,
    settings: DedupSettings,
    written: list[Written],
    companions_gone: int,
) -> dict[str, Any]:
    before = sum(source["stamp"].get("size", 0) for source in workspace.manifest.sources)
    after = sum(each.bytes for each in written)
    return {
        "counts": counts(workspace, decision)
        | {
            "records removed with their pages": companions_gone,
            "revisits": sum(each.revisits for each in written),
            "bytes of inputs": before,
            "bytes written": after,
        },
        "settings": settings.as_dict(),
        "recipe": f"{workspace.recipe.name} (version {workspace.recipe.version})",
        "inputs": [each["name"] for each in workspace.manifest.inputs],
        "estimated": decision.stars.estimated,
        "warnings": [
            *filter(None, [undecided(workspace, settings.keep)]),
            *loose_clusters(decision, settings.rule),
        ],
        "lost": [text for each in written for text in each.lost],
    }


def check_out(out: Path, force: bool) -> None:
    """Refuses to replace what is there, unless told to and it is what a dedup wrote."""
    if not out.exists():
        return
    ours = (out / SUMMARY).is_file() and (out / "data").is_dir()
    if not force:
        raise SettingsError(f"{out} exists; choose another -o, or give --force to replace it")
    if not ours:
        raise SettingsError(f"{out} exists and no dedup wrote it; choose another -o")
