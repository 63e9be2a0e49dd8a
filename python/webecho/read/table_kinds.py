"""*Kind* of a table in memory: by what it is known, how it is read as Arrow, and how what stays of
it is given back as what it was.

Libraries are known by what their things can do and by the name of their module: none of them is
loaded for that.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.detection import by_ending
from webecho.formats.listing import has_glob
from webecho.read.columns import Chosen, ColumnNames, Field, choose
from webecho.read.taking import one_array, taken_rows, taken_values

# Rows of a dataset that come one after the other are gathered by so many.
_GATHERED = 1000
# Characters of a file's name, on every file system that is in use.
_LONGEST_NAME = 255
# The only column of texts that have none.
TEXT = "text"
# What ids may be, some of them text and some numbers.
_NAMES = str | int | float


def as_table(table: pa.Table) -> Any:
    """A table of ours as it is, for who has no library for others."""
    return table


@dataclass(frozen=True)
class TableKind:
    """What is so with the tables of one library, or one kind of them."""

    fits: Callable[[Any], bool]
    # Given the thing, the columns that the user names, and what the thing is called.
    as_arrow: Callable[[Any, ColumnNames, str], pa.Table]
    # Given the thing, what it was read as, and the numbers of rows: these rows, of its kind.
    taken: Callable[[Any, pa.Table, list[int]], Any]
    # Given such a thing and a table of columns for its rows: the thing with these columns; where it
    # has no columns, the same as a table of its library's.
    added: Callable[[Any, pa.Table], Any]
    # A table of ours, as one who uses that library has tables.
    frame: Callable[[pa.Table], Any] = as_table


def kind_of(thing: object) -> TableKind | None:
    """What kind of table this is, if it is one."""
    return next((kind for kind in KINDS if kind.fits(thing)), None)


def is_table(thing: object) -> bool:
    """Whether this is a table in memory."""
    return isinstance(thing, pa.RecordBatchReader) or kind_of(thing) is not None


def is_split(thing: object) -> bool:
    """Whether this is several tables by their names, as a `datasets.DatasetDict` is."""
    return isinstance(thing, Mapping) and bool(thing) and all(map(is_table, thing.values()))


def is_texts(things: Sequence[object]) -> bool:
    """Whether strings, and nulls among them, are texts, and not the names of files.

    One that no file can be called decides for all. Else none may be there, be an address, or end as
    files do that are read here, and some must have white space if one has a slash or wildcard.
    """
    strings = [each for each in things if isinstance(each, str)]
    others = any(each is not None and not isinstance(each, str) for each in things)
    if len(things) < 2 or others or not strings:
        return False
    if any(map(_is_never_name, strings)):
        return True
    spaced = any(len(each.split()) > 1 for each in strings)
    paths = not spaced and any("/" in each or has_glob(each) for each in strings)
    return not paths and not any(map(_is_name, strings))


def _is_never_name(text: str) -> bool:
    """Whether no file is called so: texts of people have line breaks, and names have not."""
    if "\n" in text:
        return not _is_there(text)
    return not files.is_remote(text) and max(map(len, text.split("/"))) > _LONGEST_NAME


def _is_name(text: str) -> bool:
    named = files.is_remote(text) or text == "-" or by_ending(text) is not None
    return named or _is_there(text)


def _is_there(text: str) -> bool:
    try:
        return os.path.lexists(text)
    except ValueError:
        # No file has a zero byte in its name.
        return False


def is_records(things: Sequence[object]) -> bool:
    """Whether these are rows: dictionaries of values by the names of columns."""
    return bool(things) and all(isinstance(each, dict) and not is_split(each) for each in things)


def _records_as_arrow(rows: Any, given: ColumnNames, name: str) -> pa.Table:
    """Of the chosen columns; rows that lack one have a null there."""
    names = _record_names(rows)
    odd = next((each for each in names if not isinstance(each, str)), None)
    if odd is not None:
        raise InputError(f"{name}: {odd!r} is no name of a column; give names that are text")
    chosen = _chosen(names, given, name)
    columns = {path[0] for path in chosen.paths}
    return pa.table(
        {each: _values(rows, each, name, chosen.id == (each,)) for each in names if each in columns}
    )


def _record_names(rows: Any) -> list[Any]:
    return [*dict.fromkeys(column for row in rows for column in row)]


def _values(rows: Any, column: str, name: str, are_ids: bool) -> pa.Array:
    values = [row.get(column) for row in rows]
    try:
        return _strings(values)
    except (pa.ArrowException, OverflowError) as error:
        if are_ids and all(isinstance(each, _NAMES | None) for each in values):
            # One that is text makes all of them text, as in JSON lines.
            texts = [each if isinstance(each, str | None) else json.dumps(each) for each in values]
            return _strings(texts)
        raise InputError(
            f"{name}: the values of {column!r} make no column: {error}; give all the same type"
        ) from error


def _records_added(rows: Any, columns: pa.Table) -> Any:
    more = columns.to_pylist()
    return type(rows)(row | some for row, some in zip(rows, more, strict=True))


def _library(thing: object) -> str:
    return type(thing).__module__.partition(".")[0]


def _is_pandas(thing: object) -> bool:
    return _library(thing) == "pandas" and hasattr(thing, "iloc")


def _pandas_as_arrow(frame: Any, given: ColumnNames, name: str) -> pa.Table:
    if frame.ndim == 1:
        return pa.table({TEXT: _strings(frame.array)})
    chosen = _chosen_columns([str(column) for column in frame.columns], given, name)
    kept = frame[[column for column in frame.columns if str(column) in chosen]]
    try:
        return pa.Table.from_pandas(kept, preserve_index=False)
    except UnicodeEncodeError:
        return pa.table({str(column): _strings(kept[column].array) for column in kept.columns})


def _chosen_columns(names: Sequence[str], given: ColumnNames, name: str) -> set[str]:
    """The columns that are read; others may hold objects that Arrow has no type for."""
    return {path[0] for path in _chosen(names, given, name).paths}


def _chosen(names: Sequence[str], given: ColumnNames, name: str) -> Chosen:
    inner = [tuple(each.split(".")) for each in given.named if "." in each]
    return choose([Field(path) for path in (*((each,) for each in names), *inner)], given, name)


def _strings(values: Any) -> pa.Array:
    """The values as Arrow has them; halves of characters in strings become replacement signs."""
    try:
        return pa.array(values, from_pandas=True)
    except UnicodeEncodeError:
        return pa.array([_whole(value) for value in values], from_pandas=True)


def _whole(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _polars_as_arrow(frame: Any, _: ColumnNames, __: str) -> pa.Table:
    if hasattr(frame, "to_frame"):
        return pa.table(frame.rename(TEXT).to_frame())
    return pa.table(frame.collect() if hasattr(frame, "collect") else frame)


def _polars_taken(frame: Any, _: pa.Table, rows: list[int]) -> Any:
    return frame.collect()[rows].lazy() if hasattr(frame, "collect") else frame[rows]


def _as_polars(table: pa.Table) -> Any:
    import polars

    return polars.from_arrow(table)


def _is_dataset(thing: object) -> bool:
    return _library(thing) == "datasets" and hasattr(thing, "with_format")


def _dataset_as_arrow(dataset: Any, _: ColumnNames, __: str) -> pa.Table:
    if not hasattr(dataset, "data"):
        gathered = dataset.with_format("arrow").iter(batch_size=_GATHERED)
        return pa.concat_tables(gathered)
    # Its table, unless it was shuffled or filtered since.
    if dataset._indices is None:
        return dataset.data.table
    return dataset.with_format("arrow")[:]


def _dataset_taken(dataset: Any, arrow: pa.Table, rows: list[int]) -> Any:
    if hasattr(dataset, "data"):
        return dataset.select(rows)
    # Its rows have come; what stays comes in the same way.
    taken = _as_dataset(taken_rows(arrow, rows))
    # Without rows there is nothing that could be iterated over in the library's eyes.
    return (
        taken.to_iterable_dataset()
        if rows
        else type(dataset).from_generator(_no_rows, features=taken.features)
    )


def _no_rows() -> Iterator[dict[str, Any]]:
    return iter(())


def _as_dataset(table: pa.Table) -> Any:
    import datasets

    return datasets.Dataset(table)


def _exported(thing: Any, _: ColumnNames, name: str) -> pa.Table:
    """What can say itself that it is a table."""
    if hasattr(thing, "__arrow_c_stream__"):
        return pa.table(thing)
    found = thing.to_arrow()
    if isinstance(found, pa.Table | pa.RecordBatchReader):
        return found if isinstance(found, pa.Table) else found.read_all()
    raise InputError(
        f"{name}: a {type(thing).__module__}.{type(thing).__qualname__} does not become a table; "
        "give it as a pyarrow.Table"
    )


def _texts_added(texts: Any, columns: pa.Table) -> pa.Table:
    return _arrow_added(pa.table({TEXT: texts}), columns)


def _arrow_added(table: Any, columns: pa.Table) -> Any:
    for field, column in zip(columns.schema, columns.columns, strict=True):
        table = table.append_column(field, column)
    return table


def _batch_added(batch: pa.RecordBatch, columns: pa.Table) -> pa.RecordBatch:
    table = _arrow_added(pa.Table.from_batches([batch]), columns).combine_chunks()
    return next(iter(table.to_batches()), pa.RecordBatch.from_pylist([], table.schema))


def _pandas_added(frame: Any, columns: pa.Table) -> Any:
    whole = frame.to_frame(TEXT if frame.name is None else frame.name) if frame.ndim == 1 else frame
    more = columns.to_pandas()
    return whole.assign(**{name: more[name].array for name in more.columns})


def _polars_added(frame: Any, columns: pa.Table) -> Any:
    if hasattr(frame, "collect"):
        return _polars_added(frame.collect(), columns).lazy()
    whole = frame.to_frame() if hasattr(frame, "to_frame") else frame
    return whole.hstack(_as_polars(columns))


def _dataset_added(dataset: Any, columns: pa.Table) -> Any:
    for name in columns.column_names:
        dataset = dataset.add_column(name, columns[name].to_pylist())
    return dataset


def column_names(thing: Any, arrow: pa.Table) -> list[str]:
    """The names of the columns of a table, given what was read of it."""
    if _library(thing) in ("pandas", "polars") and hasattr(type(thing), "columns"):
        named = thing.collect_schema().names() if hasattr(thing, "collect") else thing.columns
        return [str(name) for name in named]
    if isinstance(thing, list | tuple) and is_records(thing):
        return _record_names(thing)
    return list(getattr(thing, "column_names", None) or arrow.column_names)


def _arrow_taken(_: Any, arrow: pa.Table, rows: list[int]) -> pa.Table:
    return taken_rows(arrow, rows)


def _batch_taken(batch: pa.RecordBatch, _: pa.Table, rows: list[int]) -> pa.RecordBatch:
    columns = taken_rows(pa.Table.from_batches([batch]), rows).columns
    return pa.RecordBatch.from_arrays([one_array(each) for each in columns], schema=batch.schema)


def _texts_taken(texts: Any, _: pa.Table, rows: list[int]) -> Any:
    if isinstance(texts, pa.ChunkedArray):
        return taken_values(texts, rows)
    return one_array(taken_values(pa.chunked_array([texts]), rows))


# The first that fits.
KINDS = (
    TableKind(
        lambda thing: isinstance(thing, pa.Table),
        lambda table, _, __: table,
        _arrow_taken,
        _arrow_added,
    ),
    TableKind(
        lambda thing: isinstance(thing, pa.RecordBatch),
        lambda batch, _, __: pa.Table.from_batches([batch]),
        _batch_taken,
        _batch_added,
    ),
    TableKind(
        lambda thing: isinstance(thing, pa.Array | pa.ChunkedArray),
        lambda texts, _, __: pa.table({TEXT: texts}),
        _texts_taken,
        _texts_added,
    ),
    TableKind(
        _is_pandas,
        _pandas_as_arrow,
        lambda frame, _, rows: frame.iloc[rows],
        _pandas_added,
        lambda table: table.to_pandas(),
    ),
    TableKind(
        lambda thing: _library(thing) == "polars" and hasattr(thing, "head"),
        _polars_as_arrow,
        _polars_taken,
        _polars_added,
        _as_polars,
    ),
    TableKind(_is_dataset, _dataset_as_arrow, _dataset_taken, _dataset_added, _as_dataset),
    TableKind(
        lambda thing: isinstance(thing, list | tuple) and is_texts(thing),
        lambda texts, _, __: pa.table({TEXT: _strings(texts)}),
        lambda texts, _, rows: type(texts)(texts[row] for row in rows),
        lambda texts, columns: _texts_added(_strings(texts), columns),
    ),
    TableKind(
        lambda thing: isinstance(thing, list | tuple) and is_records(thing),
        _records_as_arrow,
        lambda rows, _, numbers: type(rows)(rows[row] for row in numbers),
        _records_added,
        lambda table: table.to_pylist(),
    ),
    TableKind(
        lambda thing: hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "to_arrow"),
        _exported,
        _arrow_taken,
        _arrow_added,
    ),
)
