"""Near-duplicates removed on Spark: webecho there and by itself, beside what people have there.

    python -m bench spark [--documents 2000]

The job: of a Parquet file of (id, text), those documents that stay at Jaccard 0.8, as Parquet. A
run is a process of its own on two cores, its start included. What takes over an hour is stopped.
"""

import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from bench.corpora import Corpus
from bench.environments import CACHE, HERE
from bench.process import Run, run
from bench.results import print_rows

OUT = CACHE / "spark"
THREADS = 2
TIMEOUT = 3600.0  # seconds
# What peers are run on, however many documents there are: more, they do not get done with.
OF_PEERS = 100_000
MASTER = f"local[{THREADS}]"
WEBECHO = [sys.executable, "-m", "webecho", "dedup"]


@dataclass(frozen=True)
class Contender:
    """Who runs, and the command that puts what stays into a folder; `done` appears there at the
    end, `rows` are what stays."""

    name: str
    command: tuple[str, ...]
    done: str
    rows: str
    peer: bool = False

    def called(self, source: Path, out: Path) -> list[str]:
        filled = {"source": str(source), "out": str(out), "threads": str(THREADS)}
        return [word.format(**filled) for word in self.command]


def script(name: str) -> Contender:
    command = (sys.executable, str(HERE / "peers" / f"{name}.py"), "{source}", "{out}", "{threads}")
    return Contender(name, command, "_SUCCESS", ".", peer=True)


OURS = (*WEBECHO, "{source}", "-o", "{out}", "--text", "text", "--id", "id", "--quiet")
LOCAL = Contender("webecho", (*OURS, "--threads", "{threads}"), "summary.json", "data")
CONTENDERS = (
    LOCAL,
    Contender(
        "webecho on Spark",
        (*OURS, "--engine", "spark", "--master", MASTER),
        "summary.json",
        "data",
    ),
    script("spark_group_by"),
    script("spark_minhash_lsh"),
)


@dataclass(frozen=True)
class Result:
    """What one of them took for so many documents, and how many it left."""

    name: str
    documents: int
    run: Run
    left: int | None

    @property
    def speed(self) -> float:
        return self.documents / self.run.seconds


def measured(corpus: Corpus, documents: int, repeat: int) -> list[Result]:
    """Each in its turn, so often; the best counts."""
    best: dict[str, Result] = {}
    for _ in range(repeat):
        for contender in CONTENDERS:
            before = best.get(contender.name)
            if before is not None and before.run.failure:
                continue
            asked = min(documents, OF_PEERS) if contender.peer else documents
            found = one(contender, corpus.sample(asked))
            if before is None or found.run.failure or found.run.seconds < before.run.seconds:
                best[contender.name] = found
    return [*best.values()]


def one(contender: Contender, corpus: Corpus) -> Result:
    folder = OUT / contender.name.replace(" ", "-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    out = folder / "left"
    took = run(contender.called(corpus.path, out), out / contender.done, TIMEOUT)
    left = None
    if not took.failure:
        left = ds.dataset(out / contender.rows, format="parquet").count_rows()
    shutil.rmtree(folder, ignore_errors=True)
    return Result(contender.name, corpus.documents, took, left)


def as_rows(results: list[Result]) -> list[dict[str, Any]]:
    """As JSON, with how many times as long as webecho by itself each takes for a document."""
    [ours] = (each for each in results if each.name == LOCAL.name)
    return [
        {"name": each.name, "documents": each.documents, "left": each.left, **asdict(each.run)}
        | ({} if each.run.failure else {"times_webecho": ours.speed / each.speed})
        for each in results
    ]


def tell(rows: list[dict[str, Any]]) -> None:
    header = ("", "docs", "left", "s", "cpu s", "docs/s", "× webecho", "MB held", "load")
    cells: list[tuple[str, ...]] = [header]
    for row in rows:
        if row["failure"]:
            cells.append((row["name"], f"{row['documents']:,}", row["failure"]))
            continue
        cells.append(
            (
                row["name"],
                f"{row['documents']:,}",
                f"{row['left']:,}",
                f"{row['seconds']:.1f}",
                f"{row['cpu']:.1f}",
                f"{row['documents'] / row['seconds']:,.0f}",
                f"{row['times_webecho']:.1f}",
                f"{row['memory'] / 1e6:,.0f}",
                f"{row['load']:.1f}",
            )
        )
    print_rows(cells)
