"""Grouping on Spark where it is hardest: a long chain, a key that a million pages share, and many
pages within little memory.

    python -m bench.spark_components [--chain 100000] [--hot 1M] [--pages 10M] [--memory 4GB]

- *chain*: pages each of which is tied to the next, in a shuffled order; the number of rounds, each
  one large-star and one small-star, until components stand.
- *hot*: pages of which all have one supershingle in common, clustered by one that agrees (rule `b`,
  least 1); of the tasks that gather keys the longest beside the median.
- *pages*: planted clusters (planted.py), by `very-similar`, on `local[2]`, which must be exactly
  those; the most that Java and the Python workers held together, and what they took of processors.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from bench.environments import CACHE
from bench.measure import machine
from bench.planted import Planted
from bench.results import keep
from bench.scale import COLUMNS, make
from bench.sketches import PART, nowhere
from webecho.engine.spark.clusters import clusters
from webecho.engine.spark.components import star_rounds
from webecho.engine.spark.engine import spark_run
from webecho.engine.spark.session import sibling, start_session
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO
from webecho.sizes import in_bytes
from webecho.workspace.manifest import Part
from webecho.workspace.schemas import LIST, sketch_schema
from webecho.workspace.table_files import TableWriter
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.spark_components", description=__doc__)
    parser.add_argument("--chain", default="100000", help="pages of the chain; 0 leaves it out")
    parser.add_argument("--hot", default="1M", help="pages that share a supershingle")
    parser.add_argument("--pages", default="10M", help="planted pages")
    parser.add_argument("--memory", default="4GB", help="what an executor may hold: 4GB")
    parser.add_argument("--folder", type=Path, default=CACHE, help="where to work")
    given = parser.parse_args()
    print(machine())
    # On two cores a few partitions do, where the engine does not say how many.
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "16",
    }
    session = start_session("local[2]", settings, in_bytes(given.memory))
    found: dict[str, Any] = {}
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="spark-", dir=given.folder.resolve()) as folder:
        for name, measure in (("chain", chain), ("hot", hot), ("pages", planted)):
            count = in_bytes(getattr(given, name))
            if count:
                with most_held() as held:
                    found[name] = measure(session, Path(folder) / name, count)
                found[name]["most_held_bytes"] = max(held)
                print(name, json.dumps(found[name]), flush=True)
    session.stop()
    keep("spark_components", found)


def chain(session: "SparkSession", folder: Path, count: int) -> dict[str, Any]:
    """Rounds until a chain in shuffled order is one component."""
    folder.mkdir()
    order = np.random.default_rng(1).permutation(count)
    found = {"pages": count}
    for name, pages in (("in order", np.arange(count)), ("shuffled", order)):
        ties = {"left": pages[1:], "right": pages[:-1]}
        start = time.monotonic()
        own = sibling(session)
        frame = own.createDataFrame(pa.table(ties))
        below = folder / name.replace(" ", "-")
        below.mkdir()
        rounds = star_rounds(frame, below)
        table = rounds.ties.toArrow()
        if len(table) != count - 1 or {*table["v"].to_pylist()} != {0}:
            sys.exit(f"a chain of {count} pages is not one component")
        found |= {f"rounds {name}": rounds.rounds, f"seconds {name}": time.monotonic() - start}
    return found


def hot(session: "SparkSession", folder: Path, count: int) -> dict[str, Any]:
    """As many pages again have supershingles of their own."""
    pages = 2 * count
    values = np.random.default_rng(2).integers(-(2**63), 2**63, (pages, 6))
    values[:count, 3] = 12345
    values = values[np.random.default_rng(3).permutation(pages)]
    workspace = made(folder, values)
    before = {stage["stageId"] for stage in stages(session)}
    run = spark_run(session, 2)
    start = time.monotonic()
    found = clusters(sibling(session), workspace, rule("b", least_b=1), run)
    seconds = time.monotonic() - start
    if found.sizes.to_numpy().max() != count:
        sys.exit(f"{count} pages share a supershingle, and are not one cluster")
    later = [each for each in stages(session) if each["stageId"] not in before]
    tasks = [times(session, each) for each in later]
    return {"pages": pages, "seconds": seconds, "stages": tasks}


def made(path: Path, values: "np.ndarray[Any, np.dtype[np.int64]]") -> Workspace:
    """A workspace of pages that have these supershingles."""
    workspace = nowhere(path, WEBECHO, COLUMNS, "none")
    schema = sketch_schema(COLUMNS, "none")
    for number, first in enumerate(range(0, len(values), PART)):
        some = values[first : first + PART]
        count = len(some)
        offsets = pa.array(np.arange(0, 6 * count + 1, 6, dtype=np.int32))
        lists = pa.ListArray.from_arrays(offsets, pa.array(some.ravel()), type=LIST)
        columns = {"page": pa.array(np.arange(first, first + count)), "supershingles": lists}
        rows = {each.name: columns.get(each.name, pa.nulls(count, each.type)) for each in schema}
        writer = TableWriter(workspace.part_file("sketches", number))
        writer.write(pa.table(rows, schema=schema))
        last = first + count >= len(values)
        part = Part(first, count, 0, 0, first, last, {}, {"sketches": writer.finish()})
        workspace.manifest.parts.append(part)
    workspace.save()
    return Workspace.open(path)


def planted(session: "SparkSession", folder: Path, count: int) -> dict[str, Any]:
    folder.mkdir()
    start = time.monotonic()
    make(folder / "made-up.echo", folder / "planted", count)
    print(f"{count:,} pages made up in {time.monotonic() - start:.0f} s", flush=True)
    workspace = Workspace.open(folder / "made-up.echo")
    start, before = time.monotonic(), processor_seconds()
    found = clusters(sibling(session), workspace, rule("very-similar"), spark_run(session, 2))
    seconds, busy = time.monotonic() - start, processor_seconds() - before
    lowest, sizes = Planted.load(folder / "planted").truth()
    if not ((found.names.to_numpy() == lowest).all() and (found.sizes.to_numpy() == sizes).all()):
        sys.exit("the clusters are not those planted")
    shutil.rmtree(folder)
    return {"pages": count, "seconds": seconds, "processor_seconds": busy}


def stages(session: "SparkSession") -> list[dict[str, Any]]:
    """What Spark's own pages tell of the stages that are done."""
    context = session.sparkContext
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages?status=complete"
    with urllib.request.urlopen(url) as answer:
        found: list[dict[str, Any]] = json.load(answer)
    return found


def times(session: "SparkSession", stage: dict[str, Any]) -> dict[str, Any]:
    """How long the tasks of a stage took, in milliseconds."""
    context = session.sparkContext
    base = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages"
    url = f"{base}/{stage['stageId']}/{stage['attemptId']}/taskSummary?quantiles=0.5,1.0"
    with urllib.request.urlopen(url) as answer:
        median, longest = json.load(answer)["executorRunTime"]
    return {
        "tasks": stage["numTasks"],
        "shuffle_read_records": stage["shuffleReadRecords"],
        "median_ms": median,
        "longest_ms": longest,
        "longest_over_median": longest / median if median else None,
    }


@contextmanager
def most_held() -> Iterator[list[int]]:
    """The bytes that Java and the Python workers hold, looked at four times a second."""
    held, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.wait(0.25):
            held.append(sum(map(resident, descendants(os.getpid()))))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield held
    finally:
        stop.set()
        thread.join()


def descendants(process: int) -> list[int]:
    """The processes that this one has started, and those they have."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, left = [], parents.get(process, [])
    while left:
        found += left
        left = [child for each in left for child in parents.get(each, [])]
    return found


def processor_seconds() -> float:
    """What this process, Java and the Python workers have taken of the processors."""
    ticks = 0
    for process in (os.getpid(), *descendants(os.getpid())):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> int:
    """Its own bytes, without those of mapped files and what it shares."""
    try:
        _, held, shared, *_ = Path(f"/proc/{process}/statm").read_text().split()
    except OSError:
        return 0
    return (int(held) - int(shared)) * os.sysconf("SC_PAGESIZE")


if __name__ == "__main__":
    main()
