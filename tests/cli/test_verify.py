"""What `webecho verify` prints, and how it ends."""

import json
from pathlib import Path

from tests.collections_made import as_jsonl, small_web
from tests.command import done, webecho


def test_problems_are_named_and_make_it_fail(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done("dedup", as_jsonl(tmp_path / "web.jsonl", small_web()), "-o", out)
    whole = done("verify", out, "--format", "json")
    assert json.loads(whole.stdout)["problems"] == 0
    (out / "data" / "web.jsonl").write_text("{}\n")
    result = webecho("verify", out, "--format", "json")
    assert (result.exit_code, json.loads(result.stdout)["problems"]) == (1, 1)
    file = out / "data" / "web.jsonl"
    assert f"webecho: {file} cannot be read (it is not what was written there)" in result.stderr
