"""*Edge list*: a file with two columns, what links and what it links to: addresses, or hosts.

CSV, TSV or Parquet, as it is or compressed (gzip, zstd). The columns are `source` and `target`, or
`from` and `to`; where nothing is called so, the first two, and the file has no header.
"""

import csv
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.packing import SHORT_WINDOW, DamagedError, unpacked
from webecho.formats.parquet import open_parquet, short_rows
from webecho.read.streams import readable_twice

NAMES = (("source", "target"), ("from", "to"))
_BLOCK = 4 << 20


@dataclass
class EdgeCounts:
    """What became of the rows of an edge list."""

    rows: int = 0
    # Too few or too many columns, or an end that is empty.
    bad: int = 0


def edges(name: str, counts: EdgeCounts) -> Iterator[pa.Table]:
    """Tables of `source` and `target` as text, some rows at a time, counted on the way."""
    if files.kind(name) not in ("file", "stream"):
        raise InputError(f"{name}: no such file; give an edge list in CSV, TSV or Parquet")
    with readable_twice(name) as there, files.open_file(there) as file:
        head = file.read(4)
        file.seek(0)
        found = _of_parquet(name, file) if head == b"PAR1" else _of_text(name, file, counts)
        for table in found:
            whole = pc.and_(*(_is_there(table[column]) for column in ("source", "target")))
            kept = table.filter(whole)
            counts.rows += len(table)
            counts.bad += len(table) - len(kept)
            yield kept


def _is_there(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.fill_null(pc.not_equal(column, ""), False)


def _of_parquet(name: str, file: Any) -> Iterator[pa.Table]:
    with _readable(name):
        titles = open_parquet(file, name).schema_arrow.names
        columns = _named(titles) or titles[:2]
        _check(name, columns)
        for batch in short_rows(file, name, columns):
            ends = [batch[column].cast(pa.string()) for column in columns]
            yield pa.table(ends, names=["source", "target"])


def _of_text(name: str, file: Any, counts: EdgeCounts) -> Iterator[pa.Table]:
    blocks = unpacked(file, SHORT_WINDOW)
    with _readable(name):
        first = next(blocks, b"")
    line = first.split(b"\n", 1)[0].decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r")
    sign = _parting(line)
    if sign is None:
        raise InputError(
            f"{name}: the first line has one column; an edge list has two, parted by a tab or a "
            "comma"
        )
    with _readable(name):
        fields = line.split(sign) if sign == "\t" else next(csv.reader([line], delimiter=sign))
    titles = [title.strip().lower() for title in fields]
    named = _named(titles)
    keep = [titles.index(title) for title in named] if named else [0, 1]

    def bad(_: pv.InvalidRow) -> str:
        counts.rows += 1
        counts.bad += 1
        return "skip"

    numbers = [str(number) for number in range(len(titles))]
    with _readable(name):
        reader = pv.open_csv(
            pa.PythonFile(_BlockFile(_as_utf8(chain([first], blocks))), "r"),
            pv.ReadOptions(column_names=numbers, skip_rows=1 if named else 0, block_size=_BLOCK),
            pv.ParseOptions(
                delimiter=sign,
                quote_char='"' if sign != "\t" else False,
                invalid_row_handler=bad,
            ),
            pv.ConvertOptions(
                column_types=dict.fromkeys(numbers, pa.string()),
                include_columns=[numbers[at] for at in keep],
                strings_can_be_null=False,
            ),
        )
        for batch in reader:
            yield pa.table(batch.columns, names=["source", "target"])


def _parting(line: str) -> str | None:
    """What parts the columns; a space only where nothing else can: addresses have none."""
    alone = line.count(" ") == 1 and not line.split(" ")[0].endswith(",")
    return next((sign for sign in ("\t", " " if alone else ",", ",") if sign in line), None)


def _as_utf8(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Text that is UTF-8; what is not is no address of ours. Arrow cannot tell of a row that is bad
    and not UTF-8."""
    decoder = getincrementaldecoder("utf-8")("replace")
    for block in blocks:
        plain = block.isascii() and not decoder.getstate()[0]
        yield block if plain else decoder.decode(block).encode()
    yield decoder.decode(b"", final=True).encode()


def _named(titles: list[str]) -> tuple[str, str] | None:
    return next((pair for pair in NAMES if all(name in titles for name in pair)), None)


def _check(name: str, columns: Any) -> None:
    if len(columns) < 2:
        raise InputError(f"{name}: has one column; an edge list has two, source and target")


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except (
        pa.ArrowInvalid,
        pa.ArrowNotImplementedError,
        csv.Error,
        DamagedError,
        OSError,
        ValueError,
    ) as error:
        raise InputError(f"{name} cannot be read as an edge list ({error}); mend it") from error


class _BlockFile:
    """Blocks of bytes as the file that Arrow reads."""

    closed = False

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._held = b""
        self._rest = blocks

    def read(self, size: int = -1) -> bytes:
        while size < 0 or len(self._held) < size:
            block = next(self._rest, None)
            if block is None:
                break
            self._held += block
        end = len(self._held) if size < 0 else size
        given, self._held = self._held[:end], self._held[end:]
        return given

    def close(self) -> None:
        self.closed = True
