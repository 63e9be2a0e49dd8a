"""A workspace and a dedup's output with a file of every kind in them, and damage done to them."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.collections_made import WarcFile, as_jsonl, markup, prose, small_web
from tests.command import done
from webecho.evaluation.label.labels import append, read_labels

# What is not looked at: it differs from run to run.
APART = ("run.json", ".lock")


def made(folder: Path) -> tuple[Path, Path]:
    """A workspace of several parts with all that verbs write into one, and a dedup's output."""
    pages = as_jsonl(folder / "pages.jsonl", small_web(), {3: "{", 9: "[]"})
    with WarcFile(folder / "archive.warc.gz") as archive:
        for number in range(5):
            archive.request(f"http://a.example.org/{number}")
            url = f"http://a.example.org/{number}"
            archive.response(url, markup(prose(number % 3, 80)).encode())
    crawl, out = folder / "crawl.echo", folder / "out"
    kept = ("--keep-shingles", "--links", "--paragraphs", "--chunks", "lines:4")
    given = ("--part-pages", 5, *kept)
    done("sketch", pages, archive.file, "-o", crawl, *given)
    done("clusters", crawl)
    done("clusters", crawl, "--rule", "tokens")
    done("pairs", crawl, "--rule", "tokens")
    done("pairs", crawl, "--rule", "b", "--report")
    shared = ("--chunk", "words:3:sliding", "--shared", 9)
    done("overlap", crawl, *shared)
    done("overlap", crawl, *shared, "--level", "host")
    done("label", crawl, "--rule", "b-2", "--sample", 5, "--guess")
    guesses = read_labels(next((crawl / "labels").glob("guesses-*.jsonl"))).labels
    said = (replace(label, guess=False, labeller="ada") for label in guesses)
    append(crawl / "labels" / "labels.jsonl", said)
    done("study", "duplicates", crawl)
    done("dedup", pages, archive.file, "-o", out)
    return crawl, out


def files_of(folder: Path) -> list[Path]:
    """All files that are looked at, in one order."""
    return [
        file
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.relative_to(folder).as_posix() not in APART
    ]


def flipped(content: bytes, bit: int) -> bytes:
    """The bytes with one bit turned over."""
    turned = bytearray(content)
    turned[bit // 8] ^= 1 << bit % 8
    return bytes(turned)


def damages(folder: Path, count: int, seed: int) -> Iterator[tuple[str, dict[Path, bytes]]]:
    """So many flips of a bit and swaps of two files, with what then stands in which file."""
    chance = random.Random(seed)
    files = [file for file in files_of(folder) if file.stat().st_size]
    for _ in range(count):
        one, other = chance.sample(files, 2)
        before = one.read_bytes(), other.read_bytes()
        same_kind = [each for each in files if each.suffix == one.suffix and each != one]
        if chance.random() < 0.2 and same_kind:
            other = chance.choice(same_kind)
            before = one.read_bytes(), other.read_bytes()
            if before[0] != before[1]:
                yield f"{one} and {other} swapped", {one: before[1], other: before[0]}
                continue
        bit = chance.randrange(8 * len(before[0]))
        yield f"bit {bit} of {one}", {one: flipped(before[0], bit)}
