"""The sources of a workspace as its manifest has them, and opened once more."""

from dataclasses import asdict
from typing import Any

from webecho.errors import InputError, WorkspaceError
from webecho.read.collection import Collection, ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.read.pages import Source
from webecho.sketches.workspace import Workspace


def describe(
    collection: Collection, options: ReadOptions
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Inputs and sources as the manifest has them."""
    inputs: list[dict[str, Any]] = []
    sources: list[dict[str, Any]] = []
    for each in collection.inputs:
        inputs.append(
            {
                "name": each.name,
                "options": options_as_dict(options),
                "sources": [len(sources), len(sources) + len(each.sources)],
            }
        )
        sources += [describe_source(source) for source in each.sources]
    return inputs, sources


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
        if old != new:
            raise WorkspaceError(
                f"{new['name']} has changed since it was sketched; sketch it again into a new "
                "workspace"
            )


def open_sources(workspace: Workspace) -> list[Source]:
    """All sources in the order of their numbers; an InputError where one is gone."""
    sources: list[Source] = []
    for each in workspace.manifest.inputs:
        opened = open_collection([each["name"]], options_from_dict(each["options"]), again=True)
        sources += [source for found in opened.inputs for source in found.sources]
    if not all(source.rereadable for source in sources):
        raise InputError(f"an input of {workspace.path} cannot be read twice")
    check_unchanged(workspace.manifest.sources, [describe_source(source) for source in sources])
    return sources
