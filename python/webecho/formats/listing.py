"""Files that a name stands for: those of a folder or glob, by the bytes of their paths.

So page numbers depend on neither the file system nor the locale. Hidden files and what webecho
itself wrote are passed over; what cannot be read is listed with its trouble (`entries.py`).
"""

import glob
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.entries import Listed, Trouble, by_bytes, entry_at, is_left_out, walked
from webecho.workspace.layout import ENDING, is_workspace

# In a glob: any folders, and all in them.
_ANY = "**"


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
        with files.reaching(name):
            return is_workspace(Path(files.local_path(name)))
    if files.kind(f"{name}/manifest.json") != "file":
        return False
    return any(files.kind(f"{name}/{each}") is not None for each in ("run.json", "sketches"))


def _globbed(pattern: str) -> list[Listed]:
    if _ANY in pattern.split("/") and not files.is_remote(pattern):
        return _below(pattern)
    fixed = []
    for part in pattern.split("/")[:-1]:
        if has_glob(part):
            break
        fixed.append(part)
    root = "/".join([*fixed, ""])
    found = []
    for match in matching(pattern):
        if match.endswith(ENDING):
            continue
        relative = match.removeprefix(root)
        what = files.kind(match) if files.is_remote(match) else entry_at(files.local_path(match))
        if what == "folder" and not holds_workspace(match):
            inside = files_under(match)
            found += [
                Listed(f"{relative}/{file.relative}", file.name, file.trouble) for file in inside
            ]
        elif what == "file":
            found.append(Listed(relative, match))
        elif isinstance(what, Trouble):
            found.append(Listed(relative, match, what))
    # A pattern may match both a folder and what is in it.
    unique = {file.name: file for file in found}
    return sorted(unique.values(), key=lambda file: by_bytes(file.relative))


def _below(pattern: str) -> list[Listed]:
    """The files that a pattern with `**` stands for. Python's own would go round in links."""
    parts = pattern.split("/")
    at = next(number for number, part in enumerate(parts) if has_glob(part))
    root, rest = "/".join(parts[:at]), parts[at:]
    folder = root or ("/" if pattern.startswith("/") else ".")
    if entry_at(files.local_path(folder)) != "folder":
        return []
    prefix = f"{root}/" if at else ""
    return [
        Listed(file.relative, prefix + file.relative, file.trouble)
        for file in files_under(folder)
        if matches(file.relative.split("/"), rest)
    ]


def matches(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the parts of a path, or of a folder that it lies in, are as those of a pattern."""
    # Where in the pattern one may be after each part, so that no path takes long.
    now = _reached({0}, pattern)
    for part in path:
        if len(pattern) in now:
            return True
        now = _reached(
            {
                at if pattern[at] == _ANY else at + 1
                for at in now
                if pattern[at] == _ANY or fnmatchcase(part, pattern[at])
            },
            pattern,
        )
    return len(pattern) in now


def _reached(places: set[int], pattern: Sequence[str]) -> set[int]:
    """The places, and those behind a `**` that stands for no folder."""
    found = set(places)
    for at in range(len(pattern)):
        if at in found and pattern[at] == _ANY:
            found.add(at + 1)
    return found


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
            found = glob.glob(files.local_path(pattern))  # noqa: PTH207 keeps names as typed
    return sorted(found, key=by_bytes)


def files_under(folder: str) -> list[Listed]:
    """All files in the folder and its folders, by the bytes of their relative paths.

    Hidden files and folders, and webecho's own workspaces (`*.echo`), are left out.
    """
    with files.reaching(folder):
        remote = files.is_remote(folder)
        found = [*(_walk_remote(folder) if remote else walked(files.local_path(folder)))]
    return sorted(found, key=lambda listed: by_bytes(listed.relative))


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
        if not any(is_left_out(part) for part in relative.split("/")):
            yield Listed(relative, filesystem.unstrip_protocol(entry))
