"""Folders that a dedup writes beside its output: what was removed, and what was dropped, in the
inputs' own formats. With what stays they are the input, record for record.

Each has a note that tells of which dedup it is: one that was killed after such a folder appeared
and before its output did may write it again, and no other's folder is replaced.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from webecho.errors import FORCE, SettingsError, setting
from webecho.group.decision import DROPPED, REMOVED
from webecho.workspace.atomic import atomic_folder
from webecho.workspace.json_files import json_bytes
from webecho.workspace.listed import LIST, files_in, listed, write_list

NOTE = "of.json"
# The settings that name such a folder, by what becomes of the records in it.
NAMES = {REMOVED: "removed", DROPPED: "dropped"}


def note(folder: Path, out: Path, fate: int, summary: dict[str, Any]) -> dict[str, Any]:
    """Of which dedup the folder is, and what is in it."""
    known = {name: summary[name] for name in ("settings", "inputs")}
    return _of(folder, out, fate) | known


def _of(folder: Path, out: Path, fate: int) -> dict[str, str]:
    # Seen from the folder, so that both may be moved together.
    return {"out": os.path.relpath(out.resolve(), folder.resolve()), "holds": NAMES[fate]}


def read_note(folder: Path) -> dict[str, Any] | None:
    """What the note of a folder says, if a dedup wrote it."""
    try:
        found = json.loads((folder / NOTE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def check_folder(folder: Path, out: Path, fate: int, force: bool) -> None:
    """Refuses to replace a folder that is not this dedup's."""
    asked = setting(NAMES[fate])
    if folder.resolve() in (out.resolve(), *out.resolve().parents):
        raise SettingsError(asked.to(folder), f": is {out}, or holds it; give another folder")
    if out.resolve() in folder.resolve().parents:
        raise SettingsError(
            asked.to(folder), f": lies in {out}, which is written anew; give another"
        )
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    found = read_note(folder)
    own = found is not None and _of(folder, out, fate).items() <= found.items()
    strange = [] if found is None else _strange(folder)
    if found is None or strange:
        raise SettingsError(f"{folder} exists and no dedup wrote all of it; choose another ", asked)
    if not force and not (own and not out.exists()):
        raise SettingsError(
            *(f"{folder} exists; choose another ", asked, ", or give ", FORCE, " to replace it")
        )


def _strange(folder: Path) -> list[str]:
    """Files that no dedup wrote there."""
    known = listed(folder, "remove that folder") if (folder / LIST).is_file() else {}
    return [name for name in files_in(folder) if name not in known]


@contextmanager
def written_folder(folder: Path, told: dict[str, Any]) -> Iterator[Path]:
    """Where the files go that appear in the folder at once, with a note."""
    with atomic_folder(folder) as made:
        (made / "data").mkdir()
        yield made / "data"
        (made / NOTE).write_bytes(json_bytes(told))
        write_list(made)
