"""Baeza-Yates 2007, section 4: the paper's example worked out by hand, and what was planted."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import webecho
from tests.study.reuse_made import after, collection, page, sentences, studied, timed_log
from webecho.api.runs import as_run
from webecho.api.study_querylog import StudyQuerylogRequest, as_pairs
from webecho.read.query_logs import QueryLogFile
from webecho.sketches.page_tables import require_tables
from webecho.sketches.search_index import require_index
from webecho.study.permutation import permutation_test
from webecho.study.querylog import study_querylog
from webecho.study.querylog_pair import PairFound
from webecho.synthetic.reuse.making import write_reuse
from webecho.synthetic.reuse.matches import Matches, read_matches
from webecho.synthetic.web import Web
from webecho.workspace.workspace import Workspace

MINIMAL = (5, 10, 15, 20, 25, 30)


# Figure 2: query 1 gives documents 3 and 7, query 2 documents 13 and 17; of twenty new documents
# the first has paragraphs of all four, the second has some too, and the last has none.


def test_the_example_of_figure_2(tmp_path: Path) -> None:
    def text(number: int) -> list[str]:
        return sentences(f"document {number}", 1, 20)

    topics = {3: "harbours", 7: "harbours", 13: "orchards", 17: "orchards"}
    old = {
        f"http://old.example/{number}": page(topics.get(number, "weather"), text(number))
        for number in range(1, 21)
    }
    own = {
        f"http://new.example/{number}": page(sentences(f"new {number}", 1, 20))
        for number in range(1, 21)
    }
    # Fourteen sentences in a row are twelve paragraphs, seven are five.
    first = page(text(3)[:14], text(7)[:14], text(13)[:7], text(17)[:7])
    second = page(text(7)[5:8], text(20), sentences("new 2", 1, 9))
    new = own | {"http://new.example/1": first, "http://new.example/2": second}
    found = studied(tmp_path, old, new, ["harbours", "orchards"])
    [answers] = found.tables["answers"].to_pylist()
    # Document 20, which the second new one has all of, was not asked for.
    assert answers == {
        "pair": "old–new",
        "log": "log",
        "real": True,
        "queries": 2,
        "queries with answers": 2,
        "total answer set": 4,
        "documents in it": 4,
        "new documents": 20,
        "new similar documents": 2,
        # With ten paragraphs: 3 and 7 are parents of the first.
        "without child": 2,
        "without parent": 19,
    }
    # With five paragraphs it is made from the answers to either query, with ten from one.
    assert after(found, 5) == [2, 1, 1, 1, 1, 1, 1]
    assert after(found, 10) == [2, 1, 1, 1, 1, 1, 1]
    assert after(found, 15) == [2, 0, 0, 0, 0, 0, 0]
    [case] = found.tables["cases"].to_pylist()
    assert case == {
        "pair": "old–new",
        "log": "log",
        "query": "harbours",
        "new page": 0,
        "new url": "http://new.example/1",
        "one page": 2,
        "one url": "http://old.example/3",
        "one rank": 1,
        "one shared": 12,
        "other page": 6,
        "other url": "http://old.example/7",
        "other rank": 2,
        "other shared": 12,
    }
    assert found.sentences[0] == (
        "old–new: of 20 new documents 2 have at least one paragraph of what queries of log give; 1 "
        "are left after all six conditions with at least 10 identical paragraphs."
    )


# What was planted.


def written(folder: Path, web: Web) -> Path:
    write_reuse(web, folder)
    for number in range(1, web.snapshots + 1):
        webecho.sketch(folder / str(number) / "pages", folder / f"{number}.echo")
    return folder


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Web(pages=400, seed=3, reuse=True, snapshots=3, form="parquet", file_pages=150)
    return written(tmp_path_factory.mktemp("planted") / "web", made)


@pytest.fixture(scope="module")
def truth(web: Path) -> Matches:
    return read_matches(web)


def logs(web: Path) -> dict[str, Path]:
    return {name: web / "queries" / f"{name}.tsv" for name in ("real", "wrong", "real-2")}


def roles(truth: Matches, log: str) -> Counter[str]:
    return Counter(row["role"] for row in truth.queries.to_pylist() if row["log"] == log)


@pytest.fixture(scope="module")
def planted(web: Path, truth: Matches) -> Any:
    """By the frequent queries alone."""
    counts = roles(truth, "real")
    return webecho.study_querylog(
        [(web / "1.echo", web / "2.echo"), (web / "2.echo", web / "3.echo")],
        logs(web),
        drop=counts["top"],
        take=counts["frequent"],
        period_take=counts["frequent"],
    )


@pytest.fixture(scope="module")
def planted_later(web: Path, truth: Matches) -> Any:
    """By the frequent queries of the second real log, of which there are more."""
    counts = roles(truth, "real-2")
    assert counts["frequent"] > roles(truth, "real")["frequent"]
    return webecho.study_querylog(
        [(web / "2.echo", web / "3.echo")],
        {"real-2": web / "queries" / "real-2.tsv"},
        drop=counts["top"],
        take=counts["frequent"],
        period_take=counts["frequent"],
    )


def rows(study: Any, table: str, **wanted: Any) -> list[dict[str, Any]]:
    return [
        row
        for row in study.tables[table].to_pylist()
        if all(row[name] == value for name, value in wanted.items())
    ]


def check_conditions(study: Any, truth: Matches, old: int, log: str, minimal: int) -> list[int]:
    """How many new documents each condition leaves, which is what the truth says."""
    pair = f"{old}–{old + 1}"
    found = rows(study, "conditions", pair=pair, log=log, **{"minimal number": minimal})
    queries = truth.asked(log)
    expected = [
        len({match.new for match in truth.left(queries, old, minimal, range(condition + 1, 7))})
        for condition in range(1, 7)
    ]
    assert [row["after"] for row in found] == expected
    assert [row["before"] for row in found[1:]] == expected[:-1]
    left = rows(study, "left", pair=pair, **{"queries of": log, "minimal number": minimal})
    assert [row["new documents"] for row in left] == [expected[-1]]
    return expected


@pytest.mark.parametrize("minimal", MINIMAL)
@pytest.mark.parametrize("log", ["real", "wrong"])
def test_each_condition_leaves_what_the_truth_says(
    planted: Any, truth: Matches, log: str, minimal: int
) -> None:
    for old in (1, 2):
        check_conditions(planted, truth, old, log, minimal)


@pytest.mark.parametrize("minimal", MINIMAL)
def test_the_later_pair_leaves_what_the_truth_says(
    planted_later: Any, truth: Matches, minimal: int
) -> None:
    assert check_conditions(planted_later, truth, 2, "real-2", minimal)[-1] > 0


def test_some_are_left_and_some_are_not(planted: Any) -> None:
    found = rows(planted, "conditions", pair="1–2", log="real", **{"minimal number": 10})
    # Each condition filters something.
    assert all(row["before"] > row["after"] > 0 for row in found)


def test_answers_are_those_of_the_truth(planted: Any, truth: Matches) -> None:
    genealogy = truth.genealogy
    for log in ("real", "wrong"):
        [found] = rows(planted, "answers", pair="1–2", log=log)
        asked = truth.asked(log)
        total = {one for text in asked for one in truth.led_to.get((text, 1), ())}
        assert found["queries"] == len(asked)
        assert found["documents in it"] == len(total)
        assert found["new documents"] == len(genealogy.pages[2])
        # Each other pair of pages with something in common is in the truth, but for pairs that
        # share popular texts alone.
        pairs = [pair for pair in genealogy.pairs[1, 2] if pair.old in total and pair.shared >= 10]
        related = [pair for pair in pairs if not pair.equivalent]
        assert found["without child"] == len(total) - len({pair.old for pair in related})
        children = {pair.new for pair in related}
        assert found["without parent"] == len(genealogy.pages[2]) - len(children)
        old = set().union(*(truth.paragraphs[1][one] for one in total))
        similar = [one for one in genealogy.pages[2] if truth.paragraphs[2][one] & old]
        assert found["new similar documents"] == len(similar)


def requested(web: Path, log: str) -> list[tuple[str, str]]:
    lines = (web / "queries" / f"{log}.tsv").read_text().splitlines()[1:]
    return [(line.split("\t")[0], line.split("\t")[1]) for line in lines]


def test_table_5_as_counted_by_hand(planted: Any, web: Path, truth: Matches) -> None:
    counts = roles(truth, "real")
    for log in logs(web):
        [found] = rows(planted, "logs", log=log)
        often = Counter(query for _, query in requested(web, log))
        taken = sorted(often.values(), reverse=True)[counts["top"] :][: counts["frequent"]]
        assert found["requests"] == sum(often.values())
        assert found["different queries"] == len(often)
        assert (found["most frequent"], found["least frequent"]) == (taken[0], taken[-1])
        assert found["share of requests covered"] == sum(taken) / sum(often.values())
        # February to December: five periods of two months, and one month that is dropped.
        assert (found["periods"], found["incomplete periods"]) == (5, 1)
    [first] = rows(planted, "logs", log="real")
    assert first["from"].startswith("2004-02-01") and first["to"].startswith("2004-12-31")


def test_table_6_as_counted_by_hand(planted: Any, web: Path, truth: Matches) -> None:
    counts = roles(truth, "real")
    ends = []
    for first in ("02", "04", "06", "08", "10"):
        months = (f"2004-{first}", f"2004-{int(first) + 1:02d}")
        often = Counter(query for time, query in requested(web, "real") if time[:7] in months)
        taken = sorted(often.values(), reverse=True)[counts["top"] :][: counts["frequent"]]
        ends.append((taken[0], taken[-1]))
        [found] = rows(planted, "periods", log=f"real 2004-{first}")
        assert (found["most frequent"], found["least frequent"]) == ends[-1]
    [means] = rows(planted, "period_means", log="real")
    assert means["periods"] == 5
    assert means["average most frequent"] == sum(end[0] for end in ends) / 5
    assert means["average least frequent"] == sum(end[1] for end in ends) / 5


def test_periods_leave_what_the_truth_says(web: Path, truth: Matches) -> None:
    """By the two most frequent queries of each period behind the top, which ask for topics."""
    counts = roles(truth, "real")
    study = webecho.study_querylog(
        [(web / "1.echo", web / "2.echo")],
        {"real": web / "queries" / "real.tsv"},
        drop=counts["top"],
        take=counts["frequent"],
        period_take=2,
    )
    sets = {}
    for first in (2, 4, 6, 8, 10):
        months = (f"2004-{first:02d}", f"2004-{first + 1:02d}")
        asked = [each for each in requested(web, "real") if each[0][:7] in months]
        often = Counter(query for _, query in asked)
        earliest = {query: at for at, (_, query) in reversed([*enumerate(asked)])}
        order = sorted(often, key=lambda query: (-often[query], earliest[query]))
        sets[f"real 2004-{first:02d}"] = order[counts["top"] :][:2]
    sets["real, last two periods"] = sets["real 2004-08"] + sets["real 2004-10"]
    frequent = {*truth.asked("real")}
    some = 0
    for name, queries in sets.items():
        assert {*queries} <= frequent
        for row in rows(study, "left", **{"queries of": name}):
            expected = {match.new for match in truth.left(queries, 1, row["minimal number"])}
            assert row["new documents"] == len(expected)
            some += len(expected)
    assert some > 5


def test_the_real_log_finds_more_than_the_wrong_one(planted: Any) -> None:
    assert [row["log"] for row in rows(planted, "answers", real=True)] == ["real", "real-2"]
    left = {
        (row["queries of"], row["minimal number"]): row["new documents"]
        for row in rows(planted, "left", pair="1–2")
    }
    assert all(left["real", minimal] > left["wrong", minimal] for minimal in MINIMAL)
    [test] = rows(planted, "tests", pair="1–2", **{"other log": "wrong", "queries of": "whole"})
    assert test["difference"] == left["real", 10] - left["wrong", 10] > 5
    assert test["p"] < 0.01
    said = next(text for text in planted.sentences if "those of wrong" in text)
    assert "speaks for people having used a search engine" in said


def test_figures_are_the_papers(planted: Any) -> None:
    # Figure 3 and 5 of both pairs, Figure 4 of the real log of each.
    assert [*planted.figures] == [
        *("logs-1–2", "periods-real-1–2", "last_two-1–2"),
        *("logs-2–3", "periods-real-2-2–3", "last_two-2–3"),
    ]
    curves = planted.figures["logs-1–2"].series
    assert [curve.of for curve in curves] == ["real", "wrong", "real-2"]
    for curve in curves:
        own = rows(planted, "left", pair="1–2", **{"queries of": curve.of})
        assert [*curve.points] == [(row["minimal number"], row["new documents"]) for row in own]
    assert [curve.of for curve in planted.figures["periods-real-1–2"].series] == [
        f"real 2004-{month}" for month in ("02", "04", "06", "08", "10")
    ]


def test_it_tells_of_collections_and_its_curves_are_of_logs(planted: Any, tmp_path: Path) -> None:
    assert planted.collections == ("1", "2", "3")
    assert planted.curves[:2] == ("real", "real 2004-02")
    named = [line for line in repr(planted).splitlines() if "collections" in line]
    assert [line.split("  ")[1] for line in named] == ["collections", "collections, table"]
    assert named[0].endswith("  1, 2, 3")
    planted.write(tmp_path)
    assert json.loads((tmp_path / "study.json").read_text())["collections"] == ["1", "2", "3"]


def test_it_is_written_and_read_back(planted: Any, tmp_path: Path) -> None:
    written = {file.name for file in planted.write(tmp_path)}
    assert {"left.parquet", "cases.html", "logs-1–2.svg", "conditions.csv"} <= written
    assert pq.read_table(tmp_path / "left.parquet").equals(planted.tables["left"])


def test_the_same_again(planted: Any, web: Path, truth: Matches) -> None:
    counts = roles(truth, "real")
    again = webecho.study_querylog(
        [(web / "1.echo", web / "2.echo"), (web / "2.echo", web / "3.echo")],
        logs(web),
        drop=counts["top"],
        take=counts["frequent"],
        period_take=counts["frequent"],
        threads=1,
    )
    assert again.tables == planted.tables and again.sentences == planted.sentences


# Nothing was planted.


def found_without(folder: Path) -> Iterator[PairFound]:
    made = Web(pages=2500, seed=5, reuse=True, snapshots=2, form="parquet", through_queries=0.0)
    web = written(folder / "web", made)
    truth = read_matches(web)
    run = as_run()
    require_index(web / "1.echo", run)
    for number in (1, 2):
        require_tables(web / f"{number}.echo", ["paragraphs"], run)
    request = StudyQuerylogRequest(
        pairs=((web / "1.echo", web / "2.echo"),),
        queries=tuple(
            QueryLogFile(name, str(web / "queries" / f"{name}.tsv")) for name in ("real", "wrong")
        ),
        drop=roles(truth, "real")["top"],
        take=roles(truth, "real")["frequent"],
        permutations=0,
    )
    opened = {path: Workspace.open(path) for path in request.pairs[0]}
    yield from study_querylog(
        as_pairs(request, opened), request.queries, request.settings, run
    ).found


def test_when_nothing_was_planted_it_seldom_rejects(tmp_path: Path) -> None:
    """One search, and a hundred times the queries of both logs handed out by chance as two logs."""
    [found] = found_without(tmp_path)
    matches = found.matches.at_least(10)
    # There is something to be found.
    assert len(np.unique(matches.new)) > 15
    numbers = np.array([*found.numbers.values()])
    rejected = 0
    for seed in range(100):
        order = np.random.default_rng(seed).permutation(numbers)
        real = np.zeros(len(numbers), np.bool_)
        real[order[: len(order) // 2]] = True
        rejected += permutation_test(matches, real, ~real, 199, seed).p <= 0.05
    assert rejected <= 11
    # And as they were made up.
    logs = [np.zeros(len(numbers), np.bool_) for _ in found.logs]
    for flags, log in zip(logs, found.logs, strict=True):
        flags[[found.numbers[query] for query in log.log.queries]] = True
    assert permutation_test(matches, logs[0], logs[1], 199, 0).p > 0.05


# Logs with times, and what they may be.


def test_a_log_is_cut_at_the_crawls(tmp_path: Path) -> None:
    """One log over three crawls is a log for each time between them; each pair has its own."""
    old = {"http://a.example/": page("tides", sentences("tide", 1, 20))}
    paths = [
        collection(tmp_path, name, old, date)
        for name, date in (("one", "2002-07-10"), ("two", "2003-08-10"), ("three", "2004-01-10"))
    ]
    times = ["2002-07-20", "2002-08-01", "2003-07-31", "2003-08-01", "2003-09-01", "2004-01-31"]
    log = timed_log(tmp_path / "all.tsv", [(f"{time}T10:00:00", "tides") for time in times])
    found = webecho.study_querylog(
        [(paths[0], paths[1]), (paths[1], paths[2])], {"all": log}, drop=0, permutations=10
    )
    assert [(row["log"], row["requests"]) for row in found.tables["logs"].to_pylist()] == [
        ("all 2002-08–2003-07", 2),
        ("all 2003-09", 1),
    ]
    assert found.facts["requests around crawls"] == 3
    assert [(row["pair"], row["log"]) for row in rows(found, "answers", real=True)] == [
        ("one–two", "all 2002-08–2003-07"),
        ("two–three", "all 2003-09"),
    ]


def test_an_old_collection_that_is_the_later_one_is_told(web: Path, planted: Any) -> None:
    log = {"real": web / "queries" / "real.tsv"}
    turned = webecho.study_querylog([(web / "2.echo", web / "1.echo")], log, drop=2, permutations=0)
    assert any("2–1: the old collection was fetched from 20" in note for note in turned.notes)
    assert not any("was fetched from" in note for note in planted.notes)


def test_a_collection_and_itself_are_no_pair(web: Path) -> None:
    log = {"real": web / "queries" / "real.tsv"}
    with pytest.raises(webecho.SettingsError, match="as the old and as the new collection"):
        webecho.study_querylog([(web / "1.echo", web / "../" / web.name / "1.echo")], log)
