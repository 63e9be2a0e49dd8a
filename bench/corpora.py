"""The documents that peers are compared on: Parquet files of (id, text), made once and kept.

`docs` are real ones where WEBECHO_DATA has them, else made up; `million` are 1,000,000 short ones,
made up; a sample of either has a stated number of its documents, evenly spaced.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bench.environments import CACHE
from webecho import _core
from webecho.settings import WEBECHO

DATA = CACHE / "data"
# Small enough that two processes share the work evenly, large enough to be read at a go.
ROW_GROUP = 2048
MILLION = 1_000_000
# Without real documents: as many made-up ones, of some length.
MADE_UP = {"pages": 40_000, "words": 900}


@dataclass(frozen=True)
class Corpus:
    """A file of documents, and how much is in it."""

    name: str
    path: Path
    documents: int
    bytes: int  # of text

    def sample(self, documents: int) -> "Corpus":
        """So many of the documents, evenly spaced, as a file of its own."""
        if documents >= self.documents:
            return self
        path = self.path.with_name(f"{self.path.stem}-{documents}.parquet")
        if not path.exists():
            places = [place * self.documents // documents for place in range(documents)]
            write(path, picked(self.path, places))
        return measured(f"{self.name}, {documents:,} of them", path)


def docs() -> Corpus:
    folder = os.environ.get("WEBECHO_DATA")
    if not folder:
        return made_up("made-up documents", "made-up", **MADE_UP)
    path = DATA / "docs.parquet"
    if not path.exists():
        source = Path(folder) / "debian_docs.parquet"
        write(path, pq.ParquetFile(source).iter_batches(ROW_GROUP, columns=["id", "text"]))
    return measured("debian_docs", path)


def million() -> Corpus:
    return made_up("a million short documents", "million", MILLION, 220)


def made_up(name: str, stem: str, pages: int, words: int) -> Corpus:
    """The text of a made-up web's pages: the peers cannot read HTML."""
    path = DATA / f"{stem}.parquet"
    if not path.exists():
        print(f"making up {name} …", flush=True)
        folder = DATA / f"{stem}-web"
        shutil.rmtree(folder, ignore_errors=True)
        command = [sys.executable, "-m", "webecho", "synth", str(folder), "--as", "parquet"]
        command += ["--pages", str(pages), "--words", str(words)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        write(path, texts(sorted((folder / "pages").glob("*.parquet"))))
        shutil.rmtree(folder)
    return measured(name, path)


def texts(files: list[Path]) -> Iterator[pa.RecordBatch]:
    sketcher = _core.Sketcher(WEBECHO.as_dict(), 1)
    first = 0
    for file in files:
        for batch in pq.ParquetFile(file).iter_batches(ROW_GROUP, columns=["html"]):
            pages = batch["html"].to_pylist()
            found = [sketcher.text(page.encode(), True, "utf-8") for page in pages]
            ids = range(first, first + len(found))
            first += len(found)
            yield pa.record_batch([pa.array(ids, pa.int64()), pa.array(found)], ["id", "text"])


def picked(path: Path, places: list[int]) -> Iterator[pa.RecordBatch]:
    """The rows at these ascending places."""
    wanted = iter(places)
    place = next(wanted, None)
    first = 0
    for batch in pq.ParquetFile(path).iter_batches(ROW_GROUP):
        rows = []
        while place is not None and place < first + len(batch):
            rows.append(place - first)
            place = next(wanted, None)
        first += len(batch)
        yield batch.take(pa.array(rows, pa.int64()))


def write(path: Path, batches: Iterator[pa.RecordBatch]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".part")
    schema = pa.schema([("id", pa.int64()), ("text", pa.string())])
    held = schema.empty_table()
    with pq.ParquetWriter(aside, schema, compression="zstd") as writer:
        for batch in batches:
            held = pa.concat_tables([held, pa.table(batch.cast(schema))])
            while len(held) >= ROW_GROUP:
                writer.write_table(held.slice(0, ROW_GROUP))
                held = held.slice(ROW_GROUP)
        if len(held):
            writer.write_table(held)
    aside.rename(path)


def measured(name: str, path: Path) -> Corpus:
    file = pq.ParquetFile(path)
    lengths = (
        pc.sum(pc.binary_length(batch["text"])).as_py() or 0
        for batch in file.iter_batches(columns=["text"])
    )
    return Corpus(name, path, file.metadata.num_rows, sum(lengths))
