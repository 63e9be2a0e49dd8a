"""`webecho.dedup` of what Python programs have."""

from pathlib import Path

import pyarrow.parquet as pq

import webecho
from tests.collections_made import (
    Page,
    as_parquet,
    edited,
    markup,
    prose,
)


def test_near_pages_of_other_urls_in_the_api(tmp_path: Path) -> None:
    text = prose(1, 204)
    pages = [
        Page("a", "http://a.example/long/path", markup(text)),
        Page("b", "http://b.example/", markup(edited(text, 100))),
    ]
    file = as_parquet(tmp_path / "two.parquet", pages)
    result = webecho.dedup(str(file), str(tmp_path / "out"), keep="shortest-url")
    assert result.kept["id"].to_pylist() == ["b"]
    assert pq.read_table(tmp_path / "out" / "data" / "two.parquet")["id"].to_pylist() == ["b"]
    (row,) = result.duplicates.to_pylist()
    assert (row["id"], row["kept_id"], row["kept_url"]) == ("a", "b", "http://b.example/")
