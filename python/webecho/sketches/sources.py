"""The sources of a workspace as its manifest has them, and opened once more."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from webecho.errors import InputError, WorkspaceError
from webecho.read.collection import Collection, Input, ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.read.files import is_remote
from webecho.read.pages import Source
from webecho.sketches.workspace import Workspace


def describe(
    collection: Collection, options: ReadOptions, workspace: Path
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Inputs and sources as the manifest has them."""
    inputs: list[dict[str, Any]] = []
    sources: list[dict[str, Any]] = []
    for each in collection.inputs:
        inputs.append(
            {
                "name": each.name,
                "path": path_from(workspace, each),
                "options": options_as_dict(options),
                "sources": [len(sources), len(sources) + len(each.sources)],
            }
        )
        sources += [describe_source(source) for source in each.sources]
    return inputs, sources


def path_from(workspace: Path, given: Input) -> str | None:
    """The way from the workspace to a local input: it is found again from wherever one stands,
    and when both are moved together. None where the name alone tells, or nothing does."""
    nameless = given.name == "-" or any(source.format == "table" for source in given.sources)
    if nameless or is_remote(given.name):
        return None
    return os.path.relpath(given.name, workspace)


def describe_source(source: Source) -> dict[str, Any]:
    return {"name": source.name, "format": source.format, "stamp": source.stamp()}


def options_as_dict(options: ReadOptions) -> dict[str, Any]:
    """Only what was said: what was left to us is the same when it is opened again."""
    said = {name: value for name, value in asdict(options.columns).items() if value is not None}
    return {
        "columns": said,
        "statuses": list(options.statuses),
        "types": list(options.types),
        "convert": dict(options.convert),
        "format": options.format,
    }


def options_from_dict(values: dict[str, Any]) -> ReadOptions:
    return ReadOptions(
        columns=ColumnNames(**values["columns"]),
        statuses=tuple(values["statuses"]),
        types=tuple(values["types"]),
        convert=values["convert"],
        format=values["format"],
    )


def check_unchanged(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> None:
    """A source that is not what it was when it was sketched is an error."""
    if len(before) != len(now):
        raise WorkspaceError(
            f"the inputs hold {len(now)} files, {len(before)} when they were sketched; "
            "sketch them again into a new workspace"
        )
    for old, new in zip(before, now, strict=True):
        if (old["format"], old["stamp"]) != (new["format"], new["stamp"]):
            raise WorkspaceError(
                f"{new['name']} has changed since it was sketched; sketch it again into a new "
                "workspace"
            )


def open_input(workspace: Workspace, number: int) -> dict[int, Source]:
    """The sources of one input by their numbers; an InputError where they cannot be read again."""
    given = workspace.manifest.inputs[number]
    name = given["name"]
    if given["path"] is not None:
        name = os.path.normpath(workspace.path / given["path"])
    elif not is_remote(name):
        raise InputError(f"{name} cannot be read twice")
    opened = open_collection([name], options_from_dict(given["options"]), again=True)
    sources = [source for found in opened.inputs for source in found.sources]
    first, end = given["sources"]
    now = [describe_source(source) for source in sources]
    check_unchanged(workspace.manifest.sources[first:end], now)
    return dict(enumerate(sources, first))
