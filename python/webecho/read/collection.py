"""Collections: what a person gives as inputs, opened as sources of pages.

An *input* is one thing given: a file, a folder, a glob, an address, `-`, or a table in memory. It
has one source or, being a folder or glob, many, in the order of the bytes of their paths; HTML and
text files of one folder are one source together, after the others. The format is known by the
ending of the name, then by the first bytes.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TypeAlias

from webecho.errors import FORMAT, InputError, SettingsError
from webecho.formats import files
from webecho.formats.delimited import DIALECTS
from webecho.formats.detection import FORMATS, by_ending, format_of
from webecho.formats.entries import Listed
from webecho.formats.listing import files_named
from webecho.formats.looks import Look
from webecho.read import folders
from webecho.read.arrow import ArrowSource
from webecho.read.choices import choose_all, complaint
from webecho.read.columns import ColumnNames
from webecho.read.convert import CONVERT, CONVERTER, check_converters
from webecho.read.delimited import Delimited
from webecho.read.empty import EmptySource, is_empty
from webecho.read.folders import FolderSource
from webecho.read.jsonl import JsonLines
from webecho.read.judge import WarcOptions
from webecho.read.limits import USUAL, Limits
from webecho.read.lines import Form, LinesSource
from webecho.read.pages import Input, Source
from webecho.read.parquet import ParquetSource
from webecho.read.spooled import SpooledTable, spooled_sources
from webecho.read.table_kinds import is_split, is_table
from webecho.read.tables import table_sources

# Sites hold such files for their own ends; in a folder they are read only if they look like pages.
_PERHAPS = (".json", ".csv", ".tsv", ".tab")
# As they are compared: in lower case, without parameters, `*` only for all of a family or for all.
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/(?:[a-z0-9!#$&^_.+-]+|\*)|\*/\*")

# Formats of lines, which can also be read from a stream.
LINES: dict[str, Callable[[Limits], Form]] = {
    "jsonl": JsonLines,
    **{name: partial(Delimited, dialect) for name, dialect in DIALECTS.items()},
}

# Takes the sources of inputs that are opened again, and refuses those that are others now.
Check: TypeAlias = Callable[[Sequence[Source]], None]


ANY_TYPE = "*/*"


@dataclass(frozen=True)
class ReadOptions:
    """How inputs are read: columns of tables, responses of WARC files, converters by type."""

    columns: ColumnNames = field(default_factory=ColumnNames)
    statuses: tuple[int, ...] = WarcOptions.statuses
    types: tuple[str, ...] = WarcOptions.types
    convert: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    format: str | None = None

    def __post_init__(self) -> None:
        for kind in self.types:
            if not _MEDIA_TYPE.fullmatch(kind):
                raise SettingsError(
                    f"{kind!r} is no media type; give one such as text/html, text/* for all texts,"
                    " or * for all types"
                )
        for status in self.statuses:
            if not 100 <= status <= 599:
                raise SettingsError(f"{status} is no HTTP status; give one such as 200 or 404")

    @property
    def takes_all(self) -> bool:
        """Whether documents of all types are pages."""
        return ANY_TYPE in self.types


@dataclass(frozen=True)
class Collection:
    """The inputs in the order given, and lines that tell which columns were chosen."""

    inputs: tuple[Input, ...]
    choices: tuple[str, ...]
    limits: Limits = USUAL

    @property
    def sources(self) -> list[Source]:
        """Those of all inputs, in order."""
        return [source for each in self.inputs for source in each.sources]

    @property
    def look(self) -> Look:
        """What the files of all sources looked like when they were opened."""
        return Look(tuple(each for source in self.sources for each in source.look.seen))


def open_collection(
    inputs: Sequence[str | object],
    options: ReadOptions,
    limits: Limits = USUAL,
    *,
    again: Check | None = None,
) -> Collection:
    """The inputs, opened; raises `InputError` where one is missing, empty or of no known format.

    Also where no source at all is readable, unless they are opened `again`: then some of what was
    opened before may be missing here, and the unreadable ones have been told. What is opened again
    may be refused by the check, before anything in it is looked at.
    """
    if not inputs:
        raise InputError("no input; give files, folders, globs, addresses, or - for JSONL on stdin")
    if options.format is not None and options.format not in FORMATS:
        raise InputError(f"no format is called {options.format!r}; there are {', '.join(FORMATS)}")
    check_converters(options.convert)
    seen: dict[object, str] = {}
    opened = []
    for number, given in enumerate(inputs, 1):
        if isinstance(given, str | os.PathLike):
            name = os.fspath(given)
            found = files_named(name)
            keys: set[object] = {identity(file.name) for file in found}
            given_sources = _sources(name, found, options, limits)
        elif isinstance(given, SpooledTable):
            name, keys = f"table {number}", {*given.files}
            given_sources = spooled_sources(name, given, options.columns, limits)
        elif is_table(given) or is_split(given):
            name, keys = f"table {number}", {id(given)}
            given_sources = table_sources(name, given, options.columns, limits)
        else:
            raise InputError(
                f"input {number} is a {type(given).__qualname__}; give a path, or a table that"
                " pyarrow, polars, pandas, duckdb or datasets made"
            )
        for key in keys:
            if key in seen:
                raise InputError(
                    f"{name}: was given before, with {seen[key]}; leave one of them out"
                )
        seen |= dict.fromkeys(keys, name)
        opened.append(Input(name, given_sources))
    sources = [source for each in opened for source in each.sources]
    if again is not None:
        again(sources)
    elif all(isinstance(source, EmptySource) for source in sources):
        raise InputError(f"{sources[0].name}: is empty; check how it was made")
    choices, unreadable = choose_all(opened)
    if unreadable and again is None and unreadable == sources:
        raise InputError(f"{unreadable[0].name}: ", complaint(unreadable[0]))
    return Collection(tuple(opened), choices, limits)


def identity(name: str) -> str:
    """The same for all names of one file or stream."""
    return (
        name if files.is_remote(name) else os.path.realpath("/dev/stdin" if name == "-" else name)
    )


def _sources(
    name: str, found: list[Listed], options: ReadOptions, limits: Limits
) -> tuple[Source, ...]:
    if len(found) == 1 and found[0].name == name:
        return (_one(name, options, limits),)
    sources: list[Source] = []
    pages: list[Listed] = []
    for file in found:
        if file.trouble is not None:
            pages.append(file)
            continue
        form = options.format or by_ending(file.name)
        cached = options.format is None and folders.is_cache(file.name)
        if form is None or form == "html" or cached:
            pages.append(file)
            continue
        # Of those far away their readers tell; to ask for the size of each takes a while.
        if not files.is_remote(file.name) and is_empty(file.name):
            sources.append(EmptySource(file.name))
            continue
        source = _open(file.name, form, options, limits)
        if options.format is None and _ending(file.name) in _PERHAPS and not _has_pages(source):
            pages.append(file)
        else:
            sources.append(source)
    if not sources and not any(_is_page(file, options) for file in pages):
        endings = Counter(_what(file) for file in pages)
        most = ", ".join(f"{ending} ({count})" for ending, count in endings.most_common(5))
        raise InputError(
            *(f"{name}: nothing in it is readable: {most}; say what it is with ", FORMAT),
            *(", or how to read it with ", CONVERT.to(*CONVERTER)),
        )
    if pages:
        as_html, every = options.format == "html", options.takes_all
        tables = any(source.has_columns for source in sources)
        sources.append(
            FolderSource(
                *(name, pages, options.convert, as_html, limits),
                every=every,
                beside_tables=tables,
            )
        )
    return tuple(sources)


def _one(name: str, options: ReadOptions, limits: Limits) -> Source:
    """The source of a file or stream that was given by its name."""
    stream = files.kind(name) == "stream"
    if not stream and is_empty(name):
        return EmptySource(name)
    form = options.format or ("jsonl" if stream else format_of(name))
    if stream and form not in LINES:
        raise InputError(f"{name}: {form} cannot be read from a stream; save it to a file first")
    listed = Listed(name, name)
    if form is None and not _is_page(listed, options):
        raise InputError(
            f"{name}: the format is not known, by its ending or its first bytes; name it with ",
            FORMAT.to("|".join(FORMATS)),
        )
    if form is None or form == "html":
        known = options.format is None and _is_page(listed, options)
        every = options.takes_all
        return FolderSource(name, [listed], options.convert, not known, limits, every=every)
    return _open(name, form, options, limits)


def _open(name: str, form: str, options: ReadOptions, limits: Limits) -> Source:
    if form in LINES:
        return LinesSource(name, options.columns, LINES[form](limits), limits)
    if form == "parquet":
        return ParquetSource(name, options.columns, limits)
    if form == "arrow":
        return ArrowSource(name, options.columns, limits)
    # Here, since the readers of archives are half of what reading has to load.
    from webecho.read.wacz import WaczSource
    from webecho.read.warc import WarcSource

    responses = WarcOptions(options.statuses, options.types, dict(options.convert), limits)
    match form:
        case "wacz":
            return WaczSource(name, responses)
        case "warc":
            return WarcSource(name, responses)
    raise InputError(f"{name}: nobody here reads {form}; say what it is with ", FORMAT)


def _is_page(file: Listed, options: ReadOptions) -> bool:
    if file.trouble is not None:
        return False
    known = options.takes_all or folders.is_page(file.relative)
    return known or bool(folders.converter(file.relative, options.convert))


def _what(file: Listed) -> str:
    return file.trouble.reason if file.trouble else _ending(file.name) or "no ending"


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _has_pages(source: Source) -> bool:
    try:
        return source.has_columns and source.choice() is not None
    except InputError:
        return False
