"""Columns that hold the numbers of their values in a dictionary, such as categories."""

import pyarrow as pa

# Arrow takes nothing out of views.
_PLAIN = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}


def decoded(column: pa.Array) -> pa.Array:
    """The values themselves."""
    plain = _PLAIN.get(column.type.value_type)
    if plain is None:
        return column.dictionary_decode()
    return column.dictionary.cast(plain).take(column.indices)
