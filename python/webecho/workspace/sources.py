"""The sources of a workspace: what its manifest says of them, and where they lie."""

import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from webecho.errors import SettingsError, WorkspaceError
from webecho.formats.files import is_remote
from webecho.read.collection import Collection, ReadOptions
from webecho.read.columns import ColumnNames
from webecho.read.convert import CONVERT
from webecho.read.pages import Input, Source
from webecho.safe_text import without_secrets
from webecho.workspace.mirror import beside, is_away
from webecho.workspace.run_file import read_run, write_run
from webecho.workspace.workspace import Workspace


def describe(
    collection: Collection, options: ReadOptions
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Inputs and sources as the manifest has them."""
    inputs: list[dict[str, Any]] = []
    sources: list[dict[str, Any]] = []
    for each in collection.inputs:
        inputs.append(
            {
                "name": without_secrets(each.name),
                "options": options_as_dict(options),
                "sources": [len(sources), len(sources) + len(each.sources)],
            }
        )
        sources += [describe_source(source) for source in each.sources]
    return inputs, sources


def describe_source(source: Source) -> dict[str, Any]:
    name = without_secrets(source.name)
    return {"name": name, "format": source.format, "stamp": source.stamp()}


def options_as_dict(options: ReadOptions) -> dict[str, Any]:
    """Only what was said: what was left to us is the same when it is opened again."""
    said = {name: value for name, value in asdict(options.columns).items() if value}
    several = {name: [*value] for name, value in said.items() if isinstance(value, tuple)}
    return {
        "columns": said | several,
        "statuses": list(options.statuses),
        "types": list(options.types),
        "convert": dict(options.convert),
        "format": options.format,
    }


def check_given_again(
    workspace: Workspace, given: Mapping[str, Any], convert: Mapping[str, str]
) -> None:
    """Refuses to read an input again by commands that the user does not give: a workspace may come
    from anybody, and what it says is only told."""
    for kind, command in given["options"]["convert"].items():
        if convert.get(kind) != command:
            said = escaped(f"{kind}={shlex.quote(command)}")
            raise SettingsError(
                f"{given['name']} in {workspace.path} was sketched with ",
                CONVERT.to(said, {escaped(kind): escaped(command)}),
                ", and commands that a workspace names are not run; if this is a command that you "
                "would run, give it again",
            )


def options_from_dict(values: dict[str, Any]) -> ReadOptions:
    columns: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values["columns"].items()
    }
    return ReadOptions(
        columns=ColumnNames(**columns),
        statuses=tuple(values["statuses"]),
        types=tuple(values["types"]),
        convert=values["convert"],
        format=values["format"],
    )


def escaped(text: str) -> str:
    """The text with what a terminal would obey spelt out."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
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


def locations(collection: Collection) -> list[str | None]:
    """Where each input lies, whatever one calls it; None where it is no file."""

    def location(given: Input) -> str | None:
        if any(source.in_memory or not source.rereadable for source in given.sources):
            return None
        name = without_secrets(given.name)
        return name if is_remote(name) else str(Path(name).resolve())

    return [location(each) for each in collection.inputs]


def remember_locations(workspace: Workspace, new: list[str | None]) -> None:
    """Notes where the last inputs lie, seen from the workspace, so that they are found again from
    wherever one stands and when both are moved together. It stands in `run.json`: where things
    lie is no part of what they are."""
    before = known_locations(workspace)[: len(workspace.manifest.inputs) - len(new)]
    away = is_away(workspace.path)
    seen = [
        where
        if where is None or is_remote(where) or away
        else os.path.relpath(where, workspace.path.resolve())
        for where in (*before, *new)
    ]
    news: dict[str, Any] = {"locations": seen}
    if not before and not away:
        # Every input was named by whoever runs this, so the workspace is at home here.
        news["folder"] = workspace.path.stat().st_ino
    write_run(workspace.path, news)


def is_at_home(workspace: Workspace) -> bool:
    """Whether the workspace was made in this very folder. One that was copied, or that somebody
    sent, lies in another, whose number nobody can know beforehand. One in a store may be anybody's.
    """
    path = workspace.path
    return not is_away(path) and bool(read_run(path).get("folder") == path.stat().st_ino)


def check_new(
    old: Workspace,
    names: Iterable[str],
    where: Iterable[str | None],
    fix: str = "leave it out, or give it another name if it has changed since",
) -> None:
    """Refuses inputs that a workspace has already, by where they lie."""
    there = {each for each in known_locations(old) if each is not None}
    for name, place in zip(names, where, strict=True):
        if place in there:
            raise WorkspaceError(f"{name} is in {old.path} already; {fix}")


def known_locations(workspace: Workspace) -> list[str | None]:
    """Where the inputs lie, as far as was noted."""
    noted = read_run(workspace.path).get("locations")
    noted = noted if isinstance(noted, list) else []
    count = len(workspace.manifest.inputs)
    # More are noted if an append was killed before its manifest was saved.
    noted = (noted + [None] * count)[:count]
    return [
        where if where is None or is_remote(where) else beside(workspace.path, where)
        for where in noted
    ]
