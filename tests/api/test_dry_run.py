"""A dedup that is only foreseen, as programs ask for it."""

import os
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import webecho
from tests.api.refusals import on_command_line
from tests.collections_made import as_jsonl, small_web
from webecho.api.dedup import DedupRequest
from webecho.api.dry_run import DryRunRequest, check_only_dry, run_dry_run
from webecho.api.runs import as_run
from webecho.errors import SettingsError


def test_a_dry_run_foresees_and_writes_nothing(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    found = run_dry_run(DryRunRequest(DedupRequest((file,)).plan, (file,)), as_run())
    assert found.facts["pages in the sample"] == 16
    assert webecho.dedup(file, dry_run=True).facts["pages, about"] == 16
    assert [each.name for each in tmp_path.iterdir()] == ["web.jsonl"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"limit": 0}, "--limit 0: give 1 or more"),
        ({"sample": 1.5}, "--sample 1.5 is not above 0 and at most 1; try 0.1"),
        (
            {"limit": 5, "sample": 0.1},
            "--limit and --sample both say how much is read; leave one of them out",
        ),
    ],
)
def test_how_much_is_read_is_checked_at_once(wrong: Any, message: str) -> None:
    asked = DedupRequest(("pages.jsonl",)).plan
    assert on_command_line(lambda: DryRunRequest(asked, ("pages.jsonl",), **wrong)) == message


def test_without_a_dry_run_there_is_no_sample() -> None:
    message = "--limit and --sample say how much --dry-run reads; add --dry-run"
    assert on_command_line(lambda: check_only_dry(5, None)) == message
    assert on_command_line(lambda: check_only_dry(None, 0.0)) == message
    with pytest.raises(SettingsError, match="add dry_run=True"):
        webecho.dedup(["one", "two"], sample=0.5)


def test_what_comes_once_is_copied_for_a_while(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=lambda: pipe.write_bytes(file.read_bytes()))
    writer.start()
    assert webecho.dedup(pipe, dry_run=True).facts["pages in the sample"] == 16
    writer.join()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["pipe", "web.jsonl"]
