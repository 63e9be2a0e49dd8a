"""Parquet files with bytes changed at random, read in processes of their own.

    python -m tests.formats.parquet_mutants FOLDER SEED COUNT

prints a line for each that ended otherwise than in pages, skipped records or an error of ours, and
at the end how many were tried. A process is forked for each from one that has loaded all it needs
and started no thread.
"""

import os
import random
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.errors import WebechoError
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.limits import limits_within
from webecho.read.parquet import ParquetSource

MOST = 4 << 30  # bytes that a reader may reserve
SECONDS = 30
TEXTS = [f"page {number} has some words of its own, {number * 7}" for number in range(60)]


def seeds() -> list[bytes]:
    """Files of different kinds, as small as their kinds allow."""
    plain = pa.table({"url": [f"http://a.example/{n}" for n in range(60)], "text": TEXTS})
    more = pa.table(
        {
            "id": pa.array(range(60), pa.int32()),
            "text": pa.array(TEXTS, pa.large_string()),
            "date": pa.array(range(60), pa.timestamp("us", tz="UTC")),
            "tags": [["a", "b"][: n % 3] for n in range(60)],
            "meta": [{"lang": "en", "score": n / 2} for n in range(60)],
        }
    )
    kinds: list[tuple[pa.Table, dict[str, object]]] = [
        (plain, {"compression": "none", "use_dictionary": False}),
        (plain, {"compression": "zstd", "row_group_size": 20}),
        (more, {"compression": "snappy", "data_page_version": "2.0"}),
        (more, {"compression": "gzip", "store_schema": False, "row_group_size": 25}),
        (plain.replace_schema_metadata({"a": "b"}), {"write_page_checksum": True}),
    ]
    made = []
    for table, settings in kinds:
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, **settings)
        made.append(sink.getvalue().to_pybytes())
    return made


def mutant(whole: bytes, chance: random.Random) -> bytes:
    """The file with some bytes changed, mostly of its footer, whose length is then made right."""
    length = int.from_bytes(whole[-8:-4], "little")
    start = len(whole) - 8 - length
    body, footer = bytearray(whole[:start]), bytearray(whole[start:-8])
    right = chance.random() < 0.9
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        where = footer if chance.random() < 0.8 else body
        change(where, chance)
    size = len(footer) if right else chance.randrange(1 << 32)
    return bytes(body) + bytes(footer) + size.to_bytes(4, "little") + whole[-4:]


def change(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(data))
    match chance.randrange(6):
        case 0:
            data[at] ^= 1 << chance.randrange(8)
        case 1:
            data[at] = chance.randrange(256)
        case 2:
            # The longest number that there is, or one of an odd size.
            data[at : at + 1] = b"\xff" * chance.randrange(1, 10) + b"\x7f"
        case 3:
            del data[at : at + chance.randrange(1, 9)]
        case 4:
            data[at:at] = chance.randbytes(chance.randrange(1, 9))
        case 5:
            other = chance.randrange(len(data))
            size = chance.randrange(1, 33)
            data[at : at + size] = data[other : other + size]


def read(path: Path) -> None:
    """All that readers do with a file."""
    for memory in (None, 300_000_000):
        source = open_collection([str(path)], ReadOptions(), limits_within(memory)).sources[0]
        assert isinstance(source, ParquetSource)
        source.stamp()
        source.span()
        source.breaks(1 << 10)
        places: list[int] = []
        for batch in source.batches():
            places += batch.pages["place"].to_pylist()
        if places:
            source.read(places[:1])
            source.read(places[-3:])
        source.close()


def ended(work: Callable[[], None]) -> str:
    """How the work ended in a process of its own; nothing if as it should."""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST, MOST))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(SECONDS)
        # What libraries say when they abort is told by the signal.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        code = 0
        try:
            work()
        except WebechoError:
            pass
        except BaseException:
            code = 3
            os.write(into, traceback.format_exc()[-4000:].encode(errors="replace"))
        os._exit(code)
    os.close(into)
    with os.fdopen(out, "rb") as told:
        said = told.read().decode(errors="replace")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status < 0:
        return f"signal {signal.Signals(-status).name}"
    return said


def tried(folder: Path, seed: int, count: int) -> list[str]:
    """What went wrong, a line for each mutant."""
    files = seeds()
    path = folder / "mutant.parquet"
    wrong = []
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        path.write_bytes(mutant(files[number % len(files)], chance))
        how = ended(lambda: read(path))
        if how:
            path.rename(folder / f"{seed}-{number}.parquet")
            wrong.append(f"{seed}-{number}: {how.strip()}")
    return wrong


if __name__ == "__main__":
    pa.set_cpu_count(1)
    found = tried(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
    for line in found:
        print(line)
    print(f"{sys.argv[3]} tried, {len(found)} wrong")
