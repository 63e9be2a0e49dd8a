"""Rankings made elsewhere."""

from pathlib import Path

import pytest

from webecho.errors import InputError
from webecho.read.named_rows import RowCounts
from webecho.read.rankings import ranking


def test_query_rank_and_url(tmp_path: Path) -> None:
    rows = ["rank,Query,url", "1,A  b,http://a.example/", "x,a,http://b.example/", "2,a b,"]
    (tmp_path / "r.csv").write_text("\n".join(rows))
    counts = RowCounts()
    [batch] = ranking(str(tmp_path / "r.csv"), counts)
    assert batch.to_pylist() == [{"query": "a b", "rank": 1, "url": "http://a.example/"}]
    assert counts == RowCounts(3, 2)


def test_what_is_no_ranking_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("rank,url\n1,http://a.example/\n")
    with pytest.raises(InputError, match="no ranking: give a table with the columns query, rank"):
        list(ranking(str(tmp_path / "r.csv"), RowCounts()))
