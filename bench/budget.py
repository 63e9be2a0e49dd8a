"""Whether a dedup keeps within its memory: made-up sketches, decided and told within a budget.

    python -m bench.budget [--pages 5000000] [--memory 500MB]

The sketches are random values of which three in ten are copies, half of them exact; the pages
themselves do not exist, so that features stand in for their shingles.
"""

import argparse
import random
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from bench.measure import machine
from bench.sketches import rows_of, workspace_of
from webecho.engine.local.engine import local_run
from webecho.group.decision import DedupSettings, decide
from webecho.memory import PeakMemory
from webecho.settings import WEBECHO
from webecho.sizes import in_bytes
from webecho.workspace.workspace import Workspace
from webecho.write.results import write_results

COLUMNS = ["features", "supershingles"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.budget", description=__doc__)
    parser.add_argument("--pages", type=int, default=5_000_000)
    parser.add_argument("--memory", type=in_bytes, default=in_bytes("500MB"))
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="webecho-bench-") as folder:
        # In a process of its own: what it took is not to count.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            workspace = pool.submit(made_up, Path(folder) / "made-up.echo", given.pages).result()
        start = time.monotonic()
        with PeakMemory() as memory:
            decision = decide(
                workspace, DedupSettings(), local_run(threads=given.threads, memory=given.memory)
            )
            write_results(
                decision.pages, decision.stars, Path(folder), local_run(memory=given.memory)
            )
        seconds = time.monotonic() - start
        print(f"{given.pages:,} sketches, {len(decision.stars.removed):,} removed, {seconds:.0f} s")
        print(f"at most {memory.peak / 1e6:.0f} MB of the {given.memory / 1e6:.0f} MB allowed")


def made_up(path: Path, pages: int) -> Workspace:
    """A workspace of so many made-up sketches."""
    return workspace_of(path, pages, WEBECHO, COLUMNS, part)


def part(first: int, count: int) -> pa.Table:
    chance = random.Random(first)
    numbers = pa.array(range(first, first + count), pa.int64())
    # For each row the row it copies, or itself.
    kinds = [chance.random() for _ in range(count)]
    source = pa.array(
        [chance.randrange(row + 1) if kind < 0.3 else row for row, kind in enumerate(kinds)]
    )
    near = pa.array([kind < 0.15 for kind in kinds])
    columns = {
        "page": numbers,
        "url": pa.array(
            [f"http://h{page % 5000}.example/{page}" for page in range(first, first + count)]
        ),
        "source": pa.repeat(pa.scalar(0, pa.int32()), count),
        "place": numbers,
        "chars": pa.repeat(pa.scalar(1500, pa.int64()), count),
        "tokens": pa.repeat(pa.scalar(250, pa.int64()), count),
        "digest": digests(chance, count, source, near),
        "markup_digest": digests(chance, count, source, near),
        "features": features(chance, count, WEBECHO.m, source, near),
        "supershingles": features(chance, count, WEBECHO.supershingles, source, near),
    }
    return rows_of(columns, COLUMNS, count)


def digests(chance: random.Random, count: int, source: pa.Array, near: pa.Array) -> pa.Array:
    drawn = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(16), count, [None, pa.py_buffer(chance.randbytes(16 * count))]
    )
    return pc.if_else(near, drawn, drawn.take(source)).cast(pa.binary())


def features(
    chance: random.Random, count: int, m: int, source: pa.Array, near: pa.Array
) -> pa.Array:
    drawn = pa.Array.from_buffers(
        pa.int64(), count * m, [None, pa.py_buffer(chance.randbytes(8 * count * m))]
    )
    copied = pc.list_flatten(pa.FixedSizeListArray.from_arrays(drawn, m).take(source))
    # Of a near copy about one feature in sixteen is another.
    other = pc.equal(pc.bit_wise_and(drawn, 15), 0)
    is_near = near.take(pa.array([row for row in range(count) for _ in range(m)], pa.int32()))
    values = pc.if_else(pc.and_(is_near, other), pc.bit_wise_xor(copied, 1 << 40), copied)
    offsets = pa.array(range(0, count * m + 1, m), pa.int32())
    return pa.ListArray.from_arrays(offsets, values).cast(pa.list_(pa.field("element", pa.int64())))


if __name__ == "__main__":
    main()
