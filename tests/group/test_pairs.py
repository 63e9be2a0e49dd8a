"""Pairs and what was measured of them, by hand and by brute force over the shingle sets."""

from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import as_jsonl, edited, markup, page, prose, small_web
from tests.command import contents, done
from webecho.workspace.layout import Layout
from webecho.workspace.workspace import Workspace

RULES = ("tokens", "very-similar", "virtually-identical", "similar")
NAMES = ["left_url", "right_url", "left_id", "right_id"]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    done("sketch", pages, "-o", tmp_path / "crawl.echo", "--keep-shingles", "--part-pages", 3)
    return tmp_path / "crawl.echo"


def test_exact_pairs_have_no_measure(crawl: Path) -> None:
    table = webecho.pairs(str(crawl), "tokens")
    assert table.column_names == ["left", "right", "same_tokens", *NAMES]
    found = [(row["left"], row["right"]) for row in table.to_pylist()]
    assert found == [(0, 2), (0, 3), (2, 3), (8, 9), (11, 13)]


def test_supershingle_pairs_say_how_many_agree(crawl: Path) -> None:
    rows = Workspace.open(crawl).table().to_pylist()
    for rule, least in (("very-similar", 2), ("virtually-identical", 6)):
        table = webecho.pairs(str(crawl), rule)
        assert table.column_names == ["left", "right", "b_similarity", *NAMES]
        for row in table.to_pylist():
            left, right = (rows[row[side]]["supershingles"] for side in ("left", "right"))
            if left is not None:
                same = sum(a == b for a, b in zip(left, right, strict=True))
                assert row["b_similarity"] == same >= least


def test_similar_pairs_have_resemblance_and_containment(crawl: Path) -> None:
    """Every measure is that of the two shingle sets, and no pair above the threshold is missing."""
    shingles = Workspace.open(crawl).table("shingles")["shingles"].to_pylist()
    expected = {}
    for left, right in combinations(range(16), 2):
        a, b = set(shingles[left] or ()), set(shingles[right] or ())
        if a and b and len(a & b) / len(a | b) >= 0.8:
            shared = len(a & b)
            expected[left, right] = (shared / len(a | b), shared / len(a), shared / len(b))
    # Pages without tokens have no shingles: what says that they are the same are their bytes.
    expected[8, 9] = (1.0, 1.0, 1.0)
    table = webecho.pairs(str(crawl), "similar", 0.8)
    measures = ["resemblance", "left_containment", "right_containment"]
    assert table.column_names == ["left", "right", *measures, "estimated", *NAMES]
    found = {
        (row["left"], row["right"]): tuple(row[name] for name in measures)
        for row in table.to_pylist()
    }
    assert found == expected
    assert not any(table["estimated"].to_pylist())


def test_containment_tells_which_page_is_in_which(tmp_path: Path) -> None:
    """The longer page has all of the shorter one: 96 shingles of 116."""
    text = prose(1, 120)
    for pages in ([text, text[:100]], [text[:100], text]):
        source = as_jsonl(
            tmp_path / "pages.jsonl", [page(i, " ".join(words)) for i, words in enumerate(pages)]
        )
        [row] = webecho.pairs(str(source), "similar", 0.8).to_pylist()
        shorter, longer = ("right", "left") if pages[0] == text else ("left", "right")
        assert row["resemblance"] == 96 / 116
        assert row[f"{shorter}_containment"] == 1.0
        assert row[f"{longer}_containment"] == 96 / 116


def test_copies_share_the_pairs_of_what_they_copy(tmp_path: Path) -> None:
    """Two copies of one text and three of a near one: every page of one with every other."""
    text = prose(1, 104)
    near = edited(text, 50)
    pages = [text, near, text, near, near]
    source = as_jsonl(
        tmp_path / "pages.jsonl", [page(i, markup(words)) for i, words in enumerate(pages)]
    )
    rows = webecho.pairs(str(source), "similar", 0.8).to_pylist()
    assert [(row["left"], row["right"]) for row in rows] == list(combinations(range(5), 2))
    for row in rows:
        same = pages[row["left"]] == pages[row["right"]]
        # 104 words are 100 shingles, of which the edit changes five: 95 of 105.
        assert row["resemblance"] == (1.0 if same else 95 / 105)
        assert row["left_containment"] == row["right_containment"] == (1.0 if same else 0.95)


@pytest.mark.parametrize(("threshold", "there"), [(95 / 105, True), (0.9048, False)])
def test_a_pair_at_the_threshold_is_in(tmp_path: Path, threshold: float, there: bool) -> None:
    text = prose(1, 104)
    pages = [page(0, " ".join(text)), page(1, " ".join(edited(text, 50)))]
    source = str(as_jsonl(tmp_path / "pages.jsonl", pages))
    assert (webecho.pairs(source, "similar", threshold).num_rows == 1) is there
    assert (webecho.clusters(source, "similar", threshold)["size"][0].as_py() == 2) is there


def test_pairs_carry_urls_and_ids(crawl: Path) -> None:
    web = small_web()
    for rule in RULES:
        for row in webecho.pairs(str(crawl), rule).to_pylist():
            for side in ("left", "right"):
                assert row[f"{side}_url"] == web[row[side]].url
                assert row[f"{side}_id"] == web[row[side]].id


def test_ids_may_repeat_or_be_absent() -> None:
    """Nothing is keyed on an id."""
    table = pa.table({"id": ["a", "a", None, "a"], "text": ["same text"] * 4})
    rows = webecho.pairs(table, "tokens").to_pylist()
    assert [(row["left"], row["right"]) for row in rows] == list(combinations(range(4), 2))
    assert [row["left_id"] for row in rows] == ["a", "a", "a", "a", "a", None]
    assert [row["right_url"] for row in rows] == [None] * 6
    without = pa.table({"text": ["same text"] * 2})
    assert webecho.pairs(without, "tokens").to_pylist()[0]["left_id"] is None
    assert webecho.clusters(without, "tokens")["id"].to_pylist() == [None, None]


def test_no_pairs_are_a_table_without_rows(tmp_path: Path) -> None:
    pages = [page(number, " ".join(prose(number, 20))) for number in range(3)]
    source = str(as_jsonl(tmp_path / "pages.jsonl", pages))
    usual = str(as_jsonl(tmp_path / "usual.jsonl", small_web()))
    for rule in RULES:
        table = webecho.pairs(source, rule)
        assert table.num_rows == 0
        assert table.schema.equals(webecho.pairs(usual, rule).schema)


def test_what_is_returned_is_what_is_written(crawl: Path) -> None:
    for rule, name in [("very-similar", "very-similar"), ("similar", "similar-0.8")]:
        returned = webecho.pairs(str(crawl), rule)
        assert pq.read_table(Layout(crawl).pairs(name)).equals(returned)


def test_threads_and_repetition_change_no_byte(crawl: Path) -> None:
    written = []
    for threads in (1, 2, 3):
        for rule in RULES:
            done("pairs", crawl, "--rule", rule, "--threads", threads)
        written.append(contents(crawl))
    assert written[0] == written[1] == written[2]


def test_many_pairs_are_sorted(tmp_path: Path) -> None:
    """More pairs than a row group holds, from copies that stand in no order."""
    texts = [" ".join(prose(number * number % 7, 20)) for number in range(500)]
    source = as_jsonl(tmp_path / "pages.jsonl", [page(i, text) for i, text in enumerate(texts)])
    done("sketch", source, "-o", tmp_path / "w.echo")
    table = webecho.pairs(str(tmp_path / "w.echo"), "similar")
    found = list(zip(table["left"].to_pylist(), table["right"].to_pylist(), strict=True))
    assert found == [
        (left, right) for left, right in combinations(range(500), 2) if texts[left] == texts[right]
    ]
    assert len(found) > 16384
