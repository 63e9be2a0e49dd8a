"""`webecho.why`: two pages of a collection."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import as_jsonl, as_table, small_web
from webecho.api.inputs import Inputs
from webecho.api.runs import as_run
from webecho.api.why import WhyRequest, run_why


def test_of_a_workspace_its_clusters_are_known(tmp_path: Path) -> None:
    path = tmp_path / "crawl.echo"
    webecho.sketch(as_jsonl(tmp_path / "web.jsonl", small_web()), path)
    webecho.clusters(path)
    found = run_why(WhyRequest(path, "doc-0", "#4"), as_run())
    assert found.failure is None
    # With its title the text has 205 tokens: 201 shingles, of which one new word replaces five.
    assert found.comparison.shared_shingles == 196
    assert found.comparison.resemblance == pytest.approx(196 / 206)
    [known] = found.comparison.clusters
    assert known.rule == "similar-0.8"


def test_of_inputs_there_are_none() -> None:
    request = WhyRequest(Inputs((as_table(small_web()),)), "#0", "#2")
    found = run_why(request, as_run()).comparison
    assert found.same_bytes
    assert found.clusters == ()


def test_pages_may_be_named_by_number_id_or_url() -> None:
    table = as_table(small_web())
    by_number = webecho.why(table, 0, 4)
    assert by_number == webecho.why(table, "#0", "doc-4")
    assert by_number == webecho.why(table, "http://a.example.org/0.html", "doc-4")
    with pytest.raises(webecho.WebechoError, match="no page is called 'doc-99'; give a url or id"):
        webecho.why(table, 0, "doc-99")


def test_what_could_not_be_read_is_told(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web(), {3: "{broken"})
    found = run_why(WhyRequest(Inputs((file,)), "doc-0", "doc-2"), as_run())
    assert found.failure is not None
    assert found.failure.startswith(f"left out, for it cannot be read: {file}: ")
    with pytest.warns(UserWarning, match="left out, for it cannot be read"):
        webecho.why(file, "doc-0", "doc-2")


def test_an_unknown_page_of_a_table_is_told_without_our_folders() -> None:
    table = pa.table({"text": ["a b c", "d e f"], "url": ["http://a/", "http://b/"]})
    with pytest.raises(webecho.InputError) as error:
        webecho.why(table, "nowhere", "#0")
    assert str(error.value) == (
        "table 1: no page is called 'nowhere'; give a url or id as the input has it, or a number "
        "below #2"
    )
    with pytest.raises(webecho.InputError, match=r"^table 1: no page is called 'http'; perhaps"):
        webecho.why(table, "http", "#0")
