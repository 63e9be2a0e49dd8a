"""*Checksum*: by what a file is known to be what was written.

Parts have theirs in the manifest: the SHA-256, which `sha256sum` too can tell, and XXH3, which is
looked at whenever a verb first reads a part, for it takes next to no time. A file that stands by
itself has a *seal*: the XXH3 of all its other bytes and of its name in the workspace, which it
carries in itself, so that there is no moment at which the two do not agree; JSON in the value of
`checksum`, Parquet in its footer. What is written as a folder at once has them in a list, see
`listed.py`.
"""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webecho import _core
from webecho.errors import WorkspaceError
from webecho.workspace.json_files import json_bytes
from webecho.workspace.mirror import fetch

# What a seal's place holds until it is known, and what stands before it: in JSON, and in the footer
# of a Parquet file, where a field of 32 bytes follows.
EMPTY = b"0" * 32
IN_JSON = b'\n "checksum": "'
KEY = b"webecho.checksum"
IN_PARQUET = KEY + b"\x18\x20"
# The length of the footer and the last magic bytes of a Parquet file.
TAIL = 8


@dataclass(frozen=True)
class Checksum:
    """That of a file, twice."""

    sha256: str
    xxh3: str

    @classmethod
    def of(cls, file: Path) -> "Checksum":
        fetch(file)
        with file.open("rb") as content:
            sha256 = hashlib.file_digest(content, "sha256").hexdigest()
        return cls(sha256, _core.file_checksum(file))

    def fits(self, file: Path) -> bool:
        """Whether the file is there and is what was written."""
        fetch(file)
        return file.is_file() and _core.file_checksum(file) == self.xxh3


def sealed_json(values: dict[str, Any], name: str) -> bytes:
    """The JSON of an object, with its seal."""
    content = json_bytes(values | {"checksum": EMPTY.decode()})
    seal = seal_of(name, _core.checksum_of(content))
    before, _, after = content.rpartition(IN_JSON + EMPTY)
    return before + IN_JSON + seal + after


def is_sealed_json(content: bytes, name: str) -> bool:
    """Whether these are the bytes that were written under this name."""
    place = place_in_json(content)
    if place is None:
        return False
    emptied = content[:place] + EMPTY + content[place + 32 :]
    return content[place : place + 32] == seal_of(name, _core.checksum_of(emptied))


def place_in_json(content: bytes) -> int | None:
    """Where the seal stands."""
    found = content.rfind(IN_JSON)
    return None if found < 0 else found + len(IN_JSON)


def seal_table(file: Path, name: str) -> None:
    """Writes the seal into a Parquet file that has a place for it."""
    place = place_in_table(file)
    if place is None:
        raise ValueError(f"{file}: no place for a seal")
    with file.open("rb+") as content:
        content.seek(place)
        content.write(seal_of(name, _core.file_checksum(file, (place, place + 32))))


def is_sealed_table(file: Path, name: str) -> bool:
    """Whether a Parquet file is what was written under this name."""
    place = place_in_table(file)
    if place is None:
        return False
    with file.open("rb") as content:
        content.seek(place)
        seal = content.read(32)
    return seal == seal_of(name, _core.file_checksum(file, (place, place + 32)))


def place_in_table(file: Path) -> int | None:
    """Where the seal stands in a Parquet file."""
    with file.open("rb") as content:
        size = content.seek(0, os.SEEK_END)
        content.seek(max(0, size - TAIL))
        length = int.from_bytes(content.read(4), "little")
        if length + TAIL > size:
            return None
        content.seek(size - TAIL - length)
        footer = content.read(length)
    found = footer.rfind(IN_PARQUET)
    return None if found < 0 else size - TAIL - length + found + len(IN_PARQUET)


def check_table(file: Path, name: str, fix: str) -> None:
    """Refuses a Parquet file that is not what was written under this name."""
    fetch(file)
    try:
        whole = is_sealed_table(file, name)
    except OSError as error:
        raise WorkspaceError(f"{file} cannot be read ({error}); {fix}") from error
    if not whole:
        raise damaged(file, fix)


def read_sealed_json(file: Path, name: str, fix: str) -> Any:
    """What a JSON file says that is what was written under this name."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise WorkspaceError(f"{file} cannot be read ({error}); {fix}") from error
    if not is_sealed_json(content, name):
        raise damaged(file, fix)
    return json.loads(content)


def damaged(file: Path, fix: str) -> WorkspaceError:
    """What is said of a file whose checksum is another."""
    return WorkspaceError(f"{file} cannot be read (it is not what was written there); {fix}")


def seal_of(name: str, checksum: str) -> bytes:
    return _core.checksum_of(f"{name} {checksum}".encode()).encode()
