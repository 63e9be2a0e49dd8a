"""Large pieces of memory lie in files while memory is limited, and nothing depends on it."""

import hashlib
import json
import random
import tempfile
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from webecho import _core
from webecho.engine.local import resemblances
from webecho.engine.local.engine import local_run
from webecho.group import columns, losses, lost_words, stars
from webecho.workspace import mapped, removed
from webecho.workspace.spilling import spilling

BLOCKED = (mapped, columns, stars, losses, lost_words, removed, resemblances)


def test_pieces_are_spilled_only_while_memory_is_limited() -> None:
    ranks = pa.array(range(_core.LARGE // 4), pa.uint32())

    def firsts() -> pa.Array:
        return _core.Forest(len(ranks), 1).firsts(ranks)

    before = _core.spilled_pieces()
    with spilling(local_run()):
        held = firsts()
        assert _core.spilled_pieces() == before
    with spilling(local_run(memory=1 << 30)):
        with spilling(local_run(memory=1 << 30)):
            pass
        found = firsts()
        assert _core.spilled_pieces() == before + 1
    assert found.equals(held)
    again = firsts()
    assert _core.spilled_pieces() == before + 1
    del found
    assert _core.spilled_pieces() == before
    assert again.equals(held)


def test_arrow_keeps_nothing_that_was_freed_while_memory_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(pa, "jemalloc_set_decay_ms", asked.append)
    usual = pa.default_memory_pool().backend_name
    with spilling(local_run(memory=1 << 30)):
        with spilling(local_run(memory=1 << 30)):
            pass
        assert pa.default_memory_pool().backend_name in ("jemalloc", "system")
        assert asked == [0]
    assert pa.default_memory_pool().backend_name == usual


def test_what_finds_no_room_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    said: list[str] = []
    run = replace(local_run(memory=1 << 30), warn=said.append)
    with spilling(run), spilling(run):
        _core.Forest(_core.LARGE // 4, 1)
    [line] = said
    assert line.endswith("make room there, or set TMPDIR")
    assert f"large pieces of memory found no room in {tmp_path / 'none'} and were held" in line


def pages(path: Path) -> Path:
    """Copies, near copies, and pages of their own."""
    chance = random.Random(3)
    words = [f"word{number}" for number in range(400)]
    texts: list[str] = []
    for number in range(300):
        if texts and number % 3 == 0:
            texts.append(chance.choice(texts))
        elif texts and number % 3 == 1:
            texts.append(f"{chance.choice(texts)} {words[number % 400]}")
        else:
            texts.append(" ".join(chance.choices(words, k=60)))
    rows = (
        {"url": f"http://h{number % 7}.example/{number}", "text": text}
        for number, text in enumerate(texts)
    )
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def contents(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@pytest.mark.parametrize("keep", ["first", "longest"])
def test_what_a_dedup_writes_does_not_depend_on_how_many_rows_are_worked_on_at_a_time(
    keep: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = pages(tmp_path / "pages.jsonl")
    webecho.dedup(given, tmp_path / "one", keep=keep, min_words=10)
    summary = json.loads((tmp_path / "one" / "summary.json").read_text())
    assert summary["counts"]["removed, near"] > 20
    assert summary["counts"]["removed, same payload"] > 10
    for module in BLOCKED:
        monkeypatch.setattr(module, "BLOCK", 7)
    (tmp_path / "again").mkdir()
    webecho.dedup(given, tmp_path / "again" / "one", keep=keep, min_words=10, memory="300MB")
    assert contents(tmp_path / "again" / "one") == contents(tmp_path / "one")
