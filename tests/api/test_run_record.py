"""What is kept of a run."""

import json
from pathlib import Path

import webecho
from tests.collections_made import as_parquet, small_web
from tests.command import done
from webecho.api.run_record import RunRecord
from webecho.api.runs import as_run


def test_a_record_has_what_may_differ(tmp_path: Path) -> None:
    with RunRecord(as_run(threads=3, memory="1GB"), seed=7) as record:
        held = bytearray(1 << 20)
    record.write(tmp_path, "pairs b-2")
    assert len(held) == 1 << 20
    [[verb, kept]] = json.loads((tmp_path / "run.json").read_text()).items()
    assert verb == "pairs b-2"
    assert (kept["threads"], kept["memory"], kept["seed"]) == (3, 10**9, 7)
    assert kept["peak memory"] == record.peak > 1 << 20
    assert kept["seconds"] == round(record.seconds, 3)
    assert kept["webecho"] == webecho.__version__


def test_the_seed_is_kept_as_it_was_given(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "p.parquet", small_web())
    done("sketch", source, "-o", tmp_path / "w.echo")
    done("pairs", tmp_path / "w.echo", "--rule", "b", "--seed", "5", "--threads", "2")
    kept = json.loads((tmp_path / "w.echo" / "run.json").read_text())["pairs b-2"]
    assert (kept["seed"], kept["threads"]) == (5, 2)
