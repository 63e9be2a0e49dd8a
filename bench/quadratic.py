"""Whether time grows as the input does: attacks and common pages, each in two or three sizes.

    python -m bench.quadratic                 all cases
    python -m bench.quadratic templates jsonl those whose names have one of these words
    python -m bench.quadratic --times 4       with sizes four times as large

How time grows is told by slopes: see `bench/slopes.py`.
"""

import argparse
import gzip
import json
import random
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import webecho
from bench.slopes import STEEP, Case, timed
from webecho import _core

_WORDS = [f"w{number * 7919:x}" for number in range(50_000)]


# --- Pages that are alike -----------------------------------------------------------------------


def templates(folder: Path, pages: int, common: int = 120, own: int = 60) -> Path:
    """Pages with so many words in common and so many of their own."""
    drawn = random.Random(5)
    head = " ".join(drawn.choices(_WORDS, k=common))
    texts = [f"{head} {' '.join(drawn.choices(_WORDS, k=own))}" for _ in range(pages)]
    return written(folder, texts)


def near_copies(folder: Path, pages: int) -> Path:
    """One page, and in each copy two other words."""
    drawn = random.Random(6)
    words = drawn.choices(_WORDS, k=180)
    texts = []
    for _ in range(pages):
        for place in drawn.sample(range(180), 2):
            words[place] = drawn.choice(_WORDS)
        texts.append(" ".join(words[:90] + drawn.choices(_WORDS, k=2) + words[90:]))
    return written(folder, texts)


def written(folder: Path, texts: list[str]) -> Path:
    urls = [f"http://h{number % 100}.example/{number}" for number in range(len(texts))]
    pq.write_table(pa.table({"url": urls, "text": texts}), folder / "pages.parquet")
    return folder / "pages.parquet"


def shared_line(folder: Path, pages: int) -> Path:
    """Pages that have four lines in common, and four of their own."""
    shared = "one line that all have\n" * 4
    own = [f"line {at} of page {n}" for n in range(pages) for at in range(4)]
    return written(folder, [shared + "\n".join(own[4 * n : 4 * n + 4]) for n in range(pages)])


def one_host(folder: Path, pages: int) -> Path:
    """A workspace whose pages are all on one host, each there twice."""
    texts = [
        f"page {number // 2} " + " ".join(_WORDS[number // 2 % 40_000 :][:30])
        for number in range(pages)
    ]
    urls = [f"http://one.example/{number % 2}/{number // 2}" for number in range(pages)]
    pq.write_table(pa.table({"url": urls, "text": texts}), folder / "pages.parquet")
    webecho.sketch(folder / "pages.parquet", folder / "made.echo")
    return folder / "made.echo"


# --- Files --------------------------------------------------------------------------------------


def jsonl_blank(folder: Path, lines: int) -> Path:
    path = folder / "pages.jsonl"
    path.write_bytes(b'{"url": "http://a.example/", "text": "some words"}\n' + b"\n" * lines)
    return path


def jsonl_broken(folder: Path, lines: int) -> Path:
    path = folder / "pages.jsonl"
    path.write_bytes(b'{"url": "http://a.example/", "text": "some words"}\n' + b"{[\n" * lines)
    return path


def csv_blank(folder: Path, lines: int) -> Path:
    path = folder / "pages.csv"
    path.write_bytes(b"url,text\nhttp://a.example/,some words\n" + b"\n" * lines)
    return path


def csv_quotes(folder: Path, lines: int) -> Path:
    path = folder / "pages.csv"
    path.write_bytes(b"url,text\nhttp://a.example/,some words\n" + b'x,"a"b"c\n' * lines)
    return path


def gzip_members(folder: Path, members: int) -> Path:
    path = folder / "pages.jsonl.gz"
    line = b'{"url": "http://a.example/", "text": "some words"}\n'
    path.write_bytes(
        gzip.compress(line) + b"".join(gzip.compress(b" ") for _ in range(100)) * (members // 100)
    )
    return path


def warc_records(folder: Path, records: int, body: bytes = b"<p>words here</p>") -> Path:
    path = folder / "pages.warc.gz"
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    with path.open("wb") as file:
        for number in range(records):
            head = (
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012d}>\r\n"
                "WARC-Target-URI: http://a.example/same\r\n"
                f"Content-Type: application/http\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 1))
    return path


def warc_garbage(folder: Path, size: int) -> Path:
    """Records cut short by lengths that are too long."""
    path = folder / "pages.warc"
    record = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        b"WARC-Target-URI: http://a.example/\r\nContent-Type: application/http\r\n"
        b"Content-Length: 99999999\r\n\r\nHTTP/1.1 200 OK\r\n\r\nwords\r\n\r\n"
    )
    path.write_bytes(record * (size // len(record) + 1))
    return path


def wacz(folder: Path, page_list: bytes, archives: int = 1) -> Path:
    warc = warc_records(folder, 2)
    path = folder / "pages.wacz"
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(archives):
            packed.write(warc, f"archive/{number:06d}.warc.gz")
        packed.writestr("pages/pages.jsonl", page_list)
        packed.writestr("datapackage.json", json.dumps({"resources": []}))
    return path


def wacz_long_line(folder: Path, size: int) -> Path:
    return wacz(folder, b'{"url": "' + b"x" * size + b'"}\n')


def wacz_archives(folder: Path, archives: int) -> Path:
    return wacz(folder, b"", archives)


def many_files(folder: Path, files: int) -> Path:
    pages = folder / "pages"
    for number in range(files):
        path = pages / f"{number % 50}" / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<p>page {number} has words")
    return pages


def many_inputs(folder: Path, files: int) -> list[Path]:
    paths = [folder / f"{number}.jsonl" for number in range(files)]
    for number, path in enumerate(paths):
        path.write_text(json.dumps({"url": f"http://a.example/{number}", "text": f"page {number}"}))
    return paths


def to_sketch(made: Path | list[Path], **settings: Any) -> object:
    """Sketched into a workspace that goes away."""
    first = made[0] if isinstance(made, list) else made
    return webecho.sketch(made, first.parent / "made.echo", **settings)


def to_dedup(made: Path | list[Path], **settings: Any) -> object:
    first = made[0] if isinstance(made, list) else made
    return webecho.dedup(made, first.parent / "clean", **settings)


# --- One page -----------------------------------------------------------------------------------


def page(content: Callable[[int], str]) -> Callable[[Path, int], str]:
    return lambda _, size: content(size)


def one_page(html: str, **settings: Any) -> object:
    return webecho.sketch(pa.table({"url": ["http://a.example/"], "html": [html]}), **settings)


def mixed_bytes(_: Path, size: int) -> bytes:
    return random.Random(4).randbytes(size)


def of_bytes(content: bytes) -> object:
    return webecho.sketch(pa.table({"url": ["http://a.example/"], "html": [content]}))


def two_pages(
    left: Callable[[int], str], right: Callable[[int], str]
) -> Callable[[Path, int], pa.Table]:
    return lambda _, size: pa.table(
        {"url": ["http://a.example/", "http://b.example/"], "text": [left(size), right(size)]}
    )


def why(pages: pa.Table) -> object:
    return webecho.why(pages, 0, 1)


def numbers(size: int, seed: int = 0) -> str:
    return " ".join(random.Random(seed).choices(_WORDS, k=size))


def long_address(size: int) -> pa.RecordBatch:
    urls = ["http://a.example/" + "a/../" * (size // 10) + "%41" * (size // 6)]
    return pa.RecordBatch.from_pydict({"url": urls})


def hosts_study(path: Path) -> object:
    return webecho.study_mirrors(path, repetitions=1)


def many_parts(folder: Path, parts: int) -> Path:
    texts = [f"page {number} has words" for number in range(parts)]
    return written(folder, texts)


MEGA = 1 << 20

CASES = (
    Case("templates, dedup", (20_000, 40_000, 80_000), templates, to_dedup),
    Case("templates, clusters", (20_000, 40_000, 80_000), templates, webecho.clusters),
    Case("templates, pairs", (20_000, 40_000), templates, webecho.pairs),
    Case(
        "templates, clusters at 0.5",
        (10_000, 20_000, 40_000),
        templates,
        partial(webecho.clusters, resemblance=0.5),
    ),
    Case(
        "templates, dedup at 0.9",
        (20_000, 40_000),
        partial(templates, common=150, own=30),
        partial(to_dedup, resemblance=0.9),
    ),
    Case(
        "templates, dedup by b",
        (20_000, 40_000),
        partial(templates, common=170, own=20),
        partial(to_dedup, rule="b"),
    ),
    Case(
        "templates, dedup by combined",
        (20_000, 40_000),
        partial(templates, common=170, own=20),
        partial(to_dedup, rule="combined"),
    ),
    Case("templates, dedup by c", (10_000, 20_000), templates, partial(to_dedup, rule="c")),
    Case("near copies of one page, dedup", (20_000, 40_000), near_copies, to_dedup),
    Case("near copies of one page, clusters", (20_000, 40_000), near_copies, webecho.clusters),
    Case("one chunk that all pages have, overlap", (10_000, 20_000), shared_line, webecho.overlap),
    Case("one host with all pages, study mirrors", (10_000, 20_000), one_host, hosts_study),
    Case("jsonl: blank lines", (100_000, 200_000, 400_000), jsonl_blank, to_sketch),
    Case("jsonl: broken lines", (50_000, 100_000), jsonl_broken, to_sketch),
    Case("csv: blank lines", (100_000, 200_000, 400_000), csv_blank, to_sketch),
    Case("csv: stray quotes", (50_000, 100_000), csv_quotes, to_sketch),
    Case("gzip: tiny members", (40_000, 80_000, 160_000), gzip_members, to_sketch),
    Case(
        "warc: records of one address",
        (10_000, 20_000),
        warc_records,
        partial(to_dedup, revisit=True),
    ),
    Case("warc: lengths that are too long", (MEGA, 2 * MEGA), warc_garbage, to_sketch),
    Case(
        "wacz: one long line of pages", (32 * MEGA, 64 * MEGA, 128 * MEGA), wacz_long_line, to_dedup
    ),
    Case("wacz: many archives", (1_000, 2_000, 4_000), wacz_archives, to_sketch),
    Case("folder of many files", (5_000, 10_000, 20_000), many_files, to_sketch),
    Case("many inputs, one by one", (500, 1_000, 2_000), many_inputs, to_dedup),
    Case("many parts", (500, 1_000, 2_000), many_parts, partial(to_sketch, part_pages=1)),
    Case(
        "html: deep nesting", (MEGA, 4 * MEGA), page(lambda size: "<div>" * (size // 5)), one_page
    ),
    Case(
        "html: attributes of one tag",
        (MEGA, 4 * MEGA),
        page(lambda size: "<p " + " ".join(f"a{n}=b" for n in range(size // 9)) + ">"),
        one_page,
    ),
    Case(
        "html: comments that do not end",
        (MEGA, 4 * MEGA),
        page(lambda size: "<!-- a" * (size // 6)),
        one_page,
    ),
    Case(
        "html: signs that open nothing", (MEGA, 4 * MEGA), page(lambda size: "<" * size), one_page
    ),
    Case(
        "html: references that are none",
        (MEGA, 4 * MEGA),
        page(lambda size: "&notit" * (size // 6)),
        one_page,
    ),
    Case(
        "html: scripts that do not end",
        (MEGA, 4 * MEGA),
        page(lambda size: "<script></scrip" * (size // 15)),
        one_page,
    ),
    Case(
        "html: links",
        (MEGA, 4 * MEGA),
        page(lambda size: "".join(f'<a href="/{n}">x</a>' for n in range(size // 22))),
        partial(one_page, links=True),
    ),
    Case("html: one word without end", (MEGA, 4 * MEGA), page(lambda size: "a" * size), one_page),
    Case(
        "html: paragraphs without periods",
        (MEGA, 4 * MEGA),
        page(lambda size: "word, " * (size // 6)),
        partial(one_page, paragraphs=True, sentences=True),
    ),
    Case(
        "html: chunks of sliding words",
        (MEGA, 4 * MEGA),
        page(numbers),
        partial(one_page, chunks="words:10:sliding"),
    ),
    Case("charset: random bytes", (4 * MEGA, 16 * MEGA), mixed_bytes, of_bytes),
    Case(
        "address: dots and escapes",
        (MEGA, 4 * MEGA),
        lambda _, size: long_address(size),
        lambda batch: _core.address_keys(batch, 1),
    ),
    Case(
        "why: two pages of nothing in common",
        (50_000, 100_000, 200_000),
        two_pages(numbers, partial(numbers, seed=1)),
        why,
    ),
    Case(
        "why: one word again and again",
        (50_000, 100_000, 200_000),
        two_pages(lambda n: "a b " * (n // 2), lambda n: "b a " * (n // 2)),
        why,
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.quadratic",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="word", help="cases with one of these words")
    parser.add_argument("--times", type=int, default=1, help="sizes that many times as large")
    given = parser.parse_args()
    steep = 0
    for case in CASES:
        if given.words and not any(word in case.name for word in given.words):
            continue
        found = timed(case, given.times)
        steep += found.slope > STEEP
        mark = "  steep" if found.slope > STEEP else ""
        print(f"{found.name:40} {found.slope:5.2f}   {found.told}{mark}", flush=True)
    print(f"{steep} of the slopes are above {STEEP}")


if __name__ == "__main__":
    main()
