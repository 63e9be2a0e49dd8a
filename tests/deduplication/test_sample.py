"""What of a collection a dry run reads."""

from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, as_parquet, as_table, many_pages
from webecho.deduplication.sample import SampledSource, draw, in_words, sampled
from webecho.read.collection import ReadOptions, open_collection


def of(inputs: list[object], share: float) -> list[SampledSource]:
    return sampled(open_collection(inputs, ReadOptions()), share)[1]


def places(source: SampledSource) -> list[int]:
    return [place for batch in source.batches() for place in batch.pages["place"].to_pylist()]


def test_many_stretches_are_drawn_whole_and_few_begun() -> None:
    assert [share for _, share in draw(1000, 0.1)] == [1.0] * 100
    assert draw(10, 0.2) == [(number, 0.2) for number in range(10)]
    numbers = [number for number, _ in draw(1000, 0.1)]
    assert numbers == sorted(set(numbers))
    assert draw(1000, 0.1) == draw(1000, 0.1)
    assert draw(5, 1.0) == [(number, 1.0) for number in range(5)]
    assert draw(0, 0.5) == []


def test_the_beginning_of_lines(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", many_pages(500))
    (source,) = of([str(file)], 0.3)
    found = places(source)
    assert found == [*range(len(found))]
    ((start, end),) = source.reached
    lines = file.read_bytes().splitlines(keepends=True)
    assert start == 0
    assert end == pytest.approx(sum(map(len, lines[: len(found)])) / file.stat().st_size, abs=0.01)
    assert end == pytest.approx(0.3, abs=0.01)


def test_the_beginning_of_each_row_group(tmp_path: Path) -> None:
    file = as_parquet(tmp_path / "web.parquet", many_pages(800, words=400), rows=200)
    (source,) = of([str(file)], 0.25)
    assert places(source) == [
        row for group in range(0, 800, 200) for row in range(group, group + 50)
    ]
    assert source.reached == [(group / 800, (group + 50) / 800) for group in range(0, 800, 200)]


def test_rows_of_a_table_are_drawn() -> None:
    (source,) = of([as_table(many_pages(500))], 0.2)
    assert len(places(source)) == 100
    assert in_words([source]) == "all of 100 of 500 stretches of the inputs, drawn at random"


def test_the_whole_is_the_whole(tmp_path: Path) -> None:
    as_jsonl(tmp_path / "a.jsonl", many_pages(30))
    as_parquet(tmp_path / "b.parquet", many_pages(30))
    sources = of([str(tmp_path)], 1.0)
    assert [places(source) for source in sources] == [[*range(30)], [*range(30)]]
    assert [source.reached for source in sources] == [[(0.0, 1.0)], [(0.0, 1.0)]]
    assert in_words(sources) == "all of 2 files"


def test_what_was_read_in_words(tmp_path: Path) -> None:
    for number in range(60):
        as_jsonl(tmp_path / f"{number}.jsonl", many_pages(30))
    assert in_words(of([str(tmp_path)], 0.5)) == (
        "the first 75% of each of 40 of 60 files, drawn at random, which can be read only from "
        "their beginnings"
    )
    assert in_words(of([str(tmp_path / "1.jsonl")], 0.5)) == (
        f"the first 50% of {tmp_path / '1.jsonl'}, which can be read only from its beginning"
    )
