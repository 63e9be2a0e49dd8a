"""The inputs of all cases, made once: small files in every format, and made-up webs."""

import gzip
import random
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import zstandard

from tests.collections_made import (
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    edited,
    many_pages,
    markup,
    prose,
    small_web,
)
from tests.golden.input_archives import make_archives
from tests.golden.recording import Tree, run

WEBS = (
    "webecho synth web --pages 400 --as parquet --duplicates 0.6 --words 120 --power 2 --seed 3"
    " --family 'time stamp=2' --family shop=1 --family 'exact copy=1' --family near-copy=2"
    " --family form=1 --family directory=1",
    "webecho synth crawl --pages 120 --seed 5",
    "webecho synth graph --pages 300 --as parquet --graph --seed 1",
)
# More than 450 characters make a document: four paragraphs of three such sentences.
LETTERS = 45
DOCUMENTS = (
    "abcd",
    "abcd",
    "abce",
    "bcda",
    "efgh",
    "efgh",
    "efghi",
    "jklm",
    "jklmn",
    "aabbcd",
    "x",
)


def make_inputs(tree: Tree) -> Path:
    """The folder of inputs, made with a tree's own `synth`."""
    inputs = tree.work / "inputs"
    if inputs.is_dir():
        return inputs
    folder = tree.work / "inputs.new"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    pages = small_web()
    as_parquet(folder / "small.parquet", pages)
    as_jsonl(folder / "small.jsonl", pages)
    as_jsonl(folder / "broken.jsonl", pages, {3: "{no json", 5: "", 7: '["no", "object"]'})
    as_csv(folder / "small.csv", pages)
    as_folder(folder / "html", pages)
    as_parquet(folder / "many.parquet", many_pages(150), rows=20)
    make_archives(folder, pages)
    make_texts(folder)
    make_tables(folder)
    for command in WEBS:
        ended = run(command, folder, tree, tree.work / "temporary")
        if ended.returncode:
            raise RuntimeError(f"{command}: {ended.stderr.decode()}")
    return folder.rename(inputs)


def make_texts(folder: Path) -> None:
    """Other texts: compressed lines, tab-separated ones, a folder of texts, pages to compare."""
    lines = (folder / "small.jsonl").read_bytes()
    (folder / "small.jsonl.gz").write_bytes(gzip.compress(lines, 0, mtime=0))
    (folder / "small.jsonl.zst").write_bytes(zstandard.ZstdCompressor(1).compress(lines))
    options = pa.csv.WriteOptions(delimiter="\t")
    pa.csv.write_csv(pq.read_table(folder / "small.parquet"), folder / "small.tsv", options)
    texts = folder / "texts"
    (texts / "deep").mkdir(parents=True)
    for number, seed in enumerate((1, 2, 1, 3)):
        name = f"deep/{number}.txt" if number % 2 else f"{number}.md"
        (texts / name).write_text("\n".join(prose(seed, 80)) + "\n")
    (texts / "picture.png").write_bytes(b"\x89PNG")
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "lines.xyz").write_bytes(lines)
    (folder / "what.xyz").write_bytes(b"no format is called so\n")
    (folder / "not.parquet").write_bytes(b"PAR1 but no more than that")
    words = prose(1, 120)
    (folder / "old.html").write_text(markup(words, "Old"))
    (folder / "new.html").write_text(markup(edited(words, 30, 60, 90), "New"))
    (folder / "copy.html").write_text(f"<div><title>Old</title> {'<br>'.join(words)}</div>")
    (folder / "plain.txt").write_text(" ".join(prose(2, 40)))
    (folder / "hostile.html").write_text("<p>\x1b[31m" + " ".join(words[:60]) + "\u202e [-x-]")


def make_tables(folder: Path) -> None:
    """Tables with columns of other names, letters for studies, links, labels and gold pairs."""
    pages = many_pages(60, seed=2)
    chance = random.Random(4)
    rows: list[dict[str, Any]] = [
        {
            "doc_id": number // 2,
            "body": page.html.removeprefix("<html>"),
            "meta": {"url": page.url, "day": f"2020-01-{number % 28 + 1:02d}"},
            "lang": ("en", "de", None)[number % 3],
            "score": None if number % 10 == 9 else chance.random(),
        }
        for number, page in enumerate(pages)
    ]
    pq.write_table(pa.Table.from_pylist(rows), folder / "odd.parquet", row_group_size=25)
    halves = (many_pages(60, seed=2)[:40], many_pages(60, seed=2)[20:])
    for name, half in zip(("first", "second"), halves, strict=True):
        as_parquet(folder / f"{name}.parquet", half)
    letters = [
        {
            "id": f"doc-{at}",
            "url": f"http://{'ab'[at % 2]}.example.org/{at}",
            "text": lettered(each),
        }
        for at, each in enumerate(DOCUMENTS * 3)
    ]
    pq.write_table(pa.Table.from_pylist(letters), folder / "letters.parquet")
    (folder / "nothing.parquet").write_bytes(b"")
    pq.write_table(pa.Table.from_pylist(letters).slice(0, 0), folder / "no_rows.parquet")
    links = [(at, (at * 7 + 1) % 20) for at in range(20)]
    edges = "".join(
        f"http://{'ab'[a % 2]}.example.org/{a},http://{'ab'[b % 2]}.example.org/{b}\n"
        for a, b in links
    )
    (folder / "edges.csv").write_text(f"source,target\n{edges}")
    (folder / "hosts.tsv").write_text("source\ttarget\na.example.org\tb.example.org\n")


def lettered(letters: str) -> str:
    """A document whose paragraphs are letters: `ab` is “a. a. a. b. b. b.”."""
    return " ".join(f"{letter * LETTERS}." for letter in letters for _ in range(3))
