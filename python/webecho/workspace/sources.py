"""The sources of a workspace as its manifest has them, and opened once more."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.errors import InputError, WorkspaceError
from webecho.formats.files import is_remote
from webecho.read.collection import Collection, ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.read.pages import Input, Source
from webecho.workspace.manifest import Part
from webecho.workspace.run_file import read_run, write_run
from webecho.workspace.workspace import Workspace

# Pages of about so many bytes are read again at a time.
BYTES = 8 << 20


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
        if (old["format"], old["stamp"]) != (new["format"], new["stamp"]):
            raise WorkspaceError(
                f"{new['name']} has changed since it was sketched; sketch it again into a new "
                "workspace"
            )


def locations(collection: Collection) -> list[str | None]:
    """Where each input lies, whatever one calls it; None where it is no file."""

    def location(given: Input) -> str | None:
        if given.name == "-" or any(source.format == "table" for source in given.sources):
            return None
        return given.name if is_remote(given.name) else str(Path(given.name).resolve())

    return [location(each) for each in collection.inputs]


def remember_locations(workspace: Workspace, new: list[str | None]) -> None:
    """Notes where the last inputs lie, seen from the workspace, so that they are found again from
    wherever one stands and when both are moved together. It stands in `run.json`: where things
    lie is no part of what they are."""
    before = known_locations(workspace)[: len(workspace.manifest.inputs) - len(new)]
    seen = [
        where
        if where is None or is_remote(where)
        else os.path.relpath(where, workspace.path.resolve())
        for where in (*before, *new)
    ]
    write_run(workspace.path, {"locations": seen})


def known_locations(workspace: Workspace) -> list[str | None]:
    """Where the inputs lie, as far as was noted."""
    noted = read_run(workspace.path).get("locations")
    noted = noted if isinstance(noted, list) else []
    count = len(workspace.manifest.inputs)
    # More are noted if an append was killed before its manifest was saved.
    noted = (noted + [None] * count)[:count]
    return [
        where if where is None or is_remote(where) else str((workspace.path / where).resolve())
        for where in noted
    ]


def open_input(workspace: Workspace, number: int) -> dict[int, Source]:
    """The sources of one input by their numbers; an InputError where they cannot be read again."""
    given = workspace.manifest.inputs[number]
    first, end = given["sources"]
    before = workspace.manifest.sources[first:end]
    name = known_locations(workspace)[number] or given["name"]
    if name == "-" or any(source["format"] == "table" for source in before):
        raise InputError(f"{name} cannot be read twice")
    opened = open_collection([name], options_from_dict(given["options"]), again=True)
    sources = [source for found in opened.inputs for source in found.sources]
    check_unchanged(before, [describe_source(source) for source in sources])
    return dict(enumerate(sources, first))


def read_page(
    workspace: Workspace, page: int, sources: Mapping[int, Source] | None = None
) -> pa.RecordBatch:
    """One page of a workspace as a row of `PAGES`; an InputError where it cannot be read again."""
    row = workspace.row(page, ["source", "place"])
    number, place = row["source"][0].as_py(), row["place"][0].as_py()
    opened = sources or {}
    if number not in opened:
        opened = open_input(workspace, workspace.manifest.parts[workspace.part_of(page)].input)
    return opened[number].read([place])


class PagesAgain:
    """Pages of some sources read once more, in page order. At most one source holds what it has
    decoded: it goes on from there, and each of a thousand files would hold it."""

    def __init__(self, sources: Mapping[int, Source]) -> None:
        self.sources = sources
        self.last: Source | None = None

    def read(self, rows: pa.RecordBatch, part: Part) -> Iterator[pa.RecordBatch]:
        """The pages of these rows of a part, some at a time."""
        # A page of little text may be of many bytes; how many those of the part are on average is
        # all that is known.
        average = part.counts.get("bytes", 0) // max(part.pages, 1)
        numbers, chars = rows["source"].to_pylist(), rows["chars"].to_pylist()
        start = 0
        while start < len(rows):
            end, total = start, 0
            while end < len(rows) and numbers[end] == numbers[start] and total < BYTES:
                total += max(chars[end] or 0, average)
                end += 1
            source = self.sources[numbers[start]]
            if self.last is not source:
                self.close()
            self.last = source
            yield source.read(rows["place"][start:end].to_pylist())
            start = end

    def close(self) -> None:
        if self.last is not None:
            self.last.close()
        self.last = None
