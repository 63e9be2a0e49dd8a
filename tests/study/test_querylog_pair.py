"""What is common to all logs of a pair: pages without an address, no pages, and a ranking given."""

from pathlib import Path

import webecho
from tests.study.no_pages import without_pages
from tests.study.reuse_made import (
    NEW,
    OLD,
    after,
    collection,
    counted_log,
    page,
    sentences,
    studied,
)

A, B = sentences("river", 1, 20), sentences("mountain", 1, 20)


def test_a_ranking_in_the_place_of_the_search_engine(tmp_path: Path) -> None:
    # No page has the words of the query.
    old = {"http://a.example/": page("water", A), "http://b.example/": page("stone", B)}
    new = {"http://n.example/": page(A[:12], B[:12])}
    rows = ["query,rank,url", "geography,1,http://a.example/", "geography,2,http://b.example/"]
    ranking = tmp_path / "ranking.csv"
    ranking.write_text("\n".join([*rows, "geography,3,http://gone.example/"]))
    found = studied(tmp_path / "ranked", old, new, ["geography"], ranking=ranking)
    assert after(found) == [1, 1, 1, 1, 1, 1, 1]
    assert found.facts["rows of rankings for no page"] == 1
    assert not (tmp_path / "ranked" / "old.echo" / "search").exists()
    assert after(studied(tmp_path / "searched", old, new, ["geography"])) == [0] * 7
    found = studied(tmp_path / "first", old, new, ["geography"], ranking=ranking, answers=1)
    assert after(found) == [1, 1, 0, 0, 0, 0, 0]


def test_nothing_of_no_pages(tmp_path: Path) -> None:
    without_pages(tmp_path)
    new = collection(tmp_path, "new", {"http://n.example/": page(A)}, NEW)
    log = counted_log(tmp_path / "log.tsv", {"river": 2})
    for pair in ((tmp_path / "none.echo", new), (new, tmp_path / "none.echo")):
        found = webecho.study_querylog([pair], {"log": log}, drop=0, real="log")
        assert after(found) == [0] * 7
        assert found.tables["cases"].num_rows == 0


def test_a_paragraph_on_too_many_pages_is_counted(tmp_path: Path) -> None:
    foot = sentences("footer", 1, 12)
    old = {f"http://{name}.example/": page("geography", A, foot) for name in "abc"}
    new = {"http://n.example/": page(B, foot)}
    found = studied(tmp_path, old, new, ["geography"], most=2)
    assert found.facts["paragraphs on very many old documents"] > 9
    # It is similar, and yet no candidate.
    assert after(found) == [1, 0, 0, 0, 0, 0, 0]


def test_the_same_old_collection_twice(tmp_path: Path) -> None:
    old = collection(tmp_path, "old", {"http://a.example/": page("geography", A)}, OLD)
    new = collection(tmp_path, "new", {"http://n.example/": page(A)}, NEW)
    log = counted_log(tmp_path / "log.tsv", {"geography": 2})
    same = collection(tmp_path, "same", {"http://a.example/": page("geography", A)}, NEW)
    found = webecho.study_querylog([(old, new), (old, same)], {"log": log}, drop=0, real="log")
    assert [row["pair"] for row in found.tables["answers"].to_pylist()] == ["old–new", "old–same"]
    # Of a collection that did not change every address is old.
    assert [row["without child"] for row in found.tables["answers"].to_pylist()] == [0, 1]
