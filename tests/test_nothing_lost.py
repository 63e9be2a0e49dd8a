"""Nothing is lost by a dedup of archives: what warcio alone finds before and after.

Each case is deduplicated, and what came out of that once more. Every page that is named as kept for
a removed one has its content in the output, or in the earlier collection; no revisit that stood for
something stands for nothing; `warcio check` finds no more errors than before; and what is sketched
anew are the pages that were kept.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import webecho
from tests.archive_audit import (
    EMPTY,
    Holdings,
    dangling,
    errors_of,
    holdings,
    lost_contents,
    lost_payloads,
)
from tests.collections_made import WarcFile, edited, markup, prose
from tests.command import webecho as run

KEEPS = ("first", "longest", "earliest", "latest")
TEXT, NEAR, OTHER = (
    markup(words).encode() for words in (prose(1, 204), edited(prose(1, 204), 100), prose(2, 150))
)


def files_in(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


def audit(
    inputs: list[Path], folder: Path, *options: object, earlier: Iterable[Path] = ()
) -> Counter[str]:
    """Deduplicates twice in a row and checks what is left each time; gives what was counted."""
    found: Counter[str] = Counter()
    given, before = inputs, [file for each in inputs for file in _files(each)]
    first = holdings(before)
    known = holdings(earlier)
    for number in (1, 2):
        out = folder / f"{number}"
        done = run("dedup", *given, "-o", out, "--quiet", *options)
        if "nothing in it could be read" in done.stderr and not out.exists():
            # It is refused, and nothing is written.
            return found
        assert done.exit_code in (0, 3), done.stderr
        after = files_in(out / "data")
        one, two = holdings(before), holdings(after)
        assert lost_contents(out, one, two, known) == []
        assert dangling(one, two) == []
        if "payload" in options:
            assert lost_payloads(first, two) == set()
        if "payload" in options and "--revisit" in options:
            assert captures(one) <= captures(two)
        assert errors_of(after) <= errors_of(before)
        check_pages(out, "--revisit" in options, options)
        rows = pq.read_table(out / "duplicates.parquet")
        found["removed"] += len(rows)
        found["revisits"] += sum(each.kind == "revisit" for each in two.captures)
        given, before = [out / "data"], after
    return found


def _files(given: Path) -> list[Path]:
    return files_in(given) if given.is_dir() else [given]


def captures(found: Holdings) -> set[tuple[str, str]]:
    """What was fetched and when, whether as a record with its body or as a revisit."""
    return {
        (each.url, each.date)
        for each in found.captures
        if each.kind == "revisit" or each.payload != EMPTY
    }


def check_pages(out: Path, revisits: bool, options: tuple[object, ...]) -> None:
    """What is read of the output are the pages that were kept, and revisits if they were wanted."""
    clusters = pq.read_table(out / "clusters.parquet")
    kept = Counter(clusters.filter(clusters["stays"])["url"].to_pylist())
    types = ["*"] if "payload" in options else None
    again = Counter(webecho.sketch(out / "data", types=types)["url"].to_pylist()) if kept else kept
    assert kept <= again if revisits else kept == again


def response(warc: WarcFile, url: str, body: bytes, **more: str) -> str:
    return warc.response(f"http://{url}", body, **more)


def made_up(folder: Path) -> dict[str, list[Path]]:
    """Archives by what is special about them, each worked out by hand."""

    def new(name: str) -> WarcFile:
        return WarcFile(folder / f"{name}.warc.gz")

    with new("a-revisit") as first:
        first.revisit("http://x.org/", Refers_To="<urn:uuid:b-response.warc.gz-1>")
    with new("b-response") as second:
        response(second, "x.org/", TEXT)
    with new("later-revisit") as later:
        original = response(later, "x.org/1", TEXT)
        later.revisit("http://x.org/1", Refers_To=original)
        later.revisit(
            "http://x.org/2",
            Refers_To_Target_URI="http://x.org/1",
            Refers_To_Date="2004-01-31T12:00:01Z",
        )
    with new("elsewhere") as elsewhere:
        for number in range(3):
            elsewhere.revisit(f"http://x.org/{number}", Refers_To="<urn:uuid:elsewhere>")
        response(elsewhere, "x.org/9", TEXT)
    with new("chain") as chain:
        chain.revisit("http://x.org/3", Refers_To="<urn:uuid:chain.warc.gz-2>")
        chain.revisit("http://x.org/2", Refers_To="<urn:uuid:chain.warc.gz-3>")
        response(chain, "x.org/1", TEXT)
    with new("near") as near:
        response(near, "x.org/1", NEAR)
        original = response(near, "x.org/2", TEXT)
        near.revisit("http://x.org/3", Refers_To=original)
        near.revisit("http://y.org/4", Refers_To=original)
    with new("same") as same:
        response(same, "x.org/1", TEXT)
        original = response(same, "x.org/2", TEXT)
        same.revisit("http://x.org/3", Refers_To=original)
        same.revisit("http://x.org/4", Refers_To=same.revisit("http://x.org/5", Refers_To=original))
        response(same, "x.org/6", OTHER)
    with new("another-profile") as odd:
        original = response(odd, "x.org/1", TEXT)
        response(odd, "x.org/0", NEAR)
        odd.revisit("http://x.org/2", Refers_To=original, Profile="http://x.org/only-similar")
    with new("not-a-page") as status:
        response(status, "x.org/0", NEAR)
        original = response(status, "x.org/1", TEXT)
        status.revisit(
            "http://x.org/2", block=b"HTTP/1.1 404 Not Found\r\n\r\n", Refers_To=original
        )
    return {
        "before": [first.file, second.file],
        **{
            each.file.name.removesuffix(".warc.gz"): [each.file]
            for each in (later, elsewhere, chain, near, same, odd, status)
        },
    }


CASES = (
    *("before", "later-revisit", "elsewhere", "chain", "near", "same"),
    *("another-profile", "not-a-page"),
)


@pytest.mark.parametrize("revisit", [(), ("--revisit",)], ids=["plain", "revisit"])
@pytest.mark.parametrize("name", CASES)
def test_made_up_archives(tmp_path: Path, name: str, revisit: tuple[str, ...]) -> None:
    files = made_up(tmp_path)[name]
    for number, keep in enumerate(KEEPS):
        within = ("--within", "host") if number % 2 else ()
        audit(files, tmp_path / f"{number}", "--keep", keep, *revisit, *within)
    payload = audit(files, tmp_path / "payload", "--rule", "payload", "--keep", "latest", *revisit)
    if name == "same" and revisit:
        # A copy, and three revisits of it, in each of two runs.
        assert payload["revisits"] == 8
    if name == "another-profile":
        # It is no copy, and stays.
        assert payload["revisits"] == 2


def test_made_up_archives_together(tmp_path: Path) -> None:
    every = [file for files in made_up(tmp_path).values() for file in files]
    for keep in KEEPS:
        assert audit(every, tmp_path / keep, "--keep", keep)["removed"] > 10


def test_an_earlier_collection(tmp_path: Path) -> None:
    """Revisits of its records, and of what it only repeats."""
    with WarcFile(tmp_path / "old.warc.gz") as old:
        old.revisit("http://x.org/0", Refers_To="<urn:uuid:old.warc.gz-2>")
        original = response(old, "x.org/1", TEXT)
        response(old, "x.org/1b", TEXT)
    with WarcFile(tmp_path / "new.warc.gz") as new:
        new.revisit("http://x.org/2", Refers_To=original)
        response(new, "x.org/3", TEXT)
        response(new, "x.org/4", NEAR)
        response(new, "x.org/5", OTHER)
    assert run("dedup", old.file, "-o", tmp_path / "old", "--keep", "latest").exit_code == 0
    there = files_in(tmp_path / "old" / "data")
    for more in ((), ("--revisit",)):
        out = tmp_path / f"new{len(more)}"
        done = run("dedup", new.file, "--against", tmp_path / "old.echo", "-o", out, *more)
        assert done.exit_code == 0, done.stderr
        before, after, earlier = (
            holdings([new.file]),
            holdings(files_in(out / "data")),
            holdings(there),
        )
        assert lost_contents(out, before, after, earlier) == []
        both = holdings([*there, *files_in(out / "data")])
        revisits = [each for each in after.captures if each.kind == "revisit"]
        assert [each.url for each in revisits] == [
            "http://x.org/2",
            *(["http://x.org/3"] if more else []),
        ]
        assert all(both.restored(each) for each in revisits)
        assert [each.url for each in after.captures if each.kind != "revisit"] == ["http://x.org/5"]
    back = tmp_path / "back"
    inputs = [*there, *files_in(tmp_path / "new1" / "data")]
    assert run("restore", *inputs, "-o", back).exit_code == 0
    assert holdings(files_in(back)).by_url["http://x.org/3"] == before.by_url["http://x.org/3"]


def archives(data: Path) -> list[Path]:
    return [file for file in files_in(data / "warcs") if is_named(file)]


def is_named(file: Path) -> bool:
    """Whether a folder with it in it can be read without being told what it is."""
    name = file.name.lower().removesuffix(".gz").removesuffix(".zst")
    return name.endswith((".warc", ".arc", ".wet"))


# Those with revisits, with damage, or with several copies.
SOME = ("revisit", "bad", "trunc", "dup", "example.warc", "cut")


@pytest.mark.data
def test_some_archives_of_other_projects(data: Path, tmp_path: Path) -> None:
    chosen = [file for file in archives(data) if any(part in file.name for part in SOME)]
    assert len(chosen) > 12
    removed = 0
    for number, file in enumerate(chosen):
        keep = ("--keep", KEEPS[number % 4])
        removed += audit([file], tmp_path / f"{number}", *keep)["removed"]
    options = ("--rule", "payload", "--keep", "latest", "--revisit")
    removed += audit(chosen, tmp_path / "all", *options)["removed"]
    assert removed > 20


@pytest.mark.soak
@pytest.mark.data
@pytest.mark.parametrize("rule", ["similar", "exact", "payload"])
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("revisit", [(), ("--revisit",)], ids=["plain", "revisit"])
def test_every_archive_of_other_projects(
    data: Path, tmp_path: Path, rule: str, keep: str, revisit: tuple[str, ...]
) -> None:
    every = archives(data)
    assert len(every) > 60
    options = ("--rule", rule, "--keep", keep, *revisit)
    for number, file in enumerate(every):
        audit([file], tmp_path / f"{number}", *options)
    assert audit(every, tmp_path / "all", *options)["removed"] > 20
