"""WARC.gz to sketches, beside fastwarc reading the same file alone on one core."""

import io
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from bench import pages
from bench.measure import Row, best
from webecho.api.runs import default_threads
from webecho.engine.local.engine import local_run
from webecho.read.collection import ReadOptions, open_collection
from webecho.sketches.pipeline import Pipeline
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.resume import SketchSettings

MOST = 256 << 20  # bytes of pages in the file


def rows(repeat: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="webecho-bench-") as folder:
        file = Path(folder) / "pages.warc.gz"
        size = write(file)
        alone = Row("WARC.gz read by fastwarc, 1 core", size, best(repeat, lambda: read(file)))
        yield alone
        cores = default_threads()
        seconds = best(repeat, lambda: sketch(file, Path(folder) / "pages.echo", cores))
        ours = Row(f"WARC.gz to all sketches, {cores} cores", size, seconds, alone.speed / 3)
        yield Row(
            ours.what, size, seconds, ours.wanted, f"{ours.speed / alone.speed:.2f} of fastwarc"
        )


def write(file: Path) -> int:
    """Writes the HTML pages as responses, and gives their bytes."""
    size = 0
    with file.open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        for number, body in enumerate(pages.html().to_pylist()):
            content = body if isinstance(body, bytes) else body.encode()
            if size + len(content) > MOST:
                break
            size += len(content)
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            record = writer.create_warc_record(
                f"http://bench.example/{number}", "response", io.BytesIO(content), http_headers=head
            )
            writer.write_record(record)
    return size


def read(file: Path) -> int:
    """All bodies of all responses, with their HTTP headers parsed."""
    with file.open("rb") as stream:
        responses = ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True)
        return sum(len(record.reader.read()) for record in responses)


def sketch(file: Path, out: Path, threads: int) -> None:
    shutil.rmtree(out, ignore_errors=True)
    options = ReadOptions()
    sketch_collection(
        open_collection([str(file)], options),
        options,
        out,
        SketchSettings(),
        local_run(threads=threads),
        Pipeline(),
    )
