"""Pages that share chunks are those that are found by looking at every pair."""

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import WarcFile
from tests.group.overlapping import (
    CHUNKINGS,
    THRESHOLDS,
    Sets,
    chunk_sets,
    every_pair,
    expanded,
    lined_pages,
    written,
)
from webecho.api.overlap import OverlapRequest, overlap_rule, run_overlap
from webecho.api.runs import as_run
from webecho.errors import SettingsError, WorkspaceError
from webecho.group.overlaps import in_order
from webecho.workspace.workspace import Workspace


@pytest.fixture(scope="module")
def random_web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("overlaps")
    file = written(folder / "a.parquet", lined_pages(1, 150))
    webecho.sketch(file, folder / "a.echo", chunks=",".join(CHUNKINGS))
    return folder / "a.echo"


@pytest.mark.parametrize("method", ["sorted", "coarse"])
@pytest.mark.parametrize("chunking", CHUNKINGS)
def test_both_methods_equal_brute_force(random_web: Path, chunking: str, method: str) -> None:
    sets = chunk_sets(random_web, chunking)
    found_any = False
    for shared in THRESHOLDS:
        rows = webecho.overlap(random_web, chunking, shared, method=method)
        expected = every_pair(sets, shared)
        assert expanded(rows) == expected
        found_any |= bool(expected)
    assert found_any
    rows = webecho.overlap(random_web, chunking, 1, method=method).to_pylist()
    for row in rows:
        sizes = len(sets[row["left"]]), len(sets[row["right"]])
        shares = row["left_containment"], row["right_containment"]
        assert shares == tuple(row["shared_chunks"] / size for size in sizes)


def test_little_memory_changes_nothing(random_web: Path) -> None:
    usual = webecho.overlap(random_web, "words:3:sliding", 2)
    for method in ("sorted", "coarse"):
        assert webecho.overlap(random_web, "words:3:sliding", 2, method=method, memory="70MB") == (
            usual
        )


@pytest.mark.parametrize("level", ["host", "site"])
def test_hosts_have_the_chunks_of_all_their_pages(random_web: Path, level: str) -> None:
    pages = Workspace.open(random_web).table().select(["page", level]).to_pylist()
    for chunking, shared in product(("lines:4", "sentence"), THRESHOLDS):
        sets = chunk_sets(random_web, chunking)
        together: dict[str, set[int]] = defaultdict(set)
        for row in pages:
            if row[level] is not None:
                together[row[level]] |= sets.get(row["page"], frozenset())
        names = sorted(together)
        numbered: Sets = {number: frozenset(together[name]) for number, name in enumerate(names)}
        expected = {
            frozenset({names[one], names[other]}): count
            for (one, other), count in every_pair(numbered, shared).items()
        }
        assert expected
        rows = webecho.overlap(random_web, chunking, shared, level=level).to_pylist()
        assert len(rows) == len(expected)
        for row in rows:
            both = row[f"left_{level}"], row[f"right_{level}"]
            assert row["shared_chunks"] == expected[frozenset(both)]
            assert row["left_containment"] == row["shared_chunks"] / len(together[both[0]])
        carrying = pq.read_table(
            random_web / "overlap" / f"{chunking.replace(':', '-')}-{shared}-{level}-pages.parquet"
        ).to_pylist()
        # A page carries what the other host has of it.
        for row in carrying:
            other = row[f"right_{level}" if row["of_left"] else f"left_{level}"]
            assert row["shared_chunks"] == len(sets[row["page"]] & together[other])
        assert {row["page_url"] is None for row in carrying} == {False}
        by_pair = {(row[f"left_{level}"], row[f"right_{level}"]) for row in carrying}
        assert by_pair == {(row[f"left_{level}"], row[f"right_{level}"]) for row in rows}


@pytest.mark.parametrize("method", ["sorted", "coarse"])
def test_across_two_collections_and_not_within_them(
    random_web: Path, tmp_path: Path, method: str
) -> None:
    # The second has pages of the first too.
    file = written(tmp_path / "b.parquet", [*lined_pages(2, 60), *lined_pages(1, 20)])
    other = tmp_path / "b.echo"
    webecho.sketch(file, other)
    for chunking, shared in product(("lines:4", "words:3:sliding", "page"), THRESHOLDS):
        rows = webecho.overlap(random_web, chunking, shared, other=other, method=method)
        left, right = chunk_sets(random_web, chunking), chunk_sets(other, chunking)
        expected = {
            (one, two): len(left[one] & right[two])
            for one, two in product(left, right)
            if len(left[one] & right[two]) >= shared
        }
        assert expected or shared > 1
        found = {(row["left"], row["right"]): row["shared_chunks"] for row in rows.to_pylist()}
        assert found == expected
    assert "copy" not in rows.column_names


def test_the_same_rows_by_every_verb(random_web: Path) -> None:
    rows = webecho.overlap(random_web, "lines:2", 12)
    pairs = webecho.pairs(random_web, "overlap", chunk="lines:2", shared=12)
    assert sorted(pairs.to_pylist(), key=str) == sorted(rows.to_pylist(), key=str)
    numbers = [(row["left"], row["right"]) for row in pairs.to_pylist()]
    assert numbers == sorted(numbers)
    clusters = webecho.clusters(random_web, "overlap", chunk="lines:2", shared=12).to_pylist()
    names = {row["page"]: row["cluster"] for row in clusters}
    for left, right in expanded(rows):
        assert names[left] == names[right]
    together = {page for pair in expanded(rows) for page in pair}
    # Copies are together, however short; as pairs they are not reported.
    lists = Workspace.open(random_web).table("chunks-lines-2")["chunks"].to_pylist()
    copies = {page for page, chunks in enumerate(lists) if chunks and lists.count(chunks) > 1}
    assert {row["page"] for row in clusters if row["size"] > 1} == together | copies
    assert copies - together


def test_pairs_of_all_pages_are_counted(random_web: Path) -> None:
    for chunking, shared in (("lines:2", 3), ("page", 1), ("words:3:sliding", 2)):
        found = run_overlap(
            OverlapRequest(random_web, overlap_rule(chunking, shared, None, None)), as_run()
        )
        rows = found.rows.to_pylist()
        assert found.summary["pairs"] == sum(not row["copy"] for row in rows)
        assert found.summary["copies"] == sum(row["copy"] for row in rows) > 0
        every = every_pair(chunk_sets(random_web, chunking), shared)
        assert found.summary["pairs of all pages"] == len(every)


def test_pairs_and_copies_are_merged_in_their_order() -> None:
    def tables(rows: list[tuple[int, int]], size: int) -> Iterator[pa.Table]:
        for start in range(0, len(rows), size):
            left, right = zip(*rows[start : start + size], strict=True)
            yield pa.table({"left": left, "right": right})

    chance = random.Random(1)
    for size in (1, 2, 3, 50):
        every = sorted({(chance.randrange(9), chance.randrange(9, 20)) for _ in range(50)})
        one, other = ([row for row in every if row[1] % 3 in kind] for kind in ((0, 1), (2,)))
        merged = in_order(tables(one, size), tables(other, 2))
        assert [tuple(row.values()) for each in merged for row in each.to_pylist()] == every
    assert not [*in_order(iter(()), iter(()))]


def test_dedup_removes_what_shares_enough_with_a_page_that_stays(random_web: Path) -> None:
    found = webecho.dedup(
        random_web.parent / "a.parquet", rule="overlap", chunk="lines:2", shared=9
    )
    sets = chunk_sets(random_web, "lines:2")
    lists = Workspace.open(random_web).table("chunks-lines-2")["chunks"].to_pylist()

    def is_copy(one: int, other: int) -> bool:
        return bool(lists[one]) and lists[one] == lists[other]

    stays: list[int] = []
    for page in sorted(sets):
        if not any(len(sets[page] & sets[kept]) >= 9 or is_copy(page, kept) for kept in stays):
            stays.append(page)
    gone = sorted(row["page"] for row in found.duplicates.to_pylist())
    assert gone == sorted(set(sets) - set(stays))
    # Some of them are copies that are too short for nine.
    short = [row for row in found.duplicates.to_pylist() if len(sets[row["page"]]) < 9]
    assert short and {row["rule"] for row in short} == {"chunks"}
    for row in found.duplicates.to_pylist():
        if row["shared_chunks"] is not None:
            both = sets[row["page"]] & sets[row["kept_page"]]
            assert row["shared_chunks"] == len(both) >= 9
            assert row["containment"] == len(both) / len(sets[row["page"]])


def test_a_chunk_on_very_many_pages_is_left_out_and_said(random_web: Path) -> None:
    every = chunk_sets(random_web, "sentence")
    places: dict[int, int] = defaultdict(int)
    for chunk in (chunk for chunks in every.values() for chunk in chunks):
        places[chunk] += 1
    rows = webecho.overlap(random_web, "sentence", 2, most_pages=12)
    # Of copies one is counted for all.
    standing = set(every) - {row["right"] for row in rows.to_pylist() if row["copy"]}
    places.clear()
    for page in standing:
        for chunk in every[page]:
            places[chunk] += 1
    fewer = {page: frozenset(c for c in every[page] if places[c] <= 12) for page in standing}
    found = {
        (row["left"], row["right"]): row["shared_chunks"]
        for row in rows.to_pylist()
        if not row["copy"]
    }
    assert found == every_pair(dict(sorted(fewer.items())), 2)
    assert any(count > 12 for count in places.values())


def test_short_fingerprints_meet_by_accident(random_web: Path) -> None:
    long, short = (
        webecho.overlap(random_web, "words:3:sliding", 1, fingerprint=bits) for bits in (64, 32)
    )
    # A few thousand chunks do not meet in 32 bits.
    assert short == long
    with pytest.raises(SettingsError, match="fingerprint=16: give 64, or the paper's 32"):
        webecho.overlap(random_web, "words:3:sliding", 1, fingerprint=16)


def test_a_revisit_has_the_chunks_of_what_it_repeats(tmp_path: Path) -> None:
    lines = "".join(f"<p>line {number} of the page</p>" for number in range(40))
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        original = "<urn:uuid:a.warc.gz-2>"
        warc.revisit("http://a.example/1", Refers_To=original)
        assert warc.response("http://a.example/1", f"<body>{lines}</body>".encode()) == original
        warc.response("http://b.example/2", f"<body><h1>Another</h1>{lines}</body>".encode())
    rows = webecho.overlap(tmp_path / "a.warc.gz", "lines:4:sliding", 10).to_pylist()
    found = {(row["left"], row["right"]): (row["shared_chunks"], row["copy"]) for row in rows}
    assert found == {(0, 1): (37, True), (0, 2): (37, False)}


def test_how_many_must_be_shared_is_asked_where_nobody_knows(random_web: Path) -> None:
    with pytest.raises(SettingsError, match="how many chunks of words:3 must two pages share"):
        webecho.overlap(random_web, "words:3")
    for chunking, shared in (("lines:4", 15), ("lines:2", 25), ("page", 1)):
        assert webecho.overlap(random_web, chunking) == webecho.overlap(
            random_web, chunking, shared
        )


def test_damaged_chunks_are_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "a.parquet", lined_pages(3, 40))
    path = tmp_path / "a.echo"
    webecho.sketch(file, path, chunks="lines:2")
    table = path / "chunks-lines-2" / "part-00000.parquet"
    content = bytearray(table.read_bytes())
    content[len(content) // 2] ^= 1
    table.write_bytes(content)
    with pytest.raises(WorkspaceError, match=r"part-00000\.parquet"):
        webecho.overlap(path, "lines:2", 1)
