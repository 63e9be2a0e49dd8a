"""Inputs that take more memory than they should, each made by a function of a folder and sizes.

All give the path of the input, or what is to come on standard input.
"""

import gzip
import json
import random
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import lz4.frame
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

MB = 1_000_000
WORDS = [f"word{number}" for number in range(5_000)]
GOOD = b"a page like others, with some words of its own that nobody else has"


def text(size: int, seed: int = 0) -> bytes:
    """Words in some order, about so many bytes; long ones repeat themselves."""
    chance = random.Random(seed)
    some = " ".join(chance.choices(WORDS, k=min(size, MB) // 9 + 1)).encode() + b" "
    return (some * (size // len(some) + 1))[:size]


def line_of(body: bytes, number: int = 0) -> bytes:
    return b'{"url": "http://a.example/%d", "text": "%s"}\n' % (number, body)


# Lines


def endless_line(_: Path, size: int) -> Iterator[bytes]:
    """A first line that does not end, and a page after it."""
    block = b"word " * (MB // 5)
    yield b'{"text": "'
    for _ in range(size // MB):
        yield block
    yield b'"}\n'
    yield line_of(GOOD, 1)


def small_pages(folder: Path, size: int, each: int = 2_000, packing: str = "") -> Path:
    """Pages of so many bytes, so many bytes of them."""
    path = folder / f"small.jsonl{packing}"
    return packed_file(path, (line_of(text(each, seed), seed) for seed in range(size // each)))


def many_pages(folder: Path, count: int, words: int = 14) -> Path:
    """Pages of few words; of three one is a copy, and one differs in its last word from another."""
    path = folder / "many.jsonl"
    chance = random.Random(1)
    known: list[str] = []
    with path.open("w") as file:
        for number in range(count):
            body = " ".join(chance.choices(WORDS, k=words))
            if known and number % 3:
                body = chance.choice(known)
                if number % 3 == 2:
                    body = f"{body.rpartition(' ')[0]} {WORDS[number % len(WORDS)]}"
            elif len(known) < 5_000:
                known.append(body)
            file.write(f'{{"url": "http://a.example/{number}", "text": "{body}"}}\n')
    return path


def long_pages(folder: Path, count: int, each: int, packing: str = "") -> Path:
    path = folder / f"long.jsonl{packing}"
    lines = [*(line_of(text(each, seed), seed) for seed in range(1)), line_of(GOOD)]
    return packed_file(path, (lines[0] for _ in range(count)), lines[1:])


def long_names(folder: Path, count: int, each: int, column: str) -> Path:
    path = folder / "names.jsonl"
    name = b"x" * each
    with path.open("wb") as file:
        for number in range(count):
            row = b'{"%s": "http://a.example/%d/%s", "text": "%s %d"}\n'
            file.write(row % (column.encode(), number, name, GOOD, number))
        file.write(line_of(GOOD))
    return path


def many_fields(folder: Path, count: int, each: int) -> Path:
    """Lines whose other fields are long, and their texts short."""
    path = folder / "fields.jsonl"
    other = ", ".join(f'"field{number}": [{number}, {number}]' for number in range(each // 25))
    with path.open("w") as file:
        for number in range(count):
            file.write(f'{{"text": "{GOOD.decode()} {number}", {other}}}\n')
        file.write(f'{{"text": "{GOOD.decode()}"}}\n')
    return path


def wide_window(folder: Path, size: int, window: int) -> Path:
    """A zstd file that asks its reader to remember `2 ** window` bytes."""
    path = folder / "window.jsonl.zst"
    settings = zstandard.ZstdCompressionParameters(window_log=window, enable_ldm=True)
    line = line_of(text(1000))
    packer = zstandard.ZstdCompressor(compression_params=settings)
    with path.open("wb") as file, packer.stream_writer(file) as writer:
        block = line * 1000
        for _ in range(size // len(block) + 1):
            writer.write(block)
    return path


def broken_gzip_lines(folder: Path, size: int) -> Path:
    """A page, and after it damage."""
    path = long_pages(folder, 1, size, ".gz")
    data = bytearray(path.read_bytes())
    data[-200:-100] = bytes(100)
    path.write_bytes(data)
    return path


def long_csv(folder: Path, count: int, each: int, packing: str = "") -> Path:
    path = folder / f"long.csv{packing}"
    rows = (b'"http://a.example/%d","%s"\n' % (number, text(each)) for number in range(count))
    return packed_file(path, rows, [b'http://a.example/,"%s"\n' % GOOD], [b"url,text\n"])


def unclosed_quote(folder: Path, size: int) -> Path:
    path = folder / "quote.csv"
    rows = (text(80, seed) + b"," + text(80, seed + 1) + b"\n" for seed in range(size // 162))
    return packed_file(path, rows, first=[b'url,text\nhttp://a.example/,"begins\n'])


def packed_file(
    path: Path, lines: Iterable[bytes], last: Iterable[bytes] = (), first: Iterable[bytes] = ()
) -> Path:
    openers: dict[str, Callable[[Path, str], Any]] = {
        ".gz": partial(gzip.open, compresslevel=1),
        ".zst": zstandard.open,
        ".lz4": lz4.frame.open,
    }
    with openers.get(path.suffix, Path.open)(path, "wb") as file:
        for some in (first, lines, last):
            for line in some:
                file.write(line)
    return path


# Parquet and Arrow


def parquet_pages(
    folder: Path,
    count: int,
    each: int,
    *,
    codec: str = "zstd",
    dictionary: bool = False,
    group: int | None = None,
    page: int = MB,
    column: str = "text",
    version: str = "1.0",
) -> Path:
    """Rows of which one column has values of so many bytes."""
    path = folder / "long.parquet"
    names = {"url", "id", "text"}
    schema = pa.schema([(name, pa.large_string()) for name in sorted(names)])
    value = text(each).decode()
    with pq.ParquetWriter(
        path,
        schema,
        compression=codec,
        use_dictionary=dictionary,
        data_page_size=page,
        dictionary_pagesize_limit=1 << 30,
        data_page_version=version,
        write_statistics=False,
    ) as writer:
        at_once = group or max(1, min(count, 300 * MB // each))
        for start in range(0, count, at_once):
            rows = range(start, min(count, start + at_once))
            columns = {
                "id": [str(row) for row in rows],
                "url": [f"http://a.example/{row}" for row in rows],
                "text": [f"{GOOD.decode()} {row}" for row in rows],
            }
            long = pa.DictionaryArray.from_arrays(
                pa.array([0] * len(rows), pa.int32()), pa.array([value], pa.large_string())
            )
            arrays = {name: pa.array(held, pa.large_string()) for name, held in columns.items()}
            if dictionary:
                arrays[column] = long.cast(pa.large_string())
            else:
                arrays[column] = pa.array([value] * len(rows), pa.large_string())
            writer.write_table(pa.table(arrays, schema=schema), row_group_size=len(rows))
        writer.write_table(pa.table([[GOOD.decode()]] * 3, schema=schema))
    return path


def arrow_pages(folder: Path, count: int, each: int, codec: str) -> Path:
    path = folder / "long.feather"
    value = text(each).decode()
    rows = pa.table(
        {
            "url": [f"http://a.example/{row}" for row in range(count)],
            "text": pa.array([value] * count, pa.large_string()),
        }
    )
    good = pa.table([["http://a.example/"], [GOOD.decode()]], schema=rows.schema)
    options = pa.ipc.IpcWriteOptions(compression=None if codec == "uncompressed" else codec)
    with pa.ipc.new_file(path, rows.schema, options=options) as writer:
        writer.write_table(rows, max(1, 300 * MB // each))
        writer.write_table(good)
    return path


# Archives


def record(number: int, body: bytes, head: bytes = b"", length: int | None = None) -> bytes:
    """A response record; `length` where more of its body follows."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n" % head
    size = len(http) + (len(body) if length is None else length)
    end = b"\r\n\r\n" if length is None else b""
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d\r\n"
        b"WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:%032d>\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n"
        % (number, number, size)
    ) + (http + body + end)


def zipped(blocks: Iterable[bytes]) -> bytes:
    pack = zlib.compressobj(1, wbits=31)
    return b"".join([*map(pack.compress, blocks), pack.flush()])


def repeated(block: bytes, size: int) -> Iterator[bytes]:
    for _ in range(size // len(block)):
        yield block


def warc(folder: Path, records: Iterable[bytes], packing: str = ".gz") -> Path:
    """Each record a member of its own, unless nothing is packed."""
    path = folder / f"made.warc{packing}"
    pack = {
        "": lambda data: data,
        ".gz": lambda data: zipped([data]),
        ".zst": lambda data: zstandard.ZstdCompressor(1).compress(data),
    }[packing]
    with path.open("wb") as file:
        for each in records:
            file.write(pack(each))
    return path


def good(number: int = 9) -> bytes:
    return record(number, b"<p>" + GOOD)


def warc_bomb(folder: Path, size: int) -> Path:
    """A record that is short as it stands in the file, and long when it is unpacked."""
    path = folder / "bomb.warc.gz"
    block = b"<p>word " * (MB // 8)
    whole = size // len(block) * len(block)
    blocks = [record(1, b"", length=whole)]
    bomb = zipped(b for some in (blocks, repeated(block, whole), [b"\r\n\r\n"]) for b in some)
    path.write_bytes(zipped([good(0)]) + bomb + zipped([good()]))
    return path


def body_bombs(
    folder: Path, count: int, size: int, coding: str = "gzip", packing: str = ".gz"
) -> Path:
    """Bodies that are short as they were sent."""
    block = b"<p>word " * (MB // 8)
    if coding == "gzip":
        body = zipped(repeated(block, size))
    else:
        body = zstandard.ZstdCompressor(1).compress(b"".join(repeated(block, size)))
    head = b"Content-Encoding: %s\r\n" % coding.encode()
    return warc(folder, [*(record(n, body, head) for n in range(count)), good()], packing)


def long_records(folder: Path, count: int, each: int, packing: str = ".gz") -> Path:
    body = text(each)
    records = (record(n, body) if n < count else good() for n in range(count + 1))
    return warc(folder, records, packing)


def broken_warc(folder: Path, size: int) -> Path:
    path = folder / "broken.warc.gz"
    data = bytearray(zipped([record(1, text(size))]))
    data[-200:-100] = bytes(100)
    path.write_bytes(zipped([good(0)]) + data + zipped([good()]))
    return path


def many_members(folder: Path, count: int) -> Path:
    """A body of so many empty gzip members."""
    body = gzip.compress(b"", mtime=0) * count + gzip.compress(GOOD, mtime=0)
    return warc(folder, [record(0, body, b"Content-Encoding: gzip\r\n"), good()], "")


def many_chunks(folder: Path, count: int) -> Path:
    """A body sent in chunks of one byte."""
    body = b"1\r\na\r\n" * count + b"0\r\n\r\n"
    return warc(folder, [record(0, body, b"Transfer-Encoding: chunked\r\n"), good()], "")


def wide_warc(folder: Path, size: int, window: int) -> Path:
    """A WARC in one zstd frame that asks its reader to remember `2 ** window` bytes."""
    path = folder / "window.warc.zst"
    settings = zstandard.ZstdCompressionParameters(window_log=window, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=settings)
    with path.open("wb") as file, packer.stream_writer(file) as writer:
        some = b"".join(record(number, text(5000, number)) for number in range(100))
        for _ in range(size // len(some) + 1):
            writer.write(some)
    return path


def wacz(folder: Path, listed: int, longest: int = 200) -> Path:
    """A WACZ whose list of pages has so many bytes, in lines of so many."""
    path = folder / "made.wacz"
    with zipfile.ZipFile(path, "w") as whole:
        whole.writestr("archive/data.warc.gz", zipped([good(1)]) + zipped([good(2)]))
        entry = zipfile.ZipInfo("pages/pages.jsonl")
        entry.compress_type = zipfile.ZIP_DEFLATED
        with whole.open(entry, "w", force_zip64=True) as file:
            file.write(b'{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}\n')
            line = json.dumps({"url": "http://a.example/1", "text": "x" * longest}).encode() + b"\n"
            for _ in range(listed // len(line)):
                file.write(line)
        whole.writestr("datapackage.json", json.dumps({"profile": "data-package", "resources": []}))
    return path


# Folders


def folder_of(folder: Path, count: int, each: int, packing: str = "") -> Path:
    path = folder / "site"
    path.mkdir()
    body = text(each)
    for number in range(count):
        packed_file(path / f"{number}.html{packing}", [b"<p>%d " % number, body])
    (path / "good.html").write_bytes(b"<p>" + GOOD)
    return path


def two_files(folder: Path, size: int) -> Path:
    """Two pages that differ here and there."""
    path = folder / "two"
    path.mkdir()
    chance = random.Random(1)
    words = chance.choices(WORDS, k=size // 9)
    (path / "a.txt").write_text(" ".join(words))
    for at in range(0, len(words), 100):
        words[at] = "other"
    (path / "b.txt").write_text(" ".join(words))
    return path


# Workspaces


def sketched_pages(folder: Path, pages: int) -> Path:
    """A workspace of so many sketches, three in ten of them copies; the pages do not exist."""
    # In a process of its own: what it takes is not to stay in the one that runs the tests.
    path = folder / "made.echo"
    code = "import sys; from pathlib import Path; from bench.budget import made_up; "
    code += "made_up(Path(sys.argv[1]), int(sys.argv[2]))"
    subprocess.run([sys.executable, "-c", code, str(path), str(pages)], check=True)
    return path
