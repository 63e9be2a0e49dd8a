"""The pages of a workspace that a dedup has removed: its later uses pass them over."""

import hashlib

import pyarrow as pa

from webecho.workspace.workspace import Workspace


def removed_pages(workspace: Workspace) -> pa.Array:
    """The pages that a dedup of this workspace has removed, if there was one."""
    if workspace.manifest.removed is None:
        return pa.array([], pa.int64())
    file = workspace.path / workspace.manifest.removed
    return workspace.one_file(file, "run that dedup again").read()["page"].combine_chunks()


def save_removed(workspace: Workspace, pages: pa.Array) -> None:
    """Notes which pages of the workspace a dedup has removed, and saves the manifest, which makes
    it so."""
    numbers = pages.cast(pa.int64())
    # A name by its content: until the manifest is saved the file that it names is as it was.
    digest = hashlib.blake2b(digest_size=8)
    if len(numbers):
        digest.update(numbers.buffers()[1].slice(numbers.offset * 8, len(numbers) * 8))
    file = workspace.files.removed(digest.hexdigest())
    workspace.write(file, [pa.table({"page": numbers})])
    workspace.manifest.removed = file.name
    workspace.save()
    for old in workspace.files.found_removed():
        if old != file:
            old.unlink()
