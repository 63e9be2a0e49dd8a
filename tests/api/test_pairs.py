"""Requests of pairs, and `webecho.pairs`."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import in_python, on_command_line
from tests.collections_made import as_jsonl, as_table, small_web
from webecho.api.inputs import Inputs
from webecho.api.pairs import PairsRequest, first_rows, run_pairs
from webecho.api.rules import RuleChoice
from webecho.api.runs import as_run
from webecho.errors import WorkspaceError

NOWHERE = Path("nowhere.echo")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    webecho.sketch(as_jsonl(tmp_path / "web.jsonl", small_web()), tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def test_what_is_wrong_is_refused_before_anything_is_opened() -> None:
    assert on_command_line(lambda: PairsRequest(NOWHERE, RuleChoice("b"), hot=1)) == (
        "--hot 1: a bucket with a pair has 2 pages; give 2 or more"
    )

    def measured_what() -> object:
        return PairsRequest(NOWHERE, RuleChoice("b"), measured=9)

    assert on_command_line(measured_what).startswith(
        "--measured says of how many pairs; say what with --measure difference"
    )
    assert in_python(measured_what).startswith(
        "measured= says of how many pairs; say what with measure=difference"
    )


def test_what_only_some_rules_have_is_refused_for_others() -> None:
    def similar() -> object:
        return PairsRequest(NOWHERE, hot=3, report=True)

    allowed = "; that is for b, c, combined, by-site"
    assert on_command_line(similar) == f"the rule similar has no --hot, --report{allowed}"
    assert in_python(similar) == f"the rule similar has no hot=, report={allowed}"
    # None is a value too: all pairs of every bucket.
    exact = on_command_line(lambda: PairsRequest(NOWHERE, RuleChoice("tokens"), hot=None))
    assert exact == f"the rule tokens has no --hot{allowed}"


def test_pairs_of_a_workspace_are_written_there(crawl: Path) -> None:
    found = run_pairs(PairsRequest(crawl, RuleChoice("tokens")), as_run())
    assert (found.rule, found.count) == ("tokens", 5)
    assert found.file == crawl / "pairs" / "tokens.parquet"
    assert pq.read_table(found.file) == found.rows
    pairs = zip(found.rows["left"].to_pylist(), found.rows["right"].to_pylist(), strict=True)
    assert [*pairs] == [(0, 2), (0, 3), (2, 3), (8, 9), (11, 13)]
    assert found.summary == {"pairs": 5}
    assert (found.report, found.folder) == (None, None)
    assert (found.estimated, found.failure) == (None, None)


def test_so_many_are_given_as_are_asked_for(crawl: Path) -> None:
    found = run_pairs(PairsRequest(crawl, RuleChoice("tokens"), most=2), as_run())
    assert (found.count, found.rows.num_rows) == (5, 2)
    every = first_rows(found.file, None)[1]
    assert found.rows == every.slice(0, 2)
    assert first_rows(found.file, 9) == (5, every)


def test_a_report_is_written_beside(crawl: Path) -> None:
    found = run_pairs(PairsRequest(crawl, RuleChoice("b"), report=True), as_run())
    assert found.folder == crawl / "studies" / "pairs-b-2"
    assert (found.folder / "by_b_similarity.parquet").is_file()
    assert found.report is not None and found.report.label == "b-2"


def test_pairs_of_a_table_are_those_of_its_workspace(crawl: Path) -> None:
    table = as_table(small_web())
    near = webecho.pairs(table)
    assert near == webecho.pairs(crawl)
    assert near == run_pairs(PairsRequest(Inputs((table,))), as_run()).rows
    # Four pages of one text and near to it are six pairs; 1 and 5; and the exact copies.
    assert near.num_rows == 6 + 1 + 1 + 1


def test_measures_need_no_list_around_one(crawl: Path) -> None:
    found = webecho.pairs(crawl, "b", measure="difference")
    assert found == webecho.pairs(crawl, "b", measure=["difference"])
    # One word was replaced by another.
    rows = {(row["left"], row["right"]): row for row in found.to_pylist()}
    assert rows[0, 4]["term_difference"] == 2


def test_several_rules_in_one_go(crawl: Path) -> None:
    found = webecho.pairs(crawl, ["b", "c", "exact"], least_c=340)
    assert [*found] == ["b", "c", "exact"]
    assert found["b"].equals(webecho.pairs(crawl, "b"))
    assert found["c"].equals(webecho.pairs(crawl, "c", least_c=340))
    assert found["exact"].equals(webecho.pairs(crawl, "exact"))
    # One in a list is one by its name.
    assert [*webecho.pairs(crawl, ["b"])] == ["b"]
    written = {file.stem for file in (crawl / "pairs").glob("*.parquet")}
    assert {"b-2", "c-340", "text"} <= written


def test_where_one_rule_cannot_be_none_is_written(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "web.jsonl", small_web())
    webecho.sketch(source, tmp_path / "a.echo", columns=["supershingles"])
    with pytest.raises(WorkspaceError, match="has no column projection"):
        webecho.pairs(tmp_path / "a.echo", ["b", "c"])
    assert not (tmp_path / "a.echo" / "pairs").exists()


def test_several_rules_of_inputs() -> None:
    table = as_table(small_web())
    found = webecho.pairs(table, ("similar", "b"))
    assert found["similar"].equals(webecho.pairs(table))
    assert found["b"].equals(webecho.pairs(table, "b"))


def test_rules_that_pages_of_other_types_take_part_in(tmp_path: Path) -> None:
    for name, content in {"a.png": b"\x89PNG", "b.png": b"\x89PNG", "c.html": b"<p>c"}.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "d.html").write_bytes(b"<p>c")
    found = webecho.pairs(tmp_path, ["payload", "text"])
    assert found["payload"]["left_id"].to_pylist() == ["a.png", "c.html"]
    assert found["text"]["left_id"].to_pylist() == ["c.html"]


def test_reports_of_several_rules(crawl: Path) -> None:
    found = webecho.pair_report(crawl, ["b", "c"], repetitions=0)
    assert [each.label for each in found.values()] == ["b-2", "c-372"]
    assert found["b"].facts == webecho.pair_report(crawl, "b", repetitions=0).facts


def test_parameters_go_to_the_rules_that_have_them() -> None:
    chosen = RuleChoice.several(["similar", "c"], resemblance=0.7, least_c=340)
    assert chosen == (RuleChoice("similar", 0.7), RuleChoice("c", least_c=340))

    def of_none() -> object:
        return RuleChoice.several(["b", "c"], resemblance=0.7)

    assert on_command_line(of_none) == (
        "the rule b has no --resemblance; that is for similar, and b has --least-b"
    )
    twice = on_command_line(lambda: RuleChoice.several(["text", "exact"]))
    assert twice == "the rule text is given twice; give each once"
    assert on_command_line(lambda: RuleChoice.several([])).startswith("no rule is given")


@pytest.mark.parametrize("function", [webecho.pairs, webecho.pair_report])
def test_report_is_who_is_told_and_true_names_what_the_command_means(
    crawl: Path, function: Any
) -> None:
    with pytest.raises(webecho.WebechoError, match=r"^report= is a function .*pair_report"):
        function(crawl, "b", report=True)
    phases: list[str] = []
    function(crawl, "b", report=lambda now: phases.append(now.phase))
    assert "comparing" in phases
