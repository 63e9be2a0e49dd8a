"""Requests of a dedup, and `webecho.dedup`."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import in_python, on_command_line
from tests.collections_made import as_jsonl, as_table, small_web
from tests.deduplication.results import GONE, STAY
from webecho.api.dedup import (
    DedupRequest,
    FolderRequest,
    run_in_memory,
    run_into_folder,
)
from webecho.api.rules import RuleChoice
from webecho.api.runs import as_run
from webecho.errors import SettingsError


def test_a_request_is_a_plan() -> None:
    plan = DedupRequest(
        ("a.jsonl",),
        RuleChoice("b", least_b=3),
        keep=("max:score", "rank:source=gold"),
        by=("language",),
    ).plan
    assert plan.settings.rule.label == "b-3"
    assert (plan.settings.link, plan.settings.within) == ("kept", ("collection",))
    # Columns that a dedup looks at are read with the pages.
    columns = plan.options.columns
    assert (columns.by, columns.values, columns.ranked) == (("language",), ("score",), ("source",))


def test_what_is_wrong_is_refused_before_anything_is_opened() -> None:
    assert on_command_line(lambda: DedupRequest(("a.jsonl",), keep=("best",))).startswith(
        "'best' does not say which page stays; give one of first"
    )
    assert on_command_line(lambda: DedupRequest((), link="loose")).startswith(
        "--link 'loose': it is kept or"
    )

    def nowhere_to_add() -> object:
        return DedupRequest(("a.jsonl",), append_kept=True)

    assert on_command_line(nowhere_to_add) == (
        "--append-kept adds to the workspace of --against; name one"
    )
    assert (
        in_python(nowhere_to_add) == "append_kept=True adds to the workspace of against=; name one"
    )


def test_a_table_is_not_written() -> None:
    asked = DedupRequest((pa.table({"text": ["a"]}),))
    assert on_command_line(lambda: FolderRequest(asked, Path("out"))) == (
        "a table in memory is not written; leave out -o"
    )


def test_in_memory_what_stays_is_of_the_kind_that_was_given() -> None:
    web = as_table(small_web())
    found = run_in_memory(DedupRequest((web,)), as_run())
    assert found.kept == web.take(STAY)
    assert found.duplicates["page"].to_pylist() == GONE
    assert found.clusters.num_rows == 16
    assert found.summary["counts"]["removed"] == len(GONE)
    assert webecho.dedup(web).kept == found.kept


def test_in_memory_nothing_is_added_to_a_workspace(tmp_path: Path) -> None:
    web = as_table(small_web())
    webecho.sketch(web, tmp_path / "old.echo")
    asked = DedupRequest((web,), against=tmp_path / "old.echo", append_kept=True)
    with pytest.raises(SettingsError, match="--append-kept needs -o: what"):
        run_in_memory(asked, as_run())


def test_into_a_folder(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    asked = FolderRequest(DedupRequest((file,)), tmp_path / "out")
    notes: list[str] = []
    found = run_into_folder(asked, as_run(note=notes.append))
    assert (found.out, found.workspace) == (tmp_path / "out", tmp_path / "out.echo")
    assert found.summary["counts"]["kept"] == len(STAY)
    assert len((found.out / "data" / "web.jsonl").read_text().splitlines()) == len(STAY)
    assert notes == [f"{file}: html = html, url = url, id = id"]


def test_of_paths_a_table_of_the_pages_that_stay(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    for out in (None, tmp_path / "out"):
        found = webecho.dedup(file, out)
        assert found.kept["page"].to_pylist() == STAY
        assert found.kept["id"].to_pylist() == [f"doc-{page}" for page in STAY]
        assert found.duplicates["page"].to_pylist() == GONE


def test_what_could_not_be_passed_on_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "pages.parquet"
    rows = {"text": ["some words", "other words", "some words"], "more": ["a", "b", "c"]}
    pq.write_table(pa.table(rows), file, use_dictionary=False)
    data = bytearray(file.read_bytes())
    at = pq.read_metadata(file).row_group(0).column(1).data_page_offset
    data[at : at + 8] = b"\xff" * 8
    file.write_bytes(data)
    with pytest.warns(UserWarning, match="could not be passed on: .* rows 0 to 2 of row group 0"):
        found = webecho.dedup(file, tmp_path / "out")
    assert found.summary["lost"]


def test_what_the_summary_warns_of_is_a_warning() -> None:
    rows = [{"text": "one text", "date": "13.1.2024"}, {"text": "another", "date": "2024-01"}]
    with pytest.warns(UserWarning, match="1 of 2 pages have no date that is understood") as told:
        webecho.dedup(rows, keep="latest")
    # Where it was called.
    assert [warning.filename for warning in told] == [__file__]
