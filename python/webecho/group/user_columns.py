"""What columns of the user's say of pages: the sketches have lists, with a value from each column
that was named when the input was read."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.workspace.workspace import Workspace


def user_values(workspace: Workspace, kind: str, column: str) -> Iterator[pa.Array]:
    """What a column says of all pages in order, some at a time: `by`, `values` or `ranked`. Null
    for pages of inputs that were read without it."""
    manifest = workspace.manifest
    for number, part in enumerate(manifest.parts):
        if "sketches" not in part.files:
            continue
        named = manifest.inputs[part.input]["options"]["columns"].get(kind, ())
        for batch in workspace.part_batches("sketches", number, [kind]):
            lists = batch[kind]
            if column in named:
                yield pc.list_element(lists, named.index(column))
            else:
                yield pa.nulls(len(lists), lists.type.value_type)
