"""How a run begins: a new workspace, one that is gone on with, or one that is added to."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webecho.errors import OUT, WorkspaceError, flag, setting
from webecho.read.collection import Collection, ReadOptions
from webecho.settings import SKETCH_COLUMNS, WEBECHO, Recipe
from webecho.workspace.ids import id_type, settle_ids
from webecho.workspace.layout import LISTS, Layout
from webecho.workspace.longest_page import check_longest
from webecho.workspace.manifest import Manifest
from webecho.workspace.page_tables import forget_damaged_tables
from webecho.workspace.schemas import BESIDE, is_chunks, is_page_table
from webecho.workspace.sources import (
    check_new,
    check_unchanged,
    describe,
    known_locations,
    locations,
    remember_locations,
)
from webecho.workspace.table_files import aside
from webecho.workspace.workspace import Workspace

PART_PAGES = 50_000
# The tables that parts may have.
TABLES = ("sketches", LISTS, *BESIDE)
SETTINGS_THAT_MUST_AGREE = ("recipe", "columns", "keep_shingles", "part_pages")


@dataclass(frozen=True)
class SketchSettings:
    """What is sketched and how; all that changes a result goes into the manifest.

    `tables` are page tables that are made meanwhile; others can be made later.
    """

    recipe: Recipe = WEBECHO
    columns: tuple[str, ...] = SKETCH_COLUMNS
    keep_shingles: bool = False
    part_pages: int = PART_PAGES
    tables: tuple[str, ...] = ()


def begin(
    collection: Collection,
    options: ReadOptions,
    path: Path,
    settings: SketchSettings,
    *,
    append: bool,
    temporary: bool,
    mapped: bool = True,
) -> Workspace:
    """A new workspace, or the one at `path` if these inputs can be the last it was given."""
    wanted = Manifest(
        recipe=settings.recipe.as_dict(),
        columns=list(settings.columns),
        keep_shingles=settings.keep_shingles,
        part_pages=settings.part_pages,
        id_type=id_type(collection),
        longest_page=collection.limits.longest,
    )
    inputs, sources = describe(collection, options)
    where = locations(collection)
    if not Layout(path).manifest.exists():
        # Revisits, of which tables have none, are given columns of other pages later on.
        mapped = mapped and temporary and all(each.has_columns for each in collection.sources)
        workspace = Workspace(path, wanted, temporary, mapped and bool(settings.columns))
        add_inputs(workspace, inputs, sources)
        remember_locations(workspace, where)
        return workspace
    workspace = Workspace.open(path, complete=False)
    found = workspace.manifest
    check_settings(path, found, wanted)
    check_longest(path, found, collection.limits.longest)
    before = len(found.inputs) - len(inputs)
    here = known_locations(workspace)
    same = before >= 0 and same_inputs(found, before, inputs, sources, here[before:], where)
    if same and (before == 0 or append):
        check_unchanged(found.sources[found.inputs[before]["sources"][0] :], sources)
        forget_damaged(workspace, before)
        remember_locations(workspace, where)
        # With earlier inputs before them these may just have been appended by a run that was
        # killed at its very end; then all is done. Alone they cannot have been.
        if append and before == 0:
            raise WorkspaceError(f"{inputs[0]['name']} is in {path} already; nothing was appended")
        return workspace
    check_appendable(path, found, id_type(collection), inputs, append)
    check_new(workspace, (each["name"] for each in inputs), where, "nothing was appended")
    remove_stale(path)
    rewritten = settle_ids(workspace, id_type(collection))
    add_inputs(workspace, inputs, sources)
    for writer in rewritten:
        writer.aside.replace(writer.file)
    remember_locations(workspace, where)
    return workspace


def added_since(path: Path, collection: Collection, options: ReadOptions) -> Workspace | None:
    """The workspace at `path` as it was before other inputs were added to these, which are the
    first that it has, and unchanged; None where it is no such workspace."""
    if not Layout(path).manifest.exists():
        return None
    workspace = Workspace.open(path, complete=False)
    found, count = workspace.manifest, len(collection.inputs)
    if not found.complete or len(found.inputs) <= count:
        return None
    inputs, sources = describe(collection, options)
    end = found.inputs[count]["sources"][0]
    before = replace(found, inputs=found.inputs[:count], sources=found.sources[:end])
    where, here = locations(collection), known_locations(workspace)[:count]
    if not same_inputs(before, 0, inputs, sources, here, where):
        return None
    check_unchanged(before.sources, sources)
    return replace(workspace, manifest=before)


def remove_stale(path: Path) -> None:
    """Removes what was found among fewer pages: it is no longer true of the whole."""
    for stale in Layout(path).found:
        try:
            if stale.exists():
                shutil.rmtree(stale)
        except OSError as error:
            raise WorkspaceError(
                f"{stale} cannot be removed ({error}), and would be wrong with more pages; remove "
                "it and give the same command"
            ) from error


def check_free(path: Path, append: bool) -> None:
    """Makes the folder of a new workspace; refuses to write into anything else."""
    if append:
        raise WorkspaceError(f"{path} is no workspace to append to; leave out ", flag("append"))
    if path.exists() and not path.is_dir():
        raise WorkspaceError(f"{path} is a file; choose another name for the workspace")
    if path.is_dir() and any(not each.name.startswith(".") for each in path.iterdir()):
        raise WorkspaceError(f"{path} exists and is no workspace; choose another name")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be made ({error}); choose another ", OUT) from error


def forget_damaged(workspace: Workspace, before: int) -> None:
    """Drops the parts from the first damaged one on, if the inputs at hand can make them again.

    Killed at a bad moment, or on a bad disk, a file can be there and not be whole. What comes
    after it is made again with it, because pages are numbered through.
    """
    parts = workspace.manifest.parts
    forget_damaged_tables(workspace)
    damaged = workspace.first_damaged(but=is_page_table)
    if damaged is None:
        return
    number, file = damaged
    if parts[number].input < before:
        raise WorkspaceError(
            f"{file} is damaged, and it is of an earlier input; "
            "sketch all inputs again into another workspace"
        )
    del parts[number:]
    workspace.manifest.complete = False


def check_recipe(path: Path, found: Manifest, wanted: Recipe) -> None:
    """Refuses a workspace of another recipe."""
    check_settings(path, found, replace(found, recipe=wanted.as_dict()), ["recipe"])


def check_settings(
    path: Path,
    found: Manifest,
    wanted: Manifest,
    names: Sequence[str] = SETTINGS_THAT_MUST_AGREE,
) -> None:
    """Refuses a workspace that was made with other settings, naming the difference."""
    for name in names:
        was, now = getattr(found, name), getattr(wanted, name)
        if was == now:
            continue
        if name == "recipe":
            was, now = (f"{each['name']} (version {each['version']})" for each in (was, now))
        elif name == "columns":
            was, now = (",".join(each) or "none" for each in (was, now))
        raise WorkspaceError(
            *(f"{path} was made with ", setting(name).to(was)),
            *(f", not {now}; give the same settings, or another ", OUT),
        )


def same_inputs(
    found: Manifest,
    before: int,
    inputs: list[dict[str, Any]],
    sources: list[dict[str, Any]],
    here: list[str | None],
    where: list[str | None],
) -> bool:
    """Whether the inputs from number `before` on are those given, read in the same way.

    Files are known by where they lie, or by their names (and must then be unchanged). Standard
    input and tables in memory have neither: they are known by their content.
    """
    last = found.inputs[before:]
    if len(last) != len(inputs) or [each["options"] for each in last] != [
        each["options"] for each in inputs
    ]:
        return False
    for old, new, there, location in zip(last, inputs, here, where, strict=True):
        if old["name"] != new["name"] and (location is None or there != location):
            return False
    known = found.sources[last[0]["sources"][0] :]
    return len(known) == len(sources) and all(
        old["stamp"] == new["stamp"] or not nameless(new)
        for old, new in zip(known, sources, strict=True)
    )


def nameless(source: dict[str, Any]) -> bool:
    return bool(source["name"] == "-" or source["format"] == "table")


def check_appendable(
    path: Path, found: Manifest, ids: str, inputs: list[dict[str, Any]], append: bool
) -> None:
    if not append:
        raise WorkspaceError(
            f"{path} holds other inputs ({found.inputs[0]['name']} …), or the same read in another "
            "way; remove it, choose another ",
            *(OUT, ", or sketch into it with ", flag("append")),
        )
    if found.recipe.get("boilerplate"):
        raise WorkspaceError(
            f"what is boilerplate in {path} was told by its pages, and more would change it; "
            "sketch all inputs together into another workspace"
        )
    if not found.complete:
        raise WorkspaceError(f"{path} is not finished; first run the command that began it again")
    if found.id_type == "int64" and ids == "string":
        raise WorkspaceError(
            f"the ids in {path} are numbers, those of {inputs[0]['name']} are not; name another "
            "column with ",
            *(setting("id"), ", or sketch into another workspace"),
        )


def add_inputs(
    workspace: Workspace, inputs: list[dict[str, Any]], sources: list[dict[str, Any]]
) -> None:
    manifest = workspace.manifest
    shift = len(manifest.sources)
    for each in inputs:
        first, end = each["sources"]
        manifest.inputs.append(each | {"sources": [first + shift, end + shift]})
    manifest.sources += sources
    manifest.complete = False
    workspace.save()


def abandon(workspace: Workspace, before: int) -> None:
    """Undoes what a run wrote of the inputs from number `before` on, all of it if that is none."""
    manifest, layout = workspace.manifest, workspace.files
    if before:
        kept = [part for part in manifest.parts if part.input < before]
        # One more was begun, and another may have been named next.
        for number in range(len(kept), len(manifest.parts) + 2):
            for file in (workspace.part_file(table, number) for table in tables(layout)):
                file.unlink(missing_ok=True)
                aside(file).unlink(missing_ok=True)
        shutil.rmtree(layout.splits, ignore_errors=True)
        manifest.parts = kept
        del manifest.sources[manifest.inputs[before]["sources"][0] :], manifest.inputs[before:]
        manifest.complete = True
        workspace.save()
        return
    for file in (layout.manifest, layout.run, layout.boilerplate):
        file.unlink(missing_ok=True)
    for folder in {
        layout.splits,
        *(workspace.part_file(table, 0).parent for table in tables(layout)),
    }:
        shutil.rmtree(folder, ignore_errors=True)


def tables(layout: Layout) -> list[str]:
    """The tables that parts may have, those of chunks as far as there are any."""
    return [*TABLES, *filter(is_chunks, layout.found_folders())]
