"""The index of what was written: a sorted CDXJ file over all its archives."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from webecho.formats.captures import capture_lines
from webecho.formats.detection import by_ending
from webecho.formats.records import layout_of
from webecho.run import Run

INDEX = "index.cdxj"
_SOME = 1 << 14
_LINES = pa.schema([("line", pa.binary())])


def write_index(written: Sequence[Path], data: Path, out: Path, run: Run) -> tuple[int, list[str]]:
    """Writes the index of the archives among these files below the folder `data`; gives the number
    of its lines, and in words what could not be indexed. WACZ files have their own."""
    archives = [file for file in written if by_ending(file.name) == "warc"]
    lost: list[str] = []

    def lines() -> Iterator[pa.RecordBatch]:
        held: list[bytes] = []
        for archive in archives:
            for line in _lines(archive, archive.relative_to(data).as_posix(), lost):
                held.append(line)
                if len(held) == _SOME:
                    yield pa.record_batch([pa.array(held, pa.binary())], schema=_LINES)
                    held = []
        yield pa.record_batch([pa.array(held, pa.binary())], schema=_LINES)

    count = 0
    with run.database() as database, out.open("wb") as made:
        database.add("lines", pa.RecordBatchReader.from_batches(_LINES, lines()))
        for batch in database.batches("SELECT line FROM lines ORDER BY line NULLS LAST", _SOME):
            made.writelines(batch["line"].to_pylist())
            count += len(batch)
    return count, lost


def _lines(archive: Path, name: str, lost: list[str]) -> Iterator[bytes]:
    with archive.open("rb") as file:
        layout = layout_of(file)
        if layout.arc or layout.numbering == "stream":
            why = "an ARC file" if layout.arc else "compressed as a whole; try: warcio recompress"
            lost.append(f"{name}: not in the index, for it is {why}")
            return
        yield from capture_lines(file, layout, name)
