"""The pages of a workspace that a dedup has removed: its later uses pass them over. Each is noted
with the page that stays for it, where there is one, so that it can be counted how often a content
was seen."""

import hashlib

import pyarrow as pa
import pyarrow.compute as pc

from webecho.workspace.mapped import BLOCK
from webecho.workspace.workspace import Workspace

# `kept_page` is null for a page that was dropped, and −1 − n for page n of an earlier workspace.
REMOVED = pa.schema([("page", pa.int64()), ("kept_page", pa.int64())])


def removed_table(workspace: Workspace) -> pa.Table:
    """The pages that a dedup of this workspace has removed, with those that stay for them."""
    if workspace.manifest.removed is None:
        return REMOVED.empty_table()
    file = workspace.path / workspace.manifest.removed
    return workspace.one_file(file, "run that dedup again").read()


def removed_pages(workspace: Workspace) -> pa.Array:
    """The pages that a dedup of this workspace has removed, if there was one."""
    return removed_table(workspace)["page"].combine_chunks()


def save_removed(workspace: Workspace, pages: pa.Array, kept: pa.Array | None = None) -> None:
    """Notes which pages of the workspace a dedup has removed, and what stays for them, and saves
    the manifest, which makes it so."""
    stay = pa.nulls(len(pages), pa.int64()) if kept is None else kept.cast(pa.int64())
    table = pa.table([pages.cast(pa.int64()), stay], schema=REMOVED)
    # A name by its content: until the manifest is saved the file that it names is as it was.
    digest = hashlib.blake2b(digest_size=8)
    for column in table.columns:
        for start in range(0, len(column), BLOCK):
            # No page has the number that stands for none here.
            numbers = pc.fill_null(column.slice(start, BLOCK), -(1 << 62)).combine_chunks()
            digest.update(numbers.buffers()[1].slice(numbers.offset * 8, len(numbers) * 8))
    file = workspace.files.removed(digest.hexdigest())
    workspace.write(file, [table])
    workspace.manifest.removed = file.name
    workspace.save()
    for old in workspace.files.found_removed():
        if old != file:
            old.unlink()
