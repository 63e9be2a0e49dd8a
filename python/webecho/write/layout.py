"""Where each source is written: the same structure of files as the inputs have.

One file keeps its name; of a folder or glob the paths within it are kept. Several inputs stand side
by side, each folder under its own name; where two would meet, each under its number.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from webecho.formats import files
from webecho.formats.detection import by_ending
from webecho.formats.listing import has_glob
from webecho.read.pages import Input, Source
from webecho.write.arc import apart, warc_name

# How copies of streams are called, which lie beside the output under the output's name.
_SPOOLED = re.compile(r"\..*\.(stdin(?:-\d+)?\.[^/]+)")


def spool_name(stream: str, out: str, number: int, form: str | None) -> str:
    """The name of a copy of a stream for the output of this name; `form` is the format, if said."""
    ending = "".join(PurePosixPath(stream).suffixes) if form is None and by_ending(stream) else ""
    ending = ending or f".{(form or 'jsonl').partition('-')[0]}"
    return f".{out}.stdin{'' if number == 1 else f'-{number}'}{ending}"


def places_of(inputs: Sequence[Input], data: Path) -> list[Path]:
    """For every source in order the file, or of a folder of pages the folder, to write."""
    inside = [_inside(given) for given in inputs]
    if len(inside) > 1:
        for given, paths in zip(inputs, inside, strict=True):
            if _root(given) is not None:
                top = PurePosixPath(_root(given) or "").name or "files"
                paths[:] = [top / path for path in paths]
    every = [path for paths in inside for path in paths]
    if len(set(every)) < len(every):
        inside = [
            [PurePosixPath(str(number)) / path for path in paths]
            for number, paths in enumerate(inside, 1)
        ]
    return _apart([data / path for paths in inside for path in paths])


def _apart(paths: list[Path]) -> list[Path]:
    """The paths; an ARC file that may become a WARC file of another's name gets one of its own."""
    names = set(paths)
    return [
        apart(path) if path.name and warc_name(path) != path and warc_name(path) in names else path
        for path in paths
    ]


def _is_folder(source: Source) -> bool:
    """Whether its pages are files, which keep their paths."""
    return source.path_prefix is not None


def _inside(given: Input) -> list[PurePosixPath]:
    root = _root(given)
    if root is None:
        return [PurePosixPath(_name(source.name)) for source in given.sources]
    return [
        PurePosixPath(".")
        if _is_folder(source)
        else PurePosixPath(os.path.relpath(source.name, root or "."))
        for source in given.sources
    ]


def _root(given: Input) -> str | None:
    """The folder that the input's files lie in, or None where it is one file."""
    if len(given.sources) == 1 and given.sources[0].name == given.name:
        source = given.sources[0]
        if not _is_folder(source) or files.kind(given.name) == "file":
            return None
        if files.kind(given.name) == "folder":
            return given.name
    if not has_glob(given.name):
        return given.name
    fixed = []
    for part in given.name.split("/")[:-1]:
        if has_glob(part):
            break
        fixed.append(part)
    return "/".join(fixed) or ("/" if given.name.startswith("/") else "")


def _name(path: str) -> str:
    name = PurePosixPath(files.path_of(path)).name
    copied = _SPOOLED.fullmatch(name)
    return copied[1] if copied else name
