"""The type of the ids in a workspace: whole numbers if all that are there are such, else text.

As long as no input has ids the type is open (`none`), and the column, all null, is written as text.
Should numbers be appended later, the parts before them are written anew, so that they are the same
bytes as if all had been sketched at once.
"""

from dataclasses import replace

import pyarrow as pa

from webecho.read.collection import Collection
from webecho.workspace.schemas import NO_IDS, sketch_schema
from webecho.workspace.table_files import TableWriter
from webecho.workspace.workspace import Workspace


def id_type(collection: Collection) -> str:
    """Whole numbers if all sources that have ids declare them so; only tables declare types."""
    types = [source.id_type for each in collection.inputs for source in each.sources]
    whole = [
        pa.types.is_integer(each) and each != pa.uint64() for each in types if each is not None
    ]
    if not whole:
        return NO_IDS
    return "int64" if all(whole) else "string"


def settle_ids(workspace: Workspace, new: str) -> list[TableWriter]:
    """Decides the type that was open; gives the parts that are written anew, still aside.

    They may get their names once the manifest, which has their checksums, is saved.
    """
    manifest = workspace.manifest
    if manifest.id_type != NO_IDS or new == NO_IDS:
        return []
    manifest.id_type = new
    schema = sketch_schema(manifest.columns, new)
    if schema == sketch_schema(manifest.columns, NO_IDS):
        return []
    written = []
    for number, part in enumerate(manifest.parts):
        if "sketches" in part.files:
            writer = TableWriter(workspace.part_file("sketches", number))
            for batch in workspace.part_batches("sketches", number, schema.names):
                writer.write(pa.Table.from_batches([batch]).cast(schema))
            files = part.files | {"sketches": writer.complete()}
            manifest.parts[number] = replace(part, files=files)
            written.append(writer)
    return written
