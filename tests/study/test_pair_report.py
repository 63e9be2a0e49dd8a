"""The report of pairs against counts by hand."""

import json
import random
from collections import Counter
from pathlib import Path
from statistics import mean

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import as_jsonl
from tests.command import contents, done
from tests.command import webecho as run
from tests.group.test_similarity_pairs import family_web
from tests.study.no_pages import without_pages
from webecho.engine.local.engine import local_run
from webecho.errors import WorkspaceError
from webecho.study.pair_report import ranges, report
from webecho.workspace.layout import Layout
from webecho.workspace.workspace import Workspace


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    pages = as_jsonl(tmp_path / "pages.jsonl", family_web())
    done("sketch", pages, "-o", tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


@pytest.mark.parametrize(("rule", "label"), [("b", "b-2"), ("c", "c-372")])
def test_tables_are_what_the_pairs_say(crawl: Path, rule: str, label: str) -> None:
    done("pairs", crawl, "--rule", rule, "--measure", "difference")
    rows = pq.read_table(Layout(crawl).pairs(label)).to_pylist()
    told = report(Workspace.open(crawl), label, local_run())
    by_b = {row["b_similarity"]: row for row in told.tables["by_b_similarity"].to_pylist()}
    assert by_b.keys() == {row["b_similarity"] for row in rows} and len(by_b) > 1
    for b, row in by_b.items():
        there = [each for each in rows if each["b_similarity"] == b]
        assert row["pairs"] == len(there)
        assert row["share"] == pytest.approx(len(there) / len(rows))
        average = mean(each["c_similarity"] for each in there)
        assert row["average C-similarity"] == pytest.approx(average)
    by_c = told.tables["by_c_range"].to_pylist()
    assert by_c
    for row in by_c:
        low, high = row["C-similarity from"], row["to"]
        there = [each for each in rows if low <= each["c_similarity"] <= high]
        assert row["pairs"] == len(there)
        average = mean(each["b_similarity"] for each in there)
        assert row["average B-similarity"] == pytest.approx(average)
    assert sum(row["pairs"] for row in by_c) == len(rows)
    c_by_b = told.tables["c_by_b"].to_pylist()
    assert len(c_by_b) == len({(each["b_similarity"], each["c_similarity"]) for each in rows}) > 1
    for row in c_by_b:
        same_b = [each for each in rows if each["b_similarity"] == row["b_similarity"]]
        both = [each for each in same_b if each["c_similarity"] == row["c_similarity"]]
        assert (row["pairs"], row["share"]) == (len(both), pytest.approx(len(both) / len(same_b)))
    degrees: dict[int, int] = {}
    for each in rows:
        for page in (each["left"], each["right"]):
            degrees[page] = degrees.get(page, 0) + 1
    assert told.tables["degrees"].to_pylist() == [
        {"degree": degree, "pages": list(degrees.values()).count(degree)}
        for degree in sorted({*degrees.values()})
    ]
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
    of_site = [{pages[each[side]]["site"] for side in ("left", "right")} for each in rows]
    sites = told.tables["sites"].to_pylist()
    assert {row["site"] for row in sites} == set().union(*of_site) != set()
    for row in sites:
        assert row["pairs"] == sum(row["site"] in sites for sites in of_site)
        assert row["on the same site"] == of_site.count({row["site"]})
    # One page of each identity set, on its own host.
    first: dict[bytes, str] = {}
    for page in pages:
        first.setdefault(page["digest"], page["host"])
    of_host = Counter(first.values())
    assert len(first) < len(pages)
    assert (facts["hosts"], facts["pages per host"]) == (3, pytest.approx(len(first) / 3))
    assert told.tables["hosts"].to_pylist() == [
        {"pages": count, "hosts": hosts}
        for count, hosts in sorted(Counter(of_host.values()).items())
    ]


def test_a_share_of_none_is_told(crawl: Path) -> None:
    done("pairs", crawl, "--rule", "c")
    file = crawl / "pairs" / "c-372.parquet"
    pairs = pq.read_table(file)

    def rewritten(name: str, value: object) -> dict[str, object]:
        at = pairs.schema.get_field_index(name)
        column = pa.array([value] * len(pairs), pairs.schema.field(at).type)
        changed = pairs.set_column(at, name, column).replace_schema_metadata(None)
        Workspace.open(crawl).write(file, [changed])
        return report(Workspace.open(crawl), "c-372", local_run()).facts

    assert rewritten("same_site", False)["share on the same site"] == 0
    facts = rewritten("b_similarity", 1)
    assert (facts["share with B-similarity ≥ 2"], facts["share with B-similarity 0"]) == (0, 0)
    # What nobody knows is no zero.
    assert "share with B-similarity 0" not in rewritten("b_similarity", None)


def test_weights_count(crawl: Path) -> None:
    done("pairs", crawl, "--rule", "b", "--hot", 3, "--drawn", 2, "--report")
    every = pq.read_table(Layout(crawl).pairs("b-2-hot-3-drawn-2"))
    done("pairs", crawl, "--rule", "b")
    count = pq.read_metadata(Layout(crawl).pairs("b-2")).num_rows
    assert every.num_rows < count
    told = report(Workspace.open(crawl), "b-2-hot-3-drawn-2", local_run())
    # Each row of the table is rounded.
    assert sum(told.tables["by_b_similarity"]["pairs"].to_pylist()) == pytest.approx(count, abs=4)
    assert sum(told.tables["by_b_similarity"]["share"].to_pylist()) == pytest.approx(1)
    assert told.facts["pairs"] == count


def test_the_report_is_printed_and_written(crawl: Path) -> None:
    result = done("pairs", crawl, "--rule", "c", "--measure", "difference", "--report")
    assert "Pairs by B-similarity" in result.stdout
    folder = Layout(crawl).study("pairs-c-372")
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


def test_the_report_of_a_workspace_without_pages(tmp_path: Path) -> None:
    path = without_pages(tmp_path).path
    for rule in ("b", "c"):
        result = done("pairs", path, "--rule", rule, "--report")
        assert "pages with a near-duplicate  0\n" in result.stdout
    told = report(Workspace.open(path), "c-372", local_run())
    assert (told.facts["hosts"], told.facts["pairs"]) == (0, 0)
    # Of nothing there are facts too.
    facts = {"facts", "power_laws"}
    assert all(table.num_rows == 0 for name, table in told.tables.items() if name not in facts)
    assert told.tables["power_laws"]["exponent"].null_count == 2
    assert (Layout(path).study("pairs-c-372") / "degrees.svg").is_file()


def test_fractional_weights_are_summed_the_same_by_any_number_of_threads(crawl: Path) -> None:
    done("pairs", crawl, "--rule", "b")
    workspace = Workspace.open(crawl)
    file = Layout(crawl).pairs("b-2")
    chance = random.Random(7)
    pages = sorted(chance.sample(range(workspace.pages), 2) for _ in range(40_000))
    columns = {
        "left": [min(pair) for pair in pages],
        "right": [max(pair) for pair in pages],
        "b_similarity": [chance.randrange(7) for _ in pages],
        "c_similarity": [chance.randrange(350, 385) for _ in pages],
        "same_site": [chance.random() < 0.5 for _ in pages],
        "weight": [chance.choice([1.0, 1 / 3, 1e6 / 7, 123.456]) for _ in pages],
    }
    # Row groups are what threads share out; these are five.
    workspace.write(file, [pa.table(columns)])
    one, *others = (report(workspace, "b-2", local_run(threads)) for threads in (1, 2, 7))
    whole = sum(columns["weight"])
    assert sum(one.tables["by_b_similarity"]["pairs"].to_pylist()) == pytest.approx(whole)
    same = [w for w, site in zip(columns["weight"], columns["same_site"], strict=True) if site]
    assert one.facts["share on the same site"] == pytest.approx(sum(same) / whole)
    for other in others:
        assert (other.facts, other.fits) == (one.facts, one.fits)
        assert other.tables == one.tables


def test_a_table_that_is_damaged_is_named(crawl: Path) -> None:
    done("pairs", crawl, "--rule", "b")
    file = Layout(crawl).pairs("b-2")
    file.write_bytes(b"no table")
    with pytest.raises(WorkspaceError, match=r"b-2\.parquet cannot be read"):
        report(Workspace.open(crawl), "b-2", local_run())
    (Layout(crawl).pair_counts("b-2") / "counts.json").unlink()
    with pytest.raises(WorkspaceError, match="find the pairs again"):
        report(Workspace.open(crawl), "b-2", local_run())


def test_ranges_are_the_papers_for_its_bits() -> None:
    low = [(row["low"], row["high"]) for row in ranges(384).to_pylist()]
    assert low == [(0, 371), (372, 375), (376, 378), (379, 381), (382, 384)]
    assert ranges(192).to_pylist()[-1] == {"low": 191, "high": 192}
