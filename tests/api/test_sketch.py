"""`webecho.sketch`, of tables of every library people have."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

import webecho
from tests.api.refusals import on_command_line
from tests.api.tables import of_every_kind
from tests.collections_made import (
    as_jsonl,
    as_table,
    many_pages,
    small_web,
)
from webecho.api.sketch import SketchRequest

COMPARED = ("page", "id", "url", "host", "site", "chars", "tokens", "title", "digest")
SKETCHES = ("markup_digest", "features", "supershingles", "projection")


@of_every_kind
def test_every_table_gives_the_same_sketches(made: Callable[..., Any], usual: pa.Table) -> None:
    found = webecho.sketch(made(as_table(small_web())))
    assert found.select(COMPARED).equals(usual.select(COMPARED))
    assert found.select(SKETCHES).equals(usual.select(SKETCHES))
    assert found.schema.equals(usual.schema)


def test_columns_can_be_named() -> None:
    table = pa.table(
        {
            "text": ["not this"] * 2,
            "mine": ["one two", "one two three"],
            "where": ["http://a.example.org/", "http://b.example.org/"],
            "key": ["k1", "k2"],
            "when": ["2004-01-31", "2004-02-29T10:00:00Z"],
        }
    )
    rows = webecho.sketch(table, text="mine", url="where", id="key", date="when").to_pylist()
    assert [row["tokens"] for row in rows] == [2, 3]
    assert [row["host"] for row in rows] == ["a.example.org", "b.example.org"]
    assert [row["id"] for row in rows] == ["k1", "k2"]
    assert [row["fetched"].isoformat() for row in rows] == [
        "2004-01-31T00:00:00+00:00",
        "2004-02-29T10:00:00+00:00",
    ]


def test_the_progress_of_a_run_is_reported(tmp_path: Path) -> None:
    seen: list[Any] = []
    webecho.sketch(str(as_jsonl(tmp_path / "pages.jsonl", small_web())), report=seen.append)
    *reading, writing = seen
    assert {now.phase for now in reading} == {"reading"}
    assert (reading[-1].pages, reading[-1].share) == (16, 1.0)
    assert reading[-1].bytes == sum(len(each.html) for each in small_web())
    # When all is read there still is work, of which nobody knows how long it takes.
    assert (writing.phase, writing.share) == ("writing sketches", None)


def test_a_run_that_goes_on_says_where_it_began(tmp_path: Path) -> None:
    one, two = (as_jsonl(tmp_path / f"{name}.jsonl", many_pages(50)) for name in "ab")
    seen: list[Any] = []
    webecho.sketch(one, tmp_path / "w.echo", report=seen.append)
    webecho.sketch(two, tmp_path / "w.echo", report=seen.append, append=True)
    first, second = (now for now in seen if now.phase == "reading")
    assert first.start == 0.0
    assert second.start >= 0.5


def test_what_is_no_column_is_refused() -> None:
    assert on_command_line(lambda: SketchRequest((), Path("w.echo"), columns=("colours",))) == (
        "there is no sketch column colours; there are features, supershingles, projection"
    )
