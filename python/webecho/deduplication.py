"""The main job: read, sketch, group, decide what stays, write.

What stays is written in the inputs' own formats under `OUT/data`, beside the tables that tell what
was decided and why; all of it appears at once, when it is complete. The workspace lies beside it as
`OUT.echo`, and lets a run that was stopped go on.
"""

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webecho.errors import SettingsError
from webecho.group.decision import Decision, DedupSettings, counts, decide, loose_clusters
from webecho.read.collection import Collection, ReadOptions, open_collection
from webecho.settings import WEBECHO, Recipe
from webecho.sketches.appending import append_workspace
from webecho.sketches.beginning import SketchSettings
from webecho.sketches.joined import note_removed
from webecho.sketches.sketching import Progress, sketch_collection
from webecho.sketches.workspace import Workspace, reading
from webecho.write.copies import originals_of
from webecho.write.decisions import companions, verdicts
from webecho.write.kept import Written, write_kept
from webecho.write.layout import SPOOLED, places_of
from webecho.write.results import write_results, write_skipped, write_summary

# What dedup needs of every page; all workspaces of dedups have the same, so that one can be
# compared with another.
COLUMNS = ("features", "supershingles")


@dataclass(frozen=True)
class Job:
    """A dedup from inputs to a folder."""

    options: ReadOptions
    settings: DedupSettings
    out: Path
    threads: int
    memory: int | None = None
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

    def open(self, inputs: Sequence[str]) -> Collection:
        """The inputs, opened; standard input is first copied beside the output."""
        check_out(self.out, self.force)
        return open_collection([self._spooled(each) for each in inputs], self.options)

    def _spooled(self, given: str) -> str:
        if given != "-":
            return given
        self.workspace.mkdir(parents=True, exist_ok=True)
        file = self.workspace / f".{SPOOLED}"
        with file.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy, 1 << 20)
        return str(file)

    def run(
        self, collection: Collection, report: Callable[[Progress], None] = lambda _: None
    ) -> dict[str, Any]:
        """Does it, and gives the summary."""
        workspace = sketch_collection(
            collection,
            self.options,
            self.workspace,
            SketchSettings(self.recipe, COLUMNS),
            threads=self.threads,
            memory=self.memory,
            report=report,
        )
        if self.against is None:
            return self._finish(collection, workspace, None)
        with reading(self.against) as old:
            summary = self._finish(collection, workspace, old)
        if self.append_kept:
            append_workspace(self.against, workspace)
        return summary

    def _finish(
        self, collection: Collection, workspace: Workspace, old: Workspace | None
    ) -> dict[str, Any]:
        sources = dict(enumerate(source for each in collection.inputs for source in each.sources))
        decision = decide(
            workspace,
            self.settings,
            threads=self.threads,
            memory=self.memory,
            old=old,
            sources=sources,
        )
        return write_out(collection, workspace, decision, self)


def write_out(
    collection: Collection, workspace: Workspace, decision: Decision, job: Job
) -> dict[str, Any]:
    """Writes what stays and what was decided, all at once, and gives the summary."""
    sources = [source for each in collection.inputs for source in each.sources]
    stays, gone = decision.stays, decision.removed
    gone_too = companions(workspace, gone["page"], job.threads, job.memory)
    with appearing(job.out, job.force) as folder:
        paths = places_of(collection, folder / "data")
        found = originals_of(workspace, gone, sources) if job.settings.revisit else None

        def write(number: int) -> Written:
            return write_kept(
                sources[number],
                verdicts(workspace, number, stays, gone_too),
                paths[number],
                originals=found and found(number),
            )

        with ThreadPoolExecutor(job.threads) as pool:
            written = list(pool.map(write, range(len(sources))))
        write_results(decision.pages, decision.stars, folder, job.memory)
        write_skipped(workspace, folder)
        summary = summarise(workspace, decision, job.settings, written, len(gone_too))
        write_summary(summary, folder)
        note_removed(workspace, gone["page"].combine_chunks())
        workspace.save()
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
        "loose": loose_clusters(decision, settings.rule),
        "lost": [text for each in written for text in each.lost],
    }


@contextmanager
def appearing(out: Path, force: bool) -> Iterator[Path]:
    """A folder that gets its name when the block ends well, and is gone when it does not."""
    check_out(out, force)
    aside = out.with_name(f".{out.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    (aside / "data").mkdir(parents=True)
    try:
        yield aside
        before = out.with_name(f".{out.name}.old")
        if out.exists():
            out.replace(before)
        aside.replace(out)
        if before.is_dir():
            shutil.rmtree(before)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def check_out(out: Path, force: bool) -> None:
    """Refuses to replace what is there, unless told to and it is what a dedup wrote."""
    if not out.exists():
        return
    ours = (out / "summary.json").is_file() and (out / "data").is_dir()
    if not force:
        raise SettingsError(f"{out} exists; choose another -o, or give --force to replace it")
    if not ours:
        raise SettingsError(f"{out} exists and no dedup wrote it; choose another -o")
