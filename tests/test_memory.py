"""What the process holds, and the least that each kind of work needs."""

from pathlib import Path

import numpy as np
import pytest

from webecho.memory import (
    PeakMemory,
    comparing,
    deduplicating,
    give_back,
    grouping,
    held,
    linking,
    making,
    making_over_time,
    mb,
    overlapping,
    pairing,
    sorting,
    sorting_in_forest,
    sorting_pairs,
)

MIB = 1 << 20


def test_the_least_memory_grows_with_the_pages() -> None:
    assert grouping(0) == 232 * MIB
    assert grouping(1_000_000) == 232 * MIB + 48_000_000
    assert deduplicating(1_000_000) == 200 * MIB + 8_000_000
    assert pairing(1_000_000) == 520 * MIB + 40_000_000
    assert linking(1_000, 10_000) == 200 * MIB + 160_000 + 120_000
    assert overlapping(1_000_000) == overlapping(0) + 1_000_000
    assert overlapping(0) <= 64 * MIB
    assert comparing(1_000) == 232 * MIB + 160_000
    assert comparing(1_000, 5_000) == 232 * MIB + 160_000 + 240_000


def test_each_process_that_makes_pages_needs_its_part() -> None:
    assert making(1_000, 1) == 600 * MIB + 1_000_000
    assert making(1_000, 3) == 1200 * MIB + 1_000_000
    assert making(1_000, 1, documents=True) == 600 * MIB + 1_800_000
    assert making_over_time(1_000, 100, 1) == 600 * MIB + 5_400_000


@pytest.mark.parametrize("pages", [0, 1, 1_000_000])
def test_what_is_left_to_sort_in(pages: int) -> None:
    # At the floor one pass sorts in 32 MiB, and every byte more is for sorting.
    assert sorting(grouping(pages), pages) == 32 * MIB
    assert sorting(grouping(pages) + 5, pages) == 32 * MIB + 5
    # Below it pieces are spilled that are larger than that.
    assert sorting(grouping(pages) - 5, pages) == 32 * MIB
    # Nothing but the forest is held then, and so more is left.
    assert sorting_in_forest(grouping(pages), pages) == 32 * MIB + 43 * pages


def test_found_pairs_are_sorted_in_what_finding_leaves() -> None:
    assert sorting_pairs(None, 1_000) is None
    assert sorting_pairs(pairing(1_000), 1_000) == 360 * MIB


def test_megabytes_are_rounded_up() -> None:
    assert [mb(count) for count in (0, 1, 1_000_000, 1_000_001)] == ["0MB", "1MB", "1MB", "2MB"]


def test_the_peak_is_what_was_held_at_once() -> None:
    with PeakMemory() as memory:
        before = memory.peak
        block = np.ones(128 * MIB, np.uint8)
    del block
    assert before + 120 * MIB < memory.peak < before + 200 * MIB
    assert held() < memory.peak - 100 * MIB


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells them apart")
def test_mapped_files_are_not_held(tmp_path: Path) -> None:
    file = tmp_path / "zeros"
    file.write_bytes(bytes(128 * MIB))
    before = held()
    mapped = np.memmap(file, np.uint8, "r")
    # Every page of it is touched.
    assert int(mapped[::4096].sum()) == 0
    assert held() < before + 60 * MIB


def test_what_is_freed_is_given_back() -> None:
    # Of many small pieces, of which one in a thousand stays, allocators keep all.
    pieces = [bytes(2000) for _ in range(50_000)]
    kept = pieces[::1000]
    full = held()
    del pieces
    give_back()
    assert held() < full - 50 * MIB
    assert len(kept) == 50
