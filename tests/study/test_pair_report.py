"""The report of pairs against counts by hand."""

import json
from pathlib import Path
from statistics import mean

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import as_jsonl
from tests.command import contents, done
from tests.command import webecho as run
from tests.group.test_similarity_pairs import family_web
from webecho.engine.local.engine import local_run
from webecho.study.pair_report import difference_facts, quantile, ranges, report
from webecho.workspace.workspace import Workspace


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    pages = as_jsonl(tmp_path / "pages.jsonl", family_web())
    done("sketch", pages, "-o", tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


@pytest.mark.parametrize(("rule", "label"), [("b", "b-2"), ("c", "c-372")])
def test_tables_are_what_the_pairs_say(crawl: Path, rule: str, label: str) -> None:
    done("pairs", crawl, "--rule", rule, "--measure", "difference")
    rows = pq.read_table(crawl / "pairs" / f"{label}.parquet").to_pylist()
    told = report(Workspace.open(crawl), label, local_run())
    by_b = {row["b_similarity"]: row for row in told.tables["by_b_similarity"].to_pylist()}
    for b in range(7):
        there = [row for row in rows if row["b_similarity"] == b]
        assert (b in by_b) == bool(there)
        if there:
            assert by_b[b]["pairs"] == len(there)
            assert by_b[b]["share"] == pytest.approx(len(there) / len(rows))
            average = mean(row["c_similarity"] for row in there)
            assert by_b[b]["average C-similarity"] == pytest.approx(average)
    for row in told.tables["by_c_range"].to_pylist():
        low, high = row["C-similarity from"], row["to"]
        there = [each for each in rows if low <= each["c_similarity"] <= high]
        assert row["pairs"] == len(there)
        average = mean(each["b_similarity"] for each in there)
        assert row["average B-similarity"] == pytest.approx(average)
    assert sum(told.tables["by_c_range"]["pairs"].to_pylist()) == len(rows)
    for row in told.tables["c_by_b"].to_pylist():
        same_b = [each for each in rows if each["b_similarity"] == row["b_similarity"]]
        both = [each for each in same_b if each["c_similarity"] == row["c_similarity"]]
        assert (row["pairs"], row["share"]) == (len(both), pytest.approx(len(both) / len(same_b)))
    degrees: dict[int, int] = {}
    for each in rows:
        for page in (each["left"], each["right"]):
            degrees[page] = degrees.get(page, 0) + 1
    for row in told.tables["degrees"].to_pylist():
        assert row["pages"] == list(degrees.values()).count(row["degree"])
    facts = told.facts
    assert facts["pairs"] == len(rows)
    assert facts["pages with a near-duplicate"] == len(degrees)
    assert facts["average degree"] == pytest.approx(mean(degrees.values()))
    assert facts["share of degree ≥ 100"] == 0
    assert facts["share on the same site"] == pytest.approx(mean(e["same_site"] for e in rows))
    assert facts["share with C-similarity ≥ 372"] == pytest.approx(
        mean(each["c_similarity"] >= 372 for each in rows)
    )
    assert facts["average term difference"] == pytest.approx(
        mean(each["term_difference"] for each in rows)
    )
    pages = Workspace.open(crawl).table().to_pylist()
    for row in told.tables["sites"].to_pylist():
        of_site = [{pages[each[side]]["site"] for side in ("left", "right")} for each in rows]
        assert row["pairs"] == sum(row["site"] in sites for sites in of_site)
        assert row["on the same site"] == of_site.count({row["site"]})
    assert facts["hosts"] == 3
    assert facts["pages per host"] == pytest.approx(len(pages) / 3)


def test_weights_count(crawl: Path) -> None:
    done("pairs", crawl, "--rule", "b", "--hot", 3, "--drawn", 2, "--report")
    every = pq.read_table(crawl / "pairs" / "b-2-hot-3-drawn-2.parquet")
    done("pairs", crawl, "--rule", "b")
    count = pq.read_metadata(crawl / "pairs" / "b-2.parquet").num_rows
    assert every.num_rows < count
    told = report(Workspace.open(crawl), "b-2-hot-3-drawn-2", local_run())
    # Each row of the table is rounded.
    assert sum(told.tables["by_b_similarity"]["pairs"].to_pylist()) == pytest.approx(count, abs=4)
    assert sum(told.tables["by_b_similarity"]["share"].to_pylist()) == pytest.approx(1)
    assert told.facts["pairs"] == count


def test_the_report_is_printed_and_written(crawl: Path) -> None:
    result = done("pairs", crawl, "--rule", "c", "--measure", "difference", "--report")
    assert "Pairs by B-similarity" in result.stdout
    folder = crawl / "studies" / "pairs-c-372"
    names = {file.name for file in folder.iterdir()}
    for figure in ("degrees", "hosts", "c_by_b", "differences"):
        assert {f"{figure}.svg", f"{figure}.png", f"{figure}.parquet"} <= names
    before = contents(crawl)
    shown = done(
        "pairs", crawl, "--rule", "c", "--measure", "difference", "--report", "--format", "json"
    )
    assert contents(crawl) == before
    found = json.loads(shown.stdout)
    assert found["tables"]["degrees"][0].keys() == {"degree", "pages"}
    assert found["median term difference"] > 0


def test_a_report_of_no_pairs(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", family_web(2, 1))
    done("sketch", source, "-o", tmp_path / "w.echo")
    result = done(
        "pairs", tmp_path / "w.echo", "--rule", "b", "--report", "--measure", "difference"
    )
    assert "pairs                        0\n" in result.stdout
    assert run("pairs", tmp_path / "w.echo", "--rule", "exact", "--report").exit_code == 2


def test_term_differences_as_the_paper_tells_them() -> None:
    """Ten pairs: five of 2, three of 10, one of 300, one above the limit."""
    table = pa.table({"difference": [2, 10, 300, None], "pairs": [5, 3, 1, 1]})
    assert difference_facts(table, "") == {
        "average term difference": (10 + 30 + 300) / 9,
        "median term difference": 2,
        "share of term difference 2": 0.5,
        "90th percentile of term differences": 300,
        "pairs with term difference over 200": 2,
        "pairs above the limit of term differences": 1,
    }
    assert quantile([(2, 5), (10, 3)], 10, 0.9) is None
    assert difference_facts(table.slice(0, 0), "") == {}


def test_ranges_are_the_papers_for_its_bits() -> None:
    low = [(row["low"], row["high"]) for row in ranges(384).to_pylist()]
    assert low == [(0, 371), (372, 375), (376, 378), (379, 381), (382, 384)]
    assert ranges(192).to_pylist()[-1] == {"low": 191, "high": 192}
