import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import fsspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.read.reading import check_again, everything
from webecho.errors import InputError
from webecho.formats.skipped import Skipped
from webecho.read.columns import ColumnNames
from webecho.read.jsonl import JsonLines
from webecho.read.limits import Limits
from webecho.read.lines import LinesSource
from webecho.read.pages import MAX_PAGE_BYTES


def source_of(content: bytes, longest: int = MAX_PAGE_BYTES, **given: str) -> LinesSource:
    fsspec.filesystem("memory").pipe_file("/lines.jsonl", content)
    return LinesSource(
        "memory://lines.jsonl", ColumnNames(**given), JsonLines(Limits(page=longest))
    )


def test_objects_are_pages() -> None:
    rows = [
        {"text": "first", "url": "http://a.org/", "id": "x", "date": "2020-01-31T12:00:00Z"},
        {"text": "Grüße, 世界", "id": 5, "date": 1580472000, "more": [1, 2]},
        {"text": ""},
        {"text": None, "url": 7, "id": None},
        {"url": "http://b.org/"},
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    found, skipped = everything(source_of(content))
    assert skipped == []
    noon = datetime(2020, 1, 31, 12, tzinfo=UTC)
    assert [(r["body"], r["url"], r["id"], r["fetched"], r["place"]) for r in found] == [
        (b"first", "http://a.org/", "x", noon, 0),
        ("Grüße, 世界".encode(), None, "5", noon, 1),
        (b"", None, None, None, 2),
        (None, None, None, None, 3),
        (None, "http://b.org/", None, None, 4),
    ]
    assert {(r["markup"], r["charset"]) for r in found} == {(False, "utf-8")}


def test_a_broken_line_is_skipped_and_the_rest_goes_on() -> None:
    lines = [
        b'{"text": "a"}',
        b'{"text": "b"',
        b"",
        b" \r",
        b'["text"]',
        b"null",
        b'{"text": ["b"]}',
        b'{"text": "c"}\r',
    ]
    found, skipped = everything(source_of(b"\n".join(lines)))
    assert [(row["place"], row["body"]) for row in found] == [(0, b"a"), (7, b"c")]
    assert [(skip.place, skip.reason, skip.failed) for skip in skipped] == [
        (1, "bad JSON", True),
        (2, "blank", False),
        (3, "blank", False),
        (4, "bad JSON", True),
        (5, "bad JSON", True),
        (6, "not text", True),
    ]
    assert skipped[3].detail == "a list, not an object"
    assert skipped[5] == Skipped(6, "not text", "text is a list, not text", failed=True)


@pytest.mark.parametrize(
    ("line", "body"),
    [
        (b'{"text": "half \\ud83d pair"}', b"half \xed\xa0\xbd pair"),
        (
            b'{"text": "whole \\ud83d\\ude00 pair \\udc00"}',
            "whole \U0001f600 pair ".encode() + b"\xed\xb0\x80",
        ),
        (b'{"text": "a \\ufffd", "score": NaN}', "a \ufffd".encode()),
        (b'{"text": "a", "score": NaN}', b"a"),
    ],
)
def test_what_strict_json_forbids_but_crawls_contain(line: bytes, body: bytes) -> None:
    found, skipped = everything(source_of(line))
    assert [(row["body"], row["charset"]) for row in found] == [(body, "utf-8")]
    assert skipped == []


def test_a_line_that_is_not_utf8_keeps_its_bytes() -> None:
    lines = b'{"text": "plain"}\n{"text": "latin \xe9 \xe8 \\ud83d", "url": "http://a/\xe9"}\n'
    found, skipped = everything(source_of(lines))
    assert [(row["body"], row["charset"]) for row in found] == [
        (b"plain", "utf-8"),
        (b"latin \xe9 \xe8 \xef\xbf\xbd", None),
    ]
    assert found[1]["url"] == "http://a/\ufffd"
    assert skipped == []


def test_lines_that_are_not_utf8_stand_among_others() -> None:
    """In batches of their own, and in others."""
    lines = [b'{"text": "plain %d"}' % number for number in range(40_000)]
    lines[39_000] = b'{"text": "b\xe4r"}'
    source = source_of(b"\n".join(lines))
    found, _ = everything(source)
    assert len(found) == 40_000
    assert (found[39_000]["body"], found[39_000]["charset"]) == (b"b\xe4r", None)
    again = source.read([5, 38_999, 39_000, 39_999])
    assert again["body"].to_pylist() == [b"plain 5", b"plain 38999", b"b\xe4r", b"plain 39999"]
    assert again["charset"].to_pylist() == ["utf-8", "utf-8", None, "utf-8"]


def test_ids_come_through_untouched() -> None:
    lines = b"".join(
        b'{"text": "a", "id": %s}\n' % value
        for value in (b"12345678901234567890123", b"-7", b"1.5", b"true", b'"\\u00e9"', b"[1]")
    )
    found, _ = everything(source_of(lines))
    ids = [row["id"] for row in found]
    assert ids == ["12345678901234567890123", "-7", "1.5", "true", "é", None]


def test_fields_inside_fields_can_be_named() -> None:
    lines = b'{"doc": {"text": "a"}, "meta": {"url": "u", "n": 3}}\n{"doc": 5, "meta": null}\n'
    found, _ = everything(source_of(lines, text="doc.text", url="meta.url", id="meta.n"))
    assert [(r["body"], r["url"], r["id"]) for r in found] == [(b"a", "u", "3"), (None, None, None)]


def test_html_is_markup() -> None:
    found, _ = everything(source_of(b'{"html": "<meta charset=latin1>\\u00e9"}\n'))
    assert [(r["body"].decode(), r["markup"], r["charset"]) for r in found] == [
        ("<meta charset=latin1>é", True, "utf-8")
    ]


def test_columns_are_chosen_by_the_first_objects() -> None:
    lines = b'broken\n{"id": 1}\n{"id": 2, "content": "b"}\n'
    chosen = source_of(lines).chosen
    assert chosen is not None
    assert chosen.line() == "text = content, id = id"
    with pytest.raises(InputError, match=r"lines.jsonl: .* Its columns: id, content"):
        _ = source_of(lines, text="nothing").chosen
    # What never is a string is not taken for text.
    with pytest.raises(InputError, match="no column of text or HTML"):
        _ = source_of(b'{"text": 5}\n{"text": [1]}').chosen


def test_without_an_object_nothing_is_chosen_and_every_line_fails() -> None:
    source = source_of(b"a\nb\n")
    assert source.chosen is None
    found, skipped = everything(source)
    assert (found, [skip.place for skip in skipped]) == ([], [0, 1])


def test_reading_again_and_reading_on(tmp_path: Path) -> None:
    lines = [
        orjson.dumps({"text": f"page {n} " * (n % 90), "id": n}) if n % 7 else b"{broken"
        for n in range(2000)
    ]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    check_again(LinesSource(str(tmp_path / "a.jsonl"), ColumnNames(), JsonLines()))


def test_lines_that_are_too_long_are_skipped() -> None:
    lines = b'{"text": "a"}\n{"text": "' + b"b" * 50 + b'"}\n{"text": "c"}\n'
    found, (skip,) = everything(source_of(lines, longest=50))
    assert [row["body"] for row in found] == [b"a", b"c"]
    assert (skip.place, skip.reason, skip.failed) == (1, "too long", True)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
ROWS = st.dictionaries(st.sampled_from(["text", "url", "id", "date", "x"]), VALUES)
LINES = st.one_of(
    st.binary(max_size=30),
    VALUES.map(lambda value: json.dumps(value).encode()),
    ROWS.map(lambda row: json.dumps(row).encode()),
    ROWS.map(lambda row: json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")),
)


@given(st.lists(LINES, max_size=20))
def test_any_bytes_are_read_and_every_line_is_accounted_for(lines: list[bytes]) -> None:
    # The first object makes the choice of columns; everything after it may be anything.
    first: dict[str, Any] = {"text": "", "url": "", "id": "", "date": ""}
    content = b"\n".join([json.dumps(first).encode(), *lines])
    source = source_of(content, text="text", url="url", id="id", date="date")
    found, skipped = everything(source)
    count = len(content.split(b"\n")) - content.endswith(b"\n")
    assert sorted([*(r["place"] for r in found), *(s.place for s in skipped)]) == list(range(count))
    check_again(source)


@pytest.mark.parametrize("depth", [900, 1100, 100_000])
def test_deep_nesting_is_no_danger(depth: int) -> None:
    line = b'{"text": "a", "x": ' + b"[" * depth + b"]" * depth + b"}\n"
    found, skipped = everything(source_of(b'{"text": "a"}\n' + line))
    assert len(found) + len(skipped) == 2
