"""What is removed and dropped, in folders of its own: with what stays it is the input, record for
record, in every format."""

import csv
import gzip
import io
import json
import re
import shutil
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.collections_made import as_csv, as_folder, as_jsonl, as_parquet, as_table, small_web
from tests.command import done, webecho
from tests.deduplication.results import summary
from tests.golden.input_archives import make_archives
from webecho.deduplication.beside import NOTE

DROPPING = ("--min-words", "3", "--drop-empty", "--drop-failed")
# A line that is no JSON, and one that holds nothing.
NOTHING_SHORT = ("small.warc.wet", "small.arc", "small.arc.gz")
BROKEN = {3: "{broken", 5: ""}


def lines(data: bytes) -> Iterator[Hashable]:
    return iter(data.splitlines())


def rows(data: bytes) -> Iterator[Hashable]:
    delimiter = "\t" if b"\t" in data.splitlines()[0] else ","
    header, *others = csv.reader(io.StringIO(data.decode()), delimiter=delimiter)
    assert "html" in header
    return (tuple(row) for row in others)


def parquet_rows(data: bytes) -> Iterator[Hashable]:
    return (tuple(row.values()) for row in pq.read_table(io.BytesIO(data)).to_pylist())


def records(data: bytes) -> Iterator[Hashable]:
    """Records by what they are, and their content."""
    # A file may be compressed as a whole.
    plain = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    for record in ArchiveIterator(io.BytesIO(plain)):
        uri = record.rec_headers.get_header("WARC-Target-URI")
        yield record.rec_type, uri, record.raw_stream.read()


def stored(data: bytes) -> Iterator[bytes]:
    while data:
        member = zlib.decompressobj(wbits=31)
        yield member.decompress(data)
        data = member.unused_data


def addresses(data: bytes) -> Iterator[Hashable]:
    """Addresses of records, wherever they stand: what is damaged no reader tells apart, and ARC
    records become WARC records."""
    # The last member may break off; what is there of it is plain, at level 0.
    plain = b"".join(stored(data)) if data.startswith(b"\x1f\x8b") else data
    return iter(re.findall(rb"(?mi)^(?:WARC-Target-URI: )?((?:http://|dns:)[^ \r\n]+)", plain))


def wacz_records(data: bytes) -> Iterator[Hashable]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        for name in packed.namelist():
            if name.startswith("archive/"):
                yield from records(packed.read(name))


FORMATS: dict[str, Callable[[bytes], Iterator[Hashable]]] = {
    "web.jsonl": lines,
    "web.jsonl.gz": lambda data: lines(gzip.decompress(data)),
    "web.csv": rows,
    "web.tsv": rows,
    "web.parquet": parquet_rows,
    **dict.fromkeys(("small.warc", "small.warc.gz", "whole.warc.gz", "small.warc.wet"), records),
    **dict.fromkeys(("broken.warc", "cut.warc.gz", "small.arc", "small.arc.gz"), addresses),
    "small.wacz": wacz_records,
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    web = small_web()
    written = as_jsonl(folder / "web.jsonl", web, broken=BROKEN)
    (folder / "web.jsonl.gz").write_bytes(gzip.compress(written.read_bytes(), mtime=0))
    as_csv(folder / "web.csv", web)
    tabs = pyarrow.csv.WriteOptions(delimiter="\t")
    pyarrow.csv.write_csv(as_table(web), folder / "web.tsv", tabs)
    as_parquet(folder / "web.parquet", web, rows=5)
    as_folder(folder / "pages", web)
    (folder / "pages" / "style.css").write_text("no page")
    make_archives(folder, web)
    return folder


def content(folder: Path, name: str, read: Callable[[bytes], Iterator[Hashable]]) -> list[Hashable]:
    """The records of the file in a folder; none where nothing was to be written."""
    file = folder / "data" / name
    return [*read(file.read_bytes())] if file.is_file() else []


@pytest.mark.parametrize("name", FORMATS)
def test_together_they_are_the_input(tmp_path: Path, inputs: Path, name: str) -> None:
    out, removed, dropped = tmp_path / "out", tmp_path / "removed", tmp_path / "dropped"
    beside = ("--removed", removed, "--dropped", dropped)
    done("dedup", inputs / name, "-o", out, *DROPPING, *beside)
    written, read = name.replace(".arc", ".warc"), FORMATS[name]
    kept, gone, left = (content(folder, written, read) for folder in (out, removed, dropped))
    before = [*read((inputs / name).read_bytes())]
    assert Counter(kept) + Counter(gone) + Counter(left) == Counter(before)
    assert kept and gone and (left or name in NOTHING_SHORT)
    once = [each for each in before if before.count(each) == 1]
    assert [each for each in kept if each in once] == [each for each in once if each in kept]
    counts = summary(out)["counts"]
    assert counts["kept"] + counts["removed"] + counts["dropped"] == counts["read"]
    assert webecho("verify", out).exit_code == 0


def test_files_of_a_folder(tmp_path: Path, inputs: Path) -> None:
    folders = [tmp_path / name for name in ("out", "removed", "dropped")]
    out, removed, dropped = folders
    beside = ("--removed", removed, "--dropped", dropped)
    done("dedup", inputs / "pages", "-o", out, *DROPPING, *beside)
    found = [{file.name for file in (each / "data").rglob("*.*")} for each in folders]
    before = {file.name for file in (inputs / "pages").iterdir()}
    assert found[0] | found[1] | found[2] == before
    assert sum(map(len, found)) == len(before)
    # What is no page stays.
    assert "style.css" in found[0] and found[1] and found[2]


def test_of_a_source_that_loses_nothing_nothing_is_written(tmp_path: Path, inputs: Path) -> None:
    one = tmp_path / "one.jsonl"
    one.write_text('{"text": "nothing repeats this line of text"}\n')
    done("dedup", one, inputs / "web.csv", "-o", tmp_path / "out", "--removed", tmp_path / "gone")
    assert [file.name for file in (tmp_path / "gone" / "data").iterdir()] == ["web.csv"]


def test_a_folder_of_others_is_not_replaced(tmp_path: Path, inputs: Path) -> None:
    out, removed = tmp_path / "out", tmp_path / "removed"
    first = ("dedup", inputs / "web.jsonl", "-o", out, "--removed", removed)
    (removed / "mine").mkdir(parents=True)
    refused = webecho(*first)
    assert (refused.exit_code, "no dedup wrote all of it" in refused.stderr) == (2, True)
    shutil.rmtree(removed)
    done(*first)
    # Another dedup's, and one in which somebody has put a file.
    other = ("dedup", inputs / "web.csv", "-o", tmp_path / "other", "--removed", removed)
    assert f"{removed} exists; choose another --removed" in webecho(*other).stderr
    done(*other, "--force")
    (removed / "data" / "notes.txt").write_text("mine")
    refused = webecho(*other, "--force")
    assert (refused.exit_code, "no dedup wrote all of it" in refused.stderr) == (2, True)


def test_a_run_that_was_killed_between_its_folders_goes_on(tmp_path: Path, inputs: Path) -> None:
    out, removed = tmp_path / "out", tmp_path / "removed"
    command = ("dedup", inputs / "web.jsonl", "-o", out, "--removed", removed)
    done(*command)
    before = {file: file.read_bytes() for file in removed.rglob("*") if file.is_file()}
    again = done(*command)
    assert "nothing is written again" in again.stderr
    shutil.rmtree(out)
    done(*command)
    assert {file: file.read_bytes() for file in removed.rglob("*") if file.is_file()} == before
    # Without what was removed it is not done.
    shutil.rmtree(removed)
    refused = webecho(*command)
    assert (refused.exit_code, f"{out} exists" in refused.stderr) == (2, True)


def test_a_note_tells_of_which_dedup_it_is(tmp_path: Path, inputs: Path) -> None:
    done("dedup", inputs / "web.csv", "-o", tmp_path / "out", "--removed", tmp_path / "removed")
    told = json.loads((tmp_path / "removed" / NOTE).read_bytes())
    assert (told["out"], told["holds"]) == ("../out", "removed")
    assert told["inputs"] == [str(inputs / "web.csv")]


@pytest.mark.parametrize("inside", ["out", "out/removed", "."])
def test_the_folders_lie_beside_each_other(tmp_path: Path, inputs: Path, inside: str) -> None:
    refused = webecho(
        "dedup", inputs / "web.csv", "-o", tmp_path / "out", "--removed", tmp_path / inside
    )
    assert refused.exit_code == 2
    assert "give another" in refused.stderr
    assert not (tmp_path / "out").exists()
