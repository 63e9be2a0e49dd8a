"""What the Spark engine takes beside the local one, on this machine.

    python -m bench.spark [sketch …] [--master local[2]] [--repeat 5]

A measurement is a function in `MEASUREMENTS`. Both engines run by turns, so that what else the
machine does falls on both, and the best of each counts; Spark is warm: what it does first is not
counted. A ratio is Spark's time over ours.
"""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import machine
from webecho.api.dedup import DedupRequest, FolderRequest, run_into_folder
from webecho.api.runs import default_threads
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.engine.local.engine import local_run
from webecho.engine.spark.engine import spark_run
from webecho.engine.spark.session import start_session
from webecho.run import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Real pages; a sketch of them is to take at most twice as long as by the local engine.
SNAPSHOTS = ("debian_docs.parquet", "debian_html.parquet")
WANTED = 2.0


@dataclass(frozen=True)
class Bench:
    """The session, how often, and a folder for what is written."""

    session: "SparkSession"
    repeat: int
    folder: Path

    def ratio(self, what: str, work: Callable[[Run, Path], object], wanted: float | None) -> str:
        """A line that tells the times of both engines."""
        threads = default_threads()
        runs = {"local": local_run(threads), "spark": spark_run(self.session, threads)}
        best: dict[str, float] = {}
        # Once more, for what Spark takes to get warm.
        for turn in range(self.repeat + 1):
            for name, run in runs.items():
                out = self.folder / name
                shutil.rmtree(out, ignore_errors=True)
                out.mkdir()
                start = time.perf_counter()
                work(run, out)
                took = time.perf_counter() - start
                if turn:
                    best[name] = min(took, best.get(name, took))
        aim = f", at most {wanted} wanted" if wanted is not None else ""
        ratio = best["spark"] / best["local"]
        times = f"local {best['local']:.2f} s, spark {best['spark']:.2f} s"
        return f"{what}: {times}, ratio {ratio:.2f}{aim}"


def sketch(bench: Bench) -> Iterator[str]:
    """Pages read and sketched into a workspace, byte for byte the same."""
    for name in SNAPSHOTS:
        source = str(snapshots() / name)

        def work(run: Run, out: Path, source: str = source) -> None:
            run_sketch(SketchRequest((source,), out / "w.echo"), run)

        yield bench.ratio(f"sketch {name}", work, WANTED)
        check_same(bench.folder / "local", bench.folder / "spark")


def dedup(bench: Bench) -> Iterator[str]:
    """From pages to what stays of them, written as they were."""
    for name in SNAPSHOTS:
        source = str(snapshots() / name)

        def work(run: Run, out: Path, source: str = source) -> None:
            run_into_folder(FolderRequest(DedupRequest((source,)), out / "out"), run)

        yield bench.ratio(f"dedup {name}", work, None)
        check_same(bench.folder / "local" / "out", bench.folder / "spark" / "out")


def snapshots() -> Path:
    """The folder of real pages."""
    folder = os.environ.get("WEBECHO_DATA")
    if not folder:
        raise SystemExit("set WEBECHO_DATA to the folder of real pages")
    return Path(folder)


def check_same(one: Path, other: Path) -> None:
    """Refuses to measure engines that do not give the same."""
    files = [
        {
            str(file.relative_to(folder)): file.read_bytes()
            for file in folder.rglob("*")
            if file.is_file() and file.name not in ("run.json", ".lock")
        }
        for folder in (one, other)
    ]
    differing = [
        name for name in {**files[0], **files[1]} if files[0].get(name) != files[1].get(name)
    ]
    if differing:
        raise SystemExit(f"the engines differ: {differing}")


MEASUREMENTS: dict[str, Callable[[Bench], Iterator[str]]] = {"sketch": sketch, "dedup": dedup}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.spark",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", choices=[[], *MEASUREMENTS], default=[])
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    print(machine())
    session = start_session(given.master, {"spark.ui.enabled": "false"})
    with tempfile.TemporaryDirectory(prefix="webecho-bench-") as folder:
        bench = Bench(session, given.repeat, Path(folder))
        for name in given.parts or MEASUREMENTS:
            for line in MEASUREMENTS[name](bench):
                print(line, flush=True)
    session.stop()


if __name__ == "__main__":
    main()
