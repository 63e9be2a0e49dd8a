"""*Contents*: what a result leaves in a folder, whichever it is: its tables as Parquet, CSV and
LaTeX, its figures as PDF, SVG and PNG with their captions in text files, and what else is told."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from webecho.errors import InputError, WorkspaceError, flag
from webecho.show.files.drawing import Drawing
from webecho.show.files.tables import write_tables
from webecho.study.figures import Figure, LogLog
from webecho.workspace.layout import is_workspace
from webecho.workspace.listed import LIST, listed, write_list
from webecho.workspace.table_files import write_aside

ABOUT = "study.json"
AT_LEAST = "at_least"


@dataclass(frozen=True)
class Contents:
    """Tables and figures by name, captions of tables, the names of curves in the order of their
    colours, what the collections hold, other files by their names, and what `study.json` has, if
    there is one."""

    tables: Mapping[str, pa.Table]
    captions: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    curves: Sequence[str] = ()
    made_of: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, object] | None = None


def write_contents(
    folder: Path, contents: Contents, drawing: Drawing, *, force: bool = True
) -> list[Path]:
    """Writes all of it into a folder, and gives the files. What an earlier run left there and this
    one does not write goes: it is not true of this one. Without `force` what is of other
    collections stays."""
    if is_workspace(folder):
        raise InputError(f"{folder} is a workspace; give another folder")
    check_study(folder, (contents.about or {}).get("study"))
    if not force:
        check_made_of(folder, contents.made_of)
    before = earlier(folder)
    (folder / LIST).unlink(missing_ok=True)
    written = write_tables(folder, contents.tables, contents.captions)
    written += draw_contents(folder, contents, drawing)
    for name, text in contents.files.items():
        write_aside(folder / name, text.encode())
        written.append(folder / name)
    names = {file.name for file in written}
    if contents.about is not None:
        about = folder / ABOUT
        told = json.dumps(
            {**contents.about, "files": sorted(names)}, indent=1, ensure_ascii=False, default=str
        )
        write_aside(about, f"{told}\n".encode())
        written.append(about)
        names.add(ABOUT)
    for name in before - names:
        (folder / Path(name).name).unlink(missing_ok=True)
    write_list(folder, written)
    return written


def check_study(folder: Path, name: object) -> None:
    """Refuses a folder that holds another study, whose files would go."""
    there = study_in(folder)
    if there is not None and there != name:
        raise InputError(f"{folder} holds a study of {there}; give another folder, or remove it")


def check_made_of(folder: Path, made_of: Mapping[str, str]) -> None:
    """Refuses a folder that holds a study of other collections, by their names or by what they
    hold; the same ones may be studied again."""
    there = made_of_in(folder)
    if not there or not made_of or there == made_of:
        return
    # Of collections of the same names it is told what they hold.
    told, now = (
        ", ".join(
            each if there.keys() != made_of.keys() else f"{each}, {held}" for each, held in of
        )
        for of in (there.items(), made_of.items())
    )
    raise InputError(
        f"{folder} holds a study of {told}, which would be replaced by one of {now}; give another "
        "folder, or ",
        flag("force"),
    )


def made_of_in(folder: Path) -> dict[str, str]:
    """What the collections hold of the study in a folder, by their names, as far as it says."""
    found = about_in(folder).get("made of")
    if not isinstance(found, dict):
        return {}
    return {str(name): str(held) for name, held in found.items()}


def study_in(folder: Path) -> str | None:
    """The name of the study that a folder holds, if it holds one."""
    name = about_in(folder).get("study")
    return None if name is None else str(name)


def about_in(folder: Path) -> dict[str, object]:
    """What the study in a folder says of itself, if it can be read."""
    try:
        found = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def earlier(folder: Path) -> set[str]:
    """What an earlier run wrote; one that was killed has no list yet, but may have told."""
    found: set[str] = set()
    try:
        found |= listed(folder, "").keys()
    except WorkspaceError:
        pass
    about = folder / ABOUT
    if about.is_file():
        try:
            found |= {*json.loads(about.read_text(encoding="utf-8"))["files"]}
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
    return found


def draw_contents(folder: Path, contents: Contents, drawing: Drawing) -> list[Path]:
    """Draws the figures into a folder, each with its caption beside it, and gives the files."""
    # Drawing takes a second to load.
    from webecho.show.files.figures import drawn
    from webecho.show.files.log_log import log_log
    from webecho.show.files.sheets import save

    written = []
    for name, figure in contents.figures.items():
        drawings = {name: (drawn(figure, drawing, contents.curves), figure.caption)}
        if isinstance(figure, LogLog):
            other = log_log(figure, drawing, contents.curves, at_least=True)
            drawings[f"{name}-{AT_LEAST}"] = (other, figure.caption_at_least)
        for file, (sheet, caption) in drawings.items():
            written += save(sheet, folder / file, drawing)
            text = folder / f"{file}.caption.txt"
            write_aside(text, f"{caption}\n".encode())
            written.append(text)
    return written
