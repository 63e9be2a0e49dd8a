"""Files that a name stands for: those of a folder or glob, by the bytes of their paths.

So page numbers depend on neither the file system nor the locale. Hidden files and what webecho
itself wrote are passed over.
"""

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webecho.errors import InputError
from webecho.formats import files
from webecho.workspace.layout import ENDING, is_workspace


@dataclass(frozen=True)
class Listed:
    """A file found in a folder: its path relative to the folder, with `/`, and its full name."""

    relative: str
    name: str


def files_named(name: str) -> list[Listed]:
    """The files that the name stands for; raises `InputError` where there are none.

    That is itself, or what lies in a folder or matches a glob, by the bytes of the paths.
    """
    match files.kind(name):
        case "stream" | "file":
            return [Listed(name, name)]
        case "folder":
            if holds_workspace(name):
                raise InputError(
                    f"{name}: is a workspace, sketched already; group its pages with: webecho"
                    f" clusters {name}, or add to it with: webecho sketch INPUT… --append -o {name}"
                )
            found = files_under(name)
            if not found:
                raise InputError(f"{name}: holds no files (hidden ones and *{ENDING} do not count)")
            return found
    if not has_glob(name):
        raise InputError(f"{name}: no such file or folder; check the spelling")
    found = _globbed(name)
    if not found:
        raise InputError(f"{name}: nothing matches; check the pattern, and put it in quotes")
    return found


def holds_workspace(name: str) -> bool:
    """Whether the name is that of a workspace, here or far away."""
    if not files.is_remote(name):
        return is_workspace(Path(files.local_path(name)))
    if files.kind(f"{name}/manifest.json") != "file":
        return False
    return any(files.kind(f"{name}/{each}") is not None for each in ("run.json", "sketches"))


def _globbed(pattern: str) -> list[Listed]:
    matches = [match for match in matching(pattern) if not match.endswith(ENDING)]
    fixed = []
    for part in pattern.split("/")[:-1]:
        if has_glob(part):
            break
        fixed.append(part)
    root = "/".join([*fixed, ""])
    found = []
    for match in matches:
        relative = match.removeprefix(root)
        what = files.kind(match)
        if what == "folder" and not holds_workspace(match):
            inside = files_under(match)
            found += [Listed(f"{relative}/{file.relative}", file.name) for file in inside]
        elif what == "file":
            # Pipes among them are passed over, as in folders: they would be waited for.
            found.append(Listed(relative, match))
    # `a/*` and `a/**` may match both a folder and what is in it.
    unique = {file.name: file for file in found}
    return sorted(unique.values(), key=lambda file: _by_bytes(file.relative))


def _by_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def has_glob(name: str) -> bool:
    """Whether the name holds a wildcard."""
    return glob.has_magic(name)


def matching(pattern: str) -> list[str]:
    """The names of the files and folders that match, by the bytes of their paths."""
    with files.reaching(pattern):
        if files.is_remote(pattern):
            filesystem, path = files.remote(pattern)
            found = [filesystem.unstrip_protocol(entry) for entry in filesystem.glob(path)]
        else:
            found = glob.glob(files.local_path(pattern), recursive=True)  # noqa: PTH207 keeps names as typed
    return sorted(found, key=_by_bytes)


def files_under(folder: str) -> list[Listed]:
    """All files in the folder and its folders, by the bytes of their relative paths.

    Hidden files and folders, and webecho's own workspaces (`*.echo`), are left out.
    """
    with files.reaching(folder):
        found = list(
            _walk_remote(folder)
            if files.is_remote(folder)
            else _walk(files.local_path(folder), "", ())
        )
    return sorted(found, key=lambda listed: _by_bytes(listed.relative))


def _left_out(part: str) -> bool:
    return part.startswith(".") or part.endswith(ENDING)


def _walk(folder: str, prefix: str, above: tuple[tuple[int, int], ...]) -> Iterator[Listed]:
    # What a run writes must never be what the next one reads.
    if prefix and is_workspace(Path(folder)):
        return
    here = Path(folder).stat()
    # A link to a folder is followed, unless it leads back to where we came from.
    if (here.st_dev, here.st_ino) in above:
        return
    above = (*above, (here.st_dev, here.st_ino))
    with os.scandir(folder) as entries:
        for entry in entries:
            if _left_out(entry.name):
                continue
            if entry.is_dir():
                yield from _walk(entry.path, f"{prefix}{entry.name}/", above)
            elif entry.is_file():
                yield Listed(prefix + entry.name, entry.path)


def _walk_remote(folder: str) -> Iterator[Listed]:
    filesystem, path = files.remote(folder)
    root = path.rstrip("/") + "/"
    found = {entry.removeprefix(root): entry for entry in filesystem.find(path)}
    written = [
        each.removesuffix("manifest.json")
        for each in found
        if each.endswith("/manifest.json") and each.replace("manifest", "run") in found
    ]
    for relative, entry in found.items():
        # What a run writes must never be what the next one reads.
        if any(relative.startswith(each) for each in written):
            continue
        if not any(_left_out(part) for part in relative.split("/")):
            yield Listed(relative, filesystem.unstrip_protocol(entry))
