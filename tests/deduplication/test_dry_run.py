"""`webecho dedup --dry-run`: what to expect, of every format, held against the truth."""

import gzip
import json
import random
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import zstandard

import webecho
from tests.collections_made import (
    Page,
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_table,
    as_warc,
    many_pages,
    markup,
    page,
    prose,
)
from tests.command import done
from tests.command import webecho as run
from tests.deduplication.results import summary
from webecho.read.limits import USUAL

PAGES = 2400
REMOVED = 0.25


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    """Each fourth is a copy of another, anywhere; texts of lengths that differ much."""
    chance = random.Random(4)
    unique = [markup(prose(each, chance.randrange(20, 200))) for each in range(PAGES * 3 // 4)]
    texts = unique + chance.choices(unique, k=PAGES // 4)
    chance.shuffle(texts)
    return [page(number, html) for number, html in enumerate(texts)]


def packed(file: Path, pack: Callable[[bytes], bytes], ending: str) -> Path:
    made = file.with_name(file.name + ending)
    made.write_bytes(pack(file.read_bytes()))
    file.unlink()
    return made


def as_arrow(file: Path, pages: Sequence[Page]) -> Path:
    table = as_table(pages)
    with pa.OSFile(str(file), "wb") as raw, pa.ipc.new_stream(raw, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    return file


def as_wacz(folder: Path, pages: Sequence[Page]) -> Path:
    with zipfile.ZipFile(folder / "web.wacz", "w") as archive:
        for number in range(60):
            own = pages[number * len(pages) // 60 : (number + 1) * len(pages) // 60]
            part = as_warc(folder / "part.warc.gz", own)
            archive.write(part, f"archive/{number:03}.warc.gz")
            part.unlink()
    return folder / "web.wacz"


def as_shards(folder: Path, pages: Sequence[Page], count: int) -> Path:
    for number in range(count):
        own = pages[number * len(pages) // count : (number + 1) * len(pages) // count]
        packed(as_jsonl(folder / f"{number:03}.jsonl", own), gzip.compress, ".gz")
    return folder


# By default it sees all of so small a file, of which a copy then takes next to nothing.
NEAR_WINDOW = zstandard.ZstdCompressor(
    compression_params=zstandard.ZstdCompressionParameters(window_log=15)
)
FORMATS: dict[str, Callable[[Path, Sequence[Page]], Path]] = {
    "jsonl": lambda folder, pages: as_jsonl(folder / "web.jsonl", pages),
    "jsonl.gz": lambda folder, pages: packed(
        as_jsonl(folder / "web.jsonl", pages), gzip.compress, ".gz"
    ),
    "jsonl.zst": lambda folder, pages: packed(
        as_jsonl(folder / "web.jsonl", pages), NEAR_WINDOW.compress, ".zst"
    ),
    "csv.gz": lambda folder, pages: packed(as_csv(folder / "web.csv", pages), gzip.compress, ".gz"),
    "parquet": lambda folder, pages: as_parquet(folder / "web.parquet", pages, rows=20),
    "one row group": lambda folder, pages: as_parquet(folder / "web.parquet", pages, rows=PAGES),
    "arrow": lambda folder, pages: as_arrow(folder / "web.arrow", pages),
    "warc": lambda folder, pages: as_warc(folder / "web.warc", pages),
    "warc.gz": lambda folder, pages: as_warc(folder / "web.warc.gz", pages),
    "wacz": as_wacz,
    "few shards": lambda folder, pages: as_shards(folder, pages, 5),
    "many shards": lambda folder, pages: as_shards(folder, pages, 120),
}


def bytes_read() -> int:
    """What this process has asked the system to read so far."""
    fields = Path("/proc/self/io").read_text().split()
    return int(fields[fields.index("rchar:") + 1])


@pytest.mark.parametrize("name", FORMATS)
def test_a_sample_tells_of_the_whole(name: str, pages: list[Page], tmp_path: Path) -> None:
    file = FORMATS[name](tmp_path, pages)
    found = webecho.dedup(file, dry_run=True, sample=0.4).facts
    assert found["pages in the sample"] == pytest.approx(0.4 * PAGES, rel=0.2)
    assert found["pages, about"] == pytest.approx(PAGES, rel=0.1)
    # Of a stream the beginning is what it is, also if that is not what chance would draw.
    # And a 95 % interval misses now and then, but not by much.
    apart = (0.005 if "stretches" in found["sampled"] else 0.05) * PAGES
    assert found["pages, at least"] - apart <= PAGES <= found["pages, at most"] + apart
    assert found["removed, at least"] <= REMOVED <= found["removed, at most"]
    assert found["removed, about"] == pytest.approx(REMOVED, abs=0.1)
    whole = webecho.dedup(file, dry_run=True).facts
    assert (whole["pages in the sample"], whole["pages, about"]) == (PAGES, PAGES)
    shares = {whole[f"removed, {of}"] for of in ("about", "at least", "at most")}
    assert shares == {REMOVED}


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"one row group"}))
def test_a_sample_is_not_all_that_is_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The files are small against what is else read at a time.
    small = replace(USUAL, batch=1 << 16)
    monkeypatch.setattr("webecho.read.limits.USUAL", small)
    monkeypatch.setattr("webecho.deduplication.sample.ENOUGH", 5)
    chance = random.Random(5)
    large = [page(number, markup([chance.randbytes(5_000).hex()])) for number in range(600)]
    file = FORMATS[name](tmp_path, large)
    read = {}
    for share in (0.1, 0.1, 1.0):
        before = bytes_read()
        webecho.dedup(file, dry_run=True, sample=share, rule="payload")
        read[share] = bytes_read() - before
    # What else is read, by whoever compares, too.
    assert read[0.1] < read[1.0] - 0.5 * size_of(file)


def size_of(path: Path) -> int:
    files = [path] if path.is_file() else path.iterdir()
    return sum(file.stat().st_size for file in files)


def test_files_of_a_folder_are_drawn(pages: list[Page], tmp_path: Path) -> None:
    folder = as_folder(tmp_path / "site", pages[:300])
    found = webecho.dedup(folder, dry_run=True, sample=0.4).facts
    assert found["sampled"] == "all of 120 of 300 stretches of the inputs, drawn at random"
    assert (found["pages in the sample"], found["pages, about"]) == (120, 300)


def test_frames_are_sampled_too(pages: list[Page]) -> None:
    found = webecho.dedup(as_table(pages), dry_run=True, sample="40%").facts
    assert found["pages in the sample"] == pytest.approx(0.4 * PAGES, rel=0.05)
    assert found["pages, about"] == PAGES
    assert found["removed, at least"] <= REMOVED <= found["removed, at most"]


def test_snapshots_in_the_same_order_come_with_their_copies(tmp_path: Path) -> None:
    own = many_pages(400, words=30)
    for number in range(5):
        as_jsonl(tmp_path / f"{number}.jsonl", own)
    whole = webecho.dedup(tmp_path, dry_run=True).facts["removed, about"]
    found = webecho.dedup(tmp_path, dry_run=True, sample=0.25).facts
    assert found["removed, at least"] <= whole <= found["removed, at most"]
    assert found["removed, about"] == pytest.approx(whole, abs=0.1)


def test_what_can_only_be_read_from_its_beginning_is_named(
    pages: list[Page], tmp_path: Path
) -> None:
    file = FORMATS["jsonl.gz"](tmp_path, pages)
    found: Any = webecho.dedup(file, dry_run=True, sample=0.1).facts
    assert found["sampled"] == (
        f"the first 10% of {file}, which can be read only from its beginning"
    )
    # So small a sample of so few pages has no estimate, but bounds.
    assert "removed, about" not in found
    assert found["removed, at least"] <= REMOVED <= found["removed, at most"]


def test_a_dry_run_needs_no_folder_and_writes_nothing(tmp_path: Path) -> None:
    file = as_parquet(tmp_path / "web.parquet", many_pages(200))
    shown = json.loads(done("dedup", file, "--dry-run", "--format", "json").stdout)
    assert (shown["pages in the sample"], shown["share of the inputs"]) == (200, 1.0)
    few = json.loads(done("dedup", file, "--dry-run", "--limit", 50, "--format", "json").stdout)
    assert (few["pages in the sample"], few["pages, about"]) == (50, 200)
    out = tmp_path / "out"
    done("dedup", file, "-o", out)
    found = summary(out)["counts"]
    assert shown["removed, about"] == pytest.approx(found["removed"] / 200)
    assert shown["removed in the sample"] == found["removed"]
    assert run("dedup", file, "-o", tmp_path / "x", "--limit", 5).exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.echo", "web.parquet"]


def test_what_is_dropped_is_not_removed(tmp_path: Path) -> None:
    own = [page(number, markup(prose(number % 3, 9 + number % 2 * 30))) for number in range(60)]
    file = as_parquet(tmp_path / "web.parquet", own)
    found = webecho.dedup(file, dry_run=True, min_words=20).facts
    assert (found["dropped in the sample"], found["removed in the sample"]) == (30, 27)
    assert found["removed, about"] == pytest.approx(27 / 60, abs=1e-4)


def test_what_an_earlier_workspace_has_is_known_of_every_page(tmp_path: Path) -> None:
    own = many_pages(300)
    as_jsonl(tmp_path / "old.jsonl", own[:150])
    as_jsonl(tmp_path / "new.jsonl", own[::-1])
    webecho.sketch(tmp_path / "old.jsonl", out=tmp_path / "old.echo")
    asked = {"dry_run": True, "against": tmp_path / "old.echo"}
    whole = webecho.dedup(tmp_path / "new.jsonl", **asked).facts["removed, about"]
    found = webecho.dedup(tmp_path / "new.jsonl", **asked, sample=0.6).facts
    assert found["removed, at least"] <= whole <= found["removed, at most"] + 0.2


def test_archives_of_which_stretches_are_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few records of very different lengths in each: long ones stand across where it ends."""
    monkeypatch.setattr("webecho.deduplication.sample.ENOUGH", 10**6)
    chance = random.Random(7)
    sizes = [chance.choice((200, 400, 12_000)) for _ in range(PAGES)]
    uneven = [
        page(number, markup([chance.randbytes(size).hex()])) for number, size in enumerate(sizes)
    ]
    file = as_warc(tmp_path / "web.warc.gz", uneven)
    found = webecho.dedup(file, dry_run=True, sample=0.3, rule="payload").facts
    assert found["sampled"].startswith("the first 30% of each of ")
    assert found["pages, about"] == pytest.approx(PAGES, rel=0.15)
    assert found["pages, at least"] <= PAGES <= found["pages, at most"]


def test_a_prompt_shows_it_in_lines(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "web.warc.gz", many_pages(10))
    shown = repr(webecho.dedup(file, dry_run=True)).splitlines()
    assert shown[0].startswith("DryRun")
    assert any(line.split() == ["pages,", "about", "10"] for line in shown)


def test_a_limit_that_a_sample_cannot_judge_is_told(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", many_pages(20))
    said = run("dedup", file, "--dry-run", "--most-lost", "10%")
    assert (said.exit_code, "--most-lost is judged by the run itself" in said.stderr) == (0, True)
