"""Settings → kernel call → table: every page of a collection becomes one row of `sketches`."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from webecho.errors import ChangedError, InputError
from webecho.memory import SKETCHING, give_back
from webecho.read.collection import Collection, ReadOptions
from webecho.run import Run
from webecho.settings import Recipe
from webecho.sketches.boilerplate import find_boilerplate
from webecho.sketches.page_tables import add_tables
from webecho.sketches.revisits import resolve_revisits
from webecho.workspace.layout import Layout
from webecho.workspace.locks import locked
from webecho.workspace.omissions import omitted, omitted_files
from webecho.workspace.resume import SketchSettings, abandon, begin, check_free
from webecho.workspace.unread import (
    no_pages,
    nothing_read,
    over_memory,
    textless,
    unread_sources,
)
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from webecho.engine.protocol import Rows


class Sketching(Protocol):
    """How pages are read and sketched: by this process, or by many."""

    @property
    def maps(self) -> bool:
        """Whether the larger columns of a temporary workspace are to be mapped."""

    def blocks(
        self, collection: Collection, recipe: Recipe, workspace: Workspace, run: Run
    ) -> "Rows":
        """Every block of every page, with the digest of the page's tokens."""

    def parts(
        self,
        workspace: Workspace,
        collection: Collection,
        first_input: int,
        settings: SketchSettings,
        run: Run,
    ) -> None:
        """Makes the parts that the workspace still lacks of a collection, whose first input has
        this number, and names them in its manifest."""


def sketch_collection(
    collection: Collection,
    options: ReadOptions,
    path: Path,
    settings: SketchSettings,
    run: Run,
    sketching: Sketching,
    *,
    append: bool = False,
    temporary: bool = False,
) -> Workspace:
    """Sketches all pages of the collection into the workspace at `path`, going on where an
    earlier run of the same command stopped.

    Of sources that cannot be read again later the shingles are kept. Tables in memory are such,
    unless the workspace is `temporary`: then the caller alone uses it, while they are there.
    """
    run.check_memory(SKETCHING, "sketching")
    if not Layout(path).manifest.exists():
        check_free(path, append)
    with locked(path):
        workspace = begin(
            *(collection, options, path, settings),
            append=append,
            temporary=temporary,
            mapped=sketching.maps,
        )
        manifest = workspace.manifest
        start = len(manifest.inputs) - len(collection.inputs)
        if manifest.complete:
            run.note(f"{path} is complete; nothing is sketched again")
        else:
            if any(part.input >= start for part in manifest.parts):
                run.note(f"{path}: going on after {manifest.pages:,} pages")
            find_boilerplate(collection, settings.recipe, workspace, run, sketching.blocks)
            try:
                with collection.look.watched():
                    sketching.parts(workspace, collection, start, settings, run)
            except ChangedError:
                # What was made of it may be of two files, one half and another.
                abandon(workspace, start)
                raise
            resolve_revisits(workspace, run)
            # What a call that was killed leaves behind must not be taken for a workspace.
            manifest.complete = not temporary
            workspace.save()
            shutil.rmtree(workspace.files.splits, ignore_errors=True)
            give_back()
        # Parts that were sketched before the tables were asked for lack them.
        add_tables(workspace, settings.tables, run)
    return workspace


def report_unread(workspace: Workspace, run: Run) -> None:
    """Names the files of which nothing could be read, and those in folders that are no pages;
    raises an `InputError` if there are no pages because of that."""
    problem = nothing_read(workspace)
    if problem is not None:
        raise InputError(f"no pages: {problem}")
    if not workspace.pages:
        run.note(no_pages(workspace.manifest.counts))
    elif empty := textless(workspace.manifest.counts):
        run.warn(empty)
    for line in unread_sources(workspace):
        run.warn(line)
    failed, others = omitted_files(workspace)
    for line in failed:
        run.warn(line)
    for line in others:
        run.note(line)
    if found := omitted(workspace):
        run.log("not read", {"workspace": workspace.name, **found.as_dict()})
    left_out = over_memory(workspace)
    if left_out is not None:
        run.warn(left_out)
