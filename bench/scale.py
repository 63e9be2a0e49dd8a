"""Clustering as many sketches as Fetterly 2004 had: time and memory against size.

    python -m bench.scale [--pages 1M,10M,50M,150836209] [--folder FOLDER] [--plot scale.png]

The sketches are made up (see planted.py), have no columns but `page` and `supershingles`, and are
clustered by `webecho clusters --rule very-similar`. The clusters must be exactly those planted.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.measure import machine
from bench.planted import PAGES, Planted, plant, supershingles
from bench.sketches import PART, nowhere
from webecho.settings import WEBECHO
from webecho.sizes import in_bytes
from webecho.workspace.manifest import Part
from webecho.workspace.run_file import read_run
from webecho.workspace.schemas import sketch_schema
from webecho.workspace.table_files import TableWriter
from webecho.workspace.workspace import Workspace

COLUMNS = ["supershingles"]
RULE = "very-similar"
# What a page takes on disk at the most: its supershingles, its number, its cluster, and where it
# was planted.
PAGE_BYTES = 6 * 8 + 8 + 24 + 12
# So much is wanted at the most.
SECONDS, MEMORY = 600, 12e9


@dataclass(frozen=True)
class Run:
    """What clustering so many pages took."""

    pages: int
    clusters: int
    seconds: float
    processor_seconds: float
    # Its own, and with the pages of mapped files.
    memory: int
    resident: int
    budget: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    usual = f"1M,10M,50M,{PAGES}"
    parser.add_argument("--pages", default=usual, help=f"how many, one after the other: {usual}")
    parser.add_argument("--folder", type=Path, help="where to work, here by default")
    parser.add_argument("--memory", default="12GB", help="what webecho is to keep within: 12GB")
    parser.add_argument("--plot", type=Path, default=Path("scale.png"))
    parser.add_argument("--results", type=Path, help="the measurements, as JSON")
    given = parser.parse_args()
    sizes = [in_bytes(size) for size in given.pages.split(",")]
    print(machine())
    with tempfile.TemporaryDirectory(prefix="webecho-scale-", dir=given.folder or ".") as folder:
        check_disk(Path(folder), max(sizes))
        runs = []
        for pages in sizes:
            runs.append(measured(Path(folder), pages, given.memory))
            print(as_line(runs[-1]), flush=True)
    if given.results:
        text = json.dumps([asdict(run) for run in runs], indent=1)
        given.results.write_text(text + "\n")
    if len(runs) > 1:
        draw(runs, given.plot)
        print(f"drawn: {given.plot}")


def check_disk(folder: Path, pages: int) -> None:
    """Ends here if the disk has no room for so many pages."""
    needed, free = PAGE_BYTES * pages, shutil.disk_usage(folder).free
    print(f"{pages:,} pages need {needed / 1e9:.1f} GB of disk; {free / 1e9:.1f} GB are free")
    if free < needed:
        sys.exit(f"{folder} has no room for that: give --folder on a larger disk, or fewer --pages")


def measured(folder: Path, pages: int, memory: str) -> Run:
    """Makes pages up, clusters them, looks whether that is right, and removes everything."""
    planted, workspace = folder / "planted", folder / "made-up.echo"
    try:
        start = time.monotonic()
        make(workspace, planted, pages)
        print(f"{pages:,} pages made up in {time.monotonic() - start:.0f} s", flush=True)
        seconds, usage = clustered(workspace, memory)
        clusters = check(workspace, Planted.load(planted))
        record = read_run(workspace)[f"clusters {RULE}"]
        return Run(
            pages,
            clusters,
            seconds,
            usage.ru_utime + usage.ru_stime,
            record["peak memory"],
            usage.ru_maxrss * 1024,
            record["memory"],
        )
    finally:
        shutil.rmtree(planted, ignore_errors=True)
        shutil.rmtree(workspace, ignore_errors=True)


def clustered(workspace: Path, memory: str) -> tuple[float, resource.struct_rusage]:
    """Seconds that the command takes, from its start to its end, and what it used."""
    command = [sys.executable, "-m", "webecho", "clusters", str(workspace), "--rule", RULE]
    start = time.monotonic()
    process = subprocess.Popen([*command, "--memory", memory])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return seconds, usage


def make(path: Path, planted: Path, pages: int) -> None:
    """A workspace of made-up pages, and where their clusters are planted."""
    planted.mkdir()
    workspace = nowhere(path, WEBECHO, COLUMNS, "none")
    jobs = [
        (path, planted, number, first, min(PART, pages - first))
        for number, first in enumerate(range(0, pages, PART))
    ]
    # Other processes than this one, so that what they take is not left in this one's memory.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        pool.submit(plant_in, planted, pages).result()
        for (*_, first, count), digest in zip(jobs, pool.map(part, jobs, chunksize=4), strict=True):
            last = first + count >= pages
            files = {"sketches": digest}
            workspace.manifest.parts.append(Part(first, count, 0, 0, first, last, {}, files))
    workspace.save()


def plant_in(folder: Path, pages: int) -> None:
    plant(pages).save(folder)


def part(job: tuple[Path, Path, int, int, int]) -> str:
    """Writes one part of the workspace, and gives its checksum."""
    path, planted, number, first, count = job
    workspace = Workspace(path, nowhere(path, WEBECHO, COLUMNS, "none").manifest)
    values = supershingles(Planted.load(planted), first, count)
    columns = {
        "page": pa.array(np.arange(first, first + count)),
        "supershingles": pa.ListArray.from_arrays(
            pa.array(np.arange(0, 6 * count + 1, 6, dtype=np.int32)), pa.array(values.ravel())
        ).cast(pa.list_(pa.field("element", pa.int64()))),
    }
    schema = sketch_schema(COLUMNS, "none")
    rows = {field.name: columns.get(field.name, pa.nulls(count, field.type)) for field in schema}
    writer = TableWriter(workspace.part_file("sketches", number))
    writer.write(pa.table(rows, schema=schema))
    return writer.finish()


def check(workspace: Path, planted: Planted) -> int:
    """How many clusters were found; ends here if they are not those planted."""
    lowest, sizes = planted.truth()
    start, clusters = 0, 0
    for page, cluster, size in found(workspace / "clusters" / f"{RULE}.parquet"):
        end = start + len(page)
        right = (page == np.arange(start, end)) & (cluster == lowest[start:end])
        right &= size == sizes[start:end]
        if not right.all():
            wrong = start + int(np.argmin(right))
            sys.exit(
                f"page {wrong} of {len(lowest)}: found in cluster {cluster[wrong - start]} of "
                f"{size[wrong - start]}, planted in {lowest[wrong]} of {sizes[wrong]}"
            )
        clusters += int(((cluster == page) & (size > 1)).sum())
        start = end
    if start != len(lowest) or clusters != len(planted.starts):
        sys.exit(f"{start} pages and {clusters} clusters found of {len(lowest)} pages")
    return clusters


def found(file: Path) -> Iterator[list[np.ndarray]]:
    columns = ["page", "cluster", "size"]
    for batch in pq.ParquetFile(file).iter_batches(1 << 20, columns=columns):
        yield [column.to_numpy() for column in batch.columns]


def as_line(run: Run) -> str:
    return (
        f"{run.pages:,} pages, {run.clusters:,} clusters, all as planted: {run.seconds:.1f} s "
        f"({run.processor_seconds:.1f} s of processors), {run.memory / 1e9:.2f} GB "
        f"({run.resident / 1e9:.2f} GB with mapped files)"
    )


def draw(runs: list[Run], file: Path) -> None:
    """Time and memory against size, on logarithmic axes: linear growth is a line of slope 1."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    pages = np.array([run.pages for run in runs])
    for panel, values, most, unit in (
        (panels[0], [run.seconds for run in runs], SECONDS, "seconds"),
        (panels[1], [run.memory / 1e9 for run in runs], MEMORY / 1e9, "GB of memory"),
    ):
        panel.loglog(pages, values, "o-", color="#1f5a96", label="measured")
        for x, y in zip(pages, values, strict=True):
            panel.annotate(f"{y:.3g}", (x, y), (7, -11), textcoords="offset points")
        linear = values[-1] * pages / pages[-1]
        panel.loglog(pages, linear, ":", color="grey", label="linear growth")
        panel.axhline(most, color="#b03a2e", linewidth=1, label=f"at most {most:g}")
        panel.set_xlim(pages[0] / 2.5, pages[-1] * 2)
        panel.set_ylim(top=most * 2)
        panel.set_xlabel("pages")
        panel.set_ylabel(unit)
        panel.grid(alpha=0.3)
    # On a machine that others use too, this says more than the time that went by.
    working = [run.processor_seconds for run in runs]
    panels[0].loglog(pages, working, "s--", color="#6f9bc8", label="of processors, all together")
    for panel in panels:
        panel.legend(loc="lower right", fontsize="small")
    figure.suptitle("very-similar clusters of sketches, distributed as in Fetterly 2004")
    figure.savefig(file, dpi=120)
    pyplot.close(figure)


if __name__ == "__main__":
    main()
