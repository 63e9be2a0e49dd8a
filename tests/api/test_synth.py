"""Requests of a made-up web, and `webecho.synth`."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import in_python, on_command_line
from webecho.api.runs import as_run
from webecho.api.synth import MadeUp, SynthRequest, run_synth
from webecho.errors import WebechoError

WEB = Path("web")


def test_what_cannot_be_made_up_is_refused_at_once() -> None:
    assert on_command_line(lambda: SynthRequest(WEB, words=3)) == (
        "3 words a page are too few to plant anything in; give 30 or more"
    )
    assert on_command_line(lambda: SynthRequest(WEB, duplicates=0.9)) == (
        "a share of 0.9 duplicates cannot be made; give 0 to 0.7"
    )

    def families_of_documents() -> object:
        return SynthRequest(WEB, graph=True, families=(("shop", 1.0),))

    own = "which has families of its own; give one of them"
    assert on_command_line(families_of_documents) == f"--family is not for --graph, {own}"
    assert in_python(families_of_documents) == f"families= is not for graph=True, {own}"
    assert not WEB.exists()


def test_a_request_is_a_web() -> None:
    web = SynthRequest(WEB, pages=60, seed=7, power=3.0, form="parquet").web
    assert (web.pages, web.seed, web.power, web.form) == (60, 7, 3.0, "parquet")


def test_what_is_in_it() -> None:
    """Four pages on two machines, of which 1 copies 0, and 3 is near to 2."""
    truth = pa.table(
        {
            "page": [0, 1, 2, 3],
            "identity": [0, 0, 2, 3],
            "original": [0, 0, 2, 2],
            "host": ["a.example", "b.example", "c.example", "c.example"],
            "ip": ["10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.2"],
            "component": ["core", "core", "out", "disconnected"],
        }
    )
    made = MadeUp(truth, WEB / "pages", WEB / "truth.parquet", graph=False)
    plain = {"pages": 4, "hosts": 3, "machines": 2, "families": 2, "exact copies": 1}
    assert made.summary == plain
    linked = MadeUp(truth, WEB / "pages", WEB / "truth.parquet", graph=True)
    parts = {"core": 2, "in": 0, "out": 1, "tendrils": 0, "tubes": 0, "disconnected": 1}
    assert linked.summary == plain | parts


def test_the_crawl_and_the_truth_are_written(tmp_path: Path) -> None:
    out = tmp_path / "web"
    found = run_synth(SynthRequest(out, pages=60, words=40, form="parquet"), as_run(threads=1))
    assert (found.crawl, found.file) == (out / "pages", out / "truth.parquet")
    assert pq.read_table(found.file) == found.truth
    assert webecho.sketch(found.crawl)["url"] == found.truth["url"]
    assert sum(found.kinds["pages"].to_pylist()) == found.summary["pages"] == 60


def test_the_same_settings_give_the_same_truth_and_force_replaces(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"pages": 60, "words": 40, "form": "parquet", "families": {"shop": 1.0}}
    truth = webecho.synth(tmp_path / "web", **asked)
    assert {*truth["kind"].to_pylist()} >= {"original", "shop"}
    assert "near-copy" not in truth["kind"].to_pylist()
    with pytest.raises(WebechoError, match="is there already; give another name, or force=True"):
        webecho.synth(tmp_path / "web", **asked)
    assert webecho.synth(tmp_path / "web", force=True, **asked) == truth
