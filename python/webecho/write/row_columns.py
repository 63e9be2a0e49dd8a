"""More columns for the rows of tables, and what their schemas say of them, and the files in which
`datasets` notes the columns of a folder."""

import json
from pathlib import Path

import pyarrow as pa

from webecho.write.annotations import RowFeed
from webecho.write.line_columns import taken

# Where `datasets` notes the types of all columns; a file whose columns differ it does not read.
_DATASETS = b"huggingface"
# The same of all files of a folder, which `save_to_disk` writes beside a state.
_INFO, _STATE = "dataset_info.json", "state.json"
# What is raised for something else, that says nothing of columns.
_OTHER = (ValueError, KeyError, TypeError, RecursionError)


def longer_schema(name: str, schema: pa.Schema, feed: RowFeed) -> pa.Schema:
    """The schema with the columns of the feed, and metadata that knows them."""
    for each in feed.schema.names:
        if each in schema.names:
            raise taken(name, each)
    metadata = dict(schema.metadata or {})
    if _DATASETS in metadata:
        metadata[_DATASETS] = _with_features(metadata[_DATASETS], feed.schema)
    return pa.schema([*schema, *feed.schema], metadata=metadata or None)


def _with_features(noted: bytes, added: pa.Schema) -> bytes:
    try:
        found = json.loads(noted)
        _add(found["info"]["features"], added)
    except _OTHER:
        return noted
    return json.dumps(found).encode()


def tell_datasets(folder: Path, added: pa.Schema) -> None:
    """Adds the columns to what `save_to_disk` noted in this folder and those below it."""
    for file in sorted(folder.rglob(_INFO)):
        if not file.with_name(_STATE).is_file():
            continue
        try:
            found = json.loads(file.read_bytes())
            _add(found["features"], added)
        except _OTHER:
            continue
        # ASCII, for it may hold lone surrogates.
        file.write_text(json.dumps(found, indent=2), encoding="ascii")


def _add(features: dict[str, object], added: pa.Schema) -> None:
    for field in added:
        features[field.name] = {"dtype": _called(field.type), "_type": "Value"}


def _called(kind: pa.DataType) -> str:
    return {"double": "float64"}.get(str(kind), str(kind))


def longer(rows: pa.RecordBatch, columns: pa.Table) -> pa.RecordBatch:
    """The rows with these columns after their own."""
    more = [column.combine_chunks() for column in columns.columns]
    arrays = [each.chunk(0) if isinstance(each, pa.ChunkedArray) else each for each in more]
    schema = pa.schema([*rows.schema, *columns.schema], metadata=rows.schema.metadata)
    return pa.RecordBatch.from_arrays([*rows.columns, *arrays], schema=schema)
