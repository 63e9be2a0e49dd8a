"""*Page table*: what is made of the contents of pages beside their sketches, for who needs it.

It lies in the workspace part by part as the sketches do, and is named in the manifest with its
checksums. A part may lack it: it was made before the table was asked for, or its file is gone.
Unlike the rest of a part it can be made again by itself, from the sources.

Rows are of pages with a content of their own: what a revisit has is that of the page it repeats.
"""

from collections.abc import Sequence
from dataclasses import replace

from webecho.workspace.schemas import PAGE_TABLE_SCHEMAS
from webecho.workspace.workspace import Workspace


def lacking(workspace: Workspace, names: Sequence[str]) -> dict[int, list[str]]:
    """Which parts lack which of the tables."""
    found = {
        number: [
            name
            for name in names
            if name not in part.files or not workspace.part_file(name, number).is_file()
        ]
        for number, part in enumerate(workspace.manifest.parts)
        if part.pages
    }
    return {number: tables for number, tables in found.items() if tables}


def forget_damaged_tables(workspace: Workspace) -> None:
    """Drops page tables that are missing or not what was written; they can be made again."""
    parts = workspace.manifest.parts
    for number, part in enumerate(parts):
        files = {
            name: digest
            for name, digest in part.files.items()
            if name not in PAGE_TABLE_SCHEMAS or fits(workspace, name, number)
        }
        if files != part.files:
            parts[number] = replace(part, files=files)


def fits(workspace: Workspace, name: str, number: int) -> bool:
    checksum = workspace.manifest.parts[number].files[name]
    return checksum is not None and checksum.fits(workspace.part_file(name, number))
