"""Collections of every format, and what both engines make of them."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.collections_made import (
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_warc,
    many_pages,
    small_web,
)
from tests.command import contents
from tests.read.archives import gzipped, http, record, response
from webecho.api.dedup import DedupRequest, FolderRequest, run_into_folder
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.run import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPLITS = "spark.sql.files.maxPartitionBytes"


def split_by(session: "SparkSession", size: int) -> "SparkSession":
    """A session in which splits have so many bytes."""
    own = session.newSession()
    own.conf.set(SPLITS, str(size))
    return own


def broken_parquet(file: Path) -> Path:
    """Four row groups, of which the third cannot be read."""
    as_parquet(file, many_pages(40), rows=10)
    group = pq.read_metadata(file).row_group(2)
    start = min(group.column(index).data_page_offset for index in range(group.num_columns))
    content = bytearray(file.read_bytes())
    content[start : start + 400] = bytes(400)
    file.write_bytes(bytes(content))
    return file


def nested_warc(file: Path) -> Path:
    """Pages around an archive that was crawled, and stands there as it is: its records look like
    those of the file."""
    pages = [gzipped(response(f"http://a.example/{n}", b"<p>page %d " % n * 50)) for n in range(20)]
    inner = gzipped(*(response(f"http://inner.example/{n}", b"<p>inner" * n) for n in range(30)))
    crawled = record(
        "response", http(inner, kind="application/gzip"), target_uri="http://a.example/x.warc.gz"
    )
    stored = gzip.compress(crawled, compresslevel=0, mtime=0)
    file.write_bytes(b"".join([*pages[:5], stored, *pages[5:]]))
    return file


def every_kind(folder: Path) -> list[str]:
    """Inputs of all formats, one with several files, some that cannot be read, and revisits."""
    web = small_web()
    crawl = folder / "crawl"
    crawl.mkdir(parents=True)
    as_warc(crawl / "a.warc.gz", web, requests=True)
    as_jsonl(crawl / "b.jsonl", web, broken={3: "{", 9: "7"})
    (crawl / "c.parquet").write_bytes(b"PAR1, and no more")
    (crawl / "empty.jsonl").touch()
    as_folder(crawl / "d", web)
    (crawl / "d" / "picture.bin").write_bytes(b"\x00\x01")
    page = http(b"<p>one page that was fetched")
    first = record("response", page, target_uri="http://a.example/", record_id="<urn:1>")
    profile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    again = [
        record("revisit", b"", target_uri=url, profile=profile, refers_to="<urn:1>", record_id=name)
        for url, name in (("http://a.example/", "<urn:2>"), ("http://b.example/", "<urn:3>"))
    ]
    other = record("response", http(b"<p>other"), target_uri="http://b.example/x")
    (folder / "revisits.warc.gz").write_bytes(gzipped(again[0], first, *again, other, again[1]))
    ids = pa.table({"id": range(30), "text": [each.html for each in many_pages(30)]})
    pq.write_table(ids, folder / "ids.parquet", row_group_size=7)
    return [
        str(as_parquet(folder / "many.parquet", many_pages(60), rows=8)),
        str(crawl),
        str(broken_parquet(folder / "broken.parquet")),
        str(folder / "revisits.warc.gz"),
        str(nested_warc(folder / "nested.warc.gz")),
        str(folder / "ids.parquet"),
        str(as_csv(folder / "pages.csv", web)),
        str(as_folder(folder / "site", web)),
    ]


def sketched(inputs: list[str], out: Path, run: Run, **wanted: object) -> dict[str, str]:
    """The files of the workspace that is made of these inputs, all but `run.json`."""
    request = SketchRequest(tuple(inputs), out, **wanted)  # type: ignore[arg-type]
    run_sketch(request, run)
    return contents(out)


def deduplicated(
    inputs: list[str], folder: Path, run: Run, beside: Sequence[str] = (), **wanted: object
) -> dict[str, str]:
    """The files that a dedup writes, and those of its workspace, which has the same name; also what
    goes into folders beside, if these are named."""
    folder.mkdir()
    request = DedupRequest(tuple(inputs), **wanted)  # type: ignore[arg-type]
    others: dict[str, Any] = {name: folder / name for name in beside}
    run_into_folder(FolderRequest(request, folder / "out", **others), run)
    return contents(folder)


def in_one_place(files: dict[str, str]) -> dict[str, str]:
    return {name: digest for name, digest in files.items() if not name.endswith("run.json")}
