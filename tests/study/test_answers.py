"""What queries give: by the search engine, held against BM25 worked out by hand, and by a ranking
made elsewhere."""

from math import log
from pathlib import Path
from random import Random

import pytest

from tests.study.reuse_made import collection
from webecho.api.runs import as_run
from webecho.errors import InputError
from webecho.sketches.search_index import require_index
from webecho.study.answers import Answers, query_terms, ranked_elsewhere, searched
from webecho.workspace.workspace import Workspace


def workspace(folder: Path, texts: list[str]) -> Workspace:
    pages = {f"http://a.example/{number}": text for number, text in enumerate(texts)}
    path = collection(folder, "a", pages, "2004-01-15")
    require_index(path, as_run())
    return Workspace.open(path)


def by_query(found: Answers) -> dict[int, list[int]]:
    lists: dict[int, list[int]] = {}
    for row in found.rows.to_pylist():
        lists.setdefault(row["query"], []).append(row["page"])
        assert row["rank"] == len(lists[row["query"]])
    return lists


def bm25(texts: list[str], query: str) -> dict[int, float]:
    """By its definition; pages here are short enough for their length to be stored exactly."""
    words = [text.split() for text in texts]
    average = sum(map(len, words)) / len(words)
    scores: dict[int, float] = {}
    for term in set(query.split()):
        having = sum(term in page for page in words)
        weight = log(1 + (len(words) - having + 0.5) / (having + 0.5))
        for number, page in enumerate(words):
            often = page.count(term)
            if often:
                norm = 1.2 * (1 - 0.75 + 0.75 * len(page) / average)
                scores[number] = scores.get(number, 0) + weight * often * 2.2 / (often + norm)
    return scores


def test_ranks_are_those_of_bm25(tmp_path: Path) -> None:
    chance = Random(1)
    words = [f"w{number}" for number in range(30)]
    # Lengths up to 40 are stored exactly.
    texts = [
        " ".join(chance.choices(words, weights=range(30, 0, -1), k=chance.randint(5, 39)))
        for _ in range(60)
    ]
    queries = [" ".join(chance.sample(words, chance.randint(1, 3))) for _ in range(40)]
    found = by_query(searched(workspace(tmp_path, texts), queries, 10, as_run()))
    for number, query in enumerate(queries):
        scores = bm25(texts, query)
        order = sorted(scores, key=lambda page: (-round(scores[page], 4), page))[:10]
        assert [round(scores[page], 4) for page in found[number]] == [
            round(scores[page], 4) for page in order
        ]


def test_pages_of_one_score_come_by_their_number(tmp_path: Path) -> None:
    texts = ["same words here"] * 50 + ["other"]
    found = searched(workspace(tmp_path, texts), ["same", "OTHER!", "nowhere", "..."], 7, as_run())
    assert by_query(found) == {0: [*range(7)], 1: [50]}


def test_threads_make_no_difference(tmp_path: Path) -> None:
    opened = workspace(tmp_path, [f"page {number % 7} of {number % 3}" for number in range(200)])
    queries = [f"page {number}" for number in range(150)]
    one, two = (searched(opened, queries, 5, as_run(threads)).rows for threads in (1, 2))
    assert one == two


def test_terms_are_made_as_those_of_pages(tmp_path: Path) -> None:
    opened = workspace(tmp_path, ["text"])
    assert query_terms(opened, ["+MD  foods +md", '"東京"', ""], as_run()) == [
        ["md", "foods"],
        ["東", "京"],
        [],
    ]


def test_a_ranking_made_elsewhere(tmp_path: Path) -> None:
    opened = workspace(tmp_path, ["one", "two", "three"])
    rows = [
        *("query,rank,url", "Two  Words,2,http://A.example:80/0", "two words,1,http://a.example/2"),
        *("two words,3,http://a.example/2", "not asked,1,http://a.example/1"),
        *("two words,4,http://elsewhere.example/", "two words,9,http://a.example/1"),
    ]
    (tmp_path / "ranking.csv").write_text("\n".join(rows))
    run = as_run()
    with run.database() as database:
        found = ranked_elsewhere(
            database, opened, str(tmp_path / "ranking.csv"), ["other", "two words"], 2, run
        )
    # The best rank of a page counts, and two answers are wanted.
    assert by_query(found) == {1: [2, 0]}
    assert found.unknown == 1


def test_a_ranking_without_rows_is_refused(tmp_path: Path) -> None:
    opened = workspace(tmp_path, ["one"])
    (tmp_path / "ranking.csv").write_text("query,rank,url\na,x,http://a.example/0\n")
    run = as_run()
    with run.database() as database, pytest.raises(InputError, match="has no row with a query"):
        ranked_elsewhere(database, opened, str(tmp_path / "ranking.csv"), ["a"], 2, run)
