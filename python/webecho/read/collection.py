"""Collections: what a person gives as inputs, opened as sources of pages.

An *input* is one thing given: a file, a folder, a glob, an address, `-`, or a table in memory. It
has one source or, being a folder or glob, many, in the order of the bytes of their paths; HTML and
text files of one folder are one source together, after the others. The format is known by the
ending of the name, then by the first bytes.
"""

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath
from types import MappingProxyType

from webecho.errors import FORMAT, InputError, SettingsError
from webecho.formats import files
from webecho.formats.files import Listed
from webecho.read import folders
from webecho.read.columns import ColumnNames
from webecho.read.convert import CONVERT, CONVERTER, check_converters
from webecho.read.delimited import Delimited
from webecho.read.folders import FolderSource
from webecho.read.jsonl import JsonLines
from webecho.read.judge import WarcOptions
from webecho.read.lines import UTF16, LinesSource
from webecho.read.pages import Source
from webecho.read.parquet import ParquetSource
from webecho.read.tables import StreamSource, TableSource, is_table, table_source

FORMATS = ("warc", "wacz", "parquet", "jsonl", "csv", "tsv", "html")

_ENDINGS = {
    **dict.fromkeys((".warc", ".arc", ".wet", ".wat"), "warc"),
    ".wacz": "wacz",
    **dict.fromkeys((".parquet", ".pq", ".parq"), "parquet"),
    **dict.fromkeys((".jsonl", ".ndjson", ".jsonlines", ".json"), "jsonl"),
    ".csv": "csv",
    **dict.fromkeys((".tsv", ".tab"), "tsv"),
    **dict.fromkeys(folders.HTML_SUFFIXES | folders.TEXT_SUFFIXES, "html"),
}
_PACKED = (".gz", ".zst")
# Sites hold such files for their own ends; in a folder they are read only if they look like pages.
_PERHAPS = (".json", ".csv", ".tsv", ".tab")
# As they are compared: in lower case, without parameters, `*` only for all of a family or for all.
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/(?:[a-z0-9!#$&^_.+-]+|\*)|\*/\*")
_HEAD = 4096
_HEAD_BLOCKS = 2
_PEEKING = 16

Table = ParquetSource | TableSource | StreamSource | LinesSource


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
                    f"{kind!r} is no media type; give one such as text/html, or text/* for all"
                    " texts"
                )
        for status in self.statuses:
            if not 100 <= status <= 599:
                raise SettingsError(f"{status} is no HTTP status; give one such as 200 or 404")


@dataclass(frozen=True)
class Input:
    """One thing that was given, and the sources it has."""

    name: str
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Collection:
    """The inputs in the order given, and lines that tell which columns were chosen."""

    inputs: tuple[Input, ...]
    choices: tuple[str, ...]

    @property
    def sources(self) -> list[Source]:
        """Those of all inputs, in order."""
        return [source for each in self.inputs for source in each.sources]


def open_collection(
    inputs: Sequence[str | object], options: ReadOptions, *, again: bool = False
) -> Collection:
    """The inputs, opened; raises `InputError` where one is missing, empty or of no known format.

    Also where no source at all is readable, unless they are opened `again`: then some of what was
    opened before may be missing here, and the unreadable ones have been told.
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
            found = _found(name)
            keys: set[object] = {_identity(file.name) for file in found}
            source = _sources(name, found, options)
        elif is_table(given):
            name, keys = f"table {number}", {id(given)}
            source = (table_source(name, given, options.columns),)
        else:
            raise InputError(
                f"input {number} is a {type(given).__qualname__}; give a path, or a table that"
                " pyarrow, polars, pandas, duckdb or datasets made"
            )
        for key in keys:
            if key in seen:
                raise InputError(
                    f"{name}: was given before, with {seen[key]}; leave one of them away"
                )
        seen |= dict.fromkeys(keys, name)
        opened.append(Input(name, source))
    choices, unreadable = _choices(opened)
    if unreadable and not again and unreadable == [s for i in opened for s in i.sources]:
        raise InputError(f"{unreadable[0].name}: ", _complaint(unreadable[0]))
    return Collection(tuple(opened), choices)


def _found(name: str) -> list[Listed]:
    """The files that the name stands for."""
    match files.kind(name):
        case "stream":
            return [Listed(name, name)]
        case "file":
            if files.size(name) == 0:
                raise InputError(f"{name}: is empty; check how it was made")
            return [Listed(name, name)]
        case "folder":
            if files.is_workspace(name):
                raise InputError(
                    f"{name}: is a workspace, sketched already; group its pages with: webecho"
                    f" clusters {name}, or add to it with: webecho sketch INPUT… --append -o {name}"
                )
            found = files.files_under(name)
            if not found:
                raise InputError(f"{name}: holds no files (hidden ones and *.echo do not count)")
            return found
    if not files.has_glob(name):
        raise InputError(f"{name}: no such file or folder; check the spelling")
    found = _globbed(name)
    if not found:
        raise InputError(f"{name}: nothing matches; check the pattern, and put it in quotes")
    return found


def _globbed(pattern: str) -> list[Listed]:
    matches = [
        match
        for match in files.matching(pattern)
        if not (match.endswith(".echo") or files.is_workspace(match))
    ]
    fixed = []
    for part in pattern.split("/")[:-1]:
        if files.has_glob(part):
            break
        fixed.append(part)
    root = "/".join([*fixed, ""])
    found = []
    for match in matches:
        relative = match.removeprefix(root)
        if files.kind(match) == "folder":
            inside = files.files_under(match)
            found += [Listed(f"{relative}/{file.relative}", file.name) for file in inside]
        else:
            found.append(Listed(relative, match))
    # `a/*` and `a/**` may match both a folder and what is in it.
    unique = {file.name: file for file in found}
    return sorted(
        unique.values(), key=lambda file: file.relative.encode("utf-8", "surrogateescape")
    )


def _identity(name: str) -> str:
    return name if name == "-" or files.is_remote(name) else os.path.realpath(name)


def _sources(name: str, found: list[Listed], options: ReadOptions) -> tuple[Source, ...]:
    if len(found) == 1 and found[0].name == name:
        return (_one(name, options),)
    sources: list[Source] = []
    pages: list[Listed] = []
    for file in found:
        form = options.format or _by_ending(file.name)
        if form is None or form == "html":
            pages.append(file)
            continue
        source = _open(file.name, form, options)
        if options.format is None and _ending(file.name) in _PERHAPS and not _has_pages(source):
            pages.append(file)
        else:
            sources.append(source)
    if not sources and not any(_is_page(file, options) for file in pages):
        endings = Counter(_ending(file.name) or "no ending" for file in pages)
        most = ", ".join(f"{ending} ({count})" for ending, count in endings.most_common(5))
        raise InputError(
            *(f"{name}: nothing in it is readable: {most}; say what it is with ", FORMAT),
            *(", or how to read it with ", CONVERT.to(*CONVERTER)),
        )
    if pages:
        sources.append(FolderSource(name, pages, options.convert, options.format == "html"))
    return tuple(sources)


def _one(name: str, options: ReadOptions) -> Source:
    """The source of a file or stream that was given by its name."""
    stream = files.kind(name) == "stream"
    form = options.format or ("jsonl" if stream else format_of(name))
    if stream and form not in ("jsonl", "csv", "tsv"):
        raise InputError(f"{name}: {form} cannot be read from a stream; save it to a file first")
    listed = Listed(name, name)
    if form is None and not _is_page(listed, options):
        raise InputError(
            f"{name}: the format is not known, by its ending or its first bytes; name it with ",
            FORMAT.to("|".join(FORMATS)),
        )
    if form is None or form == "html":
        known = options.format is None and _is_page(listed, options)
        return FolderSource(name, [listed], options.convert, as_html=not known)
    return _open(name, form, options)


def _open(name: str, form: str, options: ReadOptions) -> Source:
    match form:
        case "parquet":
            return ParquetSource(name, options.columns)
        case "jsonl":
            return LinesSource(name, options.columns, JsonLines())
        case "csv" | "tsv":
            return LinesSource(name, options.columns, Delimited("\t" if form == "tsv" else None))
    # Here, since the readers of archives are half of what reading has to load.
    from webecho.read.wacz import WaczSource
    from webecho.read.warc import WarcSource

    responses = WarcOptions(options.statuses, options.types, options.convert)
    return WaczSource(name, responses) if form == "wacz" else WarcSource(name, responses)


def _is_page(file: Listed, options: ReadOptions) -> bool:
    return folders.is_page(file.relative) or bool(folders.converter(file.relative, options.convert))


def _ending(name: str) -> str:
    path = PurePosixPath(name.lower())
    return path.suffix


def format_of(name: str) -> str | None:
    """The format of a file by its ending, or else by its first bytes."""
    return _by_ending(name) or _by_bytes(name)


def _by_ending(name: str) -> str | None:
    path = PurePosixPath(name.lower())
    ending = path.with_suffix("").suffix if path.suffix in _PACKED else path.suffix
    return _ENDINGS.get(ending)


def _by_bytes(name: str) -> str | None:
    with files.open_file(name) as file:
        head = file.read(_HEAD)
        if head.startswith(b"PAR1"):
            return "parquet"
        if head.startswith(b"PK\x03\x04"):
            return "wacz"
        file.seek(0)
        try:
            head = next(files.blocks(file), b"")[:_HEAD]
        except files.DamagedError:
            return None
    if head.startswith((b"WARC/", b"filedesc://")):
        return "warc"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return {b"{": "jsonl", b"<": "html"}.get(start)


def _has_pages(source: Source) -> bool:
    try:
        return isinstance(source, Table) and source.chosen is not None
    except InputError:
        return False


def _choices(inputs: Sequence[Input]) -> tuple[tuple[str, ...], list[Table]]:
    """Chooses the columns of all tables, and says how; also those where there was nothing to."""
    tables = [source for given in inputs for source in given.sources if isinstance(source, Table)]
    # A stream may be silent for ever, and only the main thread can then be interrupted.
    streams = [table for table in tables if not table.rereadable]
    chosen = {id(table): table.chosen for table in streams}
    # A file far away takes a while to answer, and there may be thousands.
    rest = [table for table in tables if table.rereadable]
    with ThreadPoolExecutor(_PEEKING) as pool:
        found = pool.map(lambda table: table.chosen, rest)
        chosen |= dict(zip(map(id, rest), found, strict=True))
    lines = []
    for given in inputs:
        said: Counter[str] = Counter()
        for source in given.sources:
            if isinstance(source, FolderSource) and len(given.sources) > 1:
                if source.readable:
                    said["HTML and text files"] = source.readable
            elif isinstance(source, Table):
                columns = chosen[id(source)]
                said[columns.line() if columns else str(_complaint(source))] += 1
        for line, count in said.items():
            several = f" ({count} file{'s'[: count > 1]})" if len(given.sources) > 1 else ""
            lines.append(f"{given.name}{several}: {line}")
    return tuple(lines), [table for table in tables if chosen[id(table)] is None]


def _complaint(source: Table) -> InputError:
    """Why no columns could be chosen, and what may help."""
    if source.format == "parquet":
        return InputError("not a Parquet file, or a broken one; check how it was made or copied")
    if not source.rereadable:
        return InputError(f"no {source.format} records in this stream")
    with files.open_file(source.name) as file:
        try:
            head = b"".join(islice(files.blocks(file), _HEAD_BLOCKS))
        except files.DamagedError as error:
            return InputError(f"nothing in it can be read: {error}; copy it again")
    if head.startswith(UTF16):
        return InputError(f"is UTF-16; convert it: iconv -f utf-16 -t utf-8 {source.name}")
    if head.lstrip().startswith(b"["):
        return InputError(
            f"is one JSON array, not JSON lines; convert it: jq -c '.[]' {source.name}"
        )
    return InputError(f"no {source.format} records in it; say what it is with ", FORMAT)


def archive_files(name: str) -> tuple[list[Listed], int]:
    """The WARC and ARC files that the name stands for, and how many others it does.

    A file that was given by its own name is one, whatever its ending.
    """
    found = _found(name)
    if [file.name for file in found] == [name]:
        return [Listed(PurePosixPath(name).name, name)], 0
    archives = [file for file in found if _by_ending(file.name) == "warc"]
    return archives, len(found) - len(archives)
