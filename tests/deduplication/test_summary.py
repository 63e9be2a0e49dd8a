"""What a dedup says of what it decided."""

import json
from pathlib import Path

import pyarrow as pa

import webecho
from tests.collections_made import (
    Page,
    as_jsonl,
    prose,
)
from tests.command import done
from tests.command import webecho as run
from tests.deduplication.results import summary, table


def test_a_keep_column_that_decides_nothing_is_told(tmp_path: Path) -> None:
    rows = [{"text": " ".join(prose(1, 30)), "lang": "en"}] * 2
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for keep, word in (
        ("max:lang", "no page has a number or date in lang"),
        ("earliest", "a date"),
    ):
        result = run("dedup", file, "--keep", keep, "-o", tmp_path / keep.replace(":", "-"))
        assert (result.exit_code, word in result.stderr) == (0, True)


def test_pages_whose_text_stands_in_scripts_are_compared_by_their_bytes(tmp_path: Path) -> None:
    def hollow(text: str) -> str:
        return f"<title>Guide</title><script>show({text * 100!r})</script>"

    pages = [
        Page(str(number), f"http://a.example/{number}", html)
        for number, html in enumerate([hollow("reset "), hollow("write "), hollow("reset ")])
    ]
    out = tmp_path / "out"
    done("dedup", as_jsonl(tmp_path / "web.jsonl", pages), "-o", out)
    assert [row["page"] for row in table(out, "duplicates")] == [2]
    assert summary(out)["counts"]["nearly empty, compared by bytes"] == 3


def test_the_rows_of_a_table_in_memory_are_no_bytes() -> None:
    found = webecho.dedup(pa.table({"text": ["one text", "another"]}))
    assert found.summary["counts"]["bytes of inputs"] == 0
