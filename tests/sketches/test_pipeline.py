"""The pipeline cuts parts by the input alone, whatever the batches."""

from pathlib import Path

import pytest

from tests.command import contents
from tests.engine.spark.workspaces import every_kind, sketched
from webecho.engine.local.engine import local_run
from webecho.read import batching
from webecho.run import Progress


def test_smaller_batches_make_the_same_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = every_kind(tmp_path)
    expected = sketched(inputs, tmp_path / "one.echo", local_run(2), part_pages=7)
    usual = batching.cut.__defaults__
    monkeypatch.setattr(batching.cut, "__defaults__", (3000, 3))
    assert usual != batching.cut.__defaults__
    assert sketched(inputs, tmp_path / "two.echo", local_run(), part_pages=7) == expected
    assert contents(tmp_path / "two.echo") == expected


def test_it_tells_how_far_it_has_come(tmp_path: Path) -> None:
    told: list[Progress] = []
    sketched(every_kind(tmp_path)[:1], tmp_path / "w.echo", local_run(report=told.append))
    reading = [each for each in told if each.phase == "reading"]
    assert reading[-1].pages == 60
    assert reading[-1].bytes > 1000
    assert told[-1] == Progress("writing sketches")
