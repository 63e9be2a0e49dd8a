import gzip
import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import fsspec
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import s3fs
import zstandard

from tests.read.reading import check_again, everything
from webecho.errors import InputError
from webecho.formats import files
from webecho.read.collection import Collection, ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.read.pages import Input

PAGE = b"<p>a page"
JSONL = b'{"text": "a", "id": 1}\n{"text": "b", "id": 2}\n'
CSV = b"id,text\n1,a\n"


def warc(*bodies: bytes) -> bytes:
    """A gzipped WARC file with a response for each body."""
    records = []
    for number, body in enumerate(bodies):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        header = (
            "WARC/1.0\r\nWARC-Type: response\r\n"
            f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n"
            f"WARC-Target-URI: http://a.org/{number}\r\nWARC-Date: 2020-01-31T12:00:00Z\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n"
        )
        records.append(gzip.compress(header.encode() + b"\r\n" + block + b"\r\n\r\n"))
    return b"".join(records)


def parquet(texts: list[str]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"text": texts}), file)
    return file.getvalue()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(contents: dict[str, bytes]) -> None:
    for name, content in contents.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content)


def opened(*inputs: Any, **options: Any) -> Collection:
    return open_collection(inputs, ReadOptions(**options))


def formats(given: Input) -> list[tuple[str, str]]:
    return [(source.name, source.format) for source in given.sources]


def bodies(collection: Collection) -> list[bytes]:
    return [
        row["body"]
        for given in collection.inputs
        for source in given.sources
        for row in everything(source)[0]
    ]


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.warc.gz", warc(PAGE), "warc"),
        ("a.warc", gzip.decompress(warc(PAGE)), "warc"),
        ("a.parquet", parquet(["a"]), "parquet"),
        ("a.jsonl", JSONL, "jsonl"),
        ("a.ndjson", JSONL, "jsonl"),
        ("a.json.gz", gzip.compress(JSONL), "jsonl"),
        ("a.jsonl.zst", zstandard.compress(JSONL), "jsonl"),
        ("A.CSV", CSV, "csv"),
        ("a.tsv.gz", gzip.compress(CSV.replace(b",", b"\t")), "csv"),
        ("a.html", PAGE, "html"),
        ("a.txt", b"text", "html"),
        # Without an ending that says so, by the first bytes.
        ("crawl", warc(PAGE), "warc"),
        ("crawl", gzip.decompress(warc(PAGE)), "warc"),
        ("crawl.part1", parquet(["a"]), "parquet"),
        ("crawl", gzip.compress(JSONL), "jsonl"),
        ("crawl", zstandard.compress(JSONL), "jsonl"),
        ("crawl", b"\xef\xbb\xbf \n" + JSONL, "jsonl"),
        ("page.php", b"\n<!DOCTYPE html>", "html"),
    ],
)
@pytest.mark.usefixtures("here")
def test_formats_are_known_by_ending_then_by_bytes(name: str, content: bytes, form: str) -> None:
    write({name: content})
    (given,) = opened(name).inputs
    assert formats(given) == [(name, form)]
    found, skipped = everything(given.sources[0])
    assert found
    assert not any(skip.failed for skip in skipped)


@pytest.mark.usefixtures("here")
def test_a_named_format_goes_before_both() -> None:
    write({"a.txt": JSONL, "b.json": CSV})
    assert bodies(opened("a.txt", format="jsonl")) == [b"a", b"b"]
    assert bodies(opened("b.json", format="csv")) == [b"a"]
    assert bodies(opened("a.txt", format="html")) == [JSONL]


@pytest.mark.usefixtures("here")
def test_several_inputs_stay_in_the_order_given() -> None:
    write({"b.csv": CSV, "a.jsonl": JSONL, "c.html": PAGE})
    collection = opened("b.csv", Path("a.jsonl"), "c.html")
    assert [given.name for given in collection.inputs] == ["b.csv", "a.jsonl", "c.html"]
    assert bodies(collection) == [b"a", b"a", b"b", PAGE]
    assert collection.choices == ("b.csv: text = text, id = id", "a.jsonl: text = text, id = id")


@pytest.mark.usefixtures("here")
def test_a_folder_is_one_input_whatever_is_in_it() -> None:
    write(
        {
            "crawl/2.jsonl": JSONL,
            "crawl/1.warc.gz": warc(PAGE),
            "crawl/x/3.parquet": parquet(["p"]),
            "crawl/page.html": PAGE,
            "crawl/_SUCCESS": b"",
            "crawl/old.echo/sketches/part-0.parquet": parquet(["no"]),
        }
    )
    collection = opened("crawl")
    (given,) = collection.inputs
    assert formats(given) == [
        ("crawl/1.warc.gz", "warc"),
        ("crawl/2.jsonl", "jsonl"),
        ("crawl/x/3.parquet", "parquet"),
        ("crawl", "html"),
    ]
    assert bodies(collection) == [PAGE, b"a", b"b", b"p", PAGE]
    # Nothing is left out silently.
    assert [skip.url for skip in everything(given.sources[-1])[1]] == ["_SUCCESS"]
    assert collection.choices == (
        "crawl (1 file): text = text, id = id",
        "crawl (1 file): text = text",
        "crawl (1 file): HTML and text files",
    )


@pytest.mark.usefixtures("here")
def test_tables_of_one_folder_are_told_together() -> None:
    write({f"shards/{number}.parquet": parquet(["p"]) for number in range(30)})
    assert opened("shards").choices == ("shards (30 files): text = text",)


@pytest.mark.usefixtures("here")
def test_small_data_files_of_a_site_are_no_tables() -> None:
    write(
        {"site/index.html": PAGE, "site/manifest.json": b'{"v": 1}\n', "site/prices.csv": b"1,2\n"}
    )
    (given,) = opened("site").inputs
    assert formats(given) == [("site", "html")]
    _, skipped = everything(given.sources[0])
    assert [(skip.reason, skip.url) for skip in skipped] == [
        ("type", "manifest.json"),
        ("type", "prices.csv"),
    ]
    write({"corpus/a.json": JSONL, "corpus/b.csv": CSV})
    assert bodies(opened("corpus")) == [b"a", b"b", b"a"]


@pytest.mark.usefixtures("here")
def test_globs() -> None:
    write({"p/b.html": b"b", "p/a.html": b"a", "p/q/c.html": b"c", "p/d.jsonl": JSONL})
    collection = opened("p/*.html")
    (given,) = collection.inputs
    assert formats(given) == [("p/*.html", "html")]
    found, _ = everything(given.sources[0])
    assert [(row["url"], row["body"]) for row in found] == [("a.html", b"a"), ("b.html", b"b")]
    assert bodies(opened("p/**/*.html")) == [b"a", b"b", b"c"]
    assert bodies(opened("p/*")) == [b"a", b"b", b"a", b"b", b"c"]
    # A name that has such signs in it is a name first.
    write({"p/[x].html": b"x"})
    assert bodies(opened("p/[x].html")) == [b"x"]


@pytest.mark.usefixtures("here")
def test_tables_in_memory_are_inputs() -> None:
    write({"a.jsonl": JSONL})
    collection = opened("a.jsonl", pd.DataFrame({"html": ["<p>"]}), pa.table({"text": ["x"]}))
    assert [given.name for given in collection.inputs] == ["a.jsonl", "table 2", "table 3"]
    assert bodies(collection) == [b"a", b"b", b"<p>", b"x"]
    assert collection.choices[1:] == ("table 2: html = html", "table 3: text = text")


def test_standard_input_and_pipes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(JSONL)))
    collection = opened("-")
    assert collection.choices == ("-: text = text, id = id",)
    assert bodies(collection) == [b"a", b"b"]
    os.mkfifo(here / "pipe")
    writer = threading.Thread(target=(here / "pipe").write_bytes, args=(CSV,))
    writer.start()
    assert bodies(opened("pipe", format="csv")) == [b"a"]
    writer.join()
    with pytest.raises(InputError, match="parquet cannot be read from a stream"):
        opened("-", format="parquet")


BROKEN = {
    "empty.jsonl": b"",
    "unknown.bin": b"\x00\x01",
    "broken.parquet": b"PAR1 and nothing more",
    "array.json": b'[{"text": "a"}]',
    "wide.csv": "text,id\na,1\n".encode("utf-16"),
    "bad.jsonl": b"{broken\n",
    "cut.jsonl.gz": gzip.compress(JSONL)[:12],
    "nocolumn.jsonl": b'{"a": 1}\n',
    "good.jsonl": JSONL,
    "pictures/a.png": b"",
    "pictures/b.png": b"",
    "nothing/.hidden": b"",
}


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([], "no input; give files"),
        (["missing.warc"], "missing.warc: no such file or folder; check the spelling"),
        (["missing*.warc"], "missing*.warc: nothing matches; check the pattern"),
        (["empty.jsonl"], "empty.jsonl: is empty"),
        (["unknown.bin"], "unknown.bin: the format is not known, by its ending"),
        (["broken.parquet"], "broken.parquet: not a Parquet file"),
        (["array.json"], "array.json: is one JSON array, not JSON lines; convert it: jq -c '.[]'"),
        (["wide.csv"], "wide.csv: is UTF-16; convert it: iconv -f utf-16 -t utf-8"),
        (["bad.jsonl"], "bad.jsonl: no jsonl records in it"),
        (["cut.jsonl.gz"], "cut.jsonl.gz: nothing in it can be read: gzip data end early"),
        (["nocolumn.jsonl"], "nocolumn.jsonl: no column of text or HTML was recognised"),
        (["pictures"], "pictures: nothing in it is readable: .png (2); say what it is"),
        (["nothing"], "nothing: holds no files"),
        (["good.jsonl", "./good.jsonl"], "./good.jsonl: was given before, with good.jsonl"),
        (["good.jsonl", "*.jsonl"], "*.jsonl: was given before, with good.jsonl"),
        (["good.jsonl", 5], "input 2 is a int; give a path"),
    ],
)
@pytest.mark.usefixtures("here")
def test_errors_name_the_input_and_the_fix(inputs: list[Any], message: str) -> None:
    write(BROKEN)
    with pytest.raises(InputError) as caught:
        opened(*inputs)
    assert message in str(caught.value)


@pytest.mark.usefixtures("here")
def test_a_missing_column_names_the_flag() -> None:
    write({"good.jsonl": JSONL})
    with pytest.raises(InputError, match=r"no column 'body'; name another with --text"):
        opened("good.jsonl", columns=ColumnNames(text="body"))
    with pytest.raises(InputError, match=r"no format is called 'xml'; there are warc, wacz"):
        opened("good.jsonl", format="xml")


@pytest.mark.usefixtures("here")
def test_a_broken_file_among_others_does_not_stop_the_run() -> None:
    write(BROKEN)
    collection = opened("broken.parquet", "good.jsonl", "cut.jsonl.gz", "wide.csv")
    assert bodies(collection) == [b"a", b"b"]
    failed = [
        (given.name, skip.reason)
        for given in collection.inputs
        for source in given.sources
        for skip in everything(source)[1]
    ]
    assert failed == [
        ("broken.parquet", "not a Parquet file"),
        ("cut.jsonl.gz", "broken compression"),
        ("wide.csv", "no header"),
    ]
    # When it is opened again alone, that it is broken is known.
    again = open_collection(["broken.parquet"], ReadOptions(), again=lambda _: None)
    assert formats(again.inputs[0]) == [("broken.parquet", "parquet")]


@pytest.mark.usefixtures("here")
def test_converters_make_other_files_readable() -> None:
    write({"docs/a.pdf": b"abc", "b.pdf": b"xyz"})
    converters = {"application/pdf": "tr a-z A-Z"}
    assert bodies(opened("docs", "b.pdf", convert=converters)) == [b"ABC", b"XYZ"]


def test_everything_over_s3(bucket: s3fs.S3FileSystem, here: Path) -> None:
    texts = [f"page {number} " * 200 for number in range(3000)]
    contents = {
        "a.parquet": parquet(texts),
        "b.jsonl.gz": gzip.compress(JSONL),
        "c.warc.gz": warc(PAGE, PAGE + b" more"),
        "d/page.html": PAGE,
    }
    for name, content in contents.items():
        bucket.pipe_file(f"crawls/{name}", content)
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_bytes(content)
    folder, glob = opened("s3://crawls"), opened("s3://crawls/*.gz")
    expected = [*(text.encode() for text in texts), b"a", b"b", PAGE, PAGE + b" more", PAGE]
    assert bodies(folder) == expected
    assert bodies(glob) == [b"a", b"b", PAGE, PAGE + b" more"]
    assert folder.choices[0] == "s3://crawls (1 file): text = text"
    for name in ("a.parquet", "b.jsonl.gz", "c.warc.gz"):
        (far,), (near,) = (
            opened(f"s3://crawls/{name}").inputs[0].sources,
            opened(name).inputs[0].sources,
        )
        assert far.stamp() == near.stamp()
        assert everything(far)[0] == everything(near)[0]
        check_again(far)
    bucket.pipe_file("crawls/b.jsonl.gz", gzip.compress(JSONL + JSONL))
    assert files.stamp("s3://crawls/b.jsonl.gz") != files.stamp("b.jsonl.gz")


def test_what_is_not_in_the_bucket(bucket: s3fs.S3FileSystem) -> None:
    bucket.pipe_file("crawls/empty.jsonl", b"")
    for name, message in (
        ("s3://crawls/missing.warc", "no such file or folder"),
        ("s3://crawls/missing*.warc", "nothing matches"),
        ("s3://crawls/empty.jsonl", "is empty"),
    ):
        with pytest.raises(InputError, match=message):
            opened(name)


def test_addresses_may_repeat_names_of_local_files(here: Path) -> None:
    (here / "a.jsonl").write_bytes(JSONL)
    fsspec.filesystem("memory").pipe_file("/a.jsonl", json.dumps({"text": "far"}).encode())
    assert bodies(opened("a.jsonl", "memory://a.jsonl")) == [b"a", b"b", b"far"]


@pytest.mark.usefixtures("here")
def test_a_workspace_is_no_input() -> None:
    write({"w/manifest.json": b"{}", "w/run.json": b"{}", "w/a.html": PAGE, "a.html": PAGE})
    message = "w: is a workspace, sketched already; group its pages with: webecho clusters w, or"
    with pytest.raises(InputError, match=message):
        open_collection(["w"], ReadOptions())
    # Met on the way it is passed over, as it is in a folder.
    for given in ("*", "."):
        [source] = open_collection([given], ReadOptions()).inputs[0].sources
        assert [page["id"] for page in everything(source)[0]] == ["a.html"]
    write({"site/manifest.json": b"{}", "site/a.html": PAGE})
    assert open_collection(["site"], ReadOptions()).inputs[0].name == "site"


@pytest.mark.usefixtures("here")
def test_files_that_are_no_pages_are_not_announced() -> None:
    write({"crawl/a.warc.gz": warc(PAGE), "crawl/a.cdx": b"x", "crawl/b.cdx": b"x"})
    assert open_collection(["crawl"], ReadOptions()).choices == ()
    write({"crawl/a.html": PAGE})
    assert open_collection(["crawl"], ReadOptions()).choices == (
        "crawl (1 file): HTML and text files",
    )


@pytest.mark.usefixtures("here")
def test_a_dataset_folder_s_readme_is_no_document() -> None:
    write({"README.md": b"about it", "data/a.parquet": parquet(["one text"]), "LICENSE": b"any"})
    found = [skip for source in opened(".").sources for skip in everything(source)[1]]
    assert bodies(opened(".")) == [b"one text"]
    assert [(skip.url, skip.reason) for skip in found] == [
        ("LICENSE", "about the data"),
        ("README.md", "about the data"),
    ]
    # Among pages it is one.
    write({"pages/README.md": b"about it", "pages/a.html": b"<p>one"})
    assert bodies(opened("pages")) == [b"about it", b"<p>one"]


@pytest.mark.usefixtures("here")
def test_a_folder_that_datasets_saved_is_read() -> None:
    datasets = pytest.importorskip("datasets")
    whole = datasets.Dataset.from_dict({"text": ["one text", "another"], "id": [1, 2]})
    datasets.DatasetDict({"train": whole, "test": whole.select([1])}).save_to_disk("saved")
    assert bodies(opened("saved")) == [b"another", b"one text", b"another"]
    kinds = {source.format for source in opened("saved").sources}
    assert kinds == {"arrow", "html"}
