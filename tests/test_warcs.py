"""The archive files of other projects' test suites, many of them broken on purpose: none stops a
run, and the counts add up."""

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from warcio.archiveiterator import ArchiveIterator

import webecho
from tests.command import contents, counts, done, manifest
from tests.command import webecho as run
from webecho.workspace.workspace import Workspace

pytestmark = pytest.mark.data
RULES = ("exact", "very-similar", "virtually-identical", "similar")


def check_counts(path: Path) -> int:
    """All records are counted, by kind and by reason, and listed; gives their number."""
    counted = counts(path)
    workspace = Workspace.open(path)
    sketched = workspace.table().select(["page", "source", "place"]).to_pylist()
    skipped = workspace.table("skipped").to_pylist()
    assert [row["page"] for row in sketched] == list(range(counted.get("pages", 0)))
    assert counted.get("skipped", 0) + counted.get("failed", 0) == len(skipped)
    assert counted.get("failed", 0) == sum(row["failed"] for row in skipped)
    for kind in ("skipped", "failed"):
        reasons = [count for name, count in counted.items() if name.startswith(f"{kind}: ")]
        assert sum(reasons) == counted.get(kind, 0)
    places = [(row["source"], row["place"]) for row in sketched + skipped]
    assert len(set(places)) == len(places)
    return len(places)


def records_of(file: Path) -> int:
    """How many records warcio reads before it stops or gives up."""
    count = 0
    # Told to expect ARC records in a WARC file it takes lines of HTTP headers for such.
    with file.open("rb") as stream, suppress(Exception):
        for _ in ArchiveIterator(stream, arc2warc=".arc" in file.name):
            count += 1
    return count


def archives(data: Path) -> list[Path]:
    found = sorted(file for file in (data / "warcs").rglob("*") if file.is_file())
    assert len(found) > 70
    return found


def test_every_file_by_itself(data: Path, tmp_path: Path) -> None:
    """One after the other through the command line, with parts of three pages."""
    total = 0
    for number, file in enumerate(archives(data)):
        path = tmp_path / f"{number}.echo"
        form = () if is_named(file) else ("--input-format", "warc")
        result = run("sketch", file, "-o", path, "--part-pages", 3, "--quiet", *form)
        found = check_counts(path)
        # Exit code 1 says that nothing in it could be read, and what it is.
        assert result.exit_code == 0 or (result.exit_code, Workspace.open(path).pages) == (1, 0)
        assert found >= records_of(file), file
        total += found
        if number % 8 == 0:
            for rule in RULES:
                done("clusters", path, "--rule", rule, "--quiet")
                done("pairs", path, "--rule", rule, "--quiet")
    assert total > 600


def is_named(file: Path) -> bool:
    """Whether the name tells that this is an archive."""
    name = file.name.lower().removesuffix(".gz").removesuffix(".zst")
    return name.endswith((".warc", ".arc", ".wet", ".wat", ".wacz"))


def test_all_files_at_once(data: Path, tmp_path: Path) -> None:
    """As one folder: the same bytes with one thread and with two, and after every kind of group."""
    for threads in (1, 2):
        path = tmp_path / f"{threads}.echo"
        done("sketch", data / "warcs", "-o", path, "--threads", threads, "--part-pages", 100)
        for rule in RULES:
            done("clusters", path, "--rule", rule, "--threads", threads)
            done("pairs", path, "--rule", rule, "--threads", threads)
    assert contents(tmp_path / "1.echo") == contents(tmp_path / "2.echo")
    assert check_counts(tmp_path / "1.echo") > 600
    assert counts(tmp_path / "1.echo")["pages"] > 200
    assert len(manifest(tmp_path / "1.echo")["sources"]) > 70


def test_pairs_are_verified_by_reading_the_archives_again(data: Path, tmp_path: Path) -> None:
    for name, more in (("again", ()), ("kept", ("--keep-shingles",))):
        path = tmp_path / f"{name}.echo"
        done("sketch", data / "warcs", "-o", path, *more)
        done("pairs", path, "--resemblance", "0.7")
        done("clusters", path, "--resemblance", "0.7")
    again, kept = contents(tmp_path / "again.echo"), contents(tmp_path / "kept.echo")
    for file in ("pairs/similar-0.7.parquet", "clusters/similar-0.7.parquet"):
        assert again[file] == kept[file]


def test_dedup_of_all_files_keeps_what_it_says(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done("dedup", data / "warcs", "-o", out, "--quiet")
    found = json.loads((out / "summary.json").read_text())["counts"]
    assert found["kept"] + found["removed"] == found["read"] > 200
    clusters = pq.read_table(out / "clusters.parquet")
    kept = Counter(clusters.filter(clusters["stays"])["url"].to_pylist())
    again = Counter(webecho.sketch(str(out / "data"))["url"].to_pylist())
    assert kept == again
