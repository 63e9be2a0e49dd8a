"""Replicas are those that are found by looking at every pair, and those that are skipped by going
through the pages one by one."""

import random
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.group.overlapping import lined_pages
from webecho.api.runs import as_run
from webecho.chunkings import Chunking
from webecho.study.replicas import CHUNKINGS, ReplicaCounts, Replicas, by_chunking, replicas
from webecho.workspace.workspace import Workspace


def sketched(folder: Path, texts: list[str]) -> Workspace:
    pq.write_table(pa.table({"text": texts}), folder / "a.parquet")
    tables = ",".join(str(chunking) for chunking, _ in CHUNKINGS)
    webecho.sketch(folder / "a.parquet", folder / "a.echo", chunks=tables)
    return Workspace.open(folder / "a.echo")


def chunks(text: str, chunking: str) -> list[str]:
    """The words of each chunk, in lower case."""
    lines = [line for line in text.split("\n") if line.strip()]
    size = len(lines) or 1 if chunking == "page" else int(chunking.split(":")[1])
    parts = (" ".join(lines[at : at + size]) for at in range(0, len(lines), size))
    return [" ".join(re.findall(r"\w+", part.lower())) for part in parts]


def is_replica(one: str, other: str, chunking: str, shared: int) -> bool:
    """Whether two texts share enough, or are copies."""
    if chunks(one, "page") == chunks(other, "page"):
        return True
    return len({*chunks(one, chunking)} & {*chunks(other, chunking)}) >= shared


def slowly(texts: list[str], chunking: str, shared: int) -> tuple[list[int], list[bool]]:
    """How many replicas each has, and whether it is skipped."""
    # A page without text has nothing to share, and is a replica of itself alone.
    numbers = [
        [
            other
            for other, two in enumerate(texts)
            if other == page or (chunks(one, "page") and is_replica(one, two, chunking, shared))
        ]
        for page, one in enumerate(texts)
    ]
    kept: set[int] = set()
    for page, others in enumerate(numbers):
        if not kept & {*others}:
            kept.add(page)
    return [len(others) for others in numbers], [page not in kept for page in range(len(texts))]


def told(found: Replicas) -> tuple[list[int], list[bool]]:
    return found.replicas.tolist(), found.skipped.tolist()


def text(*lines: str) -> str:
    return "\n".join(lines)


def own(name: str, count: int) -> list[str]:
    return [f"line {number} of {name}" for number in range(count)]


def variants(seed: int, pages: int) -> list[str]:
    """Texts of many lines that share most of them, some of which others have in other lines or in
    capitals; short ones with copies; and empty ones."""
    chance = random.Random(seed)
    bases = [own(f"base {number}", chance.randrange(2, 110)) for number in range(6)]
    found: list[str] = []
    for page in range(pages):
        lines = [*chance.choice(bases)]
        for _ in range(chance.choice([0, 0, 1, 3, 20])):
            lines[chance.randrange(len(lines))] = f"of page {page} alone {chance.random()}"
        made = [
            text(*lines),
            text(*lines).upper(),
            text(*lines).replace(" of", "\nof"),
            text(*lines[: chance.randrange(1, len(lines))]),
            "",
        ]
        found.append(chance.choice(made))
        if chance.random() < 0.2:
            found.append(chance.choice(found))
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_replicas_are_those_of_every_pair(tmp_path: Path, seed: int) -> None:
    texts = [*variants(seed, 60), *lined_pages(seed, 40)]
    workspace = sketched(tmp_path, texts)
    found = by_chunking(workspace, as_run())
    assert [*found] == ["page", "lines:4", "lines:2"]
    for chunking, shared in CHUNKINGS:
        assert told(found[str(chunking)]) == slowly(texts, str(chunking), shared)
    # With lower numbers, more pairs.
    first = found["page"].stands
    for name, shared in (("lines:4", 1), ("lines:4", 5), ("lines:2", 2)):
        each = replicas(workspace, Chunking.parse(name), shared, as_run(), first)
        assert told(each) == slowly(texts, name, shared)


def test_a_copy_is_a_replica_by_every_chunking_however_short(tmp_path: Path) -> None:
    texts = ["one word", "another", "One word.", "one\nword", ""]
    found = by_chunking(sketched(tmp_path, [*texts, ""]), as_run())
    for each in found.values():
        assert each.replicas.tolist() == [3, 1, 3, 3, 1, 1]
        assert each.skipped.tolist() == [False, False, True, True, False, False]


def test_replicas_are_not_transitive(tmp_path: Path) -> None:
    # 15 chunks of four lines that the first two share, and 15 others of the last two.
    one, other = own("one", 60), own("other", 60)
    texts = [text(*one), text(*one, *other), text(*other), text(*one[:56], *own("own", 8))]
    found = by_chunking(sketched(tmp_path, texts), as_run())
    assert found["page"].replicas.tolist() == [1, 1, 1, 1]
    # The last has 14 chunks of four lines in common, and 28 of two.
    assert found["lines:4"].replicas.tolist() == [2, 3, 2, 1]
    assert found["lines:2"].replicas.tolist() == [3, 4, 2, 3]
    # The first stays, so the second goes; the third is a replica of the second alone.
    assert found["lines:4"].skipped.tolist() == [False, True, False, False]
    assert found["lines:2"].skipped.tolist() == [False, True, False, True]


def numbers(*values: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array(values, np.int64)


@pytest.mark.parametrize("turns", [[], [1], [0, 1, 1]])
def test_the_same_content_in_other_lines_is_decided_by_itself(turns: list[int]) -> None:
    # 1 and 2 have the same content, 3 the chunks of 1; 0 makes a pair with 1 alone, 2 one with 4.
    left, right = numbers(0, 2), numbers(1, 4)
    counts = ReplicaCounts(numbers(0, 1, 2, 1, 4), numbers(0, 1, 1, 1, 4))
    for some_left, some_right in zip(
        *(np.split(each, turns) for each in (left, right)), strict=True
    ):
        counts.add(some_left, some_right)
    assert counts.replicas().tolist() == [3, 4, 4, 4, 2]
    # 1 goes with 0 and 3 with it; so 2 stays, and 4 goes with it.
    assert counts.skipped().tolist() == [False, True, False, True, True]


def test_the_pairs_of_a_page_may_come_in_several_turns() -> None:
    pages = np.arange(6)
    left, right = numbers(0, 0, 0, 1, 2, 3, 3), numbers(1, 2, 4, 3, 5, 4, 5)
    for size in range(1, 8):
        counts = ReplicaCounts(pages, pages)
        for start in range(0, 7, size):
            counts.add(left[start : start + size], right[start : start + size])
        # 1, 2 and 4 go with 0; 3 stays, as 1 went, and 5 goes with it.
        assert counts.skipped().tolist() == [False, True, True, False, True, True]
        assert counts.replicas().tolist() == [4, 3, 3, 4, 3, 3]


def test_no_pages_have_no_replicas(tmp_path: Path) -> None:
    for each in by_chunking(sketched(tmp_path, []), as_run()).values():
        assert told(each) == ([], [])
