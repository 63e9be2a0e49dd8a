"""*Recompression*: a file that came out larger than it was is written again, at levels that take
longer than all else that is done with it.

zstd writes 3 and 2 MB a second and core at 19 and 22, the highest levels without and with a window
that readers must allow. So a file that was compressed so hard is written with the highest of the
quick levels, and mostly is smaller than it was, since some of it is gone; only where it is not, the
lowest of the slow ones is taken at which it is.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from webecho.formats.packing import Packing, packed, unpacked
from webecho.formats.parquet import STEP_ROWS, Writer
from webecho.write.parquet_levels import AS_LARGE, column_sizes, held_by_zstd

SLOW_LEVELS: Mapping[str, tuple[int, ...]] = {
    "zstd": (19, 22),
    "brotli": (11,),
    "gzip": (9,),
    "lz4": (9, 12),
}
_ASIDE = ".harder"
# Bytes that a file may grow by, however small it is: headers, and pages that are cut otherwise.
_SLACK = 512


def smaller_parquet(
    out: Path, before: Mapping[str, int], options: Mapping[str, Any], memory: int
) -> None:
    """Writes the file again, with these options but for its levels, as long as its columns take
    more bytes than they did `before`, by their paths, and a level is left for which there is
    memory."""
    codecs, usual = options.get("compression", {}), options.get("compression_level", {})
    sizes = _sizes(out)
    slow = {
        path: slow_levels(codecs[path], memory)
        for path in usual
        if sizes[path] > before.get(path, 0) * AS_LARGE
    }

    def grown() -> bool:
        now = _sizes(out)
        return sum(now[path] for path in before) > _enough(sum(before.values()))

    def at(step: int) -> dict[str, Any]:
        harder = {path: of[min(step, len(of) - 1)] for path, of in slow.items() if of}
        return {**options, "compression_level": {**usual, **harder}}

    def write(step: int, aside: Path) -> None:
        with (
            out.open("rb") as written,
            aside.open("wb") as copy,
            pq.ParquetFile(written) as file,
            Writer(copy, file.schema_arrow, **at(step)) as writer,
        ):
            for group in range(file.num_row_groups):
                batches = file.iter_batches(STEP_ROWS, row_groups=[group], use_threads=False)
                rows = pa.Table.from_batches(batches, file.schema_arrow)
                writer.write_table(rows, row_group_size=max(len(rows), 1))

    _harder(out, range(max(map(len, slow.values()), default=0)), grown, write)


def smaller_lines(out: Path, packing: Packing, before: int, memory: int) -> None:
    """Writes the compressed file again, as long as it takes more bytes than `before`
    and a level is left for which there is memory."""

    def grown() -> bool:
        return out.stat().st_size > _enough(before)

    def write(slow: int, aside: Path) -> None:
        with out.open("rb") as file, aside.open("wb") as copy:
            if packing == "zstd":
                # In one frame, for the hardest find what is farther apart than a usual one is long.
                size = sum(map(len, unpacked(file)))
                file.seek(0)
                pack = zstandard.ZstdCompressor(slow, write_checksum=True).compressobj(size)
                copy.writelines(pack.compress(block) for block in unpacked(file))
                copy.write(pack.flush())
            else:
                copy.writelines(packed(unpacked(file), packing, slow))

    _harder(out, slow_levels(packing, memory), grown, write)


def _harder(
    out: Path,
    levels: Sequence[int],
    grown: Callable[[], bool],
    write: Callable[[int, Path], None],
) -> None:
    """Writes a file anew at one level after the other, until it has not grown. What a level comes
    to is not foreseen on some of it: the slow ones find what is far apart."""
    aside = out.with_name(out.name + _ASIDE)
    for level in levels:
        if not grown():
            return
        try:
            write(level, aside)
            aside.replace(out)
        finally:
            aside.unlink(missing_ok=True)


def _enough(before: int) -> int:
    return round(before * AS_LARGE) + _SLACK


def slow_levels(codec: str, memory: int) -> tuple[int, ...]:
    """Those for which there is memory."""
    known = SLOW_LEVELS.get(codec, ())
    return tuple(level for level in known if codec != "zstd" or held_by_zstd(level) <= memory)


def _sizes(out: Path) -> Counter[str]:
    with out.open("rb") as written, pq.ParquetFile(written) as file:
        return column_sizes(file.metadata)
