import gzip
import io
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.formats.detection import by_bytes, by_ending, format_of, suffix_of


@pytest.mark.parametrize(
    ("name", "suffix", "form"),
    [
        ("a.warc.gz", ".warc", "warc"),
        ("A.ARC", ".arc", "warc"),
        ("crawl.warc.wet.gz", ".wet", "warc"),
        ("a.wacz", ".wacz", "wacz"),
        ("a.parq", ".parq", "parquet"),
        ("a.ndjson.zst", ".ndjson", "jsonl"),
        ("a.tab", ".tab", "tsv"),
        ("a.md", ".md", "html"),
        ("a.html.GZ", ".html", "html"),
        ("a.gz", "", None),
        ("a.png", ".png", None),
        ("warc", "", None),
    ],
)
def test_by_the_ending(name: str, suffix: str, form: str | None) -> None:
    assert (suffix_of(name), by_ending(name)) == (suffix, form)


def parquet() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"a": [1]}), file)
    return file.getvalue()


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("a", b"b")
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (parquet(), "parquet"),
        (zipped(), "wacz"),
        (b"WARC/1.0\r\n", "warc"),
        (gzip.compress(b"WARC/1.0\r\n"), "warc"),
        (b"filedesc://a.arc 0.0.0.0 2020 text/plain 1\n", "warc"),
        (b'\xef\xbb\xbf \n{"a": 1}', "jsonl"),
        (gzip.compress(b"  <p>"), "html"),
        (b"words", None),
        (b"", None),
        # Compressed data that break off before anything is seen.
        (gzip.compress(b"<p>")[:8], None),
    ],
)
def test_by_the_first_bytes(tmp_path: Path, content: bytes, form: str | None) -> None:
    (tmp_path / "file").write_bytes(content)
    assert by_bytes(str(tmp_path / "file")) == form


def test_the_ending_goes_before_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"<p>")
    (tmp_path / "a").write_bytes(b"<p>")
    assert format_of(str(tmp_path / "a.csv")) == "csv"
    assert format_of(str(tmp_path / "a")) == "html"
