"""*List of checksums*: what lies in a folder that was written at once, with sizes and checksums, in
its `checksums.json`, which is sealed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from webecho import _core
from webecho.errors import WorkspaceError
from webecho.workspace.checksums import damaged, read_sealed_json, sealed_json
from webecho.workspace.mirror import fetch
from webecho.workspace.table_files import write_aside

LIST = "checksums.json"


def files_in(folder: Path) -> Iterator[str]:
    """The names of all files in a folder and below, but for the list and what is written aside."""
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_file() and name != LIST and not is_aside(file.name):
            yield name


def is_aside(name: str) -> bool:
    return name.startswith(".") and (".new" in name or name.rpartition(".")[2].isdecimal())


def write_list(folder: Path, files: Iterable[Path] | None = None) -> None:
    """Lists these files of the folder, or all that lies in it."""
    names = files_in(folder) if files is None else (file.name for file in sorted(files))
    entries = {name: entry(folder / name) for name in names}
    write_aside(folder / LIST, sealed_json({"files": entries}, LIST))


def entry(file: Path) -> dict[str, Any]:
    fetch(file)
    return {"bytes": file.stat().st_size, "xxh3": _core.file_checksum(file)}


def listed(folder: Path, fix: str) -> dict[str, dict[str, Any]]:
    """What the list of a folder says."""
    found: dict[str, dict[str, Any]] = read_sealed_json(folder / LIST, LIST, fix)["files"]
    return found


def check_listed(file: Path, fix: str) -> None:
    """Refuses a file that is not what its folder's list says."""
    known = listed(file.parent, fix).get(file.name)
    try:
        if known != entry(file):
            raise damaged(file, fix)
    except OSError as error:
        raise WorkspaceError(f"{file} cannot be read ({error}); {fix}") from error
